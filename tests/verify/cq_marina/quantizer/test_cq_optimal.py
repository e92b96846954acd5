"""Golden numbers of `cq_marina/cq-optimal`, from the formulas alone."""

from fractions import Fraction as F

import pytest
from sympy import Rational

import theory
from verify.evaluation import evaluate, evaluate_exact

CLAIM = theory.claim("cq_marina/cq-optimal")


def test_golden_of_six_clients():
    value = evaluate(CLAIM.bound, {"n": 6, "delta": 0.5})
    # Printed with ten decimal places.
    assert value == pytest.approx(0.0104166667, abs=5e-11)
    assert evaluate_exact(CLAIM.bound, {"n": 6, "delta": F(1, 2)}) == CLAIM.worst_cases[0].value


def test_integer_sums():
    formula = CLAIM.formulas["integer_sum"]
    assert evaluate_exact(formula, {"n": 4, "y": (F(1, 8),) * 4}) == CLAIM.worst_cases[1].value
    assert evaluate_exact(formula, {"n": 3, "y": (F(1, 3), F(2, 3), F(1))}) == 0
    assert evaluate_exact(formula, {"n": 2, "y": (F(3, 4), F(3, 4))}) == Rational(1, 16)


def test_needed_constant_tends_to_a_half():
    needed = CLAIM.formulas["c1_needed"]
    assert evaluate_exact(needed, {"n": 4, "c_2": F(1, 16)}) == Rational(2, 3) * Rational(1, 2)
    assert evaluate(needed, {"n": 2, "c_2": 0.25}) < 0
    assert evaluate(needed, {"n": 10**12, "c_2": 0.25}) == pytest.approx(0.5, abs=2e-6)
    assert CLAIM.values["two_clients"] == CLAIM.formulas["two_clients"] == Rational(1, 16)
