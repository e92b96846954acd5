"""Dense code: code(|level| + 1) for every coordinate, followed by a sign bit where the level is not 0."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.bit_stream import BitReader, BitWriter
from impl.coding.checked_levels import as_levels, beyond, require_coordinates
from impl.coding.code_table import WINDOW, CodeTable, Symbol
from impl.coding.elias import SHORT, EliasCode, require_elias
from impl.coding.fused_levels import KernelReader, bits_by_kernel, write_by_kernel
from impl.errors import ArgumentError
from impl.tiers import current

Array = npt.NDArray[Any]

_MOST = 2**63 - 2  # a level and one more has its word


@dataclass(frozen=True)
class DenseCode:
    """Element-wise code of signed levels; never below one bit per coordinate."""

    elias: EliasCode

    def __post_init__(self) -> None:
        require_elias(self.elias, "DenseCode")

    def bits(self, levels: Array) -> Array:
        """Return the exact number of bits of signed levels, whole numbers (..., d): int64 (...).

        Raises:
            ArgumentError: No array of whole numbers, one without axes, or a magnitude above 2**63 - 2.
        """
        levels = as_levels(levels, "DenseCode.bits", vector=False)
        counted = bits_by_kernel(self.elias, levels, sparse=False)
        if counted is not None:
            return counted
        try:
            lengths = self.elias.lengths(np.abs(levels) + 1)
        except ArgumentError:  # the sum has left the range
            raise beyond(levels, _MOST, "DenseCode.bits") from None
        return np.asarray((lengths + (levels != 0)).sum(axis=-1))

    def write(self, writer: BitWriter, levels: Array) -> None:
        """Append the code of one vector of signed levels, whole numbers (d,).

        Raises:
            ArgumentError: No array of whole numbers, other axes, or a magnitude above 2**63 - 2.
        """
        levels = as_levels(levels, "DenseCode.write", vector=True)
        if write_by_kernel(self.elias, writer, levels, sparse=False):
            return
        size = np.abs(levels)
        # Unsigned, the magnitude of the least integer is large, not negative.
        if size.size and int(size.view(np.uint64).max()) < SHORT - 1:
            values, widths = self.elias.short_words(size + 1)
            present = levels != 0
            writer.append((values << present) | (levels < 0), widths + present)
            return
        try:
            values, widths = self.elias.fields(size + 1)
        except ArgumentError:  # the sum has left the range
            raise beyond(levels, _MOST, "DenseCode.write") from None
        sign, signed = (levels < 0)[:, None].astype(np.int64), (levels != 0)[:, None].astype(np.int64)
        writer.append(np.hstack([values, sign]), np.hstack([widths, signed]))

    def read(self, reader: BitReader, d: int) -> Array:
        """Read one vector of signed levels back, int64 (d,).

        Raises:
            ArgumentError: d is no whole number of at least 0.
            IndexError: The payload ends before d words, which have a bit each at least.
            ValueError: A word that no writer makes.
        """
        require_coordinates(d, "DenseCode.read")
        reader.require_words(d)  # before memory is taken for them

        def read_one(_: int) -> Symbol:
            level = self.elias.read(reader) - 1
            return (-level if level and reader.read(1) else level,)

        if current() == "fused":
            levels, position = np.zeros(d, dtype=np.int64), 0
            stretches = KernelReader(self.elias, reader, _short_words(self))
            while (position := stretches.read(position, levels)) < d:
                levels[position] = read_one(position)[0]
                position += 1
            return levels
        return _table(self).read(reader, d, read_one)[:, 0]

    def expected_bits(self, floor: Array, p: Array) -> Array:
        """Return the expected bits of levels floor + Bernoulli(p): (...), for floor int64 and p (..., d)."""
        lower = self.elias.lengths(floor + 1) + (floor > 0)
        upper = self.elias.lengths(floor + 2) + 1
        return np.asarray(((1 - p) * lower + p * upper).sum(axis=-1))

    def exact_bits(self, floor: Sequence[int], p: Sequence[Fraction]) -> Fraction:
        """Return the same in Fractions for one vector."""
        total = Fraction(0)
        for k, pj in zip(floor, p, strict=True):
            total += (1 - pj) * (self.elias.length(k + 1) + (k > 0)) + pj * (self.elias.length(k + 2) + 1)
        return total


@functools.cache
def _table(code: DenseCode) -> CodeTable:
    return CodeTable(_short_words(code))


@functools.cache
def _short_words(code: DenseCode) -> tuple[tuple[str, Symbol], ...]:
    """Return the words of at most 16 bits, with their levels."""
    words: list[tuple[str, Symbol]] = [(code.elias.word(1), (0,))]
    for word, k in code.elias.table_words()[1:]:
        words += [(word + "0", (k - 1,)), (word + "1", (1 - k,))]
    return tuple(item for item in words if len(item[0]) <= WINDOW)
