"""Checks of `ndqsg/finding-scale-dependence`: the covariance over all dithers, and for Student gradients."""

from collections.abc import Iterable
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer
from verify.binding import Check, Lazy
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate, evaluate_exact, names
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/finding-scale-dependence"
POINTS = 4
M = 2
DIRECTIONS = ((F(1), F(1)), (F(1, 2), F(-1)), (F(-3), F(2)), (F(1, 4), F(1)))
LENGTHS = (F(1), F(2)), (F(1), F(1, 3)), (F(1), F(5))


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        _exact(),
        Check(
            "exact", "student", ExactCase(compare_student), {"d": D, "M": 1, "freedom": FREEDOM}, seconds=0.1
        ),
        _sampled(),
    )


def stated(name: str, **values: Any) -> Any:
    """Return a formula of the claim, exactly."""
    formula = theory.claim(ID).expressions[name]
    return rational(evaluate_exact(formula, {key: values[key] for key in names(formula)}))


# ---------------------------------------------------------------- all dithers of two lengths


def compare(*, independent: bool = False, fixed: bool = False, sign: int = 1) -> Iterable[Comparison]:
    """Covariances of the squares, and of noise and gradient, over all dithers and both lengths."""
    for direction in DIRECTIONS:
        for lengths in LENGTHS:
            codec = DitheredQuantizer(
                M, points=POINTS, scale=max(map(abs, direction)) * max(lengths) if fixed else None
            )
            law = []
            for length in lengths:
                g = [sign * length * item for item in direction]
                for chance, draws in codec.outcomes(g):
                    noise = codec.reference(g, draws)[0] - g[0]
                    law.append((chance / len(lengths), noise, g[0]))
            witness = {"v": direction, "lengths": lengths}
            v, V, c = direction[0], max(map(abs, direction)), lengths[1]
            claimed = 0 if independent else stated("two_lengths", v=v, V=V, c=c, M=M)
            # On N points the variance of the noise has the factor 1 - N^-2, its mean is 0 at these inputs.
            found = covariance([(p, e * e, x * x) for p, e, x in law])
            yield Comparison(
                "covariance of squares",
                "eq",
                found,
                claimed * (1 - F(1, POINTS**2)) + _of_biases(law),
                witness=witness,
                headline=True,
            )
            general = {
                "mixed": sum(F(1, 2) * (t * V) ** 2 * (t * v) ** 2 for t in lengths),
                "scale_sq": sum(F(1, 2) * (t * V) ** 2 for t in lengths),
                "gradient_sq": sum(F(1, 2) * (t * v) ** 2 for t in lengths),
            }
            value = stated("exact", **general, M=M)
            yield Comparison("two forms", "eq", value, stated("two_lengths", v=v, V=V, c=c, M=M))


def covariance(law: list[tuple[F, F, F]]) -> F:
    """Return the covariance of the last two items under the first as the chance."""
    mean = [sum(p * item[k] for p, *item in law) for k in range(2)]
    return sum((p * (a - mean[0]) * (b - mean[1]) for p, a, b in law), F(0))


def _of_biases(law: list[tuple[F, F, F]]) -> F:
    """Return the covariance that the squared biases of a finite dither add."""
    totals: dict[F, tuple[F, F]] = {}
    for p, noise, x in law:
        chance, mixed = totals.get(x, (F(0), F(0)))
        totals[x] = chance + p, mixed + p * noise
    biases = [(chance, (mixed / chance) ** 2, x * x) for x, (chance, mixed) in totals.items()]
    return covariance(biases)


def _exact() -> Check:
    mutants = {
        "independent": ExactCase(partial(compare, independent=True)),
        "fixed-scale": ExactCase(partial(compare, fixed=True)),
        "negated": ExactCase(partial(compare, sign=-1)),
    }
    parameters = {"points": POINTS, "M": M, "directions": DIRECTIONS, "lengths": LENGTHS}
    return Check("exact", "two-lengths", ExactCase(compare), parameters, mutants, seconds=0.1)


