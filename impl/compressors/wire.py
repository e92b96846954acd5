"""Header and checksum of an encoded message.

Layout, little-endian: magic, version, dtype, number of axes, digests of compressor class, parameters, key and
shared draws (16 bytes each, zero where absent), payload bits, the axes, CRC-32 of everything else, payload.
"""

import hashlib
import reprlib
import struct
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.errors import ArgumentError, MessageError

MAGIC = b"BCK\xb1"
VERSION = 1
_DTYPES = {0: np.dtype(np.float32), 1: np.dtype(np.float64)}
_FIXED = struct.Struct("<4sBBH16s16s16s16sQ")
_CRC = struct.Struct("<I")


@dataclass(frozen=True)
class Header:
    """What a receiver compares before it reads the payload; bytes are digests."""

    tag: bytes
    shape: tuple[int, ...]
    dtype: Any
    parameters: bytes
    key: bytes
    shared: bytes


def digest(data: bytes) -> bytes:
    """Return the first 16 bytes of SHA-256."""
    return hashlib.sha256(data).digest()[:16]


def pack(header: Header, writer: BitWriter) -> bytes:
    """Return header, checksum and payload."""
    payload = writer.to_bytes()
    code = next(number for number, dtype in _DTYPES.items() if dtype == header.dtype)
    head = _FIXED.pack(
        MAGIC,
        VERSION,
        code,
        len(header.shape),
        header.tag,
        header.parameters,
        header.key,
        header.shared,
        writer.bits,
    ) + struct.pack(f"<{len(header.shape)}Q", *header.shape)
    return head + _CRC.pack(zlib.crc32(payload, zlib.crc32(head))) + payload


def unpack(data: bytes) -> tuple[Header, BitReader]:
    """Check length and checksum; return the header and a reader of the payload.

    Raises:
        ArgumentError: data are no bytes.
        MessageError: The bytes are truncated, too long, corrupted or no message.
    """
    try:
        data = bytes(memoryview(data))
    except TypeError:
        raise ArgumentError(
            f"decode: data={reprlib.repr(data)} must be bytes; give the result of encode"
        ) from None
    if len(data) < _FIXED.size + _CRC.size:
        raise MessageError(f"message of {len(data)} bytes is truncated: its header alone is longer")
    magic, version, code, axes, tag, parameters, key, shared, bits = _FIXED.unpack_from(data)
    if magic != MAGIC:
        raise MessageError("this is no message of a compressor: the first four bytes differ")
    head_size = _FIXED.size + 8 * axes
    size = head_size + _CRC.size + (bits + 7) // 8
    if len(data) != size:
        what = "truncated" if len(data) < size else "too long"
        raise MessageError(f"message has {len(data)} bytes, its header announces {size}: {what}")
    (crc,) = _CRC.unpack_from(data, head_size)
    payload = data[head_size + _CRC.size :]
    if zlib.crc32(payload, zlib.crc32(data[:head_size])) != crc:
        raise MessageError("the checksum differs: the message was corrupted on its way")
    if version != VERSION or code not in _DTYPES or axes == 0:
        raise MessageError(f"message of version {version}, dtype {code}, {axes} axes; this reads {VERSION}")
    shape = struct.unpack_from(f"<{axes}Q", data, _FIXED.size)
    return Header(tag, shape, _DTYPES[code], parameters, key, shared), BitReader(payload, bits)


def require_same(received: Header, own: Header, name: str, *, shared: bool = True) -> None:
    """Raise a MessageError unless the message is meant for this receiver, called `name`, and its round."""
    if received.tag != own.tag:
        raise MessageError(f"the message was made by another compressor than {name}")
    if received.parameters != own.parameters:
        raise MessageError(f"the message was made by a {name} with other parameters")
    if received.key != own.key:
        raise MessageError("the message belongs to another key or round; give the key it was encoded with")
    if shared and received.shared != own.shared:
        raise MessageError("the shared draws differ from the sender's; give the same draws or the key")
