"""Words of raw symbols; stands for the loops of `impl.coding.symbol_words`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel
from impl.kernels.instructions import upper_product

Array = npt.NDArray[Any]


@kernel
def pack_words(symbols: Array, alphabet: Any, n: int, offset: int, words: Array) -> int:
    """Write words of n digits, the first one lowest.

    Args:
        symbols: int64, (d,).
        alphabet: A, uint64.
        n: As many digits as 64 bits hold.
        offset: What is added to a symbol to give its digit.
        words: Output, uint64, as many as d symbols take.

    Returns:
        The first symbol that is outside of the alphabet, d where there is none.
    """
    d, half, largest, middle = len(symbols), (n + 1) // 2, np.uint64(0), np.uint64(1)
    for _ in range(half):
        middle *= alphabet
    for at in range(len(words)):
        part = symbols[n * at : n * (at + 1)]
        # Two halves at a time: each digit waits for the product before it.
        first, second, lower, upper = part[:half], part[half:], np.uint64(0), np.uint64(0)
        for j in range(len(first) - 1, len(second) - 1, -1):
            digit = np.uint64(first[j] + offset)  # a negative one is very large
            largest = max(largest, digit)
            lower = lower * alphabet + digit
        for j in range(len(second) - 1, -1, -1):
            digit, other = np.uint64(first[j] + offset), np.uint64(second[j] + offset)
            largest = max(largest, max(digit, other))  # of three, it takes half a second to compile
            lower, upper = lower * alphabet + digit, upper * alphabet + other
        words[at] = upper * middle + lower
    if largest >= alphabet:
        for j in range(d):
            if np.uint64(symbols[j] + offset) >= alphabet:
                return j
    return d


@kernel
def unpack_words(words: Array, alphabet: Any, n: int, offset: int, symbols: Array) -> int:
    """Write the symbols, int64 (n W,), of W words.

    Each word is cut into two halves, whose quotients by A are products with its rounded up inverse: exact,
    as a half times A is below 2^64. Arguments as above; n is at least 2.

    Returns:
        The first word that holds more than n digits, the number of words where there is none.
    """
    half = (n + 1) // 2
    inverse, middle = np.uint64(2**64 - 1) // alphabet + np.uint64(1), np.uint64(1)
    for _ in range(half):
        middle *= alphabet
    for at in range(len(words)):
        upper = words[at] // middle
        lower = words[at] - upper * middle
        part = symbols[n * at : n * (at + 1)]
        first, second = part[:half], part[half:]
        for j in range(len(second)):
            quotient, other = upper_product(lower, inverse), upper_product(upper, inverse)
            first[j] = np.int64(lower - quotient * alphabet) - offset
            second[j] = np.int64(upper - other * alphabet) - offset
            lower, upper = quotient, other
        if len(first) > len(second):
            first[-1] = np.int64(lower) - offset
        if upper:
            return at
    return len(words)
