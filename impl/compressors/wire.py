"""Framing of an encoded message: what both ends know is not sent, but sealed into four bytes.

Layout: one byte (bits 0 to 2: unused bits at the end of the payload; 3: float64; 4: a key was given; 5 to 7:
axes less one, where 7 says that their number less eight follows); the axes; the numbers of the address; with
a key, one byte of each digest of what both ends know, to name what differs; the payload; the seal, 32 bits of
the digest of all that; CRC-32 of everything before it. Without a key seal and CRC-32 share four bytes, by
exclusive or. Numbers are varints: seven bits a byte, the lowest first.
"""

import hashlib
import math
import reprlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.errors import ArgumentError, MessageError

WORD = 4  # bytes of a seal and of a checksum
_FLOAT64, _KEYED, _AXES_SHIFT, _MANY_AXES = 8, 16, 5, 7
_LONGEST_VARINT = 10  # bytes of a number below 2**64
_LARGEST_ARRAY = 2**63 // 8 - 1  # numbers of 64 bits

_DIFFERS = {
    "maker": "the message was made by another compressor than {name}, or with other parameters",
    "compressor": "the message was made by another compressor than {name}",
    "parameters": "the message was made by a {name} with other parameters",
    "key": "the message belongs to another key or round; give the key it was encoded with",
    "shared": "the shared draws differ from the sender's; give the same draws or the key",
}
"""What both ends know, by name, and what is said where it differs."""

Agreed = Mapping[str, bytes]
"""Digests of what both ends know; the names are those of `_DIFFERS`."""


@dataclass(frozen=True)
class Layout:
    """What messages of a kind hold.

    Args:
        agreed: Names of what both ends know.
        address: How many numbers the address has, without and with a key.
    """

    agreed: tuple[str, ...]
    address: tuple[int, int] = (0, 0)


ALONE, JOINT = Layout(("compressor", "parameters", "key", "shared")), Layout(("maker", "shared"), (1, 2))
"""Messages of a compressor, and of a client of a joint one."""


@dataclass(frozen=True)
class Envelope:
    """What is sent beside the payload.

    Args:
        shape: Shape of the compressed array, one axis at least.
        dtype: float32 or float64.
        keyed: Whether a key was given: the message then tells damage from what is meant for others.
        address: Numbers below 2**64 that the receiver is to be told.
    """

    shape: tuple[int, ...]
    dtype: Any
    keyed: bool
    address: tuple[int, ...] = ()


@dataclass(frozen=True)
class Opened:
    """A message that was taken apart; without a key nothing of it is to be believed before its seal."""

    envelope: Envelope
    reader: BitReader
    hints: Mapping[str, int]
    seal: bytes

    def compare(self, agreed: Agreed, name: str) -> None:
        """Raise a MessageError where a hint differs from what the receiver, called `name`, knows."""
        for what, hint in self.hints.items():
            if what in agreed and agreed[what][0] != hint:
                raise MessageError(_DIFFERS[what].format(name=name))

    def remainder(self, agreed: Agreed) -> bytes:
        """Return what is left of the seal without what the receiver knows: the word given to `pack`."""
        return _xor(self.seal, _seal(agreed))

    def require(self, agreed: Agreed, name: str) -> None:
        """Raise a MessageError unless the message is whole and meant for the receiver, called `name`."""
        self.compare(agreed, name)
        if self.remainder(agreed) != bytes(WORD):
            raise self.refused(name)

    def refused(self, name: str) -> MessageError:
        """Return the error of a seal that differs although no hint does."""
        if self.envelope.keyed:
            return MessageError(
                f"the seal differs: the message was meant for another receiver than this {name}"
            )
        return MessageError(
            "the checksum differs: the message was truncated or damaged on its way, or made by another "
            f"compressor than this {name}, or the shared draws differ from the sender's; encode with a key "
            "to be told which"
        )


def digest(data: bytes) -> bytes:
    """Return the first 16 bytes of SHA-256."""
    return hashlib.sha256(data).digest()[:16]


