"""Sender of one worker: a counter per tensor, dither from the key, messages that check themselves."""

import reprlib
from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.contract import Draws, Key
from impl.compressors.dithered.dither_stream import POINTS, KeyedDither, fingerprint
from impl.compressors.dithered.dithered_quantizer import DitheredQuantizer
from impl.compressors.dithered.nested_dithered_quantizer import NestedDitheredQuantizer
from impl.errors import ArgumentError, Problems, ScaleOverflow
from impl.protocol.end_arguments import require_end
from impl.protocol.frame import Frame, fine_checksum
from impl.protocol.header import Header
from impl.protocol.payload import code_number, write_payload

Array = npt.NDArray[Any]


class Sender:
    """Send the gradients of one worker.

    Args:
        codec: `DitheredQuantizer` or `NestedDitheredQuantizer` with the usual dither and blocks of one size;
            may be replaced between two messages.
        seed: Two words below 2**64 that both ends hold.
        worker: Its number, below 2**63.
        seed_id: Name of the seed, sent in its place.
        safe: Send a checksum of the fine indices: the receiver then detects every overload.
        code: Code of the payload, `raw` or an entropy code.
        start: First iteration.
    """

    def __init__(
        self,
        codec: DitheredQuantizer,
        *,
        seed: tuple[int, int],
        worker: int,
        seed_id: int = 0,
        safe: bool = False,
        code: str = "raw",
        start: int = 0,
    ) -> None:
        problems = Problems("Sender")
        with problems.collect():
            self.codec = codec
        require_end(problems, seed=seed, worker=worker, seed_id=seed_id, start=start)
        with problems.collect():
            self._code = code_number(code)
        problems.raise_if_any()
        self._seed, self.worker, self._seed_id = (seed[0], seed[1]), int(worker), int(seed_id)
        self.safe, start = bool(safe), int(start)
        self._next: defaultdict[int, int] = defaultdict(lambda: start)
        self._last: dict[int, tuple[int, Array]] = {}

    @property
    def codec(self) -> DitheredQuantizer:
        """Return the quantizer of the next message."""
        return self._codec

    @codec.setter
    def codec(self, codec: DitheredQuantizer) -> None:
        if not isinstance(codec, DitheredQuantizer):
            raise ArgumentError(f"Sender: codec={codec!r} must be a dithered quantizer, nested or not")
        problems = Problems("Sender")
        problems.require(codec.points == POINTS, f"codec={codec!r} must have the usual points=2**24")
        problems.require(
            not isinstance(codec.blocks, list | tuple), f"codec={codec!r} must have blocks of one size"
        )
        problems.require(
            codec.alphabet is not None, f"codec={codec!r} has unbounded indices; give no fixed scale"
        )
        problems.raise_if_any()
        self._codec = codec

    def iteration(self, tensor: int = 0) -> int:
        """Return the counter of the next message of a tensor."""
        return self._next[tensor]

    def send(self, g: Any, tensor: int = 0) -> bytes:
        """Return the message of a gradient, (d,), and count it.

        Raises:
            NonFiniteError: g holds NaN or infinity; the first coordinate is named.
            ScaleOverflow: A scale exceeds half the largest number of its format.
            ArgumentError: g is no vector.
        """
        iteration = self._next[tensor]
        data = self._message(g, self._codec, tensor, iteration)
        self._last[tensor] = iteration, np.array(g)
        self._next[tensor] = iteration + 1
        return data

    def resend_plain(self, tensor: int = 0) -> bytes:
        """Return the last gradient of a tensor as a plain message with the same counter and dither.

        Raises:
            ArgumentError: Nothing was sent of this tensor.
        """
        if tensor not in self._last:
            raise ArgumentError(f"Sender: nothing was sent of tensor={tensor}; call send first")
        codec = DitheredQuantizer(self._codec.levels, self._codec.blocks, norm_bits=self._codec.norm_bits)
        iteration, g = self._last[tensor]
        return self._message(g, codec, tensor, iteration)

    def _message(self, g: Any, codec: DitheredQuantizer, tensor: int, iteration: int) -> bytes:
        try:
            g = np.asarray(g)
        except ValueError:
            raise ArgumentError(
                f"Sender: g={reprlib.repr(g)} must be one vector of real numbers (d,)"
            ) from None
        if g.ndim != 1:
            raise ArgumentError(f"Sender: g has shape {g.shape}; give one vector (d,)")
        key = Key(self._seed, self.worker, iteration, tensor)
        d = len(g)
        indices, scales, _ = codec.fine_indices(g, Draws(shared=KeyedDither(key, (d,))))
        ratio, alpha = 0, 1.0
        if isinstance(codec, NestedDitheredQuantizer):
            ratio, alpha = codec.ratio, float(codec.alpha)
        header = Header(
            seed_id=self._seed_id,
            worker=self.worker,
            tensor=tensor,
            iteration=iteration,
            d=d,
            block_size=min(codec.blocks or d, d),
            levels=codec.levels,
            ratio=ratio,
            alpha=alpha,
            fingerprint=fingerprint(key),
            scale_bits=codec.norm_bits,
            safe=self.safe,
            code=self._code,
            fixed_scale=codec.scale is not None,
        )
        if self.safe and codec.scale is not None and np.abs(indices).max() >= 2**31:
            raise ScaleOverflow("Sender: a fine index has more than 32 bits; give a larger fixed scale")
        symbols = codec.symbols(indices)
        crc = fine_checksum(indices) if self.safe else None
        return Frame(header, scales, write_payload(symbols, header), crc).pack()