# ---------------------------------------------------------------- Student gradients

FREEDOM, D = 5, 4
STATED_CORRELATION, HALF_DIGIT = 0.342, 0.0005


def student_moments() -> dict[str, float]:
    """Return E[kappa^2 g^2], E kappa^2, E g^2 and the fourth moments for four Student variables.

    With |g| = sqrt(5) tan(t) the law of |g| and its second moment below t are trigonometric polynomials.
    """
    nodes, weights = np.polynomial.legendre.leggauss(200)
    t, weights = np.pi / 4 * (nodes + 1), np.pi / 4 * weights
    constant = 16 / (3 * np.pi)
    square = FREEDOM * np.tan(t) ** 2
    density = constant * np.cos(t) ** 4
    below = constant * (3 * t / 8 + np.sin(2 * t) / 4 + np.sin(4 * t) / 32)
    below_square = constant * FREEDOM * (t / 8 - np.sin(4 * t) / 32)
    # One coordinate is the largest itself, or one of the others is.
    others = (D - 1) * below ** (D - 2) * below_square
    return {
        "mixed": float((weights * density * square * (square * below ** (D - 1) + others)).sum()),
        "scale_sq": float((weights * D * density * square * below ** (D - 1)).sum()),
        "scale_fourth": float((weights * D * density * square**2 * below ** (D - 1)).sum()),
        "gradient_sq": FREEDOM / (FREEDOM - 2),
        "gradient_fourth": 3 * FREEDOM**2 / ((FREEDOM - 2) * (FREEDOM - 4)),
    }


def correlation_of_squares() -> float:
    """Return the correlation of squared noise and squared gradient at one level."""
    m = student_moments()
    formula = theory.claim(ID).exact
    covariance = evaluate(formula, {key: m[key] for key in ("mixed", "scale_sq", "gradient_sq")} | {"M": 1.0})
    noise = m["scale_fourth"] / 80 - (m["scale_sq"] / 12) ** 2
    return covariance / float(np.sqrt(noise * (m["gradient_fourth"] - m["gradient_sq"] ** 2)))


def compare_student() -> Iterable[Comparison]:
    """The correlation of the squares for Student gradients, as stated."""
    away = abs(correlation_of_squares() - STATED_CORRELATION)
    yield Comparison("correlation off the stated one", "le", away, HALF_DIGIT)


def _sampling(*, claimed_zero: bool, fixed: bool) -> MonteCarloCase:
    """E[(e^2 - E e^2) x^2] of gradients of two lengths, by sampling; 1/12 and the lengths are exact."""
    direction, lengths = np.array([1.0, 0.6, -0.3, 0.2]), np.array([0.2, 1.0])
    codec = DitheredQuantizer(1, scale=1.0) if fixed else DitheredQuantizer(1)
    v, c = float(direction[0] * lengths[0]), float(lengths[1] / lengths[0])
    value = evaluate(theory.claim(ID).formulas["two_lengths"], {"V": v, "v": v, "c": c, "M": 1.0})
    mean = (lengths**2).mean() / 12

    def sample(rng: np.random.Generator, size: int) -> Any:
        g = rng.choice(lengths, size)[:, None] * direction
        noise = codec.compress(g, codec.draw(rng, g.shape))[:, 0] - g[:, 0]
        return (noise**2 - mean) * g[:, 0] ** 2

    claimed = 0.0 if claimed_zero else value
    return MonteCarloCase("eq", sample, claimed, lower=-mean, upper=0.25 - mean, tolerance=0.1 * value)


def _sampled() -> Check:
    mutants = {
        "independent": Lazy(partial(_sampling, claimed_zero=True, fixed=False), tests=1),
        "fixed-scale": Lazy(partial(_sampling, claimed_zero=False, fixed=True), tests=1),
    }
    base = Lazy(partial(_sampling, claimed_zero=False, fixed=False), tests=1)
    return Check("montecarlo", "two-lengths", base, {"lengths": (0.2, 1), "M": 1}, mutants, seconds=0.2)
