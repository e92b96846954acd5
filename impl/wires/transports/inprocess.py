"""All workers in the process of the server, without pacing: the course that every engine must repeat."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, MessageError
from impl.wires.channel import FRAME, Channel, WireError
from impl.wires.frame import Session
from impl.wires.halves.contract import Server, Worker
from impl.wires.link import LOOPBACK
from impl.wires.outcome import Outcome, Round
from impl.wires.serving import serve
from impl.wires.working import Working

Array = npt.NDArray[Any]


class InProcess(Channel):
    """A worker that answers when it is asked.

    Args:
        working: The worker.
    """

    def __init__(self, working: Working) -> None:
        super().__init__(f"worker {working.place}")
        self.working = working
        self.busy: list[float] = []
        self._asked = b""

    def put(self, kind: int, data: bytes, stamp: int = 0) -> None:
        if kind == FRAME:
            self._asked = data

    def take(self, limit: float, deadline: float | None = None) -> tuple[int, int, bytes]:
        start = time.thread_time()
        try:
            return FRAME, 0, self.working.answer(self._asked)
        except (MessageError, ArgumentError) as error:
            raise WireError(f"{self.peer} failed in round {self.working.round}: {error}") from error
        finally:
            self.busy.append(time.thread_time() - start)

    def words(self, limit: float) -> dict[str, Any]:
        return {
            "gradient": self.working.worker.gradient_seconds,
            "busy": float(np.median(self.busy or [0.0])),
        }


def run_in_process(
    server: Server,
    workers: Sequence[Worker],
    session: Session,
    *,
    rounds: int,
    until: Callable[[Array], bool] | None = None,
    observe: Callable[[Round], None] | None = None,
) -> Outcome:
    """Run in this process; see `serve`."""
    channels = [
        InProcess(Working(worker, i, session, point_bits=server.point_bits))
        for i, worker in enumerate(workers)
    ]
    return serve(
        server,
        channels,
        session,
        link=LOOPBACK,
        rounds=rounds,
        limit=np.inf,
        until=until,
        observe=observe,
    )
