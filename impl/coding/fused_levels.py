"""Codes of levels by kernels where the tier asks for them; the codes themselves do the rest."""

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.bit_stream import BitReader, BitWriter
from impl.coding.code_table import WINDOW
from impl.coding.elias import EliasCode
from impl.tiers import current

Array = npt.NDArray[Any]
Words = tuple[tuple[str, tuple[int, ...]], ...]


def bits_by_kernel(elias: EliasCode, levels: Array, *, sparse: bool) -> Array | None:
    """Return the bits of int64 levels (..., d), int64 (...); None where the code itself has to count."""
    if current() != "fused" or not levels.size:
        return None
    from impl.kernels.coders.elias import bits_of_rows  # numba, where it is asked for

    bits = np.empty(levels.shape[:-1], np.int64)
    rows = np.ascontiguousarray(levels).reshape(-1, levels.shape[-1])
    _, lengths = elias.short_table()
    return bits if bits_of_rows(rows, sparse, lengths, bits.reshape(-1)) else None


def write_by_kernel(elias: EliasCode, writer: BitWriter, levels: Array, *, sparse: bool) -> bool:
    """Append the code of signed levels, int64 (d,); tell whether it was done."""
    if current() != "fused" or not len(levels):
        return False
    from impl.kernels.coders.elias import write_dense, write_sparse

    codes, lengths = elias.short_table()
    words = np.empty(len(levels) + 3, np.uint64)
    write = write_sparse if sparse else write_dense
    bits = write(np.ascontiguousarray(levels), codes, lengths, words)
    if bits >= 0:
        whole, rest = divmod(bits, 64)
        writer.append(words[:whole], 64)
        if rest:
            writer.append(words[whole] >> np.uint64(64 - rest), rest)
    return bool(bits >= 0)


class KernelReader:
    """Levels of one payload, stretch by stretch: what a kernel stops at is read by the code itself.

    Args:
        elias: Code of the numbers.
        reader: Payload, read from where it is.
        words: Short words, and their levels, or their gaps and levels: a code by gaps.
    """

    def __init__(self, elias: EliasCode, reader: BitReader, words: Words) -> None:
        self._gamma, self._sparse, self._reader = elias.name == "gamma", len(words[0][1]) == 2, reader
        self._table = _first_words(words)
        held = reader.data + bytes(40 - len(reader.data) % 8)  # a number may be sought behind the end
        self._words = np.frombuffer(held, dtype=">u8").astype(np.uint64)

    def read(self, position: int, levels: Array) -> int:
        """Read levels behind this many coordinates; return how many are behind us then."""
        from impl.kernels.coders.elias import read_levels

        reader = self._reader
        reader.at, position = read_levels(
            self._words,
            reader.at,
            reader.bits,
            self._sparse,
            self._gamma,
            self._table,
            position,
            levels,
        )
        return int(position)


@functools.cache
def _first_words(words: Words) -> Array:
    """Return length, gap and level of the first word of each window of 16 bits, int16 (2^16, 3)."""
    table = np.zeros((2**WINDOW, 3), np.int16)
    for word, symbol in words:
        low = int(word, 2) << (WINDOW - len(word))
        table[low : low + (1 << (WINDOW - len(word)))] = (
            (len(word), *symbol)
            if symbol[1:]
            else (
                len(word),
                1,
                *symbol,
            )
        )
    return table
