"""Streams of bits, most significant bit first."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class BitWriter:
    """Collect fields of 0 to 64 bits and pack them."""

    def __init__(self) -> None:
        self._values: list[Array] = []
        self._widths: list[Array] = []
        self.bits = 0

    def append(self, values: Any, widths: Any) -> None:
        """Append values[i] as an unsigned field of widths[i] bits, in C order; widths are broadcast.

        Args:
            values: Nonnegative integers below 2**widths.
            widths: Numbers of bits, 0 to 64; a field of width 0 leaves no trace.
        """
        values = np.asarray(values).astype(np.uint64)
        widths = np.broadcast_to(np.asarray(widths, dtype=np.int64), values.shape).ravel()
        self._values.append(values.ravel())
        self._widths.append(widths)
        self.bits += int(widths.sum())

    def to_bytes(self) -> bytes:
        """Return all bits, filled up with zeros to whole bytes."""
        if not self.bits:
            return b""
        values = np.concatenate(self._values)
        widths = np.concatenate(self._widths)
        field = np.repeat(np.arange(len(widths)), widths)
        place = np.cumsum(widths)[field] - 1 - np.arange(self.bits)  # distance from the field's last bit
        return np.packbits(
            ((values[field] >> place.astype(np.uint64)) & np.uint64(1)).astype(np.uint8)
        ).tobytes()


class BitReader:
    """Read fields back, `bits` in all; running past the end raises an IndexError."""

    def __init__(self, data: bytes, bits: int) -> None:
        self.bits = bits
        unpacked = np.unpackbits(np.frombuffer(data, dtype=np.uint8))
        # A text of 0 and 1 is searched and sliced by C code: much faster than bit by bit.
        self._text = (unpacked[:bits] + ord("0")).astype(np.uint8).tobytes().decode("ascii")
        self._fill = int(unpacked[bits:].sum())
        self._at = 0

    def read(self, width: int) -> int:
        """Return the next field of this width as an unsigned integer."""
        end = self._at + width
        if end > len(self._text):
            raise IndexError("the payload ends inside a field")
        value = int(self._text[self._at : end], 2) if width else 0
        self._at = end
        return value

    def count_zeros(self) -> int:
        """Return the number of zeros before the next one bit and move to that bit."""
        one = self._text.find("1", self._at)
        if one < 0:
            raise IndexError("the payload ends inside a code word")
        zeros, self._at = one - self._at, one
        return zeros

    def finish(self) -> None:
        """Raise a ValueError unless everything was read and the filling is zero."""
        if self._at != len(self._text) or self._fill:
            raise ValueError(f"{len(self._text) - self._at} bits are left over")
