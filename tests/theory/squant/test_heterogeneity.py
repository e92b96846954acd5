"""Golden numbers of the specification, from the formulas of the claims alone: nu."""

import pytest
from sympy import Rational

import theory
from verify.evaluation import evaluate_exact

NU = theory.claim("squant/nu").formulas


def constants(eigenvalues, mean):
    """Return nu and rho of nodes with these largest eigenvalues, exactly."""
    n, largest = len(eigenvalues), max(eigenvalues)
    nu = evaluate_exact(NU["nu"], {"Lambda": eigenvalues, "n": n, "L_max": largest})
    rho = evaluate_exact(NU["rho"], {"L_max": largest, "n": n, "L": mean})
    assert evaluate_exact(NU["L_lower"], {"L_max": largest, "n": n}) <= mean
    assert mean <= evaluate_exact(NU["L_upper"], {"L_max": largest, "n": n, "nu": nu})
    assert evaluate_exact(NU["rho_lower"], {"nu": nu}) <= rho
    return nu, rho


@pytest.mark.parametrize("n", [4, 16, 64])
def test_one_heavy_node(n):
    mean = Rational(2 * n - 1, n**2)
    found = constants((1, *(Rational(1, n),) * (n - 1)), mean)
    assert found == (Rational(2 * n - 1, n), Rational(n, 2 * n - 1))


def test_one_heavy_block_for_each_of_four_nodes():
    mean = (1 + Rational(3, 16)) / 4
    assert constants((1,) * 4, mean) == (4, 1 / Rational("1.1875"))


def test_homogeneous_nodes():
    n = B = 8
    d = 8 * n**2
    assert constants((1,) * n, 1) == (n, Rational(1, n))
    # Each block of ones has the norm sqrt(d / B).
    norms = (Rational(d, B) ** Rational(1, 2),) * B
    assert evaluate_exact(NU["nu_B_node"], {"B": B, "d": d, "F": norms, "L_max": 1}) == B
    assert evaluate_exact(NU["nu_B_maxima"], {"B": B, "M": (1,) * B, "L_max": 1}) == B
    assert evaluate_exact(NU["nu_B_trace"], {"B": B, "d": d, "nu_tr": d}) >= B
