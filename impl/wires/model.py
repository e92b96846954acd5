r"""A model of the seconds of a run: messages on their links, and what this machine takes for a round.

A round takes $2\,\text{delay}+8(\text{down}+66)/R+8(\text{up}+66)/R+c$, with the longest message up and 66
bytes for each packet. c is $c_0+s+w\max(1,n/\text{cores})$: an empty round of n processes over loopback, what
the server computes, and what a worker computes, where workers share the cores.
"""

import os
from dataclasses import dataclass

import numpy as np

from impl.errors import ArgumentError
from impl.problems.quadratic import Quadratic
from impl.wires.frame import Session
from impl.wires.halves.codecs import Plain
from impl.wires.halves.mean import MeanServer, MeanWorker
from impl.wires.link import LOOPBACK, Link
from impl.wires.outcome import Outcome
from impl.wires.tcp import run_over_tcp

_EMPTY_ROUNDS, _WARM = 60, 10


@dataclass(frozen=True)
class Computing:
    """What a round of a method takes in one process.

    Attributes:
        worker: Seconds of one worker, median over the rounds, mean over the workers.
        server: Seconds of the server, likewise.
    """

    worker: float
    server: float

    @classmethod
    def of(cls, course: Outcome) -> "Computing":
        """Return what a run in one process took."""
        each = np.diff([0.0, *(item.seconds for item in course.rounds)])
        busy = [report["busy"] for report in course.reports]
        return cls(float(np.mean(busy)), max(0.0, float(np.median(each)) - float(np.sum(busy))))

    def seconds(self, n: int, empty: float, cores: int | None = None) -> float:
        """Return c for n workers, from the seconds of an empty round; cores are those of this machine."""
        return empty + self.server + self.worker * max(1.0, n / (cores or usable_cores()))


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def empty_round(n: int, d: int) -> float:
    """Return the seconds of a round of n processes over loopback in which next to nothing is computed.

    Raises:
        ArgumentError: The processes cannot be had.
    """
    problem, codec = Quadratic(np.ones((n, d))), Plain(d, 32)
    server = MeanServer(np.zeros(d), [codec] * n, step_size=0.5, point_bits=32)
    workers = [MeanWorker(problem.part(i), codec) for i in range(n)]
    found = run_over_tcp(server, workers, Session({}), link=LOOPBACK, rounds=_EMPTY_ROUNDS, limit=60.0)
    if found.status != "done":
        raise ArgumentError(f"no empty round could be run: {found.reason}")
    return float(np.median(np.diff([item.seconds for item in found.rounds])[_WARM:]))


def modelled_seconds(course: Outcome, link: Link, compute: float) -> float:
    """Return the seconds of a run on a link by the model, from its course and c."""
    trips = [link.round_trip(item.down // len(course.reports), item.longest) for item in course.rounds]
    return float(np.sum(trips)) + compute * len(course.rounds)
