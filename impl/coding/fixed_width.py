"""Fields of one width for symbols 0, 1, ..., count - 1."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.bit_stream import BitReader

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class FixedWidth:
    """As many bits for every symbol as the largest one needs.

    Args:
        count: Number of symbols, from 1 to 2**62.
    """

    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.count <= 2**62:
            raise ValueError(f"count={self.count} must be between 1 and 2**62")

    @property
    def width(self) -> int:
        """Return the number of bits of a field; 0 where there is one symbol only."""
        return (self.count - 1).bit_length()

    def lengths(self, k: Any) -> Array:
        """Return the lengths in bits of the fields of an int64 array, same shape."""
        return np.full(np.shape(k), self.width, dtype=np.int64)

    def fields(self, k: Any) -> tuple[Array, Array]:
        """Return (values, widths), as unsigned fields for a BitWriter."""
        return np.asarray(k, dtype=np.int64), self.lengths(k)

    def read_many(self, reader: BitReader, count: int) -> Array:
        """Read fields and return their symbols, int64 (count,)."""
        symbols = reader.read_many(count, self.width).astype(np.int64)
        if count and int(symbols.max()) >= self.count:
            bad = int(symbols[symbols >= self.count][0])
            raise ValueError(f"symbol {bad} is none of 0 to {self.count - 1}")
        return symbols

    def read(self, reader: BitReader) -> int:
        """Read one field and return its symbol."""
        k = reader.read(self.width)
        if k >= self.count:
            raise ValueError(f"symbol {k} is none of 0 to {self.count - 1}")
        return k
