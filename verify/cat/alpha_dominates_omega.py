"""Checks of `cat/alpha-dominates-omega`: random sparsifiers in rationals against the largest entries."""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction as F
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

import theory
from impl.adaptive import SortedGradient, omegas
from verify.binding import Check
from verify.cat.golden_vectors import GI
from verify.cat.outcome_tree import Law, kept_entries, square, systematic_entries
from verify.comparison import Comparison
from verify.evaluation import evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/alpha-dominates-omega"
# Maps sorted magnitudes and a size to the share that is claimed to be the larger one.
Claimed = Callable[[Sequence[Any], int], Any]

VECTORS = {
    "gi": GI,
    "ties-and-zero": (2, -2, 0, 1, 1, -1),
    "flat": (1,) * 5,
    "steep": (1, 10, -100, 1000),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.6),
        *(_exact(name, g) for name, g in VECTORS.items()),
        *(_laws(name, g) for name, g in LAWS.items()),
        *(_searched(T) for T in (2, 4)),
    )


def alpha(s: Sequence[Any], T: int) -> Any:
    """Return the stated share of the T largest entries, exactly; 0 for none."""
    if not T:
        return F(0)
    found = evaluate_exact(theory.claim(ID).bound, {"s": s, "d": len(s), "T": T})
    return F(int(found.p), int(found.q))


def one_fewer(s: Sequence[Any], T: int) -> Any:
    """Return the share of one entry fewer."""
    return alpha(s, T - 1)


def sign_share(s: Sequence[Any], T: int) -> Any:
    """Return the share of signs and one number."""
    return sum(s[:T]) ** 2 / (T * sum(item * item for item in s))


CLAIMED: dict[str, Claimed] = {"one-entry-fewer": one_fewer, "sign-share": sign_share}


def _exact(name: str, g: tuple[int, ...]) -> Check:
    def case(claimed: Claimed = alpha, scale: F = F(1)) -> ExactCase:
        return ExactCase(lambda: compare([scale * item for item in g], claimed))

    mutants = {"scaled-gradient": case(scale=F(-7, 3)), "one-entry-fewer": case(one_fewer)}
    if name in ("gi", "steep"):  # equal magnitudes have equal shares
        mutants["sign-share"] = case(sign_share)
    return Check("exact", name, case(), {"g": g}, mutants, seconds=0.1)


def compare(g: Sequence[F], claimed: Claimed = alpha) -> Iterable[Comparison]:
    """Hold the best random share of each size against the claimed one."""
    s = sorted((abs(item) for item in g), reverse=True)
    flat = len(set(s)) == 1
    for T, omega in enumerate(omegas(SortedGradient(list(g), "verify")), 1):
        witness = {"g": tuple(g), "T": T}
        yield Comparison("random share", "le", omega, claimed(s, T), witness=witness, headline=True)
        if flat:
            yield Comparison("equal magnitudes", "eq", omega, alpha(s, T), witness=witness)


# ---------------------------------------------------------------- any unbiased sparsifier


def _subsets(g: Sequence[F], size: int) -> Law:
    """Return the law of a uniform set of entries, scaled up."""
    d, count = len(g), math.comb(len(g), size)
    return [
        (F(1, count), tuple(item * F(d, size) if j in kept else F(0) for j, item in enumerate(g)))
        for kept in combinations(range(d), size)
    ]


def _noisy(law: Law) -> Law:
    """Return the law with survivors doubled or dropped by a common coin: still unbiased."""
    return [
        (chance / 2, tuple(factor * item for item in vector)) for chance, vector in law for factor in (0, 2)
    ]


def _all_or_largest(g: Sequence[F]) -> Law:
    """Return a law that sends the first entry surely, and all others together or not at all."""
    q = F(1, 5)
    others = tuple(item / q for item in g[1:])
    return [(q, (g[0], *others)), (1 - q, (g[0], *(F(0) for _ in others)))]


