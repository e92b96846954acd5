"""One tensor of all workers: messages in any order, each decoded as soon as its side information is there."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from impl.compressors.contract import Key
from impl.errors import ArgumentError, CorruptMessage, DesyncError, MissingSideInfo, Problems
from impl.protocol.end_arguments import require_end
from impl.protocol.frame import Frame, unpack
from impl.protocol.receiver import Receiver
from impl.protocol.side_information import Received, SideInformation

Array = npt.NDArray[Any]
Mode = Literal["parallel", "sequential"]


class Aggregator:
    """Average the messages of P workers, iteration by iteration.

    The first group, the workers below P - P/2, sends without nesting. In `parallel` mode a nested message
    waits for the first group, whose mean is its side information: an overload stays where it is. In
    `sequential` mode it waits for all workers before its own, whose mean is its side information: the setting
    of arXiv 1904.01197. A plain message is decoded at once. No other side information can be given.

    With all workers of the first group, and no other, without nesting this is `quantized_sgd`, whose first
    group is all workers without nesting. Here it goes by the numbers: messages come in any order, and a plain
    message of the second group (`Sender.resend_plain`) is no side information of others in `parallel` mode.

    Args:
        workers: P, even, at least 2.
        seed: Two words below 2**64 that all ends hold.
        mode: As above.
        tensor: Which tensor.
        seed_id: Name of the seed.
        range_aware: Decode nested messages with alpha 1 to indices within -M..M.
        start: First iteration.
    """

    def __init__(
        self,
        workers: int,
        *,
        seed: tuple[int, int],
        mode: Mode = "parallel",
        tensor: int = 0,
        seed_id: int = 0,
        range_aware: bool = False,
        start: int = 0,
    ) -> None:
        problems = Problems("Aggregator")
        even = isinstance(workers, int | np.integer) and workers >= 2 and workers % 2 == 0
        problems.require(even, f"workers={workers!r} must be an even number of at least 2")
        problems.require(mode in get_args(Mode), f"mode={mode!r} must be one of {', '.join(get_args(Mode))}")
        options: dict[str, Any] = {"seed_id": seed_id, "range_aware": range_aware, "start": start}
        require_end(problems, seed=seed, worker=0, seed_id=seed_id, start=start)
        with problems.collect():
            Key((0, 0), 0, 0, tensor)
        problems.raise_if_any()
        self.workers, self.mode, self.tensor = int(workers), mode, tensor
        self.first_group = range(workers - workers // 2)
        self._receivers = [Receiver(seed=seed, worker=worker, **options) for worker in range(workers)]
        self._waiting: dict[int, tuple[Frame, int]] = {}
        self._received: dict[int, Received] = {}
        self._first: SideInformation | None = None
        self._before: SideInformation | None = None  # of the workers 0, 1, ... without a gap

    @property
    def missing(self) -> list[int]:
        """Return the workers of which a message has still to arrive in this iteration."""
        arrived = self._waiting.keys() | self._received.keys()
        return [worker for worker in range(self.workers) if worker not in arrived]

    @property
    def received(self) -> Sequence[Received]:
        """Return what is decoded in this iteration, by worker."""
        return [self._received[worker] for worker in sorted(self._received)]

    def receive(self, data: Any) -> list[Received]:
        """Take one message; return everything that it allows to decode, its own content or that of others.

        Raises:
            CorruptMessage: As of `Receiver.receive`, or of another dimension than those before; the message
                is dropped and awaited again.
            DesyncError: As there; also for a worker out of range or one that has already sent.
            MissingSideInfo: A nested message of a worker that has nothing to be decoded beside, ever: of the
                first group in `parallel` mode, of worker 0 in `sequential` mode. The message is dropped and
                awaited again, from `Sender.resend_plain`.
            OverloadError: As there, for the worker that is named; its message is dropped and it is in
                `missing` again, until `Sender.resend_plain` is received. Others go on with the next call.
        """
        frame = unpack(data)
        worker = frame.header.worker
        if worker >= self.workers:
            raise DesyncError(f"the message is of worker {worker}; there are {self.workers}")
        self._receivers[worker].require_expected(frame, self.tensor)
        if worker not in self.missing:
            raise DesyncError(f"worker {worker} has sent already in iteration {frame.header.iteration}")
        d = self._dimension()
        if d is not None and frame.header.d != d:
            raise CorruptMessage(f"the message of worker {worker} has d={frame.header.d}, others have d={d}")
        unaided = self.first_group if self.mode == "parallel" else range(1)
        if frame.header.ratio and worker in unaided:
            raise MissingSideInfo(
                f"Aggregator: the message of worker {worker} is nested, but workers 0 to {unaided[-1]} have "
                f"nothing to be decoded beside in mode {self.mode!r}; send what Sender.resend_plain of "
                f"worker {worker} gives, and give that worker a DitheredQuantizer"
            )
        self._waiting[worker] = frame, 8 * memoryview(data).nbytes
        return self._decode_ready()

    def _dimension(self) -> int | None:
        """Return d of the messages of this iteration, None before the first."""
        for received in self._received.values():
            return len(received.estimate)
        for frame, _ in self._waiting.values():
            return frame.header.d
        return None

    def _decode_ready(self) -> list[Received]:
        decoded: list[Received] = []
        for worker in sorted(self._waiting):  # ascending, so that one pass is enough
            frame, bits = self._waiting[worker]
            side = self._side_for(worker) if frame.header.ratio else None
            if frame.header.ratio and side is None:
                continue
            del self._waiting[worker]
            received = self._receivers[worker].decode(frame, side, bits)
            self._received[worker] = received
            decoded.append(received)
        return decoded

    def _side_for(self, worker: int) -> SideInformation | None:
        """Return the side information of a worker, None where it is not complete."""
        if self.mode == "parallel":
            if self._first is None and all(first in self._received for first in self.first_group):
                self._first = SideInformation.of(self._received[first] for first in self.first_group)
            return self._first
        while True:  # grow by the workers that follow without a gap, up to the one before this
            after = 0 if self._before is None else self._before.workers[-1] + 1
            if after >= worker or after not in self._received:
                break
            item = self._received[after]
            self._before = SideInformation.of([item]) if self._before is None else self._before.plus(item)
        complete = self._before is not None and self._before.workers[-1] == worker - 1
        return self._before if complete else None

    def mean(self) -> Array:
        """Return the mean of all estimates, float64 (d,), and go on to the next iteration.

        Raises:
            MissingSideInfo: Nested messages wait for others.
            ArgumentError: Messages have still to arrive.
            ScaleOverflow: The sum exceeds the range of float64.
        """
        if self._waiting:
            raise MissingSideInfo(
                f"Aggregator: workers {sorted(self._waiting)} wait for side information of others; "
                f"still to arrive: {self.missing}"
            )
        if self.missing:
            raise ArgumentError(f"Aggregator: workers {self.missing} have still to send; receive them first")
        mean = SideInformation.mean_of(self._received.values())
        for receiver in self._receivers:
            receiver.advance(self.tensor)
        self._received, self._first, self._before = {}, None, None
        return mean
