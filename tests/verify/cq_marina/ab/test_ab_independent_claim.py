"""Numbers of the specification for independent compressors."""

from fractions import Fraction

import pytest
from sympy import Rational, sqrt

import theory
from verify.cq_marina.fixtures.grid_inputs import INPUTS
from verify.cq_marina.fixtures.joint_enumeration import mean_squares
from verify.evaluation import evaluate, evaluate_exact

CLAIM = theory.claim("cq_marina/ab-independent")


def constant(name, d):
    return evaluate_exact(CLAIM.formulas[name], {"d": d})


@pytest.mark.parametrize(("d", "ratio"), [(2, 2), (4, 3), (8, Rational(7, 2)), (100, Rational(99, 25))])
def test_binary_constant_is_nearly_four_quarters_of_the_dimension(d, ratio):
    assert constant("binary", d) / constant("quarter", d) == ratio == 4 * Rational(d - 1, d)


def test_constants_at_two_coordinates():
    assert constant("binary", 2) == 1
    assert constant("quarter", 2) == Rational(1, 2)
    assert constant("ternary", 2) == sqrt(2) - 1


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 9, 100, 10**6])
def test_ternary_constant_is_at_most_a_quarter_of_the_dimension(d):
    assert constant("ternary", d) <= constant("quarter", d)
    assert (constant("ternary", d) == constant("quarter", d)) == (d == 4)


@pytest.mark.parametrize(("name", "error"), [("P1", 3.25), ("P2", 0.795), ("P3", 4.111111111111)])
def test_binary_error_at_the_test_inputs(name, error):
    rows = INPUTS[name]
    n, d = len(rows), len(rows[0])
    values = {"n": n, "omega": (d - 1,) * n, "square": [sum(item**2 for item in row) for row in rows]}
    # Printed with 13 significant digits, or exactly.
    assert evaluate(CLAIM.formulas["sum"], values) == pytest.approx(error, rel=5e-13)
    M, _ = mean_squares(rows)
    assert evaluate(CLAIM.bound, {"A": Fraction(d - 1, n), "M_w": M}) == pytest.approx(error, rel=5e-13)


def test_worst_cases():
    first, flat, weighted = CLAIM.worst_cases
    assert first.value == constant("binary", 2) * 25
    assert flat.value == constant("ternary", 4) * 4
    square = [sum(item**2 for item in row) for row in weighted.values["a"]]
    w = weighted.values["w"]
    M_w = evaluate_exact(CLAIM.formulas["weighted_mean_square"], {"n": 4, "square": square, "w": w})
    assert evaluate_exact(CLAIM.bound, {"A": max(w) * constant("binary", 2), "M_w": M_w}) == weighted.value
    total = evaluate_exact(CLAIM.formulas["sum"], {"n": 4, "omega": (1,) * 4, "square": square})
    assert total == weighted.value
