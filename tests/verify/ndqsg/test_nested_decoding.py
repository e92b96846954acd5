"""Golden numbers of the specification for nested decoding."""

from fractions import Fraction

import pytest
from sympy import Rational

from theory.ndqsg.nested_decoding import CLAIM
from verify.evaluation import evaluate, evaluate_exact


@pytest.mark.parametrize(
    ("width", "golden"),
    [
        (Fraction(105, 100), Rational(1, 840)),
        (Fraction(12, 10), Rational(1, 60)),
        (Fraction(3, 2), Rational(1, 12)),
    ],
)
def test_overload_of_uniform_innovations(width, golden):
    assert evaluate_exact(CLAIM.formulas["uniform_overload"], {"width": width, "k": 3}) == golden


@pytest.mark.parametrize("case", CLAIM.worst_cases, ids=lambda case: case.description)
def test_worst_cases(case):
    assert evaluate_exact(CLAIM.exact, case.values) == case.value


def test_bias_at_the_worst_case_with_gain():
    values = {"alpha": Fraction(9, 10), "delta": 1, "z": Fraction(1, 2)}
    assert evaluate_exact(CLAIM.formulas["bias"], values) == Rational(-19, 200)


def test_bits_of_ratio_three():
    assert evaluate(CLAIM.formulas["bits"], {"k": 3}) == pytest.approx(1.585, abs=5e-4)


@pytest.mark.parametrize(("ratio", "alpha", "margin"), [(3, 1, 1), (5, 1, 2), (2, 1, Rational(1, 2))])
def test_margin(ratio, alpha, margin):
    assert evaluate_exact(CLAIM.formulas["margin"], {"k": ratio, "alpha": alpha}) == margin
