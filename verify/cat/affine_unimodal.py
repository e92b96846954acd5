"""Checks of `cat/affine-unimodal`: all efficiencies of exact vectors with ties, the rule, and a search."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction as F
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

import theory
from impl.adaptive import cat_s
from impl.communication import Affine
from verify.binding import Check
from verify.cat.golden_vectors import GI
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/affine-unimodal"
VECTORS = (GI, (3, 3, -3, 1, 0, 0), (5, 1, 1, 1, 1, 1), (1,) * 6, (2, 0, -2, 4, 1), (7,), (0, 3))
PRICES = ((F(0), F(1)), (F(1), F(1)), (F(5), F(1)), (F(7, 2), F(2, 3)), (F(40), F(1)), (F(1000), F(1)))
"""Pairs of c_0 and c_1."""
PEAKED = ((9, 3, 1, 1), (3, 1, 1, 1, 1, 1), (2, 2, 1, 1, 1), (6, 5, 4, 3, 2, 1))
_DIM = 5

Rule = Callable[[Sequence[F], F, F], int]


def stated_rule(values: Sequence[F], c_0: F, c_1: F) -> int:
    """Return the size that CAT-S chooses."""
    return cat_s(list(values), Affine(c_1, c_0), entry_bits=1).size


def largest_share(values: Sequence[F], c_0: F, c_1: F) -> int:
    """Sabotage: the share alone decides, so all nonzeros are sent."""
    return sum(item != 0 for item in values)


def drop_fixed_cost(values: Sequence[F], c_0: F, c_1: F) -> int:
    """Sabotage: the rule forgets the fixed cost."""
    return stated_rule(values, F(0), c_1)


def other_currency(values: Sequence[F], c_0: F, c_1: F) -> int:
    """Neutral: the same costs in another currency."""
    return stated_rule(values, c_0 * F(7, 3), c_1 * F(7, 3))


RULES = {"largest-share": largest_share, "drop-fixed-cost": drop_fixed_cost, "other-currency": other_currency}


def convex_costs(d: int) -> tuple[list[F], ...]:
    """Return convex costs of 0, ..., d entries."""
    squared = [F(2 + T * T) for T in range(d + 1)]
    kinked = [F(3 + max(T, 4 * T - 6)) for T in range(d + 1)]
    return squared, kinked, [F(1)] * (d + 1)


def capped_costs(d: int) -> tuple[list[F], ...]:
    """Sabotage: a price for each entry, capped by that of the dense gradient: concave."""
    return ([F(min(5 * T, 18)) for T in range(d + 1)],)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    rules = {name: ExactCase(partial(compare_rule, rule)) for name, rule in RULES.items()}
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.3),
        Check(
            "exact",
            "affine",
            ExactCase(partial(compare_rule, stated_rule)),
            {"g": VECTORS, "c_0,c_1": [[str(c_0), str(c_1)] for c_0, c_1 in PRICES]},
            rules,
            seconds=0.4,
        ),
        Check(
            "exact",
            "convex",
            ExactCase(partial(compare_costs, convex_costs)),
            {"g": PEAKED, "C": ["2+T^2", "3+max(T,4T-6)", "1"]},
            {"concave-cost": ExactCase(partial(compare_costs, capped_costs))},
            seconds=0.1,
        ),
        Check("exact", "fixed-cost", ExactCase(compare_fixed_costs), {"g": VECTORS}, seconds=0.3),
        Check(
            "adversarial",
            f"d{_DIM}",
            _search(affine, 1500),
            {"d": _DIM, "ratio": "smaller of two efficiencies over one between them"},
            {"concave-cost": _search(capped, 600)},
            seconds=0.3,
        ),
    )


def energies(g: Sequence[Any]) -> list[F]:
    """Return the squares, the largest first."""
    return sorted((F(item) ** 2 for item in g), reverse=True)


def efficiencies(g: Sequence[Any], costs: Sequence[Any]) -> list[F]:
    """Return E(T) for T = 1, ..., d literally, from the costs of 0, ..., d entries."""
    squares = energies(g)
    total = sum(squares, F(0))
    return [sum(squares[:T], F(0)) / total / F(costs[T]) for T in range(1, len(g) + 1)]


def smallest_maximiser(found: Sequence[F]) -> int:
    """Return the first T with the largest efficiency."""
    return found.index(max(found)) + 1


def compare_rule(rule: Rule) -> Iterable[Comparison]:
    """The rule finds the largest of all efficiencies, which are as stated and have one peak."""
    for g in VECTORS:
        d, values = len(g), [F(item) for item in g]
        for c_0, c_1 in PRICES:
            found = efficiencies(g, [c_0 + c_1 * T for T in range(d + 1)])
            size, witness = rule(values, c_0, c_1), {"g": g, "c_0": c_0, "c_1": c_1}
            yield Comparison("efficiency of the rule", "le", max(found), found[size - 1], witness=witness)
            yield Comparison("smallest maximiser", "eq", size, smallest_maximiser(found), witness=witness)
            yield from one_peak(found, witness)
        c_0, c_1 = PRICES[3]
        given: dict[str, Any] = {"a": energies(g), "c_0": c_0, "c_1": c_1}
        found = efficiencies(g, [c_0 + c_1 * T for T in range(d + 1)])
        for T in range(1, d):
            stated = _exactly("exact", {**given, "d": d, "T": T})
            yield Comparison("efficiency", "eq", found[T - 1], stated, witness={"g": g, "T": T})
            growth = _exactly("growth", {**given, "T": T})
            rises = (found[T] > found[T - 1]) - (found[T] < found[T - 1])
            yield Comparison("sign of the growth", "eq", (growth > 0) - (growth < 0), rises)


def one_peak(found: Sequence[F], witness: dict[str, Any]) -> Iterable[Comparison]:
    """Once it has not risen, the efficiency never rises again."""
    for T in range(1, len(found) - 1):
        if found[T] <= found[T - 1]:
            yield Comparison(
                "after a fall", "le", max(found[T:]), found[T], witness={**witness, "T": T + 1}, headline=True
            )


def compare_costs(costs: Callable[[int], tuple[list[F], ...]]) -> Iterable[Comparison]:
    """One peak for every convex cost, and the stated sign of the growth."""
    for g in PEAKED:
        d = len(g)
        for prices in costs(d):
            found, witness = efficiencies(g, prices), {"g": g, "C": prices}
            yield from one_peak(found, witness)
            given = {"a": energies(g), "C": prices}
            for T in range(1, d):
                stated = _exactly("efficiency", {**given, "d": d, "T": T})
                yield Comparison("efficiency", "eq", found[T - 1], stated, witness=witness)
                growth = _exactly("growth_any_cost", {**given, "T": T})
                total = sum(energies(g))
                exact = (found[T] - found[T - 1]) * total * prices[T] * prices[T + 1]
                yield Comparison("growth", "eq", exact, growth, witness=witness)


def compare_fixed_costs() -> Iterable[Comparison]:
    """The chosen size grows with the fixed cost, from 1 to all nonzeros; without it the ties are t."""
    for g in VECTORS:
        d, values, squares = len(g), [F(item) for item in g], energies(g)
        nonzeros, equal = sum(item > 0 for item in squares), squares.count(squares[0])
        free = efficiencies(g, list(range(d + 1)))
        best = [T for T in range(1, d + 1) if free[T - 1] == max(free)]
        yield Comparison("ties without fixed cost", "eq", len(best), equal, witness={"g": g})
        yield Comparison("last of them", "eq", best[-1], equal, witness={"g": g})
        enough = _exactly("all_entries", {"a": squares, "m": nonzeros})
        ratios = sorted({F(0), F(1, 2), F(1), F(2), F(5), F(9), F(40), enough})
        sizes = [stated_rule(values, ratio, F(1)) for ratio in ratios]
        yield Comparison("one entry", "eq", sizes[0], 1, witness={"g": g})
        for smaller, larger in pairwise(sizes):
            yield Comparison("grows", "le", smaller, larger, witness={"g": g, "sizes": sizes})
        chosen = sizes[ratios.index(enough)]
        yield Comparison("all nonzeros", "eq", chosen, nonzeros, witness={"g": g, "c_0/c_1": enough})


def _exactly(name: str, values: dict[str, Any]) -> F:
    return rational(evaluate_exact(theory.claim(ID).expressions[name], values))  # type: ignore[no-any-return]


# ---------------------------------------------------------------- search


def affine(fixed: Any) -> Any:
    """Return costs (m, d) of 1, ..., d entries with fixed costs (m,)."""
    return np.abs(fixed)[:, None] + np.arange(1, _DIM + 1)


def capped(fixed: Any) -> Any:
    """Sabotage: the same, capped by twice the price of the first entry and a half."""
    costs = affine(fixed)
    return np.minimum(costs, 2 * costs[:, :1] + 0.5)


def between(costs: Callable[[Any], Any], inputs: Any) -> tuple[Any, Any]:
    """Return min(E(i), E(k)) and E(j), (m,), for the worst i < j < k, of rows (g, c_0 / c_1)."""
    squares = -np.sort(-(inputs[:, :_DIM] ** 2), axis=1)
    found = np.cumsum(squares, axis=1) / costs(inputs[:, _DIM])
    before = np.maximum.accumulate(found, axis=1)[:, :-2]
    after = np.maximum.accumulate(found[:, ::-1], axis=1)[:, ::-1][:, 2:]
    outer, inner = np.minimum(before, after), found[:, 1:-1]
    ratio = np.divide(outer, inner, out=np.zeros_like(outer), where=inner > 0)
    place = np.argmax(ratio, axis=1)[:, None]
    return np.take_along_axis(outer, place, 1)[:, 0], np.take_along_axis(inner, place, 1)[:, 0]


def _search(costs: Callable[[Any], Any], budget: int) -> AdversarialCase:
    return AdversarialCase(
        value=lambda inputs: between(costs, inputs)[0],
        bound=lambda inputs: between(costs, inputs)[1],
        dim=_DIM + 1,
        starts=(np.array([3.0, 1, 1, 1, 1, 0.01]), np.ones(_DIM + 1)),
        scale_invariant=False,
        budget=budget,
    )
