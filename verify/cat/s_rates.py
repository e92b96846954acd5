"""Checks of `cat/s-rates`: exact runs on a sphere, and runs against the bounds with their own shares."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np
from sympy import Rational, sqrt

import theory
from impl.adaptive import Choice
from impl.compressors import TopK
from impl.compressors.contract import Array, Draws
from theory.cat.s_rates_derivation import derivation
from theory.cat.symbols import Sigma
from verify.binding import Check
from verify.cat.fixtures.top_runs import CASES, RunCase, fixed
from verify.cat.golden_vectors import GI, flat, isotropic, quad
from verify.comparison import Comparison, Tolerance, rational
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/s-rates"
ALONG = Tolerance(1e-9, "objectives and products along runs of some hundred float64 iterations")


@dataclass(frozen=True)
class Sabotage:
    """What is stated: as it should be, or with one fault.

    Args:
        by_share: Whether the sum of the shares is stated, or the number of iterations.
        power: Power of the factors of the product.
        start: Added to the sum in the third bound.
        reverse: Whether the coordinates are numbered the other way round.
    """

    by_share: bool = True
    power: int = 1
    start: int = 4
    reverse: bool = False


STATED = Sabotage()
FAULTS = {
    "without-share": Sabotage(by_share=False),
    "squared-contraction": Sabotage(power=2),
    "halved-start": Sabotage(start=8),
    "reversed-coordinates": Sabotage(reverse=True),
}
# Start, L and sizes T^k.
SPHERES = (
    (GI, F(1), (1, 1, 2, 3)),
    (GI, F(3, 2), (4, 1, 1, 1)),
    ((1,) * 64, F(1), (1,) * 32),
    ((1,) * 4, F(2), (4,)),
    ((3, 3, -3, 1, 0, 0), F(5), (2, 1)),
)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    halved = {**claim.expressions, "convex": claim.formulas["convex"].xreplace({Sigma: Sigma + 4})}
    cases = {**CASES, "quad-any-size": RunCase(quad, flat, any_size, 60)}
    return (
        Check(
            "symbolic",
            "derivation",
            SymbolicCase(claim.derivation),
            {},
            {"halved-start": SymbolicCase(derivation(halved))},
            seconds=0.5,
        ),
        Check(
            "exact",
            "spheres",
            ExactCase(partial(compare_spheres, STATED)),
            {"x_0,L,T": [[x, str(L), sizes] for x, L, sizes in SPHERES]},
            {name: ExactCase(partial(compare_spheres, fault)) for name, fault in FAULTS.items()},
            seconds=0.6,
        ),
        Check(
            "exact", "iterations", ExactCase(compare_iterations), {"epsilon": ["1/10", "1/100"]}, seconds=0.1
        ),
        *(_run(name, case, {}) for name, case in cases.items()),
        _run(
            "flat-64-fixed-1",
            RunCase(partial(isotropic, 64), flat, fixed(1), 32),
            {name: FAULTS[name] for name in ("without-share", "squared-contraction")},
        ),
    )


def total_of(items: Iterable[F]) -> F:
    """Return the sum, a Fraction even of nothing."""
    return sum(items, F(0))


def any_size(gradient: Array) -> Choice:
    """Choose a size that depends on digits of the gradient: any choice is allowed."""
    return fixed(1 + int(abs(float(gradient[0])) * 1e6) % gradient.size)(gradient)


def compare_spheres(rule: Sabotage) -> Iterable[Comparison]:
    """On L |x|^2 / 2 the product is attained, and the other two bounds hold, exactly."""
    for start, L, sizes in SPHERES:
        x = [F(item) for item in (start[::-1] if rule.reverse else start)]
        radius_sq = total_of(item**2 for item in x)
        initial = L / 2 * radius_sq
        shares: list[F] = []
        squares: list[F] = []
        yield _convex(rule, L, radius_sq, shares, initial, {"x_0": start, "K": 0})
        for K, size in enumerate(sizes, start=1):
            g = [L * item for item in x]
            sent = TopK(size).reference(g, Draws())
            squares.append(total_of(item**2 for item in g))
            shares.append(total_of(item**2 for item in sent) / squares[-1])
            x = [item - q / L for item, q in zip(x, sent, strict=True)]
            gap = L / 2 * total_of(item**2 for item in x)
            witness = {"x_0": start, "L": L, "T": sizes[:K]}
            total = _exactly("total", {"K": K, "alpha": shares}) if rule.by_share else F(K)
            stated = _exactly("bound", {"L": L, "Delta_0": initial, "Sigma": total})
            yield Comparison("least gradient", "le", min(squares), stated, witness=witness)
            product = _product(rule, L, L, initial, shares)
            yield Comparison("gap, product", "le", gap, product, witness=witness, headline=True)
            yield Comparison("product attained", "eq", gap, product, witness=witness)
            yield _convex(rule, L, radius_sq, shares, gap, witness)


def compare_iterations() -> Iterable[Comparison]:
    """With the stated numbers of iterations the bounds are at most the accuracy."""
    formulas = theory.claim(ID).expressions
    for epsilon in (F(1, 10), F(1, 100)):
        for least in (F(1), F(1, 3), F(1, 20)):
            given = {"L": F(3), "epsilon": epsilon, "alpha_bar": least}
            K = _exactly("iterations_nonconvex", {**given, "Delta_0": F(2)})
            stated = _exactly("bound", {"L": F(3), "Delta_0": F(2), "Sigma": K * least})
            yield Comparison("first", "eq", stated, epsilon)
            K = _exactly("iterations_convex", {**given, "R": F(5)})
            stated = _exactly("convex", {"L": F(3), "R": F(5), "Sigma": K * least})
            yield Comparison("third", "le", stated, epsilon, headline=True)
            count = evaluate(formulas["iterations_linear"], {**given, "mu": F(1, 4), "Delta_0": F(2)})
            values = {"Delta_0": F(2), "Sigma": count * float(least), "mu": F(1, 4), "L": F(3)}
            yield Comparison("second", "eq", evaluate(formulas["exponential"], values), float(epsilon), ALONG)
    factor = _exactly("fixed_factor", {"d": 64, "T": 3})
    yield Comparison("fixed size", "eq", factor, F(64, 3))


def _product(rule: Sabotage, L: Any, mu: Any, initial: Any, shares: Sequence[Any]) -> Any:
    values = {"Delta_0": 1, "K": len(shares), "alpha": shares, "mu": mu, "L": L}
    return initial * _exactly("product", values) ** rule.power


def _convex(
    rule: Sabotage, L: F, radius_sq: F, shares: Sequence[F], gap: F, witness: dict[str, Any]
) -> Comparison:
    root = sqrt(Rational(radius_sq.numerator, radius_sq.denominator))
    values = {"L": L, "R": root, "Sigma": sum(shares, F(0)) + (rule.start - 4)}
    return Comparison("gap, convex", "le", gap, _exactly("convex", values), witness=witness)


def _exactly(name: str, values: dict[str, Any]) -> F:
    return rational(evaluate_exact(theory.claim(ID).expressions[name], values))  # type: ignore[no-any-return]


# ---------------------------------------------------------------- runs


def run_bounds(L: float, mu: float, initial: float, shares: Any, rule: Sabotage = STATED) -> dict[str, Any]:
    """Return the four stated bounds after K = 1, 2, ... iterations with the given shares, (K,) each.

    The radius is that of strongly convex functions: the level set lies within 2 Delta_0 / mu.
    """
    formulas = theory.claim(ID).expressions
    names = ("bound", "product", "exponential", "convex")
    found: dict[str, list[float]] = {name: [] for name in names}
    radius = float(np.sqrt(2 * initial / mu))
    for K in range(1, len(shares) + 1):
        alpha = [float(item) for item in shares[:K]]
        total = evaluate(formulas["total"], {"K": K, "alpha": alpha}) if rule.by_share else float(K)
        values: dict[str, dict[str, Any]] = {
            "bound": {"L": L, "Delta_0": initial, "Sigma": total},
            "product": {"L": L, "Delta_0": 1.0, "mu": mu, "K": K, "alpha": alpha},
            "exponential": {"L": L, "Delta_0": initial, "mu": mu, "Sigma": total},
            "convex": {"L": L, "R": radius, "Sigma": total},
        }
        for name in names:
            found[name].append(evaluate(formulas[name], values[name]))
        found["product"][-1] = initial * found["product"][-1] ** rule.power
    return found


def compare_run(case: RunCase, rule: Sabotage, rng: Any) -> Iterable[Comparison]:
    """All three rates at every K of a run, with the shares of the run itself."""
    problem, found = case.make(), case.run(rng)
    optimum = float(problem.objective(problem.solution))
    gaps, shares = found.objective[0] - optimum, found.shares[0, :, 0]
    bounds = run_bounds(problem.L, problem.mu, float(gaps[0]), shares, rule)
    least = np.minimum.accumulate(found.gradient_norm_sq[0])
    for K in range(1, found.rounds + 1):
        stated = {name: values[K - 1] for name, values in bounds.items()}
        witness = {"K": K, "Sigma": float(shares[:K].sum())}
        gap = float(gaps[K])
        yield Comparison("least gradient", "le", float(least[K - 1]), stated["bound"], ALONG, witness)
        yield Comparison("gap, product", "le", gap, stated["product"], ALONG, witness, headline=True)
        yield Comparison("exponential form", "le", stated["product"], stated["exponential"], ALONG, witness)
        yield Comparison("gap, convex", "le", gap, stated["convex"], ALONG, witness)


def _run(name: str, case: RunCase, faults: dict[str, Sabotage]) -> Check:
    mutants = {key: DriftCase(partial(compare_run, case, fault)) for key, fault in faults.items()}
    base = DriftCase(partial(compare_run, case, STATED))
    return Check("run", name, base, {"problem": name, "rounds": case.rounds}, mutants, seconds=0.1)
