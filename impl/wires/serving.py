"""The rounds of the server, over channels of any kind."""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, MessageError
from impl.wires.channel import Channel, WireError
from impl.wires.frame import Place, Session
from impl.wires.halves.contract import Server
from impl.wires.link import Link
from impl.wires.numbers import write_numbers
from impl.wires.outcome import Outcome, Round
from impl.wires.pace import Pace

Array = npt.NDArray[Any]

_LARGEST = {32: 1e30, 64: 1e140}  # entries of a point: beyond, squares of what is sent leave its format


class Diverged(Exception):
    """The point has left the range in which a run makes sense."""


def serve(
    server: Server,
    channels: Sequence[Channel],
    session: Session,
    *,
    link: Link,
    rounds: int,
    limit: float,
    until: Callable[[Array], bool] | None = None,
    observe: Callable[[Round], None] | None = None,
) -> Outcome:
    """Run at most so many rounds and tell all workers how it ended.

    Args:
        server: Its half.
        channels: To the workers, in their order.
        session: Frames.
        link: Of each worker.
        rounds: At most so many.
        limit: Seconds for which the answers of a round are awaited.
        until: Ends the run at a point, asked between rounds; the clock stands still meanwhile.
        observe: Told each round as it ends.

    Returns:
        What there is, whatever happened; nothing of the other ends is raised.
    """
    outcome = Outcome(points=[server.x])
    paces = [Pace(link, limit, paced=link.downlink) for _ in channels]
    start, cpu = time.monotonic(), time.process_time()
    try:
        for k in range(rounds):
            asked = time.monotonic()
            if until is not None and until(server.x):
                break
            start += time.monotonic() - asked
            busy = time.thread_time()
            down = _ask(server, channels, session, paces, k)
            sizes = _step(server, channels, session, k, limit)
            outcome.points.append(server.x)
            busy = time.thread_time() - busy
            outcome.rounds.append(Round(time.monotonic() - start, sum(sizes), down, max(sizes), busy))
            if observe is not None:
                observe(outcome.rounds[-1])
            _require_range(server, k)
    except Diverged as error:
        outcome.status, outcome.reason = "diverged", str(error)
    except (WireError, MessageError, ArgumentError, OSError) as error:
        outcome.status, outcome.reason = "failed", str(error)
    except KeyboardInterrupt:
        outcome.status, outcome.reason = "interrupted", "the run was interrupted"
    outcome.server = {
        "cpu": time.process_time() - cpu,
        "wait": sum(channel.waited for channel in channels),
    }
    for channel in channels:
        channel.tell(stop=outcome.reason)
    if outcome.status in ("done", "diverged"):
        _gather_reports(outcome, channels, limit)
    return outcome


def _ask(server: Server, channels: Sequence[Channel], session: Session, paces: Sequence[Pace], k: int) -> int:
    """Send the point to all workers; return the bytes."""
    payload, size = write_numbers(server.x, server.point_bits), 0
    for i, (channel, pace) in enumerate(zip(channels, paces, strict=True)):
        data = session.pack(payload, Place("down", i, k))
        channel.put(0, data, pace.stamp(len(data)))
        size += len(data)
    return size


def _step(server: Server, channels: Sequence[Channel], session: Session, k: int, limit: float) -> list[int]:
    """Take the answers of all workers and move; return the bytes of each."""
    payloads, sizes, deadline = [], [], time.monotonic() + limit
    for i, channel in enumerate(channels):
        try:
            data = channel.receive(limit, deadline)
        except WireError as error:
            raise WireError(f"round {k}: {error}") from error
        payloads.append(session.unpack(data, Place("up", i, k)))
        sizes.append(len(data))
    try:
        server.step(k, payloads)
    except (MessageError, ArgumentError) as error:
        raise MessageError(f"round {k}: {error}") from error
    return sizes


def _require_range(server: Server, k: int) -> None:
    largest = float(np.abs(server.x).max())
    if not largest <= _LARGEST[server.point_bits]:
        with np.errstate(over="ignore"):
            norm = float(np.linalg.norm(server.x / _LARGEST[server.point_bits])) * _LARGEST[server.point_bits]
        words = f"{norm:.3g}" if math.isfinite(norm) else "beyond the numbers that are sent"
        raise Diverged(f"the run diverged: after {k + 1} rounds ||x|| is {words}; take a smaller step")


def _gather_reports(outcome: Outcome, channels: Sequence[Channel], limit: float) -> None:
    try:
        outcome.reports = [channel.words(limit) for channel in channels]
    except WireError as error:
        outcome.status, outcome.reason = "failed", f"after the last round: {error}"
