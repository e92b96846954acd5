"""Runs on real links held against the course of one process, a model of seconds, and each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from statistics import median
from typing import TYPE_CHECKING, Any

from verify.authoring import eq
from verify.comparison import ROUND_OFF, Comparison
from verify.wires.link_runs import Measurement, course, left_course, over_tcp, setting_of
from verify.wires.links import real_link

if TYPE_CHECKING:
    from impl.wires import Outcome

LEFT = "runs that leave the course of one process"
FASTER = "rounds faster than their messages"
MORE, NEARLY = 2, 1.5
"""Further runs where an order is missed, and by less than what factor: `squant/real-links`."""


def few_rounds(
    problem: tuple[Any, ...],
    methods: Iterable[str],
    seeds: int,
    rounds: int,
    links: tuple[str, str],
    other_seed: int = 0,
    levels: float = 1.0,
) -> list[Comparison]:
    """Return comparisons of rounds, bytes and points on processes with those of one process.

    Args:
        problem: Name, nodes, ridge, split and accuracy.
        methods: In words.
        seeds: How many.
        rounds: How many.
        links: The link that paces, and the one that is stated: no round may be faster on it.
        other_seed: Added to the seed of the processes, 0 but for a sabotage.
        levels: Of quantizers.
    """
    from impl.wires.priority import before_others
    from verify.wires.turns import own_turn

    paced, stated = map(real_link, links)
    found = []
    with own_turn(), before_others():
        for method in methods:
            for seed in range(seeds):
                setting = setting_of(problem)
                whole = course(setting, method, seed, rounds, levels)
                made = over_tcp(setting, method, seed + other_seed, paced, rounds, levels)
                left = left_course(made, whole)
                witness = {"method": method, "seed": seed, "how": left}
                found.append(eq(LEFT, int(bool(left)), 0, witness=witness))
                fast = _faster(made, setting.n, stated)
                found.append(eq(FASTER, fast, 0, witness=witness))
    return found


def _faster(outcome: Outcome, n: int, link: Any) -> int:
    before, fast = 0.0, 0
    for item in outcome.rounds:
        least = link.round_trip(item.down // n, item.longest)
        fast += item.seconds - before < least * (1 - ROUND_OFF.relative)
        before = item.seconds
    return fast


def over_model(found: Measurement, links: Iterable[str], model: Callable[..., float]) -> dict[str, float]:
    """Return, for each method on these links, the median of measured over modelled seconds of a round.

    Args:
        found: What was measured.
        links: In words.
        model: Seconds of a round by delta, R, b, u and c.
    """
    ratios, known = {}, {}
    for (link, method), run in found.runs.items():
        if link not in links:
            continue
        given = real_link(link)
        each = []
        for (b, u), seconds in zip(run.sizes, chain.from_iterable(run.seconds), strict=True):
            key = (link, method, b, u)
            if key not in known:
                known[key] = model(delta=given.delay, R=given.rate, b=b, u=u, c=run.computing)
            each.append(seconds / known[key])
        ratios[f"{method} over {link}"] = median(each)
    return ratios


def before(
    found: Measurement, link: str, first: str, second: str, factor: float
) -> tuple[bool, dict[str, float]]:
    """Return whether the first method is before the second by a factor, and the seconds of both.

    Where it is by nearly so much only, both run once more, twice at most: a disturbance lengthens runs and
    never shortens them, and of several runs the least counts, of the first method as of the second.
    """
    one, other = found.runs[link, first], found.runs[link, second]
    for _ in range(MORE):
        if not other.total < factor * one.total < NEARLY * other.total:
            break
        if not all(found.measure_again(link, method) for method in (first, second)):
            break
    early, late = one.total, other.total
    on_course = not found.left  # a further run that left it is none: nothing is known of the order
    return on_course and bool(factor * early <= late), {
        f"{first} over {link}": early,
        f"{second} over {link}": late,
    }
