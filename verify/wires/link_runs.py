"""Runs on real processes and paced links, with what the model of their seconds needs."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from verify.errors import BusyError, NotMeasuredError
from verify.wires.nurseries import nursery

if TYPE_CHECKING:
    from impl.wires import Outcome
    from verify.planning.setting import Setting

LIMIT = 60.0
"""Seconds for which any message is awaited."""
MOST_ROUNDS = 5000
BUSY = 2.0
"""Wall over CPU time of computations on all cores from which nothing is measured: others would be, too."""
TAKEN = 0.75
"""The same for the share of the cores that others take during a run, where it does not run before them."""
STOLEN = 0.05
"""The same for the share that other machines take of a virtual one, before which nothing runs."""
TRIES = 3
"""So often a run is made that others disturb."""
CLOCK, TUNNELS = "the clock", "TUN devices"
KEPT = 300.0
"""Seconds for which a measurement stands: a check and its sabotaged repetitions look at the same one."""


@dataclass(frozen=True)
class Plan:
    """What runs.

    Args:
        problem: Name, nodes, ridge, split and accuracy.
        runs: Link, method and most rounds of each run, in this order; a method that needs fewer stops there.
            The same run may be there several times.
        repeats: Of each, interleaved, with a seed of its own.
        levels: Of quantizers, `levels` of `Choice`.
        tunnels: Hold packets back between namespaces, where the system permits it; else, frames by the clock.
    """

    problem: tuple[str, int, float, str, float]
    runs: tuple[tuple[str, str, int], ...]
    repeats: int
    levels: float = 1.0
    tunnels: bool = False


@dataclass
class LinkRun:
    """A method on a link.

    Attributes:
        link: In words.
        method: In words.
        needed: Rounds to the accuracy, median over the seeds.
        computing: c.
        sent: Bytes that all workers send to the accuracy, median over the seeds.
        sizes: Bytes of the point and of the longest message, by round, all runs in a row.
        seconds: Of the rounds of each run.
    """

    link: str
    method: str
    needed: int
    computing: float
    sent: int
    sizes: list[tuple[int, int]] = field(default_factory=list)
    seconds: list[list[float]] = field(default_factory=list)

    @property
    def total(self) -> float:
        """Return the seconds of all rounds that are needed, each as long as the median round.

        Of several runs that with the least median counts: what disturbs a run makes it longer only.
        """
        return self.needed * min(map(statistics.median, self.seconds))


@dataclass(frozen=True)
class Measurement:
    """What was measured.

    Attributes:
        runs: By link and method.
        left: How runs differ from those of one process, by link, method and seed in words.
        slowdown: The largest, of the probes before and after the runs that count.
        undisturbed: Whether the processes ran before all others of the machine.
        paced: What held the messages back, and why where it is not what the plan asked for.
        again: Makes the runs of a method on a link once more, None where nothing can run.
    """

    runs: dict[tuple[str, str], LinkRun]
    left: dict[str, str]
    slowdown: float
    undisturbed: bool
    paced: str = CLOCK
    again: Callable[[str, str], None] | None = None

    def measure_again(self, link: str, method: str) -> bool:
        """Make the runs of a method on a link once more; tell whether that can be done.

        Raises:
            BusyError: The machine computes for others.
        """
        if self.again is not None:
            self.again(link, method)
        return self.again is not None


_known: dict[Plan, tuple[float, Measurement]] = {}


def measured(plan: Plan) -> Measurement:
    """Return what a plan gave, measured anew where that is longer ago than `KEPT`.

    Raises:
        BusyError: The machine computes for others.
        NotMeasuredError: Processes cannot be started.
    """
    if plan not in _known or time.monotonic() - _known[plan][0] > KEPT:
        found = _measure(plan)
        _known[plan] = (time.monotonic(), found)  # waiting for a turn is no part of its age
    return _known[plan][1]


def _measure(plan: Plan) -> Measurement:
    from impl.wires.priority import before_others
    from verify.wires.turns import own_turn

    setting = setting_of(plan.problem)
    with own_turn(), before_others() as undisturbed:
        return _measured_now(plan, setting, undisturbed)


def _measured_now(plan: Plan, setting: Setting, undisturbed: bool) -> Measurement:
    from impl.errors import ArgumentError
    from impl.wires.model import Computing, empty_round

    try:
        empty = empty_round(setting.n, setting.d)
    except (ArgumentError, OSError) as error:
        raise NotMeasuredError(f"processes could not be started: {error}") from None
    over, paced = _engine(plan)
    courses: dict[str, list[Outcome]] = {}
    for _, method, _ in plan.runs:
        if method not in courses:
            courses[method] = [
                course(setting, method, seed, levels=plan.levels) for seed in range(plan.repeats)
            ]
    found: dict[tuple[str, str], LinkRun] = {}
    for text, method, _ in plan.runs:
        own = courses[method]
        needed = int(statistics.median(len(item.rounds) for item in own))
        parts = [(empty + Computing.of(item)).seconds(setting.n) for item in own]
        sent = int(statistics.median(sum(item.up for item in whole.rounds) for whole in own))
        found[text, method] = LinkRun(text, method, needed, statistics.median(parts), sent)
    left: dict[str, str] = {}
    run_once = partial(_run_once, plan, setting, over, courses, found, left)
    slow = [
        run_once(text, method, most, seed, undisturbed)
        for seed in range(plan.repeats)
        for text, method, most in plan.runs
    ]

    def again(link: str, method: str) -> None:
        from impl.wires.priority import before_others
        from verify.wires.turns import own_turn

        most = max(count for text, name, count in plan.runs if (text, name) == (link, method))
        with own_turn(), before_others() as undisturbed:
            for seed in range(plan.repeats):
                run_once(link, method, most, seed, undisturbed)

    return Measurement(found, left, max(slow), undisturbed, paced, again)


def _run_once(
    plan: Plan,
    setting: Setting,
    over: Callable[..., Outcome],
    courses: Mapping[str, Sequence[Outcome]],
    found: Mapping[tuple[str, str], LinkRun],
    left: dict[str, str],
    text: str,
    method: str,
    most: int,
    seed: int,
    undisturbed: bool,
) -> float:
    """Run a method on a link, note its rounds and how it leaves its course; return the slowdown beside it."""
    from verify.wires.links import real_link

    own = courses[method][seed]
    count = min(most, len(own.rounds))
    make = partial(over, setting, method, seed, real_link(text), count, plan.levels)
    outcome, slower = _undisturbed(make, undisturbed)
    difference = left_course(outcome, own)
    if difference:
        left[f"{method} over {text}, seed {seed}"] = difference
        return slower  # its seconds are of something else
    run = found[text, method]
    run.sizes += [(item.down // setting.n, item.longest) for item in outcome.rounds]
    ends = [0.0, *(item.seconds for item in outcome.rounds)]
    run.seconds.append([after - before for before, after in pairwise(ends)])
    return slower


def _engine(plan: Plan) -> tuple[Callable[..., Outcome], str]:
    """Return what runs on processes, and what holds messages back in it."""
    if not plan.tunnels:
        return over_tcp, CLOCK
    try:
        from impl.wires.transports.tun import NotPermittedError, require_tunnels
    except ImportError:
        return over_tcp, f"{CLOCK}: TUN devices are of Linux only"
    try:
        require_tunnels()
    except NotPermittedError as error:
        return over_tcp, f"{CLOCK}: {error}"
    return over_tun, TUNNELS


def _undisturbed(make: Callable[[], Outcome], undisturbed: bool) -> tuple[Outcome, float]:
    """Return a run beside which the machine was not busy, and the larger slowdown before and after it.

    Raises:
        BusyError: It was, each time.
    """
    from impl.wires.model import Load, slowdown

    for _ in range(TRIES):
        slow = slowdown()
        if slow <= BUSY:
            spent, start = _of_copies(), Load.now()
            outcome = make()
            end = Load.now()
            taken = 0.0 if undisturbed else end.others_since(start, _of_copies() - spent)
            stolen = end.stolen_since(start)
            slow = max(slow, slowdown())
            if slow <= BUSY and taken <= TAKEN and stolen <= STOLEN:
                return outcome, slow
            told = f"others took {taken:.0%} of its cores during a run, {TAKEN:.0%} is allowed"
            if stolen > STOLEN:
                told = f"other machines took {stolen:.0%} of its cores during a run, {STOLEN:.0%} is allowed"
        if slow > BUSY:
            told = f"a computation takes {slow:.2g} times as long as its CPU time, {BUSY:g} is allowed"
    raise BusyError(f"{told}; verify this claim again when it is idle, or as root")


def _of_copies() -> float:
    """Return the CPU seconds of workers that have ended, which the system counts for their parent."""
    kept = nursery()
    return kept.cpu if kept else 0.0


def setting_of(problem: tuple[str, int, float, str, float]) -> Setting:
    """Return a problem with its accuracy, from name, nodes, ridge, split and accuracy."""
    from impl.communication import PRESETS
    from verify.planning.problems import problem as made
    from verify.planning.setting import Setting

    name, nodes, ridge, split, accuracy = problem
    return Setting(made(name, nodes, ridge, split=split), PRESETS["payload"], accuracy)


def course(setting: Setting, method: str, seed: int, rounds: int = 0, levels: float = 1.0) -> Outcome:
    """Return the course of one process to the accuracy, or of so many rounds."""
    from impl.wires import Session
    from impl.wires.transports.inprocess import run_in_process
    from verify.wires.methods import choice, halves

    made, objective = halves(setting, choice(method, levels=levels), (seed, 0)), setting.problem.objective
    least = objective(setting.problem.solution)
    return run_in_process(
        made.server,
        made.workers,
        Session({}),
        rounds=rounds or MOST_ROUNDS,
        until=None if rounds else lambda x: bool(objective(x) - least <= setting.target),
    )


def over_tcp(
    setting: Setting, method: str, seed: int, link: Any, rounds: int, levels: float = 1.0
) -> Outcome:
    """Return a run on processes of this machine, whose frames the clock holds back.

    Raises:
        NotMeasuredError: They cannot be started; what happens later is the outcome of the run.
    """
    from impl.wires.transports.tcp import run_over_tcp

    kept = nursery()
    run = partial(run_over_tcp, spawn=kept.spawn) if kept else run_over_tcp
    return _on_processes(run, setting, method, seed, link, rounds, levels)


def over_tun(
    setting: Setting, method: str, seed: int, link: Any, rounds: int, levels: float = 1.0
) -> Outcome:
    """Return a run on processes in namespaces of their own, whose packets are held back.

    Raises:
        NotMeasuredError: They cannot be started; what happens later is the outcome of the run.
    """
    from impl.wires.transports.tun import run_over_tun

    return _on_processes(run_over_tun, setting, method, seed, link, rounds, levels)


def _on_processes(
    run: Callable[..., Outcome],
    setting: Setting,
    method: str,
    seed: int,
    link: Any,
    rounds: int,
    levels: float,
) -> Outcome:
    from impl.wires import Session
    from verify.wires.methods import choice, halves

    made = halves(setting, choice(method, levels=levels), (seed, 0))
    started: list[bool] = []
    try:
        outcome = run(
            made.server,
            made.workers,
            Session({}),
            link=link,
            rounds=rounds,
            limit=LIMIT,
            ready=lambda: started.append(True),
        )
    except OSError as error:
        raise NotMeasuredError(f"processes could not be started: {error}") from None
    if not started:
        raise NotMeasuredError(f"processes could not be started: {outcome.reason}")
    return outcome


def left_course(outcome: Outcome, whole: Outcome) -> str:
    """Return how a run differs from the first rounds of one in one process, or nothing."""
    from dataclasses import replace

    count = len(outcome.rounds)
    start = replace(whole, rounds=whole.rounds[:count], points=whole.points[: count + 1])
    return outcome.reason or outcome.same_course(start)
