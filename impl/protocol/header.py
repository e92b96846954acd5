"""Header of a message of a dithered quantizer: fixed fields, little-endian, without padding."""

import struct
from dataclasses import dataclass, fields
from typing import Self

from impl.coding.symbol_words import LARGEST_ALPHABET
from impl.compressors.contract import Key
from impl.errors import CorruptMessage

MAGIC = b"NDQ\xb1"
VERSION = 1
DITHERED, NESTED = 1, 2  # methods
RAW, ADAPTIVE, RANGE = 0, 1, 2  # codes of the payload
# Flags: bit 0, a checksum of the fine indices; bits 1 and 2, the code; bit 3, a fixed scale.
_SAFE, _CODE_SHIFT, _FIXED_SCALE = 1, 1, 8
_SCALE_BITS = {0: 32, 1: 64}

FIXED = struct.Struct("<4sBBBBQQQQQQIIdQ")


@dataclass(frozen=True)
class Header:
    """What precedes the scales.

    Args:
        seed_id: Name of the seed that both ends hold; the seed itself is not sent.
        worker: Sender.
        tensor: Which of its tensors.
        iteration: Counter of the messages of that tensor.
        d: Dimension.
        block_size: Coordinates per scale; the last block may be shorter.
        levels: M.
        ratio: k; 0 for a plain message.
        alpha: Gain of both ends.
        fingerprint: First word of a stream of the key that no dither uses.
        scale_bits: Bits per scale, 32 or 64.
        safe: Whether a checksum of the fine indices is sent.
        code: Code of the payload.
        fixed_scale: Whether the scale is no bound on the gradient, so that indices may exceed M.
    """

    seed_id: int
    worker: int
    tensor: int
    iteration: int
    d: int
    block_size: int
    levels: int
    ratio: int
    alpha: float
    fingerprint: int
    scale_bits: int = 64
    safe: bool = False
    code: int = RAW
    fixed_scale: bool = False

    @property
    def blocks(self) -> int:
        """Return the number of scales."""
        return -(-self.d // self.block_size)

    @property
    def alphabet(self) -> int:
        """Return the number of symbols."""
        return self.ratio or 2 * self.levels + 1

    @property
    def offset(self) -> int:
        """Return what is added to a symbol to give its digit, from 0."""
        return self.ratio // 2 or self.levels

    def key(self, seed: tuple[int, int]) -> Key:
        """Return the key of the message for one seed."""
        return Key(seed, self.worker, self.iteration, self.tensor)

    def pack(self) -> bytes:
        """Return the bytes of the header."""
        scale_format = next(number for number, bits in _SCALE_BITS.items() if bits == self.scale_bits)
        numbers = (self.seed_id, self.worker, self.tensor, self.iteration, self.d, self.block_size)
        return FIXED.pack(
            MAGIC,
            VERSION,
            NESTED if self.ratio else DITHERED,
            scale_format,
            _SAFE * self.safe | self.code << _CODE_SHIFT | _FIXED_SCALE * self.fixed_scale,
            *numbers,
            self.levels,
            self.ratio,
            self.alpha,
            self.fingerprint,
        )

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Read the header at the start of data.

        Raises:
            CorruptMessage: Another magic or version, or a field that no sender writes.
        """
        magic, version, method, scale_format, flags, *numbers = FIXED.unpack_from(data)
        if magic != MAGIC:
            raise CorruptMessage("this is no message of a dithered quantizer: the first four bytes differ")
        if version != VERSION:
            raise CorruptMessage(f"message of version {version}; this reads version {VERSION}")
        code = flags >> _CODE_SHIFT & 3
        if scale_format not in _SCALE_BITS or code not in (RAW, ADAPTIVE, RANGE) or flags >= 2 * _FIXED_SCALE:
            raise CorruptMessage(f"unknown scale format {scale_format} or flags {flags}")
        names = [field.name for field in fields(cls)][: len(numbers)]
        header = cls(
            **dict(zip(names, numbers, strict=True)),
            scale_bits=_SCALE_BITS[scale_format],
            safe=bool(flags & _SAFE),
            code=code,
            fixed_scale=bool(flags & _FIXED_SCALE),
        )
        header._require_legal(method)
        return header

    def _require_legal(self, method: int) -> None:
        nested = method == NESTED
        legal = {
            "method": nested or method == DITHERED,
            "d": self.d >= 1,
            "block_size": 1 <= self.block_size <= self.d,
            "levels": 1 <= self.levels <= 2**24,
            "ratio": 2 <= self.ratio < LARGEST_ALPHABET if nested else self.ratio == 0,
            "alpha": 0 <= self.alpha <= 1 if nested else self.alpha == 1,  # NaN fails
            "worker": self.worker < 2**63,
            "fixed_scale": nested or not self.fixed_scale,  # its indices would be unbounded
        }
        wrong = [name for name, fits in legal.items() if not fits]
        if wrong:
            values = {"method": method, **vars(self)}
            raise CorruptMessage(
                "fields that no sender writes: " + ", ".join(f"{name}={values[name]}" for name in wrong)
            )
