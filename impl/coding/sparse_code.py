"""Sparse code: code(gap), content for each nonzero in index order, then code(gap to the sentinel d + 1).

The sentinel is required: gaps without an end mark cannot be decoded (arXiv 2106.03524, squant/bits).
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.bit_stream import BitReader, BitWriter
from impl.coding.checked_levels import as_levels, beyond, require_coordinates
from impl.coding.code_table import CodeTable, Symbol
from impl.coding.elias import SHORT, EliasCode, require_elias
from impl.coding.fused_levels import KernelReader, bits_by_kernel, write_by_kernel
from impl.errors import ArgumentError
from impl.tiers import current

Array = npt.NDArray[Any]

_MOST = 2**63 - 1


@dataclass(frozen=True)
class SparseCode:
    """Positions of nonzeros by gaps; levels as one sign bit and code(|level|)."""

    elias: EliasCode

    def __post_init__(self) -> None:
        require_elias(self.elias, "SparseCode")

    def gap_bits(self, present: Array) -> Array:
        """Return the bits of all gaps, sentinel included.

        Args:
            present: Which coordinates are sent, bool (..., d).

        Returns:
            int64, (...).
        """
        return self._bits(present, None)

    def bits(self, levels: Array) -> Array:
        """Return the exact number of bits of signed levels, whole numbers (..., d): int64 (...).

        Raises:
            ArgumentError: No array of whole numbers, one without axes, or a magnitude above 2**63 - 1.
        """
        levels = as_levels(levels, "SparseCode.bits", vector=False)
        counted = bits_by_kernel(self.elias, levels, sparse=True)
        if counted is not None:
            return counted
        try:
            return self._bits(levels != 0, levels)
        except ArgumentError:  # of the least integer, whose magnitude is itself
            raise beyond(levels, _MOST, "SparseCode.bits") from None

    def _bits(self, present: Array, levels: Array | None) -> Array:
        *batch, d = present.shape
        if not d:  # the sentinel alone
            return np.full(batch, self.elias.length(1), dtype=np.int64)
        flat = np.flatnonzero(present)
        # Each row is given d + 1 places, the last for its sentinel: every gap is a difference of neighbours.
        row = flat // d
        counts = np.bincount(row, minlength=present.size // d)
        ends = np.cumsum(counts + 1) - 1
        word = np.empty(len(flat) + len(counts), dtype=np.int64)
        sent = np.ones(len(word), dtype=bool)
        sent[ends] = False
        word[sent] = flat + row
        word[ends] = np.arange(1, len(counts) + 1) * (d + 1) - 1
        gaps = word.copy()
        gaps[:1] += 1
        gaps[1:] -= word[:-1]
        bits = self.elias.lengths(gaps)
        if levels is not None:
            bits[sent] += 1 + self.elias.lengths(np.abs(levels.reshape(-1)[flat]))
        sums = np.cumsum(bits)[ends]
        sums[1:] -= sums[:-1].copy()
        return np.asarray(sums.reshape(batch))

    def write(self, writer: BitWriter, levels: Array) -> None:
        """Append the code of one vector of signed levels, whole numbers (d,).

        Raises:
            ArgumentError: No array of whole numbers, other axes, or a magnitude above 2**63 - 1.
        """
        levels = as_levels(levels, "SparseCode.write", vector=True)
        if write_by_kernel(self.elias, writer, levels, sparse=True):
            return
        position = np.flatnonzero(levels)
        level = levels[position]
        size = np.abs(level)
        gaps = _gaps(position, len(levels))
        # Unsigned, the magnitude of the least integer is large, not negative.
        if size.size and int(size.view(np.uint64).max()) < SHORT and int(gaps.max()) < SHORT:
            self._write_short(writer, gaps, size, level < 0)
            return
        try:
            values, widths = self.elias.fields(size)
        except ArgumentError:  # of the least integer, whose magnitude is itself
            raise beyond(levels, _MOST, "SparseCode.write") from None
        sign = (level < 0).astype(np.int64)[:, None]
        self._write(
            writer, position, len(levels), np.hstack([sign, values]), np.hstack([sign * 0 + 1, widths])
        )

    def _write_short(self, writer: BitWriter, gaps: Array, size: Array, negative: Array) -> None:
        """Append one field per nonzero, of at most 61 bits, and the sentinel."""
        values, widths = self.elias.short_words(size)
        gap, gap_widths = self.elias.short_words(gaps)
        one = np.uint64(1)
        own = widths.astype(np.uint64)
        fields = (gap[:-1] << (own + one)) | (negative.astype(np.uint64) << own) | values
        writer.append(fields, gap_widths[:-1] + widths + np.uint8(1))
        writer.append(gap[-1], gap_widths[-1])

    def write_entries(self, writer: BitWriter, present: Array, words: Array, width: int) -> None:
        """Append the code of one vector: present bool (d,), contents as words (nnz,) of `width` bits."""
        position = np.flatnonzero(present)
        self._write(writer, position, len(present), words[:, None], np.full((len(words), 1), width))

    def read(self, reader: BitReader, d: int) -> Array:
        """Read one vector of signed levels back, int64 (d,).

        Memory for the levels is taken when the sentinel has told that there are d of them.

        Raises:
            ArgumentError: d is no whole number of at least 0.
            IndexError: The payload ends before the sentinel.
            ValueError: A gap leads beyond the last coordinate, or a word that no writer makes.
        """
        require_coordinates(d, "SparseCode.read")

        def read_one(position: int) -> Symbol | None:
            gap = self._gap(reader, position, d)
            if gap is None:
                return None
            negative, level = reader.read(1), self.elias.read(reader)
            return gap, -level if negative else level

        if current() == "fused" and reader.is_in_proportion(d):
            levels = np.zeros(d, dtype=np.int64)
            stretches, position = KernelReader(self.elias, reader, _short_words(self)), 0
            while True:
                position = stretches.read(position, levels)
                symbol = read_one(position)
                if symbol is None:
                    return levels
                position += symbol[0]
                levels[position - 1] = symbol[1]
        found = _table(self).read(reader, d, read_one)
        levels = np.zeros(d, dtype=np.int64)
        levels[np.cumsum(found[:, 0]) - 1] = found[:, 1]
        return levels

    def read_entries(self, reader: BitReader, d: int, width: int) -> tuple[list[int], list[int]]:
        """Read positions and words of `width` bits back.

        Raises:
            ArgumentError, IndexError, ValueError: As of `read`.
        """
        require_coordinates(d, "SparseCode.read_entries")
        positions: list[int] = []
        words: list[int] = []
        position = 0
        while (gap := self._gap(reader, position, d)) is not None:
            position += gap
            positions.append(position - 1)
            words.append(reader.read(width))
        return positions, words

    def _gap(self, reader: BitReader, position: int, d: int) -> int | None:
        """Read the gap behind a position counted from 1; None for the sentinel."""
        gap = self.elias.read(reader)
        if position + gap > d + 1:
            raise ValueError(f"a gap leads beyond the last of {d} coordinates")
        return None if position + gap == d + 1 else gap

    def _write(self, writer: BitWriter, position: Array, d: int, values: Array, widths: Array) -> None:
        # One row per nonzero: the fields of its gap, then those of its content; the sentinel is a gap alone.
        gaps, gap_widths = self.elias.fields(_gaps(position, d))
        gaps = gaps.astype(np.uint64)  # words of 64 bits would make a mixed array float
        writer.append(np.hstack([gaps[:-1], values.astype(np.uint64)]), np.hstack([gap_widths[:-1], widths]))
        writer.append(gaps[-1], gap_widths[-1])

    def expected_gap_bits(self, q: Array) -> Array:
        """Return the expected bits of all gaps, sentinel included, for independent presences.

        A length is a sum of steps at powers of two, so only P(gap >= 2^k) is needed; the products over runs
        double with k. That is O(d log d) without any cancellation.

        Args:
            q: Probabilities that a coordinate is sent, (..., d).

        Returns:
            (...).
        """
        d = q.shape[-1]
        start = np.concatenate([np.ones((*q.shape[:-1], 1)), q], axis=-1)  # index 0 stands before the vector
        absent = np.concatenate([1 - q, np.zeros((*q.shape[:-1], 1))], axis=-1)  # of coordinates 1 .. d + 1
        total = self.elias.length(1) * start.sum(axis=-1)
        empty = np.ones((*q.shape[:-1], d + 1))  # product over the 2^k - 1 coordinates behind index i
        k = 1
        while 2**k <= d + 1:
            half = 2 ** (k - 1)
            longer = np.zeros_like(empty)
            # The run of 2^k - 1 coordinates behind i: 2^(k-1) - 1, the one in the middle, 2^(k-1) - 1 again.
            stop = d + 1 - half
            longer[..., :stop] = (
                empty[..., :stop] * absent[..., half - 1 : half - 1 + stop] * empty[..., half:]
            )
            empty = longer
            step = self.elias.length(2**k) - self.elias.length(2 ** (k - 1))
            total = total + step * (start * empty).sum(axis=-1)
            k += 1
        return np.asarray(total)

    def exact_gap_bits(self, q: Sequence[Fraction]) -> Fraction:
        """Return the same in Fractions for one vector, by the double sum over pairs of neighbours."""
        d = len(q)
        presence = [Fraction(1), *q, Fraction(1)]
        total = Fraction(0)
        for i in range(d + 1):
            weight = presence[i]
            for j in range(i + 1, d + 2):
                if weight == 0:
                    break
                total += weight * presence[j] * self.elias.length(j - i)
                weight *= 1 - presence[j]
        return total

    def expected_bits(self, floor: Array, p: Array) -> Array:
        """Return the expected bits of levels floor + Bernoulli(p), independent.

        Args:
            floor: Lower levels, int64 (..., d).
            p: Probabilities of the upper level, (..., d).
        """
        lower, upper = self.elias.lengths(np.maximum(floor, 1)), self.elias.lengths(floor + 1)
        content = np.where(floor >= 1, 1 + (1 - p) * lower + p * upper, p * (1 + upper))
        return np.asarray(self.expected_gap_bits(np.where(floor >= 1, 1.0, p)) + content.sum(axis=-1))

    def exact_bits(self, floor: Sequence[int], p: Sequence[Fraction]) -> Fraction:
        """Return the same in Fractions for one vector."""
        total = self.exact_gap_bits([Fraction(1) if k else pj for k, pj in zip(floor, p, strict=True)])
        for k, pj in zip(floor, p, strict=True):
            if k:
                total += 1 + (1 - pj) * self.elias.length(k) + pj * self.elias.length(k + 1)
            else:
                total += pj * (1 + self.elias.length(1))
        return total


def _gaps(position: Array, d: int) -> Array:
    """Return the gaps to these positions, the first from the start, and from the last to the sentinel."""
    gaps = np.empty(len(position) + 1, dtype=np.int64)
    gaps[:-1], gaps[-1] = position, d
    gaps[1:] -= position
    gaps[0] += 1
    return gaps


@functools.cache
def _table(code: SparseCode) -> CodeTable:
    return CodeTable(_short_words(code), weight=0)


@functools.cache
def _short_words(code: SparseCode) -> tuple[tuple[str, Symbol], ...]:
    """Return the words of at most 16 bits, with their gaps and levels."""
    words = code.elias.table_words()
    pairs: list[tuple[str, Symbol]] = []
    for gap, i in words:
        for word, k in words:
            if len(gap) + 1 + len(word) <= 16:
                pairs += [(f"{gap}0{word}", (i, k)), (f"{gap}1{word}", (i, -k))]
    return tuple(pairs)
