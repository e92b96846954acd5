"""A whole message: header, scales, payload, checksums. Nothing is believed before the last checksum fits."""

import reprlib
import struct
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, CorruptMessage
from impl.protocol.header import FIXED, Header

Array = npt.NDArray[Any]

_LENGTH, _CRC = struct.Struct("<Q"), struct.Struct("<I")


@dataclass(frozen=True)
class Frame:
    """One message.

    Args:
        header: Its header.
        scales: kappa of the blocks, float64 (B,), each representable in the format of the header.
        payload: Coded symbols.
        fine_crc: CRC-32 of the fine indices, or None without safe mode.
    """

    header: Header
    scales: Array
    payload: bytes
    fine_crc: int | None = None

    def pack(self) -> bytes:
        """Return the bytes that travel."""
        parts = [
            self.header.pack(),
            self.scales.astype(_dtype(self.header)).tobytes(),
            _LENGTH.pack(len(self.payload)),
            self.payload,
        ]
        if self.fine_crc is not None:
            parts.append(_CRC.pack(self.fine_crc))
        body = b"".join(parts)
        return body + _CRC.pack(zlib.crc32(body))


def unpack(data: Any) -> Frame:
    """Read a message.

    Raises:
        ArgumentError: data are no bytes.
        CorruptMessage: Truncated, too long, damaged, or values that no sender writes.
    """
    try:
        data = bytes(memoryview(data))
    except TypeError:
        raise ArgumentError(f"unpack: data={reprlib.repr(data)} must be bytes; give what was sent") from None
    if len(data) < FIXED.size + _LENGTH.size + _CRC.size:
        raise CorruptMessage(f"message of {len(data)} bytes is truncated: its header alone is longer")
    body_size = len(data) - _CRC.size
    (crc,) = _CRC.unpack_from(data, body_size)
    if zlib.crc32(memoryview(data)[:body_size]) != crc:
        raise CorruptMessage("the checksum differs: the message was truncated or damaged on its way")
    header = Header.unpack(data)
    scales_end = FIXED.size + header.blocks * header.scale_bits // 8
    payload_start = scales_end + _LENGTH.size
    if payload_start > body_size:
        raise CorruptMessage(f"{header.blocks} scales do not fit a message of {len(data)} bytes")
    (length,) = _LENGTH.unpack_from(data, scales_end)
    payload_end = payload_start + length
    if payload_end + _CRC.size * header.safe != body_size:
        raise CorruptMessage(f"a payload of {length} bytes does not fit a message of {len(data)} bytes")
    scales = np.frombuffer(data, _dtype(header), header.blocks, FIXED.size).astype(np.float64)
    largest = float(np.finfo(_dtype(header)).max) / 2
    bad = ~((scales >= 0) & (scales <= largest))  # NaN is bad
    if bad.any():
        block = int(np.flatnonzero(bad)[0])
        raise CorruptMessage(f"scale {scales[block]} of block {block} is none that a sender writes")
    fine_crc = _CRC.unpack_from(data, payload_end)[0] if header.safe else None
    return Frame(header, scales, data[payload_start:payload_end], fine_crc)


def fine_checksum(indices: Array) -> int:
    """Return the CRC-32 of fine indices as little-endian int32."""
    return zlib.crc32(indices.astype("<i4").tobytes())


def _dtype(header: Header) -> Any:
    return np.dtype("<f4" if header.scale_bits == 32 else "<f8")
