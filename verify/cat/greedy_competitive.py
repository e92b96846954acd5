"""Checks of `cat/greedy-competitive`: rational runs on isotropic quadratics against all schedules."""

import functools
import itertools
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import theory
from impl.adaptive import cat_s
from impl.communication import Affine, CostModel, Packet, Wire
from verify.binding import Check
from verify.cat.rational_descent import RationalQuadratic, descend
from verify.cat.schedules import fewest, least_cost, left_after
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "cat/greedy-competitive"
COSTS: tuple[CostModel, ...] = (
    Affine(1, 0),
    Affine(1, 2),
    Affine(2, 9),
    Packet(3, 2),
    Packet(4, 1, 1),
    Wire(3, 2),
)
"""Nondecreasing and subadditive in the number of entries, of one bit each."""


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


@dataclass(frozen=True)
class Rule:
    """What is run or claimed: as stated, or with one fault.

    Args:
        exponent: Factor of the exponent.
        largest: Whether the largest entries are sent.
        turned: Whether the coordinates are taken in the reverse order.
    """

    exponent: int = 1
    largest: bool = True
    turned: bool = False


STATED = Rule()
RULES = {
    "double-exponent": Rule(exponent=2),
    "smallest-first": Rule(largest=False),
    "other-order": Rule(turned=True),
}
Held = Callable[[Sequence[Instance], Rule], Iterable[Comparison]]


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)

    def check(
        name: str,
        held: Held,
        make: Callable[[], Sequence[Instance]],
        seen: tuple[str, ...],
        seconds: float,
        profile: Any = "quick",
    ) -> Check:
        def case(rule: Rule) -> ExactCase:
            return ExactCase(lambda: held(make(), rule))

        mutants = {key: case(RULES[key]) for key in seen}
        return Check("exact", name, case(STATED), {"instances": name}, mutants, seconds, profile)

    some, many = functools.partial(random_instances, 150), functools.partial(random_instances, 3000)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        check("anytime", compare_anytime, some, ("smallest-first", "other-order"), 0.2),
        check("one-message", compare_messages, some, ("other-order",), 0.2),
        check("decay", compare_decay, some, ("other-order",), 0.2),
        check("decay-flat", compare_decay, lambda: FLAT, ("double-exponent",), 0.3),
        check("many-messages", compare_messages, many, (), 5.0, "full"),
        check("many-decays", compare_decay, many, (), 5.0, "full"),
    )


@dataclass(frozen=True)
class _Path:
    """Sizes, gaps before and after, and costs of the messages of a run of CAT until the gap is small."""

    squares: tuple[int, ...]
    sizes: list[int]
    gaps: list[F]
    costs: list[F]


def _path(item: Instance, rule: Rule, cost: CostModel | None = None, target: F | None = None) -> _Path:
    start = item.start[::-1] if rule.turned else item.start
    cost = item.cost if cost is None else cost
    end = item.target if target is None else target

    def reached(value: F, _: F) -> bool:
        return value <= end

    choose = functools.partial(cat_s, cost=cost, entry_bits=1)
    states = descend(RationalQuadratic((1,) * len(start)), choose, start, len(start), reached=reached)
    sizes = [state.choice.size for state in states]
    gaps = [F(sum(entry * entry for entry in start), 2), *(state.next_value for state in states)]
    if not rule.largest:
        ordered = sorted(entry * entry for entry in start if entry)
        gaps = [F(sum(ordered[sent:]), 2) for sent in itertools.accumulate(sizes, initial=0)]
    squares = tuple(entry * entry for entry in start)
    return _Path(squares, sizes, gaps, [F(state.choice.cost) for state in states])


def compare_anytime(instances: Sequence[Instance], rule: Rule) -> Iterable[Comparison]:
    """Without a fixed cost: the gap after each message is the least of any choice of as many entries."""
    claim = theory.claim(CLAIM)
    for place, item in enumerate(instances):
        path = _path(item, rule, Affine(1, 0), F(0))
        ordered = tuple(sorted(path.squares, reverse=True))
        for sent, gap in zip(itertools.accumulate(path.sizes, initial=0), path.gaps, strict=True):
            label, witness = f"{place}: after {sent} entries", {"start": item.start}
            if 0 < sent < len(ordered):
                values = {"a": ordered, "d": len(ordered), "T": sent, "L": 1}
                stated = F(str(evaluate_exact(claim.exact, values)))
                yield Comparison(f"{label}: the stated gap", "eq", gap, stated, witness=witness)
            if len(ordered) <= 5:
                least = min(
                    F(sum(path.squares) - sum(chosen), 2)
                    for chosen in itertools.combinations(path.squares, min(sent, len(ordered)))
                )
                yield Comparison(f"{label}: the least gap", "le", gap, least, witness=witness, headline=True)


def _least(item: Instance) -> tuple[int, F]:
    """Return the fewest entries that have to be sent, and the least cost of a schedule that sends them."""
    squares = [entry * entry for entry in item.start]
    entries = fewest(squares, 2 * item.target)
    return entries, least_cost(entries, len(squares), item.cost)


def compare_messages(instances: Sequence[Instance], rule: Rule) -> Iterable[Comparison]:
    """The least cost of all schedules, and by how much each message takes the excess down."""
    for place, item in enumerate(instances):
        entries, least = _least(item)
        witness = {"start": item.start, "cost": repr(item.cost), "target": item.target}
        whole = F(item.cost(entries))
        yield Comparison(f"{place}: least cost", "eq", least, whole, witness=witness)
        path = _path(item, rule)
        yield Comparison(
            f"{place}: gap of the start", "eq", path.gaps[0], left_after(path.squares, 0) / 2, witness=witness
        )
        for k, (cost, (gap, after)) in enumerate(zip(path.costs, itertools.pairwise(path.gaps), strict=True)):
            excess = (gap - item.target) * (1 - cost / least)
            yield Comparison(
                f"{place}: excess after message {k}", "le", after - item.target, excess, witness=witness
            )


def compare_decay(instances: Sequence[Instance], rule: Rule) -> Iterable[Comparison]:
    """The gap against the stated bound while it is above the target."""
    claim = theory.claim(CLAIM)
    for place, item in enumerate(instances):
        _, least = _least(item)
        path = _path(item, rule)
        spent = itertools.accumulate(path.costs, initial=F(0))
        for k, (B, gap) in enumerate(zip(spent, path.gaps, strict=True)):
            if gap <= item.target:
                break
            values = {
                "Delta_0": path.gaps[0],
                "epsilon": item.target,
                "B": rule.exponent * B,
                "B_star": least,
            }
            witness = {"start": item.start, "cost": repr(item.cost), "spent": B, "least": least}
            yield Comparison(
                f"{place}: gap after {k} messages",
                "le",
                float(gap),
                evaluate(claim.bound, values),
                ROUND_OFF,
                witness,
                headline=k > 0,
            )
