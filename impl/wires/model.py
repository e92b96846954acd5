r"""A model of the seconds of a run: messages on their links, and what this machine computes in a round.

A round takes $2\,\text{delay}+8(\text{down}+66)/R+8(\text{up}+66)/R+c$, with the longest message up and 66
bytes for each packet. c is $s+w\max(1,n/\text{cores})$ in CPU seconds: what the server computes, and what a
worker computes, where workers share the cores, each with what it takes to send and receive next to nothing.
CPU seconds hardly change with what else the machine does; wall seconds do.
"""

import hashlib
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from impl.errors import ArgumentError
from impl.problems.quadratic import Quadratic
from impl.wires.frame import Session
from impl.wires.halves.codecs import Plain
from impl.wires.halves.mean import MeanServer, MeanWorker
from impl.wires.link import LOOPBACK, Link
from impl.wires.outcome import Outcome
from impl.wires.transports.tcp import run_over_tcp

_EMPTY_ROUNDS = 60
_TICKS = 0.03  # seconds: three ticks of the clock by which the system counts


@dataclass(frozen=True)
class Computing:
    """What a round computes, in CPU seconds.

    Attributes:
        worker: Of one worker.
        server: Of the server.
    """

    worker: float
    server: float

    @classmethod
    def of(cls, course: Outcome) -> "Computing":
        """Return what a method took in one process: medians over the rounds, mean over the workers."""
        each = [item.cpu for item in course.rounds]
        busy = [report["busy"] for report in course.reports]
        return cls(float(np.mean(busy)), max(0.0, float(np.median(each)) - float(np.sum(busy))))

    def __add__(self, other: "Computing") -> "Computing":
        return Computing(self.worker + other.worker, self.server + other.server)

    def seconds(self, n: int, cores: int | None = None) -> float:
        """Return c for n workers; cores are those of this machine."""
        return self.server + self.worker * max(1.0, n / (cores or usable_cores()))


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def empty_round(n: int, d: int) -> Computing:
    """Return what n processes take for a round over loopback in which next to nothing is computed.

    Raises:
        ArgumentError: The processes cannot be had.
    """
    problem, codec = Quadratic(np.ones((n, d))), Plain(d, 32)
    server = MeanServer(np.zeros(d), [codec] * n, step_size=0.5, point_bits=32)
    workers = [MeanWorker(problem.part(i), codec) for i in range(n)]
    found = run_over_tcp(server, workers, Session({}), link=LOOPBACK, rounds=_EMPTY_ROUNDS, limit=60.0)
    if found.status != "done":
        raise ArgumentError(f"no empty round could be run: {found.reason}")
    worker = float(np.mean([report["cpu"] for report in found.reports])) / _EMPTY_ROUNDS
    return Computing(worker, float(np.median([item.cpu for item in found.rounds])))


def modelled_seconds(course: Outcome, link: Link, compute: float) -> float:
    """Return the seconds of a run on a link by the model, from its course and c."""
    trips = [link.round_trip(item.down // len(course.reports), item.longest) for item in course.rounds]
    return float(np.sum(trips)) + compute * len(course.rounds)


def slowdown(work: float = 0.05) -> float:
    """Return how many times as long as its CPU time a computation on all cores takes: 1 where all are idle.

    Args:
        work: CPU seconds that are spent on each core to find out.
    """
    cores = usable_cores()
    with ThreadPoolExecutor(cores) as pool:
        return float(np.mean(list(pool.map(_stretched, [work] * cores))))


def _stretched(work: float) -> float:
    """Return wall over CPU time of work of this thread, beside which others of this process can compute."""
    block = bytes(1 << 18)  # hashed without the lock of the interpreter
    start, cpu = time.monotonic(), time.thread_time()
    while time.thread_time() - cpu < work:
        hashlib.sha256(block)
    return (time.monotonic() - start) / (time.thread_time() - cpu)


@dataclass(frozen=True)
class Load:
    """What the cores of this machine have computed so far, in seconds.

    Attributes:
        all: By anybody; None where the system does not say.
        own: By this process and those that it has waited for.
        when: By the clock.
        stolen: By other machines, where this one is virtual; 0 where the system does not say.
    """

    all: float | None
    own: float
    when: float
    stolen: float = 0.0

    @classmethod
    def now(cls) -> "Load":
        """Return what it is."""
        own = os.times()
        busy, stolen = None, 0.0
        try:
            with open("/proc/stat", encoding="ascii") as lines:
                ticks = [int(word) for word in lines.readline().split()[1:9]]
            busy = (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")  # idle, waiting for disks
            stolen = ticks[7] / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError, AttributeError):
            pass  # not Linux, or no such file: nobody says how busy the cores are
        return cls(busy, sum(own[:4]), time.monotonic(), stolen)

    def others_since(self, before: "Load", apart: float = 0.0) -> float:
        """Return the share of the time of all cores that others took since then; 0 where nobody says.

        Args:
            before: What it was then.
            apart: CPU seconds of own processes that another one has waited for.
        """
        if self.all is None or before.all is None or self.when <= before.when:
            return 0.0
        return self._share((self.all - before.all) - (self.own - before.own) - apart, before)

    def stolen_since(self, before: "Load") -> float:
        """Return the share of the time of all cores that other machines took since then.

        Less than `_TICKS` are none: they are coarse.
        """
        stolen = self.stolen - before.stolen
        return self._share(stolen, before) if self.when > before.when and stolen >= _TICKS else 0.0

    def _share(self, seconds: float, before: "Load") -> float:
        return max(0.0, seconds / ((self.when - before.when) * (os.cpu_count() or 1)))
