"""Runs on real processes and paced links, with what the model of their seconds needs."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from verify.errors import CheckError, NotMeasuredError

if TYPE_CHECKING:
    from impl.wires import Outcome
    from verify.planning.setting import Setting

LIMIT = 60.0
"""Seconds for which any message is awaited."""
MOST_ROUNDS = 5000
BUSY = 2.0
"""Wall over CPU time of a computation from which nothing is measured: others would be measured with it."""
KEPT = 300.0
"""Seconds for which a measurement stands: a check and its sabotaged repetitions look at the same one."""


@dataclass(frozen=True)
class Plan:
    """What runs.

    Args:
        problem: Name, nodes, ridge, split and accuracy.
        runs: Link, method and most rounds of each run; a method that needs fewer stops there.
        repeats: Of each, interleaved, with a seed of its own.
    """

    problem: tuple[str, int, float, str, float]
    runs: tuple[tuple[str, str, int], ...]
    repeats: int


@dataclass
class LinkRun:
    """A method on a link.

    Attributes:
        link: In words.
        method: In words.
        needed: Rounds to the accuracy, median over the seeds.
        computing: c.
        sizes: Bytes of the point and of the longest message, by round, all repeats in a row.
        seconds: Of these rounds.
    """

    link: str
    method: str
    needed: int
    computing: float
    sizes: list[tuple[int, int]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @property
    def median_round(self) -> float:
        """Return the median seconds of a round."""
        return statistics.median(self.seconds)


@dataclass(frozen=True)
class Measurement:
    """What was measured.

    Attributes:
        runs: By link and method.
        slowdown: Median over the runs.
        undisturbed: Whether the processes ran before all others of the machine.
    """

    runs: dict[tuple[str, str], LinkRun]
    slowdown: float
    undisturbed: bool


_known: dict[Plan, tuple[float, Measurement]] = {}


def measured(plan: Plan) -> Measurement:
    """Return what a plan gave, measured anew where that is longer ago than `KEPT`.

    Raises:
        NotMeasuredError: The machine computes for others.
        CheckError: A run failed or left the course of one process.
    """
    if plan not in _known or time.monotonic() - _known[plan][0] > KEPT:
        _known[plan] = (time.monotonic(), _measure(plan))
    return _known[plan][1]


def _measure(plan: Plan) -> Measurement:
    from impl.wires.priority import before_others

    setting = setting_of(plan.problem)
    with before_others() as undisturbed:
        return _measured_now(plan, setting, undisturbed)


def _measured_now(plan: Plan, setting: Setting, undisturbed: bool) -> Measurement:
    from impl.wires.model import Computing, empty_round, slowdown
    from verify.wires.links import real_link

    empty = empty_round(setting.n, setting.d)
    courses: dict[str, list[Outcome]] = {}
    for _, method, _ in plan.runs:
        if method not in courses:
            courses[method] = [course(setting, method, seed) for seed in range(plan.repeats)]
    found: dict[tuple[str, str], LinkRun] = {}
    slow: list[float] = []
    for seed in range(plan.repeats):
        for text, method, most in plan.runs:
            slow.append(slowdown())
            if len(slow) > 2 and min(slow) > BUSY:  # it has been so from the start
                raise _busy(slow)
            own = courses[method]
            if (text, method) not in found:
                needed = int(statistics.median(len(item.rounds) for item in own))
                parts = [(empty + Computing.of(item)).seconds(setting.n) for item in own]
                found[text, method] = LinkRun(text, method, needed, statistics.median(parts))
            outcome = over_tcp(setting, method, seed, real_link(text), min(most, len(own[seed].rounds)))
            difference = left_course(outcome, own[seed])
            if difference:
                raise CheckError(f"{method} over {text}: {difference}")
            run, before = found[text, method], 0.0
            for item in outcome.rounds:
                run.sizes.append((item.down // setting.n, item.longest))
                run.seconds.append(item.seconds - before)
                before = item.seconds
    if statistics.median(slow) > BUSY:
        raise _busy(slow)
    return Measurement(found, statistics.median(slow), undisturbed)


def _busy(slow: Sequence[float]) -> NotMeasuredError:
    return NotMeasuredError(
        f"this machine computes for others: a computation takes {statistics.median(slow):.2g} times as long "
        f"as its CPU time, {BUSY:g} is allowed; verify this claim again when it is idle, or as root"
    )


def setting_of(problem: tuple[str, int, float, str, float]) -> Setting:
    """Return a problem with its accuracy, from name, nodes, ridge, split and accuracy."""
    from impl.communication import PRESETS
    from verify.planning.problems import problem as made
    from verify.planning.setting import Setting

    name, nodes, ridge, split, accuracy = problem
    return Setting(made(name, nodes, ridge, split=split), PRESETS["payload"], accuracy)


def course(setting: Setting, method: str, seed: int, rounds: int = 0) -> Outcome:
    """Return the course of one process to the accuracy, or of so many rounds."""
    from impl.wires import Session
    from impl.wires.inprocess import run_in_process
    from verify.wires.methods import choice, halves

    made, objective = halves(setting, choice(method), (seed, 0)), setting.problem.objective
    least = objective(setting.problem.solution)
    return run_in_process(
        made.server,
        made.workers,
        Session({}),
        rounds=rounds or MOST_ROUNDS,
        until=None if rounds else lambda x: bool(objective(x) - least <= setting.target),
    )


def over_tcp(setting: Setting, method: str, seed: int, link: Any, rounds: int) -> Outcome:
    """Return a run on processes of this machine."""
    from impl.wires import Session
    from impl.wires.tcp import run_over_tcp
    from verify.wires.methods import choice, halves

    made = halves(setting, choice(method), (seed, 0))
    return run_over_tcp(made.server, made.workers, Session({}), link=link, rounds=rounds, limit=LIMIT)


def left_course(outcome: Outcome, whole: Outcome) -> str:
    """Return how a run differs from the first rounds of one in one process, or nothing."""
    from dataclasses import replace

    count = len(outcome.rounds)
    start = replace(whole, rounds=whole.rounds[:count], points=whole.points[: count + 1])
    return outcome.reason or outcome.same_course(start)
