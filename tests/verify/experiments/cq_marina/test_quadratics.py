"""Golden numbers of section 6, `exp-quadratic`: the problem, and costs of methods."""

import numpy as np
import pytest

from impl.problems.hessian_variance import smoothness_constants
from verify.cq_marina.fixtures.psi import psi
from verify.experiments.cq_marina.quadratics import quadratic, quadratic_method

# Given with 13 digits; a printed number is off by at most half a unit of the last one.
DIGITS = 1e-12
# The problem has the condition number 1e6: its solution, and the gap of the start, lose that much.
CONDITION = 1e-8


def test_start_and_smoothness():
    problem = quadratic(10)
    start = np.zeros(32)
    assert np.sum(problem.gradient(start) ** 2) == pytest.approx(1 / 16, rel=DIGITS)
    gap = problem.objective(start) - problem.objective(problem.solution)
    assert gap == pytest.approx(17.23175126433, rel=CONDITION)
    found = smoothness_constants(problem)
    assert found.L_minus == pytest.approx(0.9954729225731, rel=DIGITS)
    assert found.L_pm == pytest.approx(0.0, abs=1e-12)


def test_costs_are_those_of_psi():
    # Section 5: psi(A, c) with A = (d - 1) / n and d / n^2 at d = 32, c = 1 / 16.
    for name, A in (("independent", 3.1), ("correlated", 0.32)):
        method = quadratic_method(10, name)
        assert method.share == 1 / 16
        assert method.theoretical_cost == pytest.approx(psi(A, 1 / 16).value, rel=1e-9)
