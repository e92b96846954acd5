"""Adaptive arithmetic coder of Witten, Neal and Cleary (1987): one add-one model per message.

Low and high are inclusive 32-bit integers, the total count n + A is at most 2^30, nothing is halved; the
model is updated after every symbol, and two bits end the code. It takes some microseconds per symbol, by
kernels some nanoseconds (`impl.tier`); `ideal_bits` gives its length up to some bits from the counts alone.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.checked_digits import as_digits, require_code, require_whole
from impl.coding.fewest_bits import fewest_adaptive_bits
from impl.coding.fused_coders import decoded_adaptively, encoded_adaptively, is_for_kernels
from impl.errors import ArgumentError

Array = npt.NDArray[Any]

LARGEST_TOTAL = 2**30
_TOP, _HALF, _QUARTER = 2**32 - 1, 2**31, 2**30
_INSIDE = "the code ends inside of a symbol"


def ideal_bits(counts: Any) -> float:
    """Return log2 of (n + A - 1)! / ((A - 1)! prod n_a!), the length of the add-one model's code.

    Args:
        counts: n_a of every symbol of the alphabet, also of those that do not occur.
    """
    counts = np.asarray(counts)
    n, A = int(counts.sum()), len(counts)
    parts = math.fsum(math.lgamma(int(count) + 1) for count in counts)
    return (math.lgamma(n + A) - math.lgamma(A) - parts) / math.log(2)


class _Model:
    """Add-one counts in a tree of partial sums: prefix sums and updates in log A steps."""

    def __init__(self, alphabet: int) -> None:
        self.total = alphabet
        self._top = 1 << (alphabet - 1).bit_length()
        # Entry i holds the sum of the i & -i counts up to the i-th; behind the alphabet there is nothing.
        self._tree = [0] * (self._top + 1)
        for i in range(1, self._top + 1):
            first = i - (i & -i)
            self._tree[i] = max(0, min(i, alphabet) - first)

    def below(self, symbol: int) -> int:
        """Return the sum of the counts of smaller symbols."""
        total, tree = 0, self._tree
        while symbol:
            total += tree[symbol]
            symbol &= symbol - 1
        return total

    def find(self, target: int) -> tuple[int, int]:
        """Return the symbol in whose counts a number below `total` falls, and the sum below it."""
        place, rest, step, tree = 0, target, self._top >> 1, self._tree
        while step:
            if tree[place + step] <= rest:
                place += step
                rest -= tree[place]
            step >>= 1
        return place, target - rest

    def add(self, symbol: int) -> None:
        """Count one more symbol."""
        self.total += 1
        place, tree = symbol + 1, self._tree
        while place <= self._top:
            tree[place] += 1
            place += place & -place


class AdaptiveCoder:
    """Code digits 0 to A - 1.

    Args:
        alphabet: A, from 1 to 2**30 - 1.

    Raises:
        ArgumentError: An alphabet out of range.
    """

    def __init__(self, alphabet: int) -> None:
        remedy = "give the number of digits"
        require_whole(alphabet, "alphabet", 1, LARGEST_TOTAL - 1, "AdaptiveCoder", remedy)
        self.alphabet = int(alphabet)

    def _require_count(self, count: int) -> None:
        if count + self.alphabet > LARGEST_TOTAL:
            raise ArgumentError(
                f"AdaptiveCoder: {count} digits with alphabet={self.alphabet}: their sum must be at most "
                "2**30; code them in parts"
            )

    def bits(self, digits: Sequence[int] | Array) -> int:
        """Return the exact length of the code in bits."""
        given = self._checked(digits)
        if is_for_kernels(len(given), self.alphabet):
            return encoded_adaptively(given, self.alphabet)[1]
        return len(self._encoded(given))

    def encode(self, digits: Sequence[int] | Array) -> bytes:
        """Return the code, filled up with zeros to whole bytes.

        Raises:
            ArgumentError: Not whole numbers, a digit outside of the alphabet (the first is named), or too
                many of them.
        """
        given = self._checked(digits)
        if is_for_kernels(len(given), self.alphabet):
            return encoded_adaptively(given, self.alphabet)[0]
        return np.packbits(np.frombuffer(self._encoded(given), dtype=np.uint8)).tobytes()

    def _checked(self, digits: Sequence[int] | Array) -> Array:
        given = as_digits(digits, self.alphabet, "AdaptiveCoder")
        self._require_count(len(given))
        return given

    def _encoded(self, given: Array) -> bytearray:
        """Return the code of checked digits as one byte per bit."""
        model, out, low, high, pending = _Model(self.alphabet), bytearray(), 0, _TOP, 0
        for digit in given.tolist():
            width, total = high - low + 1, model.total
            high = low + width * model.below(digit + 1) // total - 1
            low += width * model.below(digit) // total
            model.add(digit)
            while True:
                if high < _HALF:
                    out += b"\0" + b"\1" * pending
                    pending = 0
                elif low >= _HALF:
                    out += b"\1" + b"\0" * pending
                    pending, low, high = 0, low - _HALF, high - _HALF
                elif low >= _QUARTER and high < _HALF + _QUARTER:
                    pending, low, high = pending + 1, low - _QUARTER, high - _QUARTER
                else:
                    break
                low, high = 2 * low, 2 * high + 1
        out += b"\0" + b"\1" * (pending + 1) if low < _QUARTER else b"\1" + b"\0" * (pending + 1)
        return out

    def decode(self, data: bytes, count: int) -> Array:
        """Return `count` digits, int64.

        Raises:
            ArgumentError: data are no bytes, count is no whole number of at least 0, or too large.
            ValueError: data are not what `encode` makes of these digits.
        """
        require_code(data, "AdaptiveCoder")
        require_whole(count, "count", 0, None, "AdaptiveCoder", "give the number of digits")
        self._require_count(count)
        if 8 * len(data) < fewest_adaptive_bits(count, self.alphabet):
            raise ValueError(_INSIDE)
        if is_for_kernels(count, self.alphabet):
            return decoded_adaptively(data, self.alphabet, count)
        text = np.unpackbits(np.frombuffer(data, dtype=np.uint8)).tolist()
        text += [0] * 32  # the code is continued by zeros
        value, at = int("".join(map(str, text[:32])), 2), 32
        model, low, high = _Model(self.alphabet), 0, _TOP
        digits: list[int] = []  # a code that ends early takes memory for what it has
        for _ in range(count):
            width, total = high - low + 1, model.total
            digit, below = model.find(((value - low + 1) * total - 1) // width)
            digits.append(digit)
            high = low + width * model.below(digit + 1) // total - 1
            low += width * below // total
            model.add(digit)
            while True:
                if high < _HALF:
                    pass  # the leading bit is 0: nothing to take off before the shift
                elif low >= _HALF:
                    value, low, high = value - _HALF, low - _HALF, high - _HALF
                elif low >= _QUARTER and high < _HALF + _QUARTER:
                    value, low, high = value - _QUARTER, low - _QUARTER, high - _QUARTER
                else:
                    break
                low, high = 2 * low, 2 * high + 1
                if at == len(text):
                    raise ValueError(_INSIDE)
                value, at = 2 * value + text[at], at + 1
        # Every shift sent one bit, the end two more: it leaves one of two numbers, followed by zeros.
        ending = _QUARTER if low < _QUARTER else _HALF
        if value != ending or len(data) != (at - 32 + 2 + 7) // 8:
            raise ValueError("the code does not end as the encoder's does")
        return np.array(digits, dtype=np.int64)
