"""Checks of `cq_marina/neg-control`: equal laws, equal constants, runs with and without the claimed gain."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from impl.problems import Quadratic
from impl.problems.hessian_variance import SmoothnessConstants
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison
from verify.cq_marina.joint_enumeration import estimates, mean_squares
from verify.cq_marina.marina_settings import (
    Setting,
    along_the_run,
    formula,
    one_bit,
    stated_step,
    trajectory,
)
from verify.evaluation import evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

Rows = Sequence[Sequence[Fraction]]

CORRELATED, INDEPENDENT = CorrelatedQuantizer("binary"), IndependentQuantizer("binary")


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/neg-control")
    recursion = {"zero-variance-step": ExactCase(lambda: along_the_run(with_zero_variance_step(control())))}
    runs = {"zero-variance-step": trajectory(with_zero_variance_step(control()), CORRELATED)}
    parameters = {"n": 4, "d": 8, "p": 0.1, "rounds": 100}
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        _variances(),
        Check("exact", "same-law", ExactCase(_compare_laws), {"n": (2, 3), "a_1": (3, 4)}, seconds=0.2),
        Check("exact", "constants", ExactCase(_compare_constants), {"sizes": SIZES}, seconds=0.1),
        Check(
            "exact",
            "recursion",
            ExactCase(lambda: along_the_run(control())),
            parameters,
            recursion,
            seconds=0.1,
        ),
        Check("run", "correlated", trajectory(control(), CORRELATED), parameters, runs, seconds=0.5),
    )


# ---------------------------------------------------------------- one round


def _rows(*vectors: Sequence[int]) -> Rows:
    return [[Fraction(item) for item in vector] for vector in vectors]


# Vectors of norm 7 and 9, so that all is rational.
FIRST = _rows((2, 3, 6), (0, 0, 0), (0, 0, 0))
SECOND = _rows((0, 0, 0), (2, 3, 6), (0, 0, 0))
LONGER = _rows((1, 4, -8, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))
DIRECTIONS = _rows((2, 3, 6), (3, -6, 2), (-6, -2, 3))


def stated_variance(rows: Rows) -> Any:
    """Return the stated variance for rows (n, d) of integers, one of them nonzero, of integer norm."""
    r = math.isqrt(int(max(sum(item**2 for item in row) for row in rows)))
    return evaluate_exact(
        theory.claim("cq_marina/neg-control").exact, {"n": len(rows), "d": len(rows[0]), "r": r}
    )


def gain_claimed(rows: Rows) -> Any:
    """Return d M / n^2, what correlated quantizers reach for equal inputs."""
    n, d = len(rows), len(rows[0])
    return Fraction(d, n**2) * mean_squares(rows)[0]


def _compare_variances(rows: Rows, bound: Any = stated_variance) -> Iterable[Comparison]:
    yield Comparison("correlated", "eq", CORRELATED.variance(rows), bound(rows), headline=True)
    yield Comparison("independent", "eq", INDEPENDENT.variance(rows), stated_variance(rows))
    yield Comparison("quotient", "eq", CORRELATED.variance(rows) / INDEPENDENT.variance(rows), 1)


def _variances() -> Check:
    def both(first: Rows, second: Rows) -> Iterable[Comparison]:
        return [*_compare_variances(first), *_compare_variances(second)]

    mutants = {
        "claimed-advantage": ExactCase(partial(_compare_variances, FIRST, gain_claimed)),
        "equal-norms": ExactCase(partial(_compare_variances, DIRECTIONS)),
        "other-client": ExactCase(partial(both, SECOND, LONGER[::-1])),
    }
    parameters = {"a_1": ((2, 3, 6), (1, 4, -8, 0)), "n": (3, 5)}
    return Check(
        "exact", "variance", ExactCase(partial(both, FIRST, LONGER)), parameters, mutants, seconds=0.1
    )


def law(compressor: Any, rows: Rows) -> dict[tuple[Fraction, ...], Fraction]:
    """Return the probability of every estimate."""
    found: dict[tuple[Fraction, ...], Fraction] = defaultdict(Fraction)
    for chance, estimate in estimates(compressor, rows):
        found[tuple(estimate)] += chance
    return {key: chance for key, chance in found.items() if chance}


def _compare_laws() -> Iterable[Comparison]:
    """Hold the probabilities of all estimates of both quantizers against each other."""
    for n in (2, 3):
        rows = _rows((3, 4), *[(0, 0)] * (n - 1))
        correlated, independent = law(CORRELATED, rows), law(INDEPENDENT, rows)
        for estimate in sorted(correlated.keys() | independent.keys()):
            label = f"probability of {', '.join(map(str, estimate))}, n={n}"
            yield Comparison(label, "eq", correlated.get(estimate, 0), independent.get(estimate, 0))


# ---------------------------------------------------------------- constants and runs

SIZES = ((2, 1), (2, 5), (3, 4), (4, 8), (10, 3), (10, 32))


def family(n: int, d: int, L: float = 1.0) -> Quadratic:
    """Return A_1 = n L I, A_i = 0 else."""
    matrices = np.zeros((n, d))
    matrices[0] = n * L
    return Quadratic(matrices)


def _compare_constants() -> Iterable[Comparison]:
    from impl.problems.hessian_variance import smoothness_constants

    for n, d in SIZES:
        L = 1.5
        found = smoothness_constants(family(n, d, L))
        witness = {"n": n, "d": d}
        yield Comparison("L_-", "eq", found.L_minus, L, ROUND_OFF, witness)
        for name, value in (("L_plus_sq", found.L_plus), ("L_pm_sq", found.L_pm)):
            yield Comparison(name, "eq", value**2, _stated(name, n=n, L=L), ROUND_OFF, witness)
        B = _stated("B", n=n, d=d)
        values = {"n": n, "d": d, "L_plus": found.L_plus}
        correlated = _stated("X_correlated", **values, L_pm=found.L_pm, B=B)
        independent = _stated("X_independent", **values)
        yield Comparison("X of the correlated", "eq", correlated, _stated("X", d=d, L=L), ROUND_OFF, witness)
        yield Comparison("X of both", "eq", correlated, independent, ROUND_OFF, witness, headline=True)


def _stated(name: str, **values: float) -> float:
    return formula("neg-control", name, **values)


def control() -> Setting:
    """Return the family with one-bit quantizers, whose second moments are those of correlated ones here."""
    n, d = 4, 8
    return Setting(f"control n={n} d={d}", family(n, d), one_bit(n, d), np.ones(d), 0.1, 100)


def with_zero_variance_step(setting: Setting) -> Setting:
    """Return the setting with the step for clients with equal Hessians, d L_-^2 / n^2."""

    def rule(constants: SmoothnessConstants, _: float, p: float) -> float:
        n, d = setting.problem.n, setting.problem.d
        return stated_step(constants, d / n**2 * constants.L_minus**2, p)

    return replace(setting, step=rule)
