"""Checks of `cat/cost-bound`: costs of runs against bounds with their own efficiencies; entries and signs."""

import functools
import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.adaptive import cat_s, cat_sq
from impl.communication import Affine
from impl.optimizers.cat_gd import cat_gd
from verify.authoring import checks_of, le, lt
from verify.authoring.law import Law
from verify.cat.fixtures.fixed_size import fixed_signs, fixed_size
from verify.cat.fixtures.golden_vectors import quad
from verify.cat.fixtures.literal_shares import alphas, betas
from verify.cat.fixtures.rational_descent import RationalQuadratic, State, descend, squared_norm
from verify.comparison import LONG_RUN, ROUND_OFF, Comparison

# `extreme`: which efficiency of the run takes the place of the smallest one; `shares`: those of signs.
judge = checks_of("cat/cost-bound", extreme=min, counts_fixed=True, sign=1, shares=betas)


@dataclass(frozen=True)
class Instance:
    """A rational quadratic, a start, a cost c_0 + T and an accuracy relative to that of the start.

    Args:
        diagonal: Eigenvalues where there is no coupling.
        start: First iterate.
        fixed: c_0.
        accuracy: Part of the first squared gradient, or of the first gap, that ends the run.
        size: Entries of each message; None for CAT.
        coupling: Vector of the term of rank one.
        signs: Whether signs are sent in place of the entries.
    """

    diagonal: tuple[int, ...]
    start: tuple[int, ...]
    fixed: int
    accuracy: F
    size: int | None = None
    coupling: tuple[int, ...] = ()
    signs: bool = False


def _random_instances(count: int) -> tuple[Instance, ...]:
    """Return quadratics in four dimensions with ties among eigenvalues and entries."""
    rng = random.Random(1)
    found = []
    for place in range(count):
        diagonal = tuple(rng.choice((1, 1, 2, 3)) for _ in range(4))
        start = tuple(rng.choice((-4, -1, 1, 2, 2, 5)) for _ in range(4))
        size = None if place % 3 else rng.choice((1, 2, 3))
        coupling = (1, -1, 0, 1) if place % 2 else ()
        part = F(1, rng.choice((2, 8, 40)))
        found.append(Instance(diagonal, start, rng.choice((0, 2, 7)), part, size, coupling))
    return tuple(found)


ONE = tuple(Instance((1,), (1,), fixed, part) for fixed in (0, 5) for part in (F(9, 10), F(999, 1000)))
FLAT = (Instance((1,) * 64, (1,) * 64, 0, F(99, 6400)),)
ACCURACIES = (("squared gradient", 0.1), ("squared gradient", 0.02), ("gap", 0.5), ("gap", 0.1))
RANDOM = _random_instances(24)
# All signs of eight entries, one of them large, and CAT-SQ or two signs from random starts.
SIGNS = (
    Instance((1,) * 8, (64, 1, 1, -1, 1, 1, -1, 1), 0, F(1, 2), 8, signs=True),
    *(replace(item, size=item.size and 2, signs=True) for item in RANDOM[:8]),
)


judge.sabotage(
    "half-bound at exact/one-coordinate: Half of the first bound: exceeded 1.8 times for d = 1, epsilon = "
    "0.9 |g_0|^2. | bound = bound / 2",
    "smaller-whole at exact/one-coordinate: A tenth of the bound of gradient descent. | whole = whole / 10",
    "half-polyak at exact/one-coordinate-gap: Half of the bound under Polyak-Lojasiewicz: exceeded 1.998 "
    "times for d = 1, epsilon = 0.999 Delta_0. | polyak = polyak / 2",
    "half-convex at exact/one-coordinate-gap: Half of the bound for convex F: exceeded 1.992 times there. "
    "| convex = convex / 2",
    "smaller-convex at run/quad: A thousandth of the bound for convex F. | convex = convex / 1000",
    "without-fixed-cost at exact/one-coordinate*: Leave c_0 out of the efficiencies: exceeded 5.4 times "
    "for epsilon = 0.9 |g_0|^2 with c_0 = 5 c_1. | counts_fixed = False",
    "largest-efficiency at exact/flat-start-gap: The largest efficiency of the run for the smallest: "
    "exceeded 12 times from a flat start, d = 64, C = T.",
    {"extreme": max},
    "share-of-entries at exact/signs*: Take for signs the share of the entries themselves: all eight signs, "
    "where one entry is 64 times the others, do not have the share 1.",
    {"shares": alphas},
    "other-signs, neutral at exact/one-coordinate*, exact/rational-quadratics*, exact/signs*, run/quad: "
    "Change the sign of every coordinate of the start: nothing may change. | sign = -1",
)


@dataclass(frozen=True)
class _Run:
    """A rational run of an instance, and what the bounds need of its start."""

    problem: RationalQuadratic
    states: Sequence[State]
    gap: F
    epsilon: F
    witness: dict[str, Any]
    signs: bool

    def share(self, law: Law, state: State) -> F:
        """Return the share that a message has, that of signs from its definition."""
        share: F = law.shares(state.gradient)[state.choice.size - 1] if self.signs else state.choice.share
        return share

    @property
    def paid(self) -> F:
        """Return the cost of all messages."""
        return sum((F(state.choice.cost) for state in self.states), F(0))

    def values(self, law: Law, fixed: int) -> dict[str, Any]:
        """Return the values of the symbols that all bounds have."""
        left_out = 0 if law.counts_fixed else fixed
        e_bar = law.extreme(self.share(law, state) / (state.choice.cost - left_out) for state in self.states)
        return {"L": self.problem.L, "epsilon": self.epsilon, "e_bar": e_bar}


