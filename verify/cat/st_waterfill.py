"""Checks of `cat/st-waterfill`: value and optimality in rationals, a search over feasible chances."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.adaptive import SortedGradient, omegas
from verify.binding import Check
from verify.cat.golden_vectors import GI, rational
from verify.cat.sabotaged_chances import Rule, clipped_only, equal_chances, squared_magnitudes, water_filling
from verify.comparison import Comparison
from verify.evaluation import evaluate_exact, names
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/st-waterfill"
SABOTAGED: dict[str, Rule] = {"squared-magnitudes": squared_magnitudes, "clipped-only": clipped_only}


@dataclass(frozen=True)
class Instance:
    """A gradient and further sizes between the whole ones."""

    g: tuple[int, ...]
    between: tuple[F, ...] = ()

    @property
    def sizes(self) -> list[F]:
        """Return all sizes, in order."""
        nonzeros = sum(1 for item in self.g if item)
        return sorted({*(F(T) for T in range(1, nonzeros + 1)), *self.between})


INSTANCES = {
    "gi": Instance(GI, (F(3, 4), F(5, 2), F(31, 9), F(9, 2), F(15, 2))),
    "ties-and-zeros": Instance((2, 0, -2, 1, 0, 1, 1), (F(1, 2), F(7, 2), F(14, 3))),
    "flat": Instance((1, -1, 1, 1), (F(1, 3), F(5, 2))),
    "steep": Instance((1, 10, 100, -1000, 10000), (F(9, 8), F(10, 9), F(7, 2))),
    "one-entry": Instance((-3,), (F(1, 5),)),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=1.0),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
        *(_optimal(name, instance) for name, instance in INSTANCES.items()),
        *(_shape(name, instance) for name, instance in INSTANCES.items() if len(instance.sizes) > 1),
        *(_searched(T) for T in (1, 2, 3)),
    )


def _exact(name: str, instance: Instance) -> Check:
    def case(rule: Rule = water_filling, order: int = 1) -> ExactCase:
        return ExactCase(lambda: compare(Instance(instance.g[::order], instance.between), rule))

    mutants = {"permuted-entries": case(order=-1)}
    if name in ("gi", "ties-and-zeros", "steep"):
        mutants |= {key: case(rule) for key, rule in SABOTAGED.items()}
    return Check("exact", name, case(), {"g": instance.g, "between": instance.between}, mutants, seconds=0.2)


def _optimal(name: str, instance: Instance) -> Check:
    """Return the check of the best chances; equal ones are the best for equal magnitudes."""
    differ = len({abs(item) for item in instance.g if item}) > 1
    mutants = {"equal-chances": ExactCase(lambda: compare_optimal(instance, equal_chances))} if differ else {}
    base = ExactCase(lambda: compare_optimal(instance))
    return Check("exact", f"optimal-{name}", base, {"g": instance.g}, mutants, seconds=0.1)


def _shape(name: str, instance: Instance) -> Check:
    """Return the check of the shape; a line, for equal magnitudes, is convex."""
    differ = len({abs(item) for item in instance.g if item}) > 1
    mutants = {"convex-share": ExactCase(lambda: compare_shape(instance, convex=True))} if differ else {}
    base = ExactCase(lambda: compare_shape(instance))
    return Check("exact", f"shape-{name}", base, {"g": instance.g}, mutants, seconds=0.1)


def sure_entries(sizes: Sequence[Any], T: Any) -> int:
    """Return the least k with |g|_(k+1) (T - k) <= S_d - S_k, by trial."""
    return next(k for k in range(len(sizes)) if sizes[k] * (T - k) <= sum(sizes[k:]))


def stated(name: str, g: Sequence[Any], T: Any) -> Any:
    """Return a formula of the claim, exactly, for the nonzero entries of a gradient."""
    formula = theory.claim(ID).expressions[name]
    s = sorted((abs(item) for item in g if item), reverse=True)
    values = {"s": s, "d": len(s), "k": sure_entries(s, T), "T": T}
    found = evaluate_exact(formula, {key: values[key] for key in names(formula)})
    return F(int(found.p), int(found.q))


def dual_value(g: Sequence[Any], p: Sequence[Any], T: Any) -> Any:
    r"""Return a lower bound of $\sum_jg_j^2/q_j$ over all q in (0,1]^d with $\sum q\le T$, by weak duality.

    With a price $\lambda$ per chance entry j costs at least $g_j^2+\lambda$ if $g_j^2\ge\lambda$, else
    $2|g_j|\sqrt\lambda$; the price is taken from the open entries of p, so that its root is rational.
    """
    if all(chance == 1 for item, chance in zip(g, p, strict=True) if item):
        return sum(item * item for item in g)  # nothing is below that
    root = max(abs(item) / chance for item, chance in zip(g, p, strict=True) if 0 < chance < 1)
    least = [item * item + root * root if abs(item) >= root else 2 * abs(item) * root for item in g]
    return sum(least) - root * root * T


def compare(instance: Instance, rule: Rule = water_filling) -> Iterable[Comparison]:
    """Hold the chances and their share against the claim, for all sizes."""
    g = rational(instance.g)
    energy = sum(item * item for item in g)
    swept = omegas(SortedGradient(g, "verify"))
    for T in instance.sizes:
        p, witness = rule(g, T), {"g": instance.g, "T": T}
        omega = energy / _value(g, p)
        yield Comparison("expected size", "eq", sum(p), T, witness=witness)
        yield Comparison("largest chance", "le", max(p), 1, witness=witness)
        yield Comparison("share", "eq", omega, stated("exact", g, T), witness=witness, headline=True)
        yield Comparison("at least T / d", "le", stated("bound", g, T), omega, witness=witness)
        if T.denominator == 1:
            yield Comparison("one sweep", "eq", omega, swept[int(T) - 1], witness=witness)
        if stated("knee", g, T) >= T:
            yield Comparison("linear part", "eq", omega, stated("linear", g, T), witness=witness)


def _value(g: Sequence[Any], p: Sequence[Any]) -> Any:
    return sum(item * item / chance for item, chance in zip(g, p, strict=True) if item)


def compare_optimal(instance: Instance, rule: Rule = water_filling) -> Iterable[Comparison]:
    """Hold the sum that is least at the best chances against its dual, for all sizes."""
    g = rational(instance.g)
    for T in instance.sizes:
        p, witness = rule(g, T), {"g": instance.g, "T": T}
        yield Comparison("optimal", "le", _value(g, p), dual_value(g, p, T), witness=witness)


def compare_shape(instance: Instance, *, convex: bool = False) -> Iterable[Comparison]:
    """Hold slopes of the share between neighbouring sizes against each other, and the share of both."""
    g = rational(instance.g)
    energy = sum(item * item for item in g)
    shares = [(T, energy / _value(g, water_filling(g, T))) for T in instance.sizes]
    slopes = [
        (b - a) / (second - first) for (first, a), (second, b) in itertools.pairwise([(F(0), F(0)), *shares])
    ]
    for place, (left, right) in enumerate(itertools.pairwise(slopes)):
        small, large = (left, right) if convex else (right, left)
        yield Comparison(f"slopes at size {shares[place][0]}", "le", small, large)
    for (T, omega), (_, after) in itertools.pairwise(shares):
        yield Comparison(f"nondecreasing at size {T}", "le", omega, after)


ENTRIES = 5


def _searched(T: int) -> Check:
    """Search gradients and feasible chances whose share exceeds the claimed largest one."""

    def value(inputs: Any) -> Any:
        g, wishes = inputs[:, :ENTRIES], inputs[:, ENTRIES:] ** 2
        total = np.maximum(wishes.sum(axis=1, keepdims=True), 1e-300)
        q = np.minimum(1.0, T * wishes / total)  # at most T in sum
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            spread = np.where(g != 0, g**2 / q, 0.0).sum(axis=1)
            return np.where(spread > 0, (g**2).sum(axis=1) / spread, 0.0)

    def bound(rule: Rule, inputs: Any) -> Any:
        return np.array([_claimed(row[:ENTRIES], T, rule) for row in inputs])

    def case(rule: Rule) -> AdversarialCase:
        starts = [np.array([5.0, 4, 3, 2, 1, *np.sqrt([5.0, 4, 3, 2, 1])]), np.ones(2 * ENTRIES)]
        starts.append(np.array([5.0, 1, 1, 1, 1, *np.sqrt([4.0, 1, 1, 1, 1])]))  # one sure entry at T = 2
        return AdversarialCase(value, partial(bound, rule), 2 * ENTRIES, starts, budget=1500)

    mutants = {key: case(rule) for key, rule in SABOTAGED.items() if T > 1 or key == "squared-magnitudes"}
    parameters = {"d": ENTRIES, "T": T}
    return Check("adversarial", f"size-{T}", case(water_filling), parameters, mutants, seconds=0.5)


def _claimed(g: Any, T: int, rule: Rule) -> float:
    if np.count_nonzero(g) < T:
        return 1.0
    p = np.asarray(rule(g, T), dtype=float)
    sent = (g != 0) & (p > 0)
    return float((g**2).sum() / (g[sent] ** 2 / p[sent]).sum())
