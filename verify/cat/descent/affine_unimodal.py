"""Checks of `cat/affine-unimodal`: all efficiencies of exact vectors with ties, the rule, and a search."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction as F
from itertools import pairwise
from typing import Any

import numpy as np

from impl.adaptive import cat_s
from impl.communication import Affine
from theory.cat.descent.affine_model import CAPPED, SQUARES
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.descent.efficiencies import efficiencies, energies, smallest_maximiser
from verify.cat.fixtures.golden_vectors import GI
from verify.comparison import Comparison
from verify.rungs.adversarial import AdversarialCase

VECTORS = (GI, (3, 3, -3, 1, 0, 0), (5, 1, 1, 1, 1, 1), (1,) * 6, (2, 0, -2, 4, 1), (7,), (0, 3))
PRICES = (("0", "1"), ("1", "1"), ("5", "1"), ("7/2", "2/3"), ("40", "1"), ("1000", "1"))
"""Pairs of c_0 and c_1."""
PEAKED = ((9, 3, 1, 1), (3, 1, 1, 1, 1, 1), (2, 2, 1, 1, 1), (6, 5, 4, 3, 2, 1))

Costs = Callable[[int], tuple[list[F], ...]]


def stated_rule(values: Sequence[F], c_0: F, c_1: F) -> int:
    """Return the size that CAT-S chooses."""
    return cat_s(list(values), Affine(c_1, c_0), entry_bits=1).size


def convex_costs(d: int) -> tuple[list[F], ...]:
    """Return convex costs of 0, ..., d entries."""
    squared = [F(2 + T * T) for T in range(d + 1)]
    kinked = [F(3 + max(T, 4 * T - 6)) for T in range(d + 1)]
    return squared, kinked, [F(1)] * (d + 1)


def affine_price(fixed: Any, d: int) -> Any:
    """Return costs (m, d) of 1, ..., d entries with fixed costs (m,)."""
    return np.abs(fixed)[:, None] + np.arange(1, d + 1)


judge = checks_of("cat/affine-unimodal", rule=stated_rule, costs=convex_costs, price=affine_price, free=F(0))


judge.sabotage(
    "largest-share at exact/affine, exact/fixed-cost: Maximise alpha instead of alpha/C: all entries are "
    "sent, 3.746 times less efficient for `gi` and C = T.",
    {"rule": lambda values, c_0, c_1: sum(item != 0 for item in values)},
    "drop-fixed-cost at exact/affine: Leave c_0 out of the rule: 1.882 times less efficient for `gi` and C "
    "= T + 40.",
    {"rule": lambda values, c_0, c_1: stated_rule(values, F(0), c_1)},
    "growth-without-fixed-cost at exact/affine: Leave c_0 out of the growth of the efficiency. "
    "| growth = growth(c_0 = 0)",
    "inverted-fixed-cost at exact/affine, exact/fixed-cost: Send fewer entries as messages get dearer.",
    {"rule": lambda values, c_0, c_1: stated_rule(values, 40 / (1 + c_0), c_1)},
    "smaller-fixed-cost at exact/fixed-cost: A tenth of the fixed cost at which all nonzeros are sent. "
    "| all_entries = all_entries / 10",
    "ties-with-fixed-cost at exact/fixed-cost: Expect the ties of messages without fixed cost at a fixed "
    "cost.",
    {"free": F(5)},
)


@judge.mutant("Expect one peak for C = min(5T, 18), too.", at=("exact/convex", "adversarial/d5"))
def concave_cost(law: Law) -> Law:
    def capped(fixed: Any, d: int) -> Any:
        costs = affine_price(fixed, d)
        return np.minimum(costs, 2 * costs[:, :1] + 0.5)

    return law.replace(costs=lambda d: ([F(min(5 * T, 18)) for T in range(d + 1)],), price=capped)


judge.sabotage(
    "other-currency, neutral at exact/affine: Measure all costs in another currency: no choice may change.",
    rule=lambda values, c_0, c_1: stated_rule(values, c_0 * F(7, 3), c_1 * F(7, 3)),
)


def one_peak(found: Sequence[F], witness: dict[str, Any]) -> Iterable[Comparison]:
    """Once it has not risen, the efficiency never rises again."""
    for T in range(1, len(found) - 1):
        if found[T] <= found[T - 1]:
            given: dict[str, Any] = {"witness": {**witness, "T": T + 1}, "headline": True}
            yield le("after a fall", max(found[T:]), found[T], **given)


@judge.exact(g=VECTORS, prices=PRICES)
def affine(law: Law, g: Any, prices: Any) -> Iterable[Comparison]:
    """The rule finds the largest of all efficiencies, which are as stated and have one peak."""
    for vector in g:
        d, values = len(vector), [F(item) for item in vector]
        for c_0, c_1 in ((F(fixed), F(entry)) for fixed, entry in prices):
            found = efficiencies(vector, [c_0 + c_1 * T for T in range(d + 1)])
            size, witness = law.rule(values, c_0, c_1), {"g": vector, "c_0": c_0, "c_1": c_1}
            yield le("efficiency of the rule", max(found), found[size - 1], witness=witness)
            yield eq("smallest maximiser", size, smallest_maximiser(found), witness=witness)
            yield from one_peak(found, witness)
        c_0, c_1 = map(F, prices[3])
        given: dict[str, Any] = {"a": energies(vector), "c_0": c_0, "c_1": c_1}
        found = efficiencies(vector, [c_0 + c_1 * T for T in range(d + 1)])
        for T in range(1, d):
            stated = law.exactly("exact", **given, d=d, T=T)
            yield eq("efficiency", found[T - 1], stated, witness={"g": vector, "T": T})
            growth = law.exactly("growth", **given, T=T)
            rises = (found[T] > found[T - 1]) - (found[T] < found[T - 1])
            yield eq("sign of the growth", (growth > 0) - (growth < 0), rises)
            scale = sum(energies(vector)) * (c_0 + c_1 * T) * (c_0 + c_1 * (T + 1))
            yield eq(
                "affine growth", (found[T] - found[T - 1]) * scale, growth, witness={"g": vector, "T": T}
            )


@judge.exact(g=PEAKED, C=("2+T^2", "3+max(T,4T-6)", "1"))
def convex(law: Law, g: Any, **_: Any) -> Iterable[Comparison]:
    """One peak for every convex cost, and the stated growth; two for the concave one of the statement."""
    for vector in g:
        d = len(vector)
        for prices in law.costs(d):
            found, witness = efficiencies(vector, prices), {"g": vector, "C": prices}
            yield from one_peak(found, witness)
            given = {"a": energies(vector), "C": prices}
            for T in range(1, d):
                stated = law.exactly("efficiency", **given, d=d, T=T)
                yield eq("efficiency", found[T - 1], stated, witness=witness)
                growth = law.exactly("growth_any_cost", **given, T=T)
                exact = (found[T] - found[T - 1]) * sum(energies(vector)) * prices[T] * prices[T + 1]
                yield eq("growth", exact, growth, witness=witness)
    capped = efficiencies((3, 1, 1, 1, 1, 1), [min(5 * T, 18) for T in range(7)])
    for T, value in enumerate(capped, start=1):
        yield eq("capped efficiency", value, law.exactly("efficiency", a=SQUARES, C=CAPPED, d=6, T=T))


@judge.exact(instance="fixed-cost", g=VECTORS)
def fixed_costs(law: Law, g: Any) -> Iterable[Comparison]:
    """The chosen size grows with the fixed cost, from 1 to all nonzeros; without it the ties are t."""
    for vector in g:
        d, values, squares = len(vector), [F(item) for item in vector], energies(vector)
        nonzeros, equal = sum(item > 0 for item in squares), squares.count(squares[0])
        free = efficiencies(vector, [law.free + T for T in range(d + 1)])
        best = [T for T in range(1, d + 1) if free[T - 1] == max(free)]
        yield eq("ties without fixed cost", len(best), equal, witness={"g": vector})
        yield eq("last of them", best[-1], equal, witness={"g": vector})
        enough = law.exactly("all_entries", a=squares, m=nonzeros)
        ratios = sorted({F(0), F(1, 2), F(1), F(2), F(5), F(9), F(40), enough})
        sizes = [law.rule(values, ratio, F(1)) for ratio in ratios]
        yield eq("one entry", sizes[0], 1, witness={"g": vector})
        for smaller, larger in pairwise(sizes):
            yield le("grows", smaller, larger, witness={"g": vector, "sizes": sizes})
        chosen = sizes[ratios.index(enough)]
        yield eq("all nonzeros", chosen, nonzeros, witness={"g": vector, "c_0/c_1": enough})


@judge.adversarial(d=5, ratio="smaller of two efficiencies over one between them")
def d5(law: Law, d: int, **_: Any) -> AdversarialCase:
    """The smaller of two efficiencies is at most any between them."""

    def between(inputs: Any) -> tuple[Any, Any]:
        """Return min(E(i), E(k)) and E(j), (m,), for the worst i < j < k, of rows (g, c_0 / c_1)."""
        squares = -np.sort(-(inputs[:, :d] ** 2), axis=1)
        found = np.cumsum(squares, axis=1) / law.price(inputs[:, d], d)
        before = np.maximum.accumulate(found, axis=1)[:, :-2]
        after = np.maximum.accumulate(found[:, ::-1], axis=1)[:, ::-1][:, 2:]
        outer, inner = np.minimum(before, after), found[:, 1:-1]
        ratio = np.divide(outer, inner, out=np.zeros_like(outer), where=inner > 0)
        place = np.argmax(ratio, axis=1)[:, None]
        return np.take_along_axis(outer, place, 1)[:, 0], np.take_along_axis(inner, place, 1)[:, 0]

    return AdversarialCase(
        value=lambda inputs: between(inputs)[0],
        bound=lambda inputs: between(inputs)[1],
        dim=d + 1,
        starts=(np.array([3.0, 1, 1, 1, 1, 0.01]), np.ones(d + 1)),
        scale_invariant=False,
        budget=1500,
    )
