"""Codecs of one worker: the same draws at both ends, from the key of worker and round."""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.contract import Key
from impl.wires.numbers import read_numbers, rounded, write_numbers

Array = npt.NDArray[Any]


class Codec(Protocol):
    """What a worker and the server use of a codec."""

    def write(self, k: int, v: Array) -> tuple[BitWriter, Array]:
        """Return the payload of a vector (d,) in round k, and what the server makes of it."""

    def read(self, k: int, reader: BitReader, side: Array | None = None) -> Array:
        """Return what the server makes of a payload, (d,)."""


class Plain:
    """Numbers as they are.

    Args:
        d: Dimension.
        bits: Of a number, 32 or 64.
    """

    def __init__(self, d: int, bits: int) -> None:
        self.d, self.bits = d, bits

    def write(self, k: int, v: Array) -> tuple[BitWriter, Array]:
        return write_numbers(v, self.bits), rounded(v, self.bits)

    def read(self, k: int, reader: BitReader, side: Array | None = None) -> Array:
        return read_numbers(reader, self.d, self.bits)


class Alone:
    """A compressor of single vectors.

    Args:
        compressor: With the parameters of this worker.
        d: Dimension.
        seed: Two words that both ends hold.
        worker: Number of the worker.
    """

    def __init__(self, compressor: Any, *, d: int, seed: tuple[int, int], worker: int) -> None:
        self.compressor, self.d, self.seed, self.worker = compressor, d, seed, worker

    def write(self, k: int, v: Array) -> tuple[BitWriter, Array]:
        draws = self._draws(k)
        message = self.compressor.message(v, draws)
        payload = self.compressor.payload(message)
        # The own estimate is needed by shifts only, whose compressors take no side information.
        nested = hasattr(self.compressor, "ratio")
        return payload, v if nested else np.asarray(self.compressor.reconstruct(message, draws.shared))

    def read(self, k: int, reader: BitReader, side: Array | None = None) -> Array:
        message = self.compressor.message_of(reader, (self.d,))
        return np.asarray(self.compressor.reconstruct(message, self._draws(k).shared, side))

    def _draws(self, k: int) -> Any:
        return self.compressor.draw_keyed(Key(self.seed, self.worker, k), (self.d,))
