"""Golden numbers of `cq_marina/cq-equal-inputs` and of the finding on the constant 1/4."""

from fractions import Fraction as F

import numpy as np
import pytest
from sympy import Rational

import theory
from impl.compressors import CorrelatedQuantizer
from verify.evaluation import evaluate, evaluate_exact

CLAIM = theory.claim("cq_marina/cq-equal-inputs")


@pytest.mark.parametrize("case", CLAIM.worst_cases, ids=lambda case: case.description)
def test_goldens(case):
    assert evaluate_exact(CLAIM.exact, case.values) == case.value
    rows = [[F(item) for item in case.values["x"]]] * case.values["n"]
    assert CorrelatedQuantizer("binary").variance(rows) == F(int(case.value.p), int(case.value.q))


def test_golden_values():
    assert [case.value for case in CLAIM.worst_cases] == [8, 18, Rational(4, 9)]


def test_suprema():
    bound = {"r": 4, "n": 4, "d": 8}
    assert evaluate_exact(CLAIM.bound, bound) == 8
    assert evaluate_exact(CLAIM.formulas["ternary_bound"], bound) == 2
    assert 9 * evaluate_exact(CLAIM.formulas["high_dimension"], {"n": 2, "d": 9}) == 18
    assert evaluate_exact(CLAIM.formulas["odd_at_basis"], {"n": 3, "d": 5}) == Rational(4, 9)
    for n, d in ((2, 5), (4, 16), (4, 100)):
        high = evaluate(CLAIM.formulas["high_dimension"], {"n": n, "d": d})
        # Equal at d = n^2, up to the rounding of the square root.
        assert high <= d / n**2 * (1 + 1e-15)


def test_ternary_formula_is_that_of_the_quantizer():
    x = np.array([0.3, -1.7, 0.4, 2.0])
    values = {"x": x, "r": float(np.linalg.norm(x)), "n": 3, "d": 4}
    variance = CorrelatedQuantizer("ternary").variance(np.array([x] * 3))
    # Some tens of roundings on either side.
    assert evaluate(CLAIM.formulas["ternary"], values) == pytest.approx(variance, rel=1e-13)
