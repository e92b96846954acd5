"""Elias gamma and omega codes of positive integers (Elias 1975).

Lengths depend on floor(log2 k) only; `SparseCode.expected_gap_bits` relies on that.
"""

import functools
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from impl.coding.bit_stream import BitReader
from impl.coding.checked_digits import as_positive, require_whole
from impl.coding.code_table import CodeTable
from impl.errors import ArgumentError

Array = npt.NDArray[Any]

_NAMES = ("gamma", "omega")
_REMEDY = "add 1 where zeros occur"

SHORT = 2**15  # numbers below it have their words in a table


@dataclass(frozen=True)
class EliasCode:
    """One of the two codes.

    Args:
        name: `gamma`: floor(log2 k) zeros, then k in binary; `omega`: k preceded by its recursive length.

    Raises:
        ArgumentError: Another name.
    """

    name: Literal["gamma", "omega"]

    def __post_init__(self) -> None:
        if not (isinstance(self.name, str) and self.name in _NAMES):
            raise ArgumentError(
                f"EliasCode: name={self.name!r} is unknown; choose one of {', '.join(_NAMES)}"
            )

    def word(self, k: int) -> str:
        """Return the code word of k >= 1 as text of 0 and 1, literally."""
        require_whole(k, "k", 1, None, "EliasCode.word", _REMEDY)
        k = int(k)
        if self.name == "gamma":
            return "0" * (len(bin(k)) - 3) + bin(k)[2:]
        word = "0"
        while k > 1:
            group = bin(k)[2:]
            word = group + word
            k = len(group) - 1
        return word

    def length(self, k: int) -> int:
        """Return the length in bits of the code word of k >= 1."""
        require_whole(k, "k", 1, None, "EliasCode.length", _REMEDY)
        k = int(k)
        if self.name == "gamma":
            return 2 * k.bit_length() - 1
        length = 1
        while k > 1:
            length += k.bit_length()
            k = k.bit_length() - 1
        return length

    def lengths(self, k: Any) -> Array:
        """Return the lengths in bits of the code words of an integer array k >= 1, same shape."""
        k = as_positive(k, "EliasCode.lengths")
        if k.size and int(k.max()) < SHORT:
            short: Array = _short_lengths(self)[k]
            return short
        long: Array = _lengths_by_log(self)[floor_log2(k)]
        return long

    def fields(self, k: Any) -> tuple[Array, Array]:
        """Return (values, widths), each k.shape + (fields,): the words as unsigned fields for a BitWriter."""
        k = as_positive(k, "EliasCode.fields")
        if self.name == "gamma":
            log = floor_log2(k).astype(np.int64)
            return np.stack([np.zeros_like(k), k], axis=-1), np.stack([log, log + 1], axis=-1)
        values, widths = [np.zeros_like(k)], [np.ones_like(k)]
        while (k > 1).any():
            more = k > 1
            width = np.where(more, floor_log2(k).astype(np.int64) + 1, 0)
            values.insert(0, np.where(more, k, 0))
            widths.insert(0, width)
            k = np.where(more, width - 1, 1)
        return np.stack(values, axis=-1), np.stack(widths, axis=-1)

    def short_words(self, k: Array) -> tuple[Array, Array]:
        """Return the words of 1 <= k < 2**15, uint64, and their lengths, uint8, each of the shape of k."""
        values, widths = _short_words(self)
        return values[k], widths[k]

    def short_table(self) -> tuple[Array, Array]:
        """Return what `short_words` returns of 0 (of no use), 1, ...: the tables, not to be changed."""
        return _short_words(self)

    def read_many(self, reader: BitReader, count: int) -> Array:
        """Read `count` code words and return their numbers, int64 (count,)."""
        return _table(self).read(reader, count, lambda _: (self.read(reader),))[:, 0]

    def table_words(self) -> list[tuple[str, int]]:
        """Return the words that fit a window of a `CodeTable`, with their numbers."""
        return [(self.word(k), k) for k in range(1, 2**10) if self.length(k) <= 16]

    def read(self, reader: BitReader) -> int:
        """Read one code word and return k."""
        if self.name == "gamma":
            return reader.read(reader.count_zeros() + 1)
        k = 1
        while reader.read(1):
            if k > 63:
                raise ValueError("an omega code word is longer than 64 bits")
            k = (1 << k) | reader.read(k)
        return k


@functools.cache
def _lengths_by_log(code: EliasCode) -> Array:
    return np.array([code.length(1 << e) for e in range(63)], dtype=np.int64)


@functools.cache
def _short_lengths(code: EliasCode) -> Array:
    return np.array([code.length(max(k, 1)) for k in range(SHORT)], dtype=np.int64)


@functools.cache
def _short_words(code: EliasCode) -> tuple[Array, Array]:
    k = np.arange(SHORT)
    values, widths = code.fields(np.maximum(k, 1))
    word = np.zeros(len(k), dtype=np.uint64)
    for value, width in zip(values.T.astype(np.uint64), widths.T.astype(np.uint64), strict=True):
        word = (word << width) | value
    return word, widths.sum(axis=-1).astype(np.uint8)


@functools.cache
def _table(code: EliasCode) -> CodeTable:
    return CodeTable((word, (k,)) for word, k in code.table_words())


@functools.cache
def _small_logs() -> Array:
    return np.array([max(k.bit_length() - 1, 0) for k in range(2**15)], dtype=np.int8)


GAMMA = EliasCode("gamma")
OMEGA = EliasCode("omega")


def require_elias(code: object, where: str) -> None:
    """Raise an ArgumentError unless a code of levels is given a code of numbers."""
    if not isinstance(code, EliasCode):
        raise ArgumentError(f"{where}: elias={code!r} must be an EliasCode; impl.coding has GAMMA and OMEGA")


def floor_log2(k: Array) -> Array:
    """Return floor(log2 k) of an int64 array k >= 1, exactly, as small integers."""
    if k.size and int(k.max()) < 2**15:
        return _small_logs()[k]
    _, exponent = np.frexp(k.astype(np.float64))
    log = exponent.astype(np.int64) - 1
    # Above 2**53 the conversion may round up to the next power of two.
    too_large = (log >= 63) | (np.left_shift(np.int64(1), np.minimum(log, 62)) > k)
    return log - too_large
