"""Checks of `cat/greedy-competitive`: rational runs on isotropic quadratics against all schedules."""

import functools
import itertools
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction as F

from impl.adaptive import cat_s
from impl.communication import Affine, CostModel, Packet, Wire
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.rational_descent import RationalQuadratic, descend
from verify.cat.greedy.schedules import fewest, least_cost
from verify.comparison import ROUND_OFF, Comparison

COSTS: tuple[CostModel, ...] = (
    Affine(1, 0),
    Affine(1, 2),
    Affine(2, 9),
    Packet(3, 2),
    Packet(4, 1, 1),
    Wire(3, 2),
)
"""Nondecreasing and subadditive in the number of entries, of one bit each."""

judge = checks_of("cat/greedy-competitive", largest=True, turned=1, whole=0, schedules=least_cost)


@dataclass(frozen=True)
class Instance:
    """Entries of the start, which are those of the first gradient, cost of messages, and what may be left."""

    start: tuple[int, ...]
    cost: CostModel
    target: F


def random_instances(count: int) -> tuple[Instance, ...]:
    """Return instances in up to seven dimensions, with ties and zeros."""
    rng = random.Random(2)
    found: list[Instance] = []
    while len(found) < count:
        start = tuple(rng.choice((0, 1, 1, 2, 2, 3, 5, 12)) for _ in range(rng.randint(1, 7)))
        if any(start):
            gap = F(sum(item * item for item in start), 2)
            found.append(Instance(start, rng.choice(COSTS), gap * rng.choice((F(0), F(1, 20), F(2, 5)))))
    return tuple(found)


FLAT = (Instance((1,) * 64, Affine(1, 0), F(0)),)
SETS: dict[str, Callable[[], tuple[Instance, ...]]] = {
    "anytime": functools.partial(random_instances, 150),
    "one-message": functools.partial(random_instances, 150),
    "decay": functools.partial(random_instances, 150),
    "decay-flat": lambda: FLAT,
    "many-messages": functools.partial(random_instances, 3000),
    "many-decays": functools.partial(random_instances, 3000),
}


judge.sabotage(
    "double-exponent at exact/decay-flat: Twice the exponent: on a flat start, d = 64, C = T, half is left "
    "after 32, where 0.3679 is claimed. | bound = bound(B = 2 * B)",
    "smallest-first at exact/anytime, exact/one-message: Send the smallest entries first: the gap is not "
    "the least one. | largest = False",
    "an-entry-less at exact/one-message: One message holds an entry less than it must. | whole = 1",
    "other-order, neutral at exact/anytime, exact/one-message, exact/decay: Take the coordinates in another "
    "order. | turned = -1",
)


@dataclass(frozen=True)
class _Path:
    """Sizes, gaps before and after, and costs of the messages of a run of CAT until the gap is small."""

    squares: tuple[int, ...]
    sizes: list[int]
    gaps: list[F]
    costs: list[F]


def _path(item: Instance, law: Law, cost: CostModel | None = None, target: F | None = None) -> _Path:
    start = item.start[:: law.turned]
    cost = item.cost if cost is None else cost
    end = item.target if target is None else target

    def reached(value: F, _: F) -> bool:
        return value <= end

    choose = functools.partial(cat_s, cost=cost, entry_bits=1)
    states = descend(RationalQuadratic((1,) * len(start)), choose, start, len(start), reached=reached)
    sizes = [state.choice.size for state in states]
    gaps = [F(sum(entry * entry for entry in start), 2), *(state.next_value for state in states)]
    if not law.largest:
        ordered = sorted(entry * entry for entry in start if entry)
        gaps = [F(sum(ordered[sent:]), 2) for sent in itertools.accumulate(sizes, initial=0)]
    squares = tuple(entry * entry for entry in start)
    return _Path(squares, sizes, gaps, [F(state.choice.cost) for state in states])


@judge.exact(instances={"anytime": {"instances": "anytime"}})
def anytime(law: Law, instances: str) -> Iterable[Comparison]:
    """Without a fixed cost: the gap after each message is the least of any choice of as many entries."""
    for item in SETS[instances]():
        path = _path(item, law, Affine(1, 0), F(0))
        ordered = tuple(sorted(path.squares, reverse=True))
        for sent, gap in zip(itertools.accumulate(path.sizes, initial=0), path.gaps, strict=True):
            witness = {"start": item.start, "sent": sent}
            if 0 < sent < len(ordered):
                stated = law.exactly("exact", a=ordered, d=len(ordered), T=sent, L=1)
                yield eq("stated gap", gap, stated, witness=witness)
            if len(ordered) <= 5:
                least = min(
                    F(sum(path.squares) - sum(chosen), 2)
                    for chosen in itertools.combinations(path.squares, min(sent, len(ordered)))
                )
                yield le("least gap", gap, least, witness=witness, headline=True)


def _least(item: Instance, law: Law) -> tuple[int, F]:
    """Return the fewest entries that have to be sent, and the least cost of a schedule that sends them."""
    squares = [entry * entry for entry in item.start]
    entries = fewest(squares, 2 * item.target)
    return entries, law.schedules(entries, len(squares), item.cost)


def _messages(law: Law, instances: str) -> Iterable[Comparison]:
    """The least cost of all schedules, and by how much each message takes the excess down."""
    for item in SETS[instances]():
        entries, least = _least(item, law)
        witness = {"start": item.start, "cost": repr(item.cost), "target": item.target}
        whole = F(item.cost(max(entries - law.whole, 1)))
        yield eq("least cost", least, whole, witness=witness)
        path = _path(item, law)
        squares = sorted(path.squares, reverse=True)
        before = list(itertools.accumulate(path.sizes, initial=0))[:-1]
        for sent, cost, (gap, after) in zip(before, path.costs, itertools.pairwise(path.gaps), strict=True):
            excess = (gap - item.target) * (1 - cost / least)
            unsent = [int(place >= sent) for place in range(len(squares))]
            given = {"unsent": (unsent,), "k": 0, "a": squares, "m": entries - law.whole, "L": 1}
            yield le("left of the gap", gap - item.target, law.exactly("others", **given), witness=witness)
            yield le("price of the others", F(item.cost(entries - sent)), whole, witness=witness)
            yield le("excess after a message", after - item.target, excess, witness=witness)


def _decays(law: Law, instances: str) -> Iterable[Comparison]:
    """The gap against the stated bound while it is above the target."""
    for item in SETS[instances]():
        _, least = _least(item, law)
        path = _path(item, law)
        spent = itertools.accumulate(path.costs, initial=F(0))
        for k, (B, gap) in enumerate(zip(spent, path.gaps, strict=True)):
            if gap <= item.target:
                break
            stated = law("bound", Delta_0=path.gaps[0], epsilon=item.target, B=B, B_star=least)
            witness = {"start": item.start, "cost": repr(item.cost), "spent": B, "least": least}
            yield le("gap while above", float(gap), stated, ROUND_OFF, witness=witness, headline=k > 0)


for _check, _quick, _full in (
    (_messages, ("one-message",), "many-messages"),
    (_decays, ("decay", "decay-flat"), "many-decays"),
):
    judge.exact(instances={name: {"instances": name} for name in _quick})(_check)
    judge.exact(profile="full", instances={_full: {"instances": _full}})(_check)
