"""Raw payload of symbols of an alphabet: as many digits per 64-bit word as fit, the first one lowest."""

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.tiers import current

Array = npt.NDArray[Any]

LARGEST_ALPHABET = 2**32

_FEW = 8  # words up to which digits are taken one by one


@functools.cache
def symbols_per_word(alphabet: int) -> int:
    """Return floor(64 / log2 A), the largest n with A^n <= 2^64, for 2 <= A <= 2^32."""
    n = 1
    while alphabet ** (n + 1) <= 2**64:
        n += 1
    return n


def word_count(d: int, alphabet: int) -> int:
    """Return the number of words that d symbols take."""
    return -(-d // symbols_per_word(alphabet))


def to_words(symbols: Array, alphabet: int, offset: int) -> Array:
    """Return the words of one vector of symbols, uint64 (W,).

    Args:
        symbols: Integers (d,); symbol + offset is a digit.
        alphabet: Number of digits A, from 2 to 2^32.
        offset: As above.

    Raises:
        ValueError: A symbol outside of the alphabet; the first is named.
    """
    d, n = len(symbols), symbols_per_word(alphabet)
    if current() == "fused" and d and symbols.dtype == np.int64:
        from impl.kernels.coders.symbol_words import pack_words  # numba, where it is asked for

        packed = np.empty(word_count(d, alphabet), np.uint64)
        if pack_words(np.ascontiguousarray(symbols), np.uint64(alphabet), n, offset, packed) == d:
            return packed
    if d and not (symbols.min() >= -offset and symbols.max() < alphabet - offset):
        j = int(np.flatnonzero((symbols < -offset) | (symbols >= alphabet - offset))[0])
        low, high = -offset, alphabet - 1 - offset
        raise ValueError(f"symbol {symbols[j]} of coordinate {j} is outside of the alphabet {low}..{high}")
    if d <= _FEW * n:
        return _few_words(symbols.astype(np.int64).tolist(), alphabet, offset)
    # Digits of one place are neighbours in memory: the loop runs over places, at full speed.
    small = np.uint8 if alphabet <= 256 else np.uint32
    digits = np.zeros((word_count(d, alphabet), n), dtype=small)
    np.add(symbols, offset, out=digits.reshape(-1)[:d], casting="unsafe", dtype=np.int64)
    places = np.ascontiguousarray(digits.T)
    words: Array = places[n - 1].astype(np.uint64)
    base = np.uint64(alphabet)
    for place in places[n - 2 :: -1] if n > 1 else ():
        words *= base
        words += place
    return words


def from_words(words: Array, d: int, alphabet: int, offset: int) -> Array:
    """Return the symbols of one vector, int64 (d,).

    Raises:
        ValueError: The number of words is not that of d symbols, a word is A^n or more, or there is a digit
            behind the last symbol.
    """
    if len(words) != word_count(d, alphabet):
        raise ValueError(f"{len(words)} words for {d} symbols, which take {word_count(d, alphabet)}")
    n, base = symbols_per_word(alphabet), np.uint64(alphabet)
    whole = d // n  # words without room behind the last symbol
    if current() == "fused" and whole:
        from impl.kernels.coders.symbol_words import unpack_words

        symbols, given = np.empty(d, np.int64), np.ascontiguousarray(words, np.uint64)
        full = given[:whole]
        full.flags.writeable = False  # as of bytes: a kernel is compiled for one kind
        if unpack_words(full, base, n, offset, symbols[: n * whole]) == whole:
            rest = _digits(given[whole:], d - n * whole, alphabet, whole)
            np.subtract(rest, offset, out=symbols[n * whole :], dtype=np.int64)
            return symbols
    return np.subtract(_digits(words, d, alphabet, 0), offset, dtype=np.int64)


def _few_words(symbols: list[int], alphabet: int, offset: int) -> Array:
    """Return the words of few symbols."""
    words, n = [], symbols_per_word(alphabet)
    for first in range(0, len(symbols), n):
        word = 0
        for symbol in reversed(symbols[first : first + n]):
            word = word * alphabet + symbol + offset
        words.append(word)
    return np.array(words, dtype=np.uint64)


def _digits(words: Array, d: int, alphabet: int, before: int) -> Array:
    """Return d digits, uint8 or uint32; so many words are before these."""
    n, base = symbols_per_word(alphabet), np.uint64(alphabet)
    if len(words) <= _FEW:
        digits, rest = _digits_one_by_one(words.tolist(), alphabet, n)
    else:
        digits, rest = _digits_by_places(words, base, n)
    if rest.any():
        raise ValueError(
            f"word {before + int(np.flatnonzero(rest)[0])} holds a symbol outside of the alphabet"
        )
    if digits[d:].any():
        raise ValueError("the last word holds symbols behind the last coordinate")
    return digits[:d]


def _digits_one_by_one(words: list[int], alphabet: int, n: int) -> tuple[Array, Array]:
    """Return the n digits of each word, the first ones first, and what is left of the words."""
    digits, rest = [], []
    for word in words:
        for _ in range(n):
            word, digit = divmod(word, alphabet)
            digits.append(digit)
        rest.append(word)
    return np.array(digits, dtype=np.uint32), np.array(rest, dtype=np.uint64)


def _digits_by_places(words: Array, base: np.uint64, n: int) -> tuple[Array, Array]:
    """Return the same, place after place."""
    places = np.empty((n, len(words)), dtype=np.uint8 if base <= 256 else np.uint32)
    rest = words.astype(np.uint64)
    for place in places:
        quotient = rest // base
        np.subtract(rest, quotient * base, out=place, casting="unsafe", dtype=np.uint64)
        rest = quotient
    return np.ascontiguousarray(places.T).reshape(-1), rest
