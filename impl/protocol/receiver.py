"""Receiver of one worker's messages: it decodes what it expects and raises for everything else."""

from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.contract import Message
from impl.compressors.dithered.dither_stream import KeyedDither, fingerprint
from impl.compressors.dithered.dithered_quantizer import DitheredQuantizer
from impl.compressors.dithered.nested_dithered_quantizer import NestedDitheredQuantizer
from impl.errors import (
    ArgumentError,
    CorruptMessage,
    DesyncError,
    MissingSideInfo,
    OverloadError,
    Problems,
)
from impl.protocol.end_arguments import require_end
from impl.protocol.frame import Frame, fine_checksum, unpack
from impl.protocol.payload import read_payload
from impl.protocol.side_information import Received, SideInformation

Array = npt.NDArray[Any]


class Receiver:
    """Decode the messages of one worker, in the order in which they were sent.

    Args:
        seed: Two words below 2**64 that both ends hold.
        worker: Number of the sender, below 2**63.
        seed_id: Name of the seed.
        range_aware: Decode nested messages with alpha 1 to indices within -M..M.
        start: First iteration.
    """

    def __init__(
        self,
        *,
        seed: tuple[int, int],
        worker: int,
        seed_id: int = 0,
        range_aware: bool = False,
        start: int = 0,
    ) -> None:
        problems = Problems("Receiver")
        require_end(problems, seed=seed, worker=worker, seed_id=seed_id, start=start)
        problems.raise_if_any()
        self._seed, self.worker, self._seed_id = (seed[0], seed[1]), int(worker), int(seed_id)
        self.range_aware, start = bool(range_aware), int(start)
        self._next: defaultdict[int, int] = defaultdict(lambda: start)

    def iteration(self, tensor: int = 0) -> int:
        """Return the counter of the message that is expected next of a tensor."""
        return self._next[tensor]

    def receive(self, data: Any, side: SideInformation | None = None, tensor: int = 0) -> Received:
        """Decode the next message of a tensor; only then the counter moves on.

        Args:
            data: What was sent.
            side: Mean of decoded messages of the same tensor and iteration; needed for a nested message.
            tensor: Which tensor is expected.

        Raises:
            CorruptMessage: Truncated or damaged data, or values that no sender writes.
            DesyncError: Another seed, worker, tensor or iteration than expected.
            MissingSideInfo: A nested message without side information.
            OverloadError: Decoded indices are not the sender's (safe mode); ask for a plain message.
            ArgumentError: data are no bytes, side is none that was made of decoded messages.
        """
        frame = unpack(data)
        self.require_expected(frame, tensor)
        received = self.decode(frame, side, 8 * memoryview(data).nbytes)
        self.advance(tensor)
        return received

    def advance(self, tensor: int = 0) -> None:
        """Expect the next iteration of a tensor."""
        self._next[tensor] += 1

    def require_expected(self, frame: Frame, tensor: int = 0) -> None:
        """Raise a DesyncError unless a frame is the next of a tensor, made with the own seed."""
        header = frame.header
        expected = {
            "seed_id": self._seed_id,
            "worker": self.worker,
            "tensor": tensor,
            "iteration": self._next[tensor],
        }
        wrong = [
            f"{name} {getattr(header, name)} instead of {value}"
            for name, value in expected.items()
            if getattr(header, name) != value
        ]
        if wrong:
            raise DesyncError("the message has " + ", ".join(wrong))
        if header.fingerprint != fingerprint(header.key(self._seed)):
            raise DesyncError("the fingerprint differs: the sender holds another seed")

    def decode(self, frame: Frame, side: SideInformation | None, bits: int) -> Received:
        """Decode a frame that is expected; counters stay where they are."""
        header = frame.header
        symbols = read_payload(frame.payload, header)
        message = Message(symbols, frame.scales, 0, symbols.shape)
        dither = KeyedDither(header.key(self._seed), (header.d,))
        options: dict[str, Any] = {"blocks": header.block_size, "norm_bits": header.scale_bits}
        lost = 0
        if header.ratio:
            aware = self.range_aware and header.alpha == 1 and not header.fixed_scale
            nested = NestedDitheredQuantizer(
                header.levels, header.ratio, header.alpha, range_aware=aware, **options
            )
            y = self._side(side, frame)
            estimate, indices, lost = nested.reconstruct_counted(message, dither, y)
            if header.safe and frame.fine_crc != fine_checksum(indices):
                raise OverloadError(
                    f"worker {header.worker}: the side information is too far from its gradient in iteration "
                    f"{header.iteration} of tensor {header.tensor}; ask for a plain message"
                )
            if not np.isfinite(estimate).all():
                j = int(np.flatnonzero(~np.isfinite(estimate))[0])
                raise CorruptMessage(f"coordinate {j} leaves the range of float64: no sender meant that")
        else:
            if header.safe and frame.fine_crc != fine_checksum(symbols):
                raise CorruptMessage("the checksum of the indices differs from that of the symbols")
            estimate = DitheredQuantizer(header.levels, **options).reconstruct(message, dither)
        return Received(
            estimate=estimate,
            worker=header.worker,
            tensor=header.tensor,
            iteration=header.iteration,
            levels=header.levels,
            ratio=header.ratio,
            alpha=header.alpha,
            scales=frame.scales,
            symbols=symbols,
            unreliable=lost,
            bits=bits,
            payload_bits=8 * len(frame.payload),
        )

    def _side(self, side: SideInformation | None, frame: Frame) -> Array:
        header = frame.header
        if side is None:
            raise MissingSideInfo(
                f"Receiver: the message of worker {header.worker} is nested; give side information, "
                "SideInformation.of(decoded messages)"
            )
        if not isinstance(side, SideInformation):
            raise ArgumentError("Receiver: side must be made of decoded messages by SideInformation.of")
        if (side.tensor, side.iteration) != (header.tensor, header.iteration):
            raise DesyncError(
                f"side information of tensor {side.tensor}, iteration {side.iteration} for a message of "
                f"tensor {header.tensor}, iteration {header.iteration}"
            )
        y = side.mean
        if len(y) != header.d:
            raise CorruptMessage(f"the message has d={header.d}, the side information has {len(y)}")
        return y
