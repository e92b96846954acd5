"""Golden numbers of the specification for smooth functions."""

from fractions import Fraction as F

import numpy as np
import pytest

from verify.ndqsg.convergence.conv_nonconvex import bounds, half_omega, judge
from verify.ndqsg.fixtures.logistic_workers import saturating
from verify.ndqsg.fixtures.nonconvex_runs import NOISE, START, WORKERS, averages, constants
from verify.ndqsg.fixtures.one_dimension import HONEST, LONG_STEP, SAME_SEED

LAW = judge._law()


# Printed with 10 to 12 digits.
@pytest.mark.parametrize(
    ("arguments", "golden", "digits"),
    [
        ((2, 2, F(1, 20), 5, 2, 4, 100), 0.0955351099831, 5e-14),
        ((1, F(1, 2), 0, 1, 1, 1, 10), 0.1083333333, 5e-11),
        ((1, F(1, 2), 0, 1, 1, 4, 10), 0.1020833333, 5e-11),
    ],
)
def test_bound(arguments, golden, digits):
    L, gap, sigma_sq, d, M, P, T = arguments
    given = {"L": L, "omega": F(d, 12 * M**2), "P": P}
    step = LAW.exactly("step_size", **given)
    found = LAW("bound", **given, eta=step, Delta_0=gap, sigma_sq=sigma_sq, T=T)
    assert found == pytest.approx(golden, abs=digits)


def test_problem_of_the_specification():
    problem, rounds, replicates = saturating(WORKERS), 100, 2000
    assert problem.L == 2
    # Bound 0.1058, four digits; noise of variance 0.01 on each of 5 coordinates.
    bound = bounds(LAW, problem, START, rounds, NOISE)[-1]
    assert bound == pytest.approx(0.1058, abs=5e-5)
    step = LAW("step_size", **constants(problem))
    found = averages(problem, START, rounds, NOISE, step, np.random.default_rng(0), replicates)[:, -1]
    # 0.0622 with three digits, six standard errors of the sample here; the bound has a slack of 1.7.
    assert found.mean() == pytest.approx(0.0622, abs=5e-5 + 6 * found.std() / replicates**0.5)
    assert bound / found.mean() == pytest.approx(1.7, abs=0.05)


# What sums over long runs exceed the bound by, two digits in the specification.
@pytest.mark.parametrize(
    ("law", "method", "P", "excess", "digits"),
    [
        (half_omega(LAW), HONEST, 1, 1.042, 5e-4),
        (LAW, SAME_SEED, 4, 1.065, 5e-4),
        (LAW, LONG_STEP, 1, 2.0, 0.05),
    ],
)
def test_mutants(law, method, P, excess, digits):
    step = law.exactly("step_size", L=1, omega=F(1, 12), P=P)
    found = sum(method.second_moments(step, F(1), 1, P, 400)[:400])
    # T times the bound, at the step that is taken.
    total = law.exactly("total", Delta_0=F(1, 2), eta=method.length * step)
    assert float(found / total) == pytest.approx(excess, abs=digits)
