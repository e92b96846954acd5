"""Checks of `cat/st-waterfill`: value and optimality in rationals, a search over feasible probabilities."""

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.adaptive import SortedGradient, omegas
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures import probabilities as rules
from verify.cat.fixtures.golden_vectors import GI, rational
from verify.comparison import Comparison
from verify.rungs.adversarial import AdversarialCase


def exact_shares(g: Sequence[Any]) -> Any:
    """Return the largest shares of the integer sizes."""
    return omegas(SortedGradient(g, "verify"))


judge = checks_of(
    "cat/st-waterfill",
    rule=rules.water_filling,
    sweep=exact_shares,
    slopes=list,
    shares=list,
)

# Gradients, and sizes between the integers.
INSTANCES: dict[str, dict[str, Any]] = {
    "gi": {"g": GI, "between": (F(3, 4), F(5, 2), F(31, 9), F(9, 2), F(15, 2))},
    "ties-and-zeros": {"g": (2, 0, -2, 1, 0, 1, 1), "between": (F(1, 2), F(7, 2), F(14, 3))},
    "flat": {"g": (1, -1, 1, 1), "between": (F(1, 3), F(5, 2))},
    "steep": {"g": (1, 10, 100, -1000, 10000), "between": (F(9, 8), F(10, 9), F(7, 2))},
    "one-entry": {"g": (-3,), "between": (F(1, 5),)},
}
_UNEQUAL = ("gi", "ties-and-zeros", "steep")
ENTRIES = 5


def _at(*prefixes: str) -> tuple[str, ...]:
    return tuple(f"exact/{prefix}{name}" for prefix in prefixes for name in _UNEQUAL)


# ---------------------------------------------------------------- sabotages


judge.sabotage(
    "squared-magnitudes at adversarial/*, exact/gi, exact/ties-and-zeros, exact/steep: Take probabilities "
    "in proportion to the squares: at `gi` with T = 1 the share is 1/8 instead of 173/961.",
    {"rule": rules.squared_magnitudes},
    "clipped-only at adversarial/size-2, adversarial/size-3, exact/gi, exact/ties-and-zeros, exact/steep: "
    "Do not give away what is clipped: the sum is less than T.",
    {"rule": rules.clipped_only},
    "unclipped at exact/gi, exact/ties-and-zeros, exact/steep: Do not clip.",
    {"rule": rules.unclipped},
)
judge.sabotage(
    "equal-probabilities: Call equal probabilities of the nonzero entries the best ones.",
    rule=rules.equal_probabilities,
    at=_at("optimal-"),
)
judge.sabotage(
    "half-sweep: Halve the shares of the sweep over all sizes.",
    sweep=lambda g: [item / 2 for item in exact_shares(g)],
    at=tuple(f"exact/{name}" for name in INSTANCES),
)
judge.sabotage(
    "longer-linear-part at exact/integer-*: Claim a linear part that ends one size later. | knee = knee + 1",
    "first-share at exact/integer-gi, exact/integer-ties-and-zeros, exact/integer-flat: Give the share of "
    "one entry to all sizes.",
    {"sweep": lambda g: len(exact_shares(g)) * [exact_shares(g)[0]]},
)
judge.sabotage(
    "convex-share: Claim that the largest share is convex in T: the slopes the wrong way round.",
    {"slopes": lambda found: found[::-1]},
    "falling-share: Claim that it falls.",
    {"shares": lambda found: found[::-1]},
    at=_at("shape-"),
)
judge.sabotage_data(
    "permuted-entries, neutral: Reverse the order of the entries: nothing may change.",
    lambda g, between: {"g": g[::-1], "between": between},
    at=tuple(f"exact/{name}" for name in INSTANCES),
)


# ---------------------------------------------------------------- checks


def _sizes(g: Sequence[int], between: Sequence[F]) -> list[F]:
    nonzeros = sum(1 for item in g if item)
    return sorted({*(F(T) for T in range(1, nonzeros + 1)), *between})


def _value(g: Sequence[Any], p: Sequence[Any]) -> Any:
    return sum(item * item / q for item, q in zip(g, p, strict=True) if item)


@judge.exact(instances=INSTANCES)
def best(law: Law, g: Sequence[int], between: Sequence[F]) -> Iterable[Comparison]:
    """The probabilities and their share against the claim, for all sizes; the sure entries by trial."""
    exact = rational(g)
    energy, swept = sum(item * item for item in exact), law.sweep(exact)
    s = sorted((abs(item) for item in exact if item), reverse=True)
    whole = {"s": s, "d": len(s)}
    for T in _sizes(g, between):
        p, witness = law.rule(exact, T), {"g": g, "T": T}
        omega = energy / _value(exact, p)
        k = rules.sure_entries(s, T)
        yield eq("expected size", sum(p), T, witness=witness)
        yield le("largest probability", max(p), 1, witness=witness)
        yield eq("share", omega, law.exactly("exact", **whole, k=k, T=T), witness=witness, headline=True)
        yield le("at least T / d", law.exactly("bound", d=len(s), T=T), omega, witness=witness)
        if T.denominator == 1:
            yield eq("one sweep", omega, swept[int(T) - 1], witness=witness)
        if law.exactly("knee", **whole) >= T:
            yield eq("linear part", omega, law.exactly("linear", **whole, T=T), witness=witness)


