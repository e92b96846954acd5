"""Workers as ranks of an MPI program: rank 0 is the server, rank i + 1 worker i."""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from impl.errors import ArgumentError
from impl.wires.channel import RECORD, SETUP, Channel, WireError, use_sharp_timers
from impl.wires.frame import Session
from impl.wires.halves.contract import Server, Worker
from impl.wires.link import Link
from impl.wires.outcome import Outcome, Round
from impl.wires.serving import serve
from impl.wires.transports.tcp import Setup

_POLL = 2e-5  # seconds between two looks: more ranks than cores must not spin
_TAG = 1


class MpiChannel(Channel):
    """A rank of a communicator.

    Args:
        peer: The other end, in words.
        communicator: Of mpi4py.
        rank: That of the other end.
    """

    def __init__(self, peer: str, communicator: Any, rank: int) -> None:
        super().__init__(peer)
        self._communicator, self._rank = communicator, rank
        self._sent: list[tuple[Any, bytes]] = []

    def put(self, kind: int, data: bytes, stamp: int = 0) -> None:
        record = RECORD.pack(kind, stamp, len(data)) + data
        request = self._communicator.Isend([record, len(record)], self._rank, _TAG)
        # What is on its way must stay in memory; a peer that is gone takes nothing, and nobody waits for it.
        self._sent = [item for item in self._sent if not item[0].Test()]
        self._sent.append((request, record))

    def take(self, limit: float, deadline: float | None = None) -> tuple[int, int, bytes]:
        from mpi4py import MPI

        status = MPI.Status()
        deadline = time.monotonic() + limit if deadline is None else deadline
        while True:
            message = self._communicator.Improbe(self._rank, _TAG, status)
            if message is not None:
                break
            if time.monotonic() > deadline:
                raise WireError(f"{self.peer} sent no message within {limit:.3g} s")
            time.sleep(_POLL)
        record = bytearray(status.Get_count(MPI.BYTE))
        message.Recv([record, len(record)])
        kind, stamp, size = RECORD.unpack_from(record)
        if len(record) != RECORD.size + size:
            raise WireError(f"{self.peer} sent {len(record)} bytes, which are no record")
        return kind, stamp, bytes(record[RECORD.size :])

    def finish(self, limit: float) -> bool:
        """Tell whether everything was taken within so many seconds."""
        deadline = time.monotonic() + limit
        while self._sent and time.monotonic() < deadline:
            self._sent = [item for item in self._sent if not item[0].Test()]
            time.sleep(_POLL)
        return not self._sent


def communicator(n: int) -> Any:
    """Return the communicator of the server and n workers.

    Raises:
        ArgumentError: There is no MPI library, or another number of ranks.
    """
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:  # the latter where no MPI library can be loaded
        raise ArgumentError(
            f"engine='mpi' needs mpi4py and an MPI library ({error}); pip install 'boundcheck[mpi]'"
        ) from error
    found = MPI.COMM_WORLD
    if found.Get_size() != n + 1:
        raise ArgumentError(
            f"engine='mpi' with n={n} workers needs {n + 1} ranks, there are {found.Get_size()}; start it by "
            f"`mpiexec -n {n + 1} python -m boundcheck run ...`"
        )
    return found


def machines(communicator: Any) -> int:
    """Return on how many machines the ranks run; every rank must call it."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()
    except OSError:
        boot = os.uname().nodename
    return len(set(communicator.allgather(boot)))


def serve_ranks(
    communicator: Any,
    server: Server,
    workers: Sequence[Worker],
    session: Session,
    *,
    link: Link,
    rounds: int,
    limit: float,
    observe: Callable[[Round], None] | None = None,
) -> Outcome:
    """Run as rank 0; see `serve`. Ranks that do not end are ended, and this process with them."""
    use_sharp_timers()
    channels = [MpiChannel(f"worker {i}", communicator, i + 1) for i in range(len(workers))]
    try:
        for place, (channel, worker) in enumerate(zip(channels, workers, strict=True)):
            setup = Setup(worker, place, session.words, server.point_bits, link, 2 * limit)
            channel.put(SETUP, setup.packed())
        for channel in channels:
            channel.words(limit)
    except WireError as error:
        for channel in channels:
            channel.tell(stop=str(error))
        return Outcome("failed", f"before the first round: {error}", points=[server.x])
    return serve(server, channels, session, link=link, rounds=rounds, limit=limit, observe=observe)
