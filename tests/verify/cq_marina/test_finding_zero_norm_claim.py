"""Numbers of the finding on zero norms."""

import pytest
from sympy import Rational

import theory
from verify.evaluation import evaluate, evaluate_exact

CLAIM = theory.claim("cq_marina/finding-zero-norm")


@pytest.mark.parametrize("case", CLAIM.worst_cases, ids=lambda case: case.description)
def test_worst_cases(case):
    assert evaluate_exact(CLAIM.exact, case.values) == case.value


@pytest.mark.parametrize(("n", "share"), [(1, 1), (2, 0), (3, Rational(1, 9)), (4, 0), (5, Rational(1, 25))])
def test_correlated_noise_vanishes_for_an_even_number_of_clients(n, share):
    assert evaluate_exact(CLAIM.formulas["correlated"], {"n": n, "d": 68}) == 68 * share


def test_jump_is_of_the_order_of_the_specification():
    # "from 1e-30 to 1e-2": phishing with ten clients, p = 0.3 and a step of about 0.3.
    assert 1e-2 < evaluate(CLAIM.formulas["jump"], {"n": 10, "d": 68, "p": 0.3, "gamma": 0.3}) < 1