@judge.exact(instances={f"integer-{name}": item for name, item in INSTANCES.items()})
def integer_sizes(law: Law, g: Sequence[int], between: Sequence[F]) -> Iterable[Comparison]:
    """The smallest best integer size of affine costs, also next to no fixed cost, against the linear part."""
    del between
    exact = rational(g)
    s = sorted((abs(item) for item in exact if item), reverse=True)
    end = math.floor(law.exactly("knee", s=s, d=len(s)))
    shares = law.sweep(exact)
    for fixed in (F(1, 10**6), F(1), F(40)):
        efficiencies = [omega / (fixed + T) for T, omega in enumerate(shares, 1)]
        best = 1 + efficiencies.index(max(efficiencies))
        yield le("best integer size", end, best, witness={"g": g, "c_0": fixed})


def _dual_value(g: Sequence[Any], p: Sequence[Any], T: Any) -> Any:
    r"""Return a lower bound of $\sum_jg_j^2/q_j$ over all q in (0,1]^d with $\sum q\le T$, by weak duality.

    With a price $\lambda$ per probability entry j costs at least $g_j^2+\lambda$ if $g_j^2\ge\lambda$, else
    $2|g_j|\sqrt\lambda$; the price is taken from the open entries of p, so that its root is rational.
    """
    if all(q == 1 for item, q in zip(g, p, strict=True) if item):
        return sum(item * item for item in g)  # nothing is below that
    root = max(abs(item) / q for item, q in zip(g, p, strict=True) if 0 < q < 1)
    least = [item * item + root * root if abs(item) >= root else 2 * abs(item) * root for item in g]
    return sum(least) - root * root * T


@judge.exact(instances={f"optimal-{name}": item for name, item in INSTANCES.items()})
def optimal(law: Law, g: Sequence[int], between: Sequence[F]) -> Iterable[Comparison]:
    """The sum that is least at the best probabilities against its dual, for all sizes."""
    exact = rational(g)
    for T in _sizes(g, between):
        p = law.rule(exact, T)
        yield le("optimal", _value(exact, p), _dual_value(exact, p, T), witness={"g": g, "T": T})


@judge.exact(instances={f"shape-{name}": item for name, item in INSTANCES.items()})
def shape(law: Law, g: Sequence[int], between: Sequence[F]) -> Iterable[Comparison]:
    """Slopes of the share between neighbouring sizes against each other, and the share of both."""
    exact, sizes = rational(g), _sizes(g, between)
    energy = sum(item * item for item in exact)
    shares = law.shares([energy / _value(exact, law.rule(exact, T)) for T in sizes])
    ends = list(zip([F(0), *sizes], [F(0), *shares], strict=True))
    slopes = law.slopes([(b - a) / (U - T) for (T, a), (U, b) in itertools.pairwise(ends)])
    for left, right in itertools.pairwise(slopes):
        yield le("slopes", right, left)
    for before, after in itertools.pairwise(shares):
        yield le("nondecreasing", before, after)


@judge.adversarial(instances={f"size-{T}": {"d": ENTRIES, "T": T} for T in (1, 2, 3)})
def searched(law: Law, d: int, T: int) -> AdversarialCase:
    """Search gradients and feasible probabilities whose share exceeds the claimed largest one."""

    def value(inputs: Any) -> Any:
        g, wishes = inputs[:, :d], inputs[:, d:] ** 2
        total = np.maximum(wishes.sum(axis=1, keepdims=True), 1e-300)
        q = np.minimum(1.0, T * wishes / total)  # at most T in sum
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            spread = np.where(g != 0, g**2 / q, 0.0).sum(axis=1)
            return np.where(spread > 0, (g**2).sum(axis=1) / spread, 0.0)

    def bound(inputs: Any) -> Any:
        return np.array([_claimed(row[:d], T, law.rule) for row in inputs])

    starts = [np.array([5.0, 4, 3, 2, 1, *np.sqrt([5.0, 4, 3, 2, 1])]), np.ones(2 * d)]
    starts.append(np.array([5.0, 1, 1, 1, 1, *np.sqrt([4.0, 1, 1, 1, 1])]))  # one sure entry at T = 2
    return AdversarialCase(value, bound, 2 * d, starts, budget=1500)


def _claimed(g: Any, T: int, rule: Callable[..., Any]) -> float:
    if np.count_nonzero(g) < T:
        return 1.0
    p = np.asarray(rule(g, T), dtype=float)
    sent = (g != 0) & (p > 0)
    return float((g**2).sum() / (g[sent] ** 2 / p[sent]).sum())
