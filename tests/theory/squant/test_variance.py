"""Golden numbers of the specification, from the formulas of the claims alone: var, bounds."""

import math
from fractions import Fraction

import pytest
from sympy import Rational

import theory
from theory.squant.var import OLD as VAR
from verify.evaluation import evaluate, evaluate_exact, names

BOUNDS = theory.claim("squant/bounds")

# Goldens are printed with up to 15 digits: half a unit of the last one and some roundings of doubles.
DIGITS = 2e-14


def given(formula, case):
    return {name: case.values[name] for name in names(formula)}


def digits(value):
    return pytest.approx(value, rel=DIGITS, abs=0)


# ---------------------------------------------------------------- bounds


@pytest.mark.parametrize(
    ("diagonal", "steps", "coarse", "quarter"),
    [
        ((4, 1), (3, 3), 12.3693168769, 11.25),
        ((9, 4, 1), (2, 3, 6), 22.4499443206, 27),
        ((1,) * 100, (1,) * 100, 10, 25),
    ],
)
def test_bounds_goldens(diagonal, steps, coarse, quarter):
    values = {"L": diagonal, "h": steps, "d": len(diagonal)}
    # Printed with ten decimals.
    assert evaluate(BOUNDS.formulas["coarse"], values) == pytest.approx(coarse, abs=6e-11)
    assert evaluate(BOUNDS.formulas["quarter"], values) == quarter
    assert evaluate(BOUNDS.bound, values) == pytest.approx(min(coarse, quarter), abs=6e-11)


@pytest.mark.parametrize("case", BOUNDS.worst_cases, ids=lambda case: case.description)
def test_bounds_worst_cases(case):
    assert evaluate_exact(BOUNDS.bound, given(BOUNDS.bound, case)) == case.value


@pytest.mark.parametrize(
    ("levels", "dimension", "expected"),
    [(1, 100, 10.0), (8, 64, 0.25), (1, 4, 1.0)],
)
def test_bounds_standard_quantizer_agrees_with_general_form(levels, dimension, expected):
    general = {"L": (1,) * dimension, "h": (Fraction(1, levels),) * dimension, "d": dimension}
    assert evaluate(BOUNDS.formulas["standard_bound"], {"s": levels, "d": dimension}) == digits(expected)
    assert evaluate(BOUNDS.bound, general) == digits(expected)


def test_bounds_block_form_agrees_with_general_form():
    block = {"L": (4, 1, 2), "h_l": 3, "d": 3}
    general = {"L": (4, 1, 2), "h": (3, 3, 3), "d": 3}
    for name in ("coarse", "quarter"):
        assert evaluate(BOUNDS.formulas[f"block_{name}"], block) == digits(
            evaluate(BOUNDS.formulas[name], general)
        )
    assert evaluate(BOUNDS.formulas["block_bound"], block) == digits(3 * math.sqrt(21))


def test_bounds_l1_mutant_ratio():
    # Variance with the norm ||x||_1 = 100 at x = 1, h = 1: each coordinate 100^2 * 0.01 * 0.99.
    values = {"x": (1,) * 100, "h": (1,) * 100, "L": (1,) * 100, "N": (100,) * 100, "d": 100}
    ratio = evaluate_exact(VAR.exact, values) / 100 / 10
    assert ratio == Rational(99, 10)