def laws_of(g: Sequence[F]) -> dict[str, Law]:
    """Return unbiased random sparsifiers of a gradient, by name."""
    total = sum(abs(item) for item in g)
    chances = [abs(item) / total for item in g]
    uneven = [F(1, 2 + j) for j in range(len(g))]
    return {
        "in proportion": kept_entries(tuple(g), chances),
        "uneven": kept_entries(tuple(g), uneven),
        "systematic": systematic_entries(tuple(g), uneven),
        "two of all": _subsets(g, 2),
        "one of all, noisy": _noisy(_subsets(g, 1)),
        "all or the first": _all_or_largest(g),
    }


LAWS = {"pi": (3, -1, 4, 1, -5), "equal": (1, 1, 1, 1), "steep": (27, 9, -3, 1)}


def _laws(name: str, g: tuple[int, ...]) -> Check:
    def case(scale: F = F(1), fewer: int = 0, *, rounded: bool = False) -> ExactCase:
        return ExactCase(lambda: compare_laws([scale * item for item in g], fewer, rounded=rounded))

    mutants = {"scaled-gradient": case(F(-7, 3))}
    if name == "equal":
        mutants["one-entry-fewer"] = case(fewer=1)
        mutants["rounded-down"] = case(rounded=True)
    return Check("exact", f"laws-{name}", case(), {"g": g}, mutants, seconds=0.1)


def compare_laws(g: Sequence[F], fewer: int = 0, *, rounded: bool = False) -> Iterable[Comparison]:
    """Hold the share of each law against the mean of alpha(N), and that against alpha at the mean of N.

    Sabotaged, alpha(N) is that of `fewer` entries, or the mean of N is `rounded` down.
    """
    s = sorted((abs(item) for item in g), reverse=True)
    shares = [alpha(s, T) for T in range(len(s) + 1)]
    for name, law in laws_of(g).items():
        witness = {"g": tuple(g), "law": name}
        for j, item in enumerate(g):
            yield Comparison(f"mean of entry {j}", "eq", sum(c * v[j] for c, v in law), item, witness=witness)
        omega = square(g) / sum(chance * square(vector) for chance, vector in law)
        sizes = [(chance, sum(1 for item in vector if item)) for chance, vector in law]
        mean = sum(chance * shares[max(size - fewer, 0)] for chance, size in sizes)
        mean_size = sum((chance * size for chance, size in sizes), F(0))
        at_mean = interpolated(shares, F(math.floor(mean_size)) if rounded else mean_size)
        yield Comparison("share", "le", omega, mean, witness=witness, headline=True)
        yield Comparison("mean of alpha(N)", "le", mean, at_mean, witness=witness)


def interpolated(shares: Sequence[F], size: F) -> F:
    """Return alpha at a real size, linear between whole ones."""
    low = min(math.floor(size), len(shares) - 2)
    return shares[low] + (size - low) * (shares[low + 1] - shares[low])


# ---------------------------------------------------------------- search


def _searched(T: int) -> Check:
    """Search the gradient at which the best random share comes closest to the claimed one."""
    d = 6

    def value(inputs: Any) -> Any:
        return np.array([_share(row, T) for row in inputs])

    def bound(claimed: Claimed, inputs: Any) -> Any:
        magnitudes = -np.sort(-np.abs(inputs), axis=1)
        return np.array([_floats(claimed, row, T) for row in magnitudes])

    def case(claimed: Claimed = alpha) -> AdversarialCase:
        starts = [np.ones(d), np.arange(1.0, d + 1), np.array([9.0, 6, 5, 4, 3, 2])]
        return AdversarialCase(value, partial(bound, claimed), d, starts, budget=1500)

    mutants = {name: case(claimed) for name, claimed in CLAIMED.items() if T > 2 or name != "sign-share"}
    return Check("adversarial", f"size-{T}", case(), {"d": d, "T": T}, mutants, seconds=0.3)


def _share(g: Any, T: int) -> float:
    found = omegas(SortedGradient(g, "verify"))
    return float(found[T - 1]) if len(found) >= T else 0.0  # so small a gradient is sent as it is


def _floats(claimed: Claimed, s: Any, T: int) -> float:
    total = float((s * s).sum())
    if not total:
        return 1.0
    if claimed is sign_share:
        return float(sign_share(s, T))
    return float((s[: T - (claimed is one_fewer)] ** 2).sum() / total)
