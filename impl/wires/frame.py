"""Frames of a session: what both ends agreed on at the start is sealed into the checksum, not sent again.

Layout: a varint of 8 times the bytes of the payload plus its unused bits at the end; the payload; CRC-32 of
all that, by exclusive or with 32 bits of the digest of session, direction, worker and round. So a frame ends
where it says, and has at most 8 bytes beside its payload up to 2**25 bytes.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.wire import WORD, read_varint, varint
from impl.errors import MessageError


@dataclass(frozen=True)
class Place:
    """Where a frame belongs.

    Args:
        direction: Of the message.
        worker: Its worker.
        round: Its round.
    """

    direction: Literal["up", "down"]
    worker: int
    round: int

    def __str__(self) -> str:
        end = "from" if self.direction == "up" else "to"
        return f"the message {end} worker {self.worker} in round {self.round}"


class Session:
    """Frames between ends that agreed on the same words.

    Args:
        words: What both ends agreed on, as numbers and text.
    """

    def __init__(self, words: Mapping[str, Any]) -> None:
        self.words = dict(words)
        self._digest = hashlib.sha256(json.dumps(self.words, sort_keys=True).encode()).digest()

    def pack(self, payload: BitWriter, place: Place) -> bytes:
        """Return the frame of a payload."""
        data = payload.to_bytes()
        body = varint(8 * len(data) + -payload.bits % 8) + data
        return body + self._checksum(body, place)

    def unpack(self, data: bytes, place: Place) -> BitReader:
        """Return the payload of the frame that is expected at a place.

        Raises:
            MessageError: It was cut, damaged, or belongs to another session, worker or round.
        """
        try:
            number, at = read_varint(data, 0)
        except MessageError as error:
            raise MessageError(f"{place} has {len(data)} bytes and no beginning: {error}") from None
        size, unused = number // 8, number % 8
        if len(data) != at + size + WORD:
            what = "was cut" if len(data) < at + size + WORD else "is too long"
            raise MessageError(f"{place} has {len(data)} bytes and announces {at + size + WORD}: it {what}")
        if self._checksum(data[:-WORD], place) != data[-WORD:]:
            raise MessageError(f"{place} was damaged, or belongs to another round, worker or run")
        if unused and not size:
            raise MessageError(f"{place} announces {unused} unused bits of no payload")
        return BitReader(data[at:-WORD], 8 * size - unused)

    def _checksum(self, body: bytes, place: Place) -> bytes:
        words = f"{place.direction} {place.worker} {place.round}".encode()
        seal = hashlib.sha256(self._digest + words).digest()[:WORD]
        return (zlib.crc32(body) ^ int.from_bytes(seal, "little")).to_bytes(WORD, "little")