def varint(number: int) -> bytes:
    """Return a number below 2**64 as bytes of seven bits each, the lowest first."""
    found = bytearray()
    while number >= 128:
        found.append(number & 127 | 128)
        number >>= 7
    found.append(number)
    return bytes(found)


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number and the place behind it.

    Raises:
        MessageError: The data end inside the number, or no sender writes it so.
    """
    number = 0
    for place, byte in enumerate(data[at : at + _LONGEST_VARINT]):
        number |= (byte & 127) << 7 * place
        if byte < 128:
            if number >= 2**64 or (place and not byte):
                break
            return number, at + place + 1
    raise MessageError("the message is truncated or damaged: a number in front of its payload has no end")


def pack(envelope: Envelope, agreed: Agreed, writer: BitWriter, word: bytes = bytes(WORD)) -> bytes:
    """Return the message.

    Args:
        envelope: What is sent beside the payload.
        agreed: What both ends know.
        writer: The payload.
        word: Four bytes that the receiver is to find in the seal.
    """
    axes = len(envelope.shape) - 1
    first = -writer.bits % 8 | min(axes, _MANY_AXES) << _AXES_SHIFT
    first |= _FLOAT64 * (envelope.dtype == np.float64) | _KEYED * envelope.keyed
    numbers = ((axes - _MANY_AXES,) if axes >= _MANY_AXES else ()) + envelope.shape + envelope.address
    hints = bytes(item[0] for item in agreed.values()) if envelope.keyed else b""
    body = bytes([first]) + b"".join(map(varint, numbers)) + hints + writer.to_bytes()
    seal = _xor(_seal(agreed), word)
    if envelope.keyed:
        body += seal
        return body + _checksum(body)
    return body + _xor(_checksum(body), seal)


def unpack(data: Any, layout: Layout) -> Opened:
    """Take a message apart; with a key its checksum is compared here, without one with the seal.

    Args:
        data: What was sent.
        layout: What it holds.

    Raises:
        ArgumentError: data are no bytes.
        MessageError: The bytes are truncated, too long, damaged or no message.
    """
    try:
        data = bytes(memoryview(data))
    except TypeError:
        raise ArgumentError(
            f"decode: data={reprlib.repr(data)} must be bytes; give the result of encode"
        ) from None
    if not data:
        raise MessageError("a message of 0 bytes is truncated: its first byte is missing")
    first, at = data[0], 1
    keyed, unused = bool(first & _KEYED), first & 7
    end = len(data) - WORD * (1 + keyed)
    if keyed and _checksum(data[:-WORD]) != data[-WORD:]:
        raise MessageError(
            "the checksum differs: the message was truncated, damaged or made too long on its way"
        )
    axes, numbers = 1 + (first >> _AXES_SHIFT), []
    if axes > _MANY_AXES:
        more, at = read_varint(data, at)
        axes += more
    for _ in range(min(axes, len(data)) + layout.address[keyed]):
        number, at = read_varint(data, at)
        numbers.append(number)
    hints = dict(zip(layout.agreed, data[at:end], strict=False)) if keyed else {}
    at += len(layout.agreed) * keyed
    if at > end or (unused and at == end):
        raise MessageError(f"message of {len(data)} bytes is truncated: what precedes its payload is longer")
    found = Envelope(
        tuple(numbers[:axes]),
        np.dtype(np.float64 if first & _FLOAT64 else np.float32),
        keyed,
        tuple(numbers[axes:]),
    )
    seal = data[end : end + WORD] if keyed else _xor(_checksum(data[:end]), data[end:])
    return Opened(found, BitReader(data[at:end], 8 * (end - at) - unused), hints, seal)


def places(shape: tuple[int, ...]) -> int:
    """Return how many numbers an array of this shape has, where an axis of none counts as one of one."""
    return math.prod(max(axis, 1) for axis in shape)


def vectors_of(shape: tuple[int, ...], reader: BitReader) -> int:
    """Return how many vectors a payload has for an array of this shape, (..., d).

    Raises:
        ValueError: d is 0, which no sender has, or no array of 64-bit numbers is so large.
        IndexError: Fewer bits are left than vectors; each takes one at least.
    """
    if not shape[-1] or places(shape) > _LARGEST_ARRAY:
        raise ValueError(f"no sender has an array of shape {shape}")
    count = math.prod(shape[:-1])
    if count > reader.bits - reader.at > 0:  # a payload of no bits ends with the first vector that needs one
        raise IndexError(f"the payload ends: it has {reader.bits - reader.at} bits for {count} vectors")
    return count


def too_large(shape: tuple[int, ...], name: str) -> MessageError:
    """Return the error of a message whose array has no room in memory."""
    return MessageError(
        f"the message of {name} is of an array of shape {shape}: there is not enough memory for it; refuse "
        "it, or decode where there is more"
    )


def payload_bits(data: Any, layout: Layout) -> int:
    """Return the bits of the payload of a message; nothing but its lengths is looked at without a key."""
    return unpack(data, layout).reader.bits


def _seal(agreed: Agreed) -> bytes:
    return hashlib.sha256(b"".join(agreed.values())).digest()[:WORD]


def _checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(WORD, "little")


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))
