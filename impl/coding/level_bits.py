"""Bits of many vectors of small levels by tables: eight coordinates at a time, whatever their number."""

import functools
import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.dense_code import DenseCode
from impl.coding.elias import SHORT, EliasCode
from impl.coding.sparse_code import SparseCode

Array = npt.NDArray[Any]

LARGEST_LEVEL = 255


class LevelBits:
    """What `code.bits` counts, for arrays of one size that are filled over and over.

    Presences are packed, eight coordinates a byte. Of a byte a table tells the first and the last coordinate
    that is sent and the bits of the gaps between; those of gaps that leave a byte come from the places.
    A level adds bits where it reaches numbers from which words are longer.

    Args:
        code: Of the levels.
        rows: Number of vectors.
        d: Their length, below 2**15 - 1.
    """

    def __init__(self, code: SparseCode | DenseCode, rows: int, d: int) -> None:
        self._sparse, self._elias, self._d = isinstance(code, SparseCode), code.elias, d
        width = d // 8 + 1  # bytes of a vector, room for the sentinel included
        self._padded = np.zeros((rows, 8 * width), np.uint8)
        self.levels = self._padded[:, :d]  # |level|, to be filled before `count`
        self._places = np.arange(rows)[:, None] * (d + 1) + 8 * np.arange(width)
        self._sums = np.empty((rows, width), np.int64)
        self._empty, self._rises = _rises(self._elias, self._sparse)

    def count(self) -> Array:
        """Return the bits of the levels, int64 (rows,)."""
        largest, sums = int(self._padded.max(initial=0)), self._sums
        sums[...] = 0
        if self._sparse:
            self._add_gaps(self._reached(1))
        for level, more in self._rises:
            if level > largest:
                break
            sums += more * np.bitwise_count(self._reached(level))
        return np.asarray(sums.sum(axis=1) + self._empty * self._d)

    def _reached(self, level: int) -> Array:
        """Return which levels are at least this one, packed, (rows, bytes)."""
        return np.packbits(self._padded >= level).reshape(self._sums.shape)

    def _add_gaps(self, present: Array) -> None:
        """Add the bits of all gaps, sentinel included, to the sums of the bytes in which they end."""
        within, first, last, gap_bits = _byte_tables(self._elias)
        present[:, self._d // 8] |= 128 >> self._d % 8
        used = np.flatnonzero(present)
        byte, places = present.ravel()[used], self._places.ravel()[used]
        gaps = first[byte] + places
        gaps[1:] -= (last[byte] + places)[:-1]
        gaps[:1] += 1
        self._sums.reshape(-1)[used] = gap_bits[gaps] + within[byte]


@functools.cache
def _rises(elias: EliasCode, sparse: bool) -> tuple[int, tuple[tuple[int, int], ...]]:
    """Return the bits of level 0, and the levels that take more bits than the one before, and how many.

    In a sparse code a zero has no bits, and another level a sign and the word of its size; in a dense one the
    word is that of its size and one.
    """
    size = np.arange(LARGEST_LEVEL + 1)
    bits = (1 + elias.lengths(np.maximum(size, 1))) * (size > 0) if sparse else elias.lengths(size + 1)
    bits = bits if sparse else bits + (size > 0)
    more = np.diff(bits)
    return int(bits[0]), tuple((int(at) + 1, int(more[at])) for at in np.flatnonzero(more))


@functools.cache
def _byte_tables(elias: EliasCode) -> tuple[Array, Array, Array, Array]:
    """Return of each byte the bits of its inner gaps, its first and its last coordinate; bits of gaps."""
    within, first, last = (np.zeros(256, np.int64) for _ in range(3))
    for byte in range(1, 256):
        places = [place for place in range(8) if byte >> (7 - place) & 1]
        first[byte], last[byte] = places[0], places[-1]
        within[byte] = sum(elias.length(b - a) for a, b in itertools.pairwise(places))
    return within, first, last, elias.lengths(np.maximum(np.arange(SHORT), 1))
