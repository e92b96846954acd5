"""The joint law of what a round draws over two coordinates or clients, sampled: draws may not be shared."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from impl.compressors import Draws, JointCompressor, WeightedPartition
from verify.binding import Check, Lazy
from verify.cq_marina.literal_marina import SCHEMES
from verify.rungs.montecarlo import MonteCarloCase

HALF_WIDTH = 0.02
"""How far the sampled chance may be off the stated one."""

# From the shared draws of many rounds to whether an event takes place in each, (size,).
Happens = Callable[[Any], Any]
Change = Callable[[Draws], Draws]


@dataclass(frozen=True)
class Event:
    """Something that the shared draws of a round decide.

    Args:
        scheme: Name in `SCHEMES`.
        happens: Whether it does.
        chance: Its probability.
        change: What the mutant does to the draws, or the compressor that it uses.
        mutant: Its name in the claim.
    """

    scheme: str
    happens: Happens
    chance: float
    change: Change | JointCompressor
    mutant: str = "common-draws"


def _same(place: int | None, shared: Any) -> Any:
    strata = shared if place is None else shared[place]
    return (strata[..., 0] == strata[..., 1]).all(axis=-1)


def _same_owner(shared: Any) -> Any:
    return shared[:, 0] == shared[:, 1]


def _common(place: int | None, draws: Draws) -> Draws:
    """Give all coordinates the permutation of the first one."""
    strata = draws.shared if place is None else draws.shared[place]
    common = np.broadcast_to(strata[..., :1], strata.shape)
    if place is None:
        return Draws(common, draws.private)
    parts = list(draws.shared)
    parts[place] = common
    return Draws(tuple(parts), draws.private)


def _one_owner(draws: Draws) -> Draws:
    return Draws(np.broadcast_to(draws.shared[:, :1], draws.shared.shape), draws.private)


def _common_jitter(draws: Draws) -> Draws:
    """Give all clients one jitter."""
    return Draws(draws.shared, np.broadcast_to(draws.private[..., :1, :], draws.private.shape))


def _strata(scheme: str, place: int | None, chance: float, change: Change | None = None) -> Event:
    return Event(scheme, partial(_same, place), chance, change or partial(_common, place))


EVENTS = {
    "two-coordinates": _strata("correlated-ternary", None, 1 / 24),
    "two-clients": _strata("correlated-ternary", None, 1 / 24, _common_jitter),
    "two-coordinates-grid": _strata("grid", 0, 1 / 24),
    "two-coordinates-rotated": _strata("rotated", 1, 1 / 24),
    "two-coordinates-groups": _strata("groups", 2, 1 / 2),
    "two-coordinates-perm-k": Event("perm-k", _same_owner, 2 / 15, _one_owner),
    "larger-share-perm-k": Event(
        "perm-k", lambda shared: (shared == 0).sum(axis=-1) == 2, 1 / 2, lambda draws: Draws(draws.shared * 0)
    ),
    "two-coordinates-partition": Event("partition", _same_owner, 0.3, _one_owner),
    "owner-partition": Event(
        "partition",
        lambda shared: shared[:, 0] == 3,
        0.4,
        WeightedPartition([0.25] * 4),
        "uniform-weights",
    ),
    "client-of-a-slot": Event(
        "sampled-clients",
        lambda shared: shared[0][:, 0] == 3,
        0.4,
        lambda draws: Draws((3 - draws.shared[0], draws.shared[1]), draws.private),
        "swapped-clients",
    ),
}


def events(event: Event, rng: np.random.Generator, size: int, *, sabotaged: bool = False) -> Any:
    """Return 1 where the event takes place, (size,); private draws that coincide count as one, too."""
    compressor, n, d = SCHEMES[event.scheme]
    if sabotaged and isinstance(event.change, JointCompressor):
        compressor = event.change
    draws = compressor.draw(rng, (size, n, d))
    if sabotaged and not isinstance(event.change, JointCompressor):
        draws = event.change(draws)
    found = np.asarray(event.happens(draws.shared))
    if draws.private is not None:
        drawn = np.sort(np.asarray(draws.private).reshape(size, -1), axis=-1)
        found = found | (np.diff(drawn, axis=-1) == 0).any(axis=-1)
    return found.astype(np.float64)


def joint_law(name: str) -> Check:
    """Return the check that an event has its chance; it tells common draws from separate ones."""
    event = EVENTS[name]

    def case(sabotaged: bool) -> MonteCarloCase:
        sample = partial(events, event, sabotaged=sabotaged)
        return MonteCarloCase("eq", sample, event.chance, upper=1.0, tolerance=HALF_WIDTH)

    compressor, n, d = SCHEMES[event.scheme]
    return Check(
        "montecarlo",
        name,
        Lazy(partial(case, False), tests=1),
        {"compressor": repr(compressor), "n": n, "d": d, "chance": event.chance},
        {event.mutant: Lazy(partial(case, True), tests=1)},
        seconds=0.1,
    )
