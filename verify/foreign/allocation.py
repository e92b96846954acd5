"""Spend samples where they may refute: many inputs a little, the most promising ones to the resolution."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from verify.foreign.adapter import ForeignCompressor
from verify.foreign.arm import FIRST, SLOW_ROWS, Arm
from verify.foreign.claims import Claims
from verify.foreign.clock import Clock
from verify.foreign.inputs import (
    further_inputs,
    idle_inputs,
    joint_inputs,
    largest_inputs,
    named_inputs,
)
from verify.foreign.single_calls.extremes import refused_at
from verify.foreign.worst_inputs import search_sampled

STAGES = ((128, 14, 10), (512, 8, 6), (2048, 5, 4), (8192, 3, 3))
"""Samples per input, and how many inputs with the most promising bias and second moment get that many."""

SUSPICIOUS = 6.0
"""Standard errors from which an input is sampled on although the resolution is reached."""

ENOUGH = 3
"""Inputs in focus at which the resolution is reached before a check ends."""

MANY = 100_000
"""Dimension above which only a few inputs fit into memory."""

FEW_INPUTS = 8

FURTHER, FURTHER_SHARE = 2000, 0.5
"""Most further inputs of a compressor that draws nothing, and the part of the time limit for them."""

FURTHER_ENTRIES = 2_000_000
"""Entries of all further inputs: they are kept, with their errors."""

RANDOM = 40
"""Most random inputs of a compressor that draws: what goes wrong at one in ten shows at some of them."""

EVERY_PLACE = 64
"""Most dimension at which some input has its largest entry at each place: one more for each costs little."""

COARSE = 10.0
"""Multiple of the resolution that must be reached for the verdict `consistent`."""

LOOK_SHARE, STAGE_SHARE = 0.1, 0.4
"""Part of the time limit for the first look, and of what is left for one stage, where calls are slow."""

INPUTS = 60
"""About how many inputs there are."""


@dataclass(frozen=True)
class Limits:
    """When a check ends.

    Args:
        resolution: Fault, relative to what the claim allows, that would have been seen.
        seconds: Time limit of the check.
        samples: Most samples at one input.
    """

    resolution: float = 0.01
    seconds: float = 20.0
    samples: int = 2**20


@dataclass
class Spent:
    """What was looked at, and why it ended."""

    arms: list[Arm] = field(default_factory=list)
    focus: list[Arm] = field(default_factory=list)
    omega: float = 0.0
    out_of_time: bool = False
    refuted: bool = False


def spend(
    foreign: ForeignCompressor,
    claims: Claims,
    seed: int,
    limits: Limits,
    progress: Callable[[str], None] = lambda text: None,
) -> Spent:
    """Sample until something is refuted, the inputs in focus reach the resolution, or a limit ends it."""
    clock = Clock(limits.seconds)
    spent = Spent()
    opened = _open(foreign, claims, seed, limits, spent, clock)
    _prepare(opened, claims, foreign, spent)
    if _ended(spent, clock):
        return spent
    if opened and all(arm.deterministic for arm, _ in opened):
        progress("no random number is drawn: further inputs")
        _prepare(_open_further(foreign, claims, seed, limits, clock), claims, foreign, spent)
        if _ended(spent, clock):
            return spent
    elif opened:
        _prepare(_open_random(foreign, claims, seed, limits, clock), claims, foreign, spent)
        if _ended(spent, clock):
            return spent
    for goal, biased, moments in STAGES:
        chosen = _promising(spent.arms, biased, moments)
        part = _affordable(chosen, min(goal, limits.samples), spent, clock)
        if part < 1:
            chosen = _promising(spent.arms, max(1, int(part * biased)), max(1, int(part * moments)))
        progress(f"{min(goal, limits.samples)} samples at {len(chosen)} inputs")
        for arm in chosen:
            arm.sample(min(goal, limits.samples) - arm.samples, clock)
            if _ended(spent, clock):
                spent.focus = chosen
                return spent
    spent.focus = _promising(spent.arms, *STAGES[-1][1:])
    _to_the_resolution(spent, limits, clock, progress)
    return spent


def _prepare(opened: list[tuple[Arm, Any]], claims: Claims, foreign: ForeignCompressor, spent: Spent) -> None:
    """Set up the tests of inputs after their first look."""
    spent.omega = _largest_constant(claims, foreign, [*spent.arms, *(arm for arm, _ in opened)])
    for arm, errors in opened:
        arm.prepare(errors, spent.omega)
        spent.arms.append(arm)


def _open(
    foreign: ForeignCompressor, claims: Claims, seed: int, limits: Limits, spent: Spent, clock: Clock
) -> list[tuple[Arm, Any]]:
    """Take the first look at every input."""
    opened, first, taken = [], FIRST, 0
    for name, x in _inputs(foreign, claims, seed, clock):
        arm = Arm(name, x, foreign, claims, seed)
        opened.append((arm, arm.open(first)))
        taken += arm.samples
        affordable = LOOK_SHARE * limits.seconds * taken / (INPUTS * max(clock.seconds, 1e-9))
        first = max(SLOW_ROWS, min(FIRST, int(affordable)))
        if clock.over():
            spent.out_of_time = True
            break
    return opened


def _open_further(
    foreign: ForeignCompressor, claims: Claims, seed: int, limits: Limits, clock: Clock
) -> list[tuple[Arm, Any]]:
    """Look at random inputs where nothing is random: what goes wrong at one in many shows only there.

    It ends at the first input where something is drawn.
    """
    opened: list[tuple[Arm, Any]] = []
    count = min(FURTHER, max(FEW_INPUTS, FURTHER_ENTRIES // (foreign.d * (foreign.n or 1))))
    for name, x in further_inputs(foreign.shape, seed, foreign.scales != (1.0,)):
        if len(opened) == count or clock.seconds > FURTHER_SHARE * limits.seconds:
            break
        arm = Arm(name, x, foreign, claims, seed)
        opened.append((arm, arm.open(SLOW_ROWS)))
        if not arm.deterministic:
            break
    return opened


def _open_random(
    foreign: ForeignCompressor, claims: Claims, seed: int, limits: Limits, clock: Clock
) -> list[tuple[Arm, Any]]:
    """Look at some random inputs too, while that is cheap: structured ones do not have every pattern."""
    opened: list[tuple[Arm, Any]] = []
    count = min(RANDOM, FURTHER_ENTRIES // (foreign.d * (foreign.n or 1)))
    inputs = itertools.islice(further_inputs(foreign.shape, seed, foreign.scales != (1.0,)), count)
    for name, x in itertools.chain(inputs, _at_other_places(foreign, seed, opened)):
        if clock.over(LOOK_SHARE):
            break
        arm = Arm(name, x, foreign, claims, seed)
        opened.append((arm, arm.open(FIRST)))
    return opened


def _at_other_places(
    foreign: ForeignCompressor, seed: int, opened: list[tuple[Arm, Any]]
) -> Iterator[tuple[str, Any]]:
    """Yield inputs with their largest entry where none of those opened by then has it."""
    if foreign.n is None and foreign.d <= EVERY_PLACE:
        seen = {int(abs(arm.x).argmax()) for arm, _ in opened}
        yield from largest_inputs(foreign.d, seed, sorted(set(range(foreign.d)) - seen))


def _inputs(foreign: ForeignCompressor, claims: Claims, seed: int, clock: Clock) -> Iterator[tuple[str, Any]]:
    if foreign.n is not None:
        named = list(joint_inputs(foreign.d, foreign.n))
        yield from named
        last = dict(named)["generic nodes"]
        yield from ((f"generic nodes times {scale:.4g}", scale * last) for scale in foreign.scales[1:])
        yield from (
            (name, x) for name, x in idle_inputs(foreign.d, foreign.n) if not refused_at(foreign, x, seed)
        )
        return
    count = FEW_INPUTS if foreign.d > MANY else None
    generic: Any = None
    for place, (name, x) in enumerate(named_inputs(foreign.d)):
        if count is None or place < count:
            yield name, x
        generic = x if name == "generic" else generic
        if count is not None and place >= count:
            return
    yield from ((f"generic times {scale:.4g}", scale * generic) for scale in foreign.scales[1:])
    if claims.bounds_error and foreign.d > 1:
        yield from search_sampled(foreign, claims, seed, clock)


def _largest_constant(claims: Claims, foreign: ForeignCompressor, arms: Sequence[Arm]) -> float:
    """Return the claimed constant, else twice the largest mean squared error that the first looks show."""
    if claims.omega is not None:
        return claims.omega
    if claims.ab is not None:
        return max(claims.ab[0], 0.0) * (foreign.n or 1)
    return 2 * max((arm.largest for arm in arms), default=0.0)


def _promising(arms: Sequence[Arm], biased: int, moments: int) -> list[Arm]:
    random = [arm for arm in arms if not arm.deterministic]
    first = sorted(random, key=lambda arm: (arm.promise_of_bias(), arm.growth()), reverse=True)[:biased]
    second = sorted(random, key=lambda arm: (arm.promise_of_moment(), arm.growth()), reverse=True)[:moments]
    first = [arm for arm in first if arm.promise_of_bias() > -math.inf]
    second = [arm for arm in second if arm.promise_of_moment() > -math.inf and arm not in first]
    return first + second


def _affordable(chosen: Sequence[Arm], goal: int, spent: Spent, clock: Clock) -> float:
    """Return which part of a stage its share of the time that is left pays for; above 1 all of it."""
    taken = sum(arm.samples for arm in spent.arms)
    seconds = clock.seconds / max(taken, 1) * sum(max(goal - arm.samples, 0) for arm in chosen)
    return STAGE_SHARE * (clock.limit - clock.seconds) / max(seconds, 1e-9)


def _to_the_resolution(spent: Spent, limits: Limits, clock: Clock, progress: Callable[[str], None]) -> None:
    """Sample what looks wrong until it is refuted or looks right, the inputs in focus to the resolution."""
    while True:
        suspicious = [
            arm
            for arm in spent.arms
            if arm.samples < limits.samples
            and (
                (arm.promise() > SUSPICIOUS and arm.growth() > 0)
                or arm.unresolved_above(COARSE * limits.resolution)
            )
        ]
        within_reach = _within_reach(spent, limits)
        if suspicious:
            arm = max(suspicious, key=Arm.growth)
        elif within_reach:
            arm = within_reach[0]
        else:
            return
        progress(f"{arm.samples} samples at {arm.name}, {len(suspicious) + len(within_reach)} inputs to go")
        for _ in range(max(1, arm.samples // 2 // arm.rows)):
            arm.sample(min(arm.rows, limits.samples - arm.samples), clock)
            if arm.refuted or clock.over():
                _ended(spent, clock)
                return


def _within_reach(spent: Spent, limits: Limits) -> list[Arm]:
    """Return the inputs in focus that are to be looked at on, the one that needs least first.

    Where none can reach the resolution, the coarsest that decides is better than none.
    """
    for goal, enough in ((limits.resolution, ENOUGH), (COARSE * limits.resolution, 1)):
        unsettled = [arm for arm in spent.focus if not arm.settled(goal)]
        if len(spent.focus) - len(unsettled) >= enough:
            return []
        left = [(arm.needed(goal) - arm.samples, place) for place, arm in enumerate(unsettled)]
        reached = sorted(item for item in left if item[0] + unsettled[item[1]].samples <= limits.samples)
        found = [unsettled[place] for _, place in reached if unsettled[place].samples < limits.samples]
        if found:
            return found
    return []


def _ended(spent: Spent, clock: Clock) -> bool:
    spent.refuted = any(arm.refuted for arm in spent.arms)
    spent.out_of_time |= clock.over()
    return spent.refuted or spent.out_of_time
