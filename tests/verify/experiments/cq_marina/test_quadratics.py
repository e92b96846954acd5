"""Costs of methods of `cq_marina/exp-quadratic`; the check of cq_marina/tridiag holds its problem."""

import pytest

from verify.cq_marina.fixtures.joint.psi import psi
from verify.experiments.cq_marina.quadratics import quadratic_method


def test_costs_are_those_of_psi():
    # Section 5: psi(A, c) with A = (d - 1) / n and d / n^2 at d = 32, c = 1 / 16.
    for name, A in (("independent", 3.1), ("correlated", 0.32)):
        method = quadratic_method(10, name)
        assert method.share == 1 / 16
        assert method.theoretical_cost == pytest.approx(psi(A, 1 / 16).value, rel=1e-9)
