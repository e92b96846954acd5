"""Checks of `cat/alpha-dominates-omega`: random sparsifiers in rationals against the largest entries."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from itertools import combinations
from typing import Any

import numpy as np

from impl.adaptive import SortedGradient, omegas
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.golden_vectors import GI
from verify.comparison import Comparison
from verify.expectation.outcome_tree import Law as Outcomes
from verify.expectation.outcome_tree import kept_entries, square, systematic_entries
from verify.rungs.adversarial import AdversarialCase


def alpha(law: Law, s: Sequence[Any], T: int) -> Any:
    """Return the stated share of the T largest entries; 0 for none."""
    return law.exactly("bound", s=s, d=len(s), T=T) if T else F(0)


def one_fewer(law: Law, s: Sequence[Any], T: int) -> Any:
    """Return the share of one entry fewer."""
    return alpha(law, s, T - 1) if T else F(0)


def sign_share(law: Law, s: Sequence[Any], T: int) -> Any:
    """Return the share of signs and one number."""
    return sum(s[:T]) ** 2 / (T * sum(item * item for item in s))


def unbiased(g: Sequence[F]) -> dict[str, Outcomes]:
    """Return unbiased random sparsifiers of a gradient, by name."""
    total = sum(abs(item) for item in g)
    in_proportion, uneven = [abs(item) / total for item in g], [F(1, 2 + j) for j in range(len(g))]
    noisy = [  # survivors doubled or dropped by a common coin
        (q / 2, tuple(factor * item for item in vector)) for q, vector in _subsets(g, 1) for factor in (0, 2)
    ]
    rest = F(1, 5)  # the first entry is sent surely, all others together or not at all
    others = tuple(item / rest for item in g[1:])
    return {
        "in proportion": kept_entries(tuple(g), in_proportion),
        "uneven": kept_entries(tuple(g), uneven),
        "systematic": systematic_entries(tuple(g), uneven),
        "two of all": _subsets(g, 2),
        "one of all, noisy": noisy,
        "all or the first": [(rest, (g[0], *others)), (1 - rest, (g[0], *(F(0) for _ in others)))],
    }


def _subsets(g: Sequence[F], size: int) -> Outcomes:
    """Return the law of a uniform set of entries, scaled up."""
    d, count = len(g), math.comb(len(g), size)
    return [
        (F(1, count), tuple(item * F(d, size) if j in kept else F(0) for j, item in enumerate(g)))
        for kept in combinations(range(d), size)
    ]


judge = checks_of(
    "cat/alpha-dominates-omega",
    share=alpha,
    sweep=lambda g: omegas(SortedGradient(g, "verify")),
    laws=unbiased,
    size=lambda expected: expected,
)

VECTORS = {"gi": GI, "ties-and-zero": (2, -2, 0, 1, 1, -1), "flat": (1,) * 5, "steep": (1, 10, -100, 1000)}
LAWS = {"pi": (3, -1, 4, 1, -5), "equal": (1, 1, 1, 1), "steep": (27, 9, -3, 1)}

# ---------------------------------------------------------------- sabotages


judge.sabotage(
    "one-entry-fewer at exact/laws-equal, adversarial/*: Claim the share of one entry fewer: equal entries "
    "exceed it by the factor T/(T - 1).",
    share=one_fewer,
    at=(*(f"exact/{name}" for name in VECTORS),),
)
judge.sabotage(
    "signs at exact/gi, exact/steep, adversarial/size-4: Claim the share of signs: for `gi` with T = 6 it "
    "is 346/365 against 841/1038.",
    {"share": sign_share},
    "rounded-down at exact/laws-equal: Round the expected number down: four equal entries, 77/60 of them "
    "expected, exceed it.",
    {"size": math.floor},
    "half-sweep at exact/flat: Halve the shares of the sweep: equal magnitudes do not reach T/d.",
    {"sweep": lambda g: [item / 2 for item in omegas(SortedGradient(g, "verify"))]},
    "lost-outcome at exact/laws-*: Lose an outcome of each law.",
    {"laws": lambda g: {name: outcomes[1:] for name, outcomes in unbiased(g).items()}},
)
judge.sabotage_data(
    "scaled-gradient, neutral at exact/*: Multiply the gradient by -7/3: nothing may change.",
    lambda g, scale: {"g": g, "scale": F(-7, 3) * scale},
)


# ---------------------------------------------------------------- checks


@judge.exact(instances={name: {"g": g, "scale": F(1)} for name, g in VECTORS.items()})
def sizes(law: Law, g: Sequence[int], scale: F) -> Iterable[Comparison]:
    """The best random share of each size against the claimed one."""
    exact = [scale * item for item in g]
    s = sorted((abs(item) for item in exact), reverse=True)
    for T, omega in enumerate(law.sweep(exact), 1):
        witness = {"g": g, "T": T}
        yield le("random share", omega, law.share(law, s, T), witness=witness, headline=True)
        if len(set(s)) == 1:
            yield eq("equal magnitudes", omega, alpha(law, s, T), witness=witness)


@judge.exact(instances={f"laws-{name}": {"g": g, "scale": F(1)} for name, g in LAWS.items()})
def any_unbiased(law: Law, g: Sequence[int], scale: F) -> Iterable[Comparison]:
    """The share of each law against the mean of alpha(N), and that against alpha at the mean of N."""
    exact = [scale * item for item in g]
    s = sorted((abs(item) for item in exact), reverse=True)
    shares = [alpha(law, s, T) for T in range(len(s) + 1)]
    for name, outcomes in law.laws(exact).items():
        witness = {"g": g, "law": name}
        for j, item in enumerate(exact):
            yield eq("mean of an entry", sum(q * v[j] for q, v in outcomes), item, witness=witness)
        omega = square(exact) / sum(q * square(vector) for q, vector in outcomes)
        counts = [(q, sum(1 for item in vector if item)) for q, vector in outcomes]
        mean = sum(q * law.share(law, s, count) for q, count in counts)
        yield le("share", omega, mean, witness=witness, headline=True)
        at_mean = _interpolated(shares, law.size(sum((q * count for q, count in counts), F(0))))
        yield le("mean of alpha(N)", mean, at_mean, witness=witness)


def _interpolated(shares: Sequence[F], size: F) -> F:
    """Return alpha at a real size, linear between integers."""
    low = min(math.floor(size), len(shares) - 2)
    return shares[low] + (size - low) * (shares[low + 1] - shares[low])


@judge.adversarial(instances={f"size-{T}": {"d": 6, "T": T} for T in (2, 4)})
def searched(law: Law, d: int, T: int) -> AdversarialCase:
    """Search the gradient at which the best random share comes closest to the claimed one."""

    def value(inputs: Any) -> Any:
        found = [law.sweep(row) for row in inputs]
        # So small a gradient is sent as it is.
        return np.array([float(shares[T - 1]) if len(shares) >= T else 0.0 for shares in found])

    def bound(inputs: Any) -> Any:
        magnitudes = -np.sort(-np.abs(inputs), axis=1)
        return np.array([_floats(law, row, T) for row in magnitudes])

    starts = [np.ones(d), np.arange(1.0, d + 1), np.array([9.0, 6, 5, 4, 3, 2])]
    return AdversarialCase(value, bound, d, starts, budget=1500)


def _floats(law: Law, s: Any, T: int) -> float:
    """Return the claimed share in floats."""
    if not s.any():
        return 1.0
    if law.share is sign_share:
        return float(sign_share(law, s, T))
    return law("bound", s=s, d=len(s), T=T - (law.share is one_fewer))