def _run(law: Law, item: Instance, *, to_gap: bool) -> _Run:
    problem = RationalQuadratic(item.diagonal, item.coupling)
    start = [F(law.sign * entry) for entry in item.start]
    cost = Affine(1, item.fixed)
    rule, fixed = (cat_sq, fixed_signs) if item.signs else (cat_s, fixed_size)
    choose: Any = (
        functools.partial(rule, cost=cost, entry_bits=1) if item.size is None else fixed(item.size, cost)
    )
    gap = problem.value(start)
    epsilon = item.accuracy * (gap if to_gap else squared_norm(problem.gradient(start)))

    def reached(value: F, square: F) -> bool:
        return (value if to_gap else square) <= epsilon

    states = descend(problem, choose, start, 4000, reached=reached)
    witness = {"diagonal": item.diagonal, "start": start, "c_0": item.fixed, "T": item.size or "CAT"}
    return _Run(problem, states, gap, epsilon, witness, item.signs)


@judge.exact(
    instances={
        "one-coordinate": {"items": ONE},
        "rational-quadratics": {"items": RANDOM},
        "signs": {"items": SIGNS},
    },
    parameters={"C": "T + c_0"},
)
def to_squared_gradient(law: Law, items: Sequence[Instance]) -> Iterable[Comparison]:
    """Costs until a squared gradient, and the bounds of gradient descent."""
    for item in items:
        run = _run(law, item, to_gap=False)
        given = {**run.values(law, item.fixed), "Delta_0": run.gap}
        stated = law.exactly("bound", **given)
        yield lt("cost to a squared gradient", run.paid, stated, witness=run.witness, headline=True)
        if item.size is None and not item.signs and law.counts_fixed:
            del given["e_bar"]
            whole = law.exactly("whole", **given, C_d=len(item.start) + item.fixed)
            yield le("at most the bound of gradient descent", stated, whole, witness=run.witness)


@judge.exact(
    instances={
        "one-coordinate-gap": {"items": ONE},
        "flat-start-gap": {"items": FLAT},
        "rational-quadratics-gap": {"items": RANDOM},
        "signs-gap": {"items": SIGNS},
    },
    parameters={"C": "T + c_0"},
)
def to_gap(law: Law, items: Sequence[Instance]) -> Iterable[Comparison]:
    """Costs until a gap; R is that of the ellipsoid of the level set."""
    for item in items:
        run = _run(law, item, to_gap=True)
        given, mu = run.values(law, item.fixed), run.problem.mu
        paid = float(run.paid)
        shown: dict[str, Any] = {"witness": run.witness, "headline": True}
        polyak = law("polyak", **given, mu=mu, Delta_0=run.gap)
        yield le("cost under Polyak-Lojasiewicz", paid, polyak, ROUND_OFF, **shown)
        convex = law("convex", **given, R=math.sqrt(2 * run.gap / mu))
        yield le("cost for convex F", paid, convex, ROUND_OFF, **shown)


@judge.drift(instance="quad", problem="quad", C="T + 5", epsilon=ACCURACIES, T=("CAT", 4, 20))
def run_of_quad(
    law: Law, rng: Any, epsilon: Sequence[tuple[str, float]], T: Sequence[Any], **_: Any
) -> Iterable[Comparison]:
    """The same for the quadratic in 20 dimensions, with CAT and with fixed sizes."""
    problem, cost = quad(), Affine(1, 5)
    start = law.sign * np.ones(problem.d)
    for size in T:
        choose: Any = (
            functools.partial(cat_s, cost=cost, entry_bits=1) if size == "CAT" else fixed_size(size, cost)
        )
        result = cat_gd(problem, choose, step_size=1 / problem.L, rounds=300, rng=rng, start=start)
        gap = float(result.objective[0, 0])
        for kind, accuracy in epsilon:
            trace = result.gradient_norm_sq[0] if kind == "squared gradient" else result.objective[0]
            if not trace.min() <= accuracy:
                raise ValueError(f"T={size} does not reach a {kind} of {accuracy}; run more rounds")
            K = int(np.argmax(trace <= accuracy))
            e_bar = float(law.extreme(result.efficiencies[0, :K, 0]))
            given = {"L": problem.L, "epsilon": accuracy, "e_bar": e_bar}
            paid, witness = float(result.cost[0, K]), {"T": size, "K": K, "e_bar": e_bar}
            if kind == "squared gradient":
                bound = law("bound", **given, Delta_0=gap)
                name = "cost to a squared gradient"
                yield lt(name, paid, bound, LONG_RUN, witness=witness, headline=True)
            else:
                bound = law("polyak", **given, Delta_0=gap, mu=problem.mu)
                yield le("cost under Polyak-Lojasiewicz", paid, bound, LONG_RUN, witness=witness)
                bound = law("convex", **given, R=math.sqrt(2 * gap / problem.mu))
                # Cube roots: beside a bound 130 times as large a change of the cost would not be seen.
                sides = float(np.cbrt(paid)), float(np.cbrt(bound))
                yield le("cost for convex F", *sides, LONG_RUN, witness=witness)
