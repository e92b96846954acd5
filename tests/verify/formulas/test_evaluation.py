import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from sympy import (
    Float,
    IndexedBase,
    Integer,
    Max,
    Min,
    Piecewise,
    Product,
    Rational,
    Sum,
    Symbol,
    floor,
    log,
    sqrt,
)

from theory.claim import ImplicitValue
from verify.formulas.evaluation import EvaluationError, evaluate, evaluate_exact, names, root, solve

d = Symbol("d", integer=True, positive=True)
j = Symbol("j", integer=True, nonnegative=True)
i = Symbol("i", integer=True, nonnegative=True)
t = Symbol("t", nonnegative=True)
L = IndexedBase("L", nonnegative=True)
M = IndexedBase("M", real=True)

SQUARES = Sum(L[j] ** 2, (j, 0, d - 1))
FORM = Sum(M[i, j] * L[i] * L[j], (i, 0, d - 1), (j, 0, d - 1))


@pytest.mark.parametrize(
    "vector", [[3, 4], (3.0, 4.0), np.array([3.0, 4.0]), (Fraction(3), Integer(4))], ids=str
)
def test_vectors_of_any_kind(vector):
    assert evaluate(sqrt(SQUARES), {"L": vector, "d": 2}) == 5.0


@pytest.mark.parametrize("dimension", [2, 2.0, np.int64(2), Integer(2)], ids=lambda item: type(item).__name__)
def test_dimension_of_any_kind(dimension):
    assert evaluate(SQUARES, {"L": [3, 4], "d": dimension}) == 25.0


@pytest.mark.parametrize("matrix", [[[2, 1], [1, 2]], np.array([[2.0, 1.0], [1.0, 2.0]])])
def test_matrices(matrix):
    assert evaluate(FORM, {"M": matrix, "L": [1, 1], "d": 2}) == 6.0


def test_exact_values_stay_exact():
    values = {"L": (Fraction(1, 3), Rational(1, 7)), "d": 2}
    assert evaluate_exact(SQUARES, values) == Rational(1, 9) + Rational(1, 49)
    assert evaluate_exact(sqrt(SQUARES), {"L": (np.int64(3), 4), "d": 2}) == 5
    assert evaluate_exact(FORM, {"M": ((2, 1), (1, 2)), "L": (1, 1), "d": 2}) == 6


@pytest.mark.parametrize("inexact", [0.5, np.float64(0.5), Float(0.5)], ids=["float", "numpy", "sympy"])
def test_exact_refuses_floats(inexact):
    with pytest.raises(EvaluationError, match="is not exact; give an integer, a Fraction"):
        evaluate_exact(SQUARES, {"L": (inexact, 1), "d": 2})


def test_products_minima_and_floors():
    formula = Product(1 - L[j], (j, 0, d - 1)) + Min(1, t) + Max(2, floor(t))
    values = {"L": (Fraction(1, 2), Fraction(1, 4)), "d": 2, "t": Fraction(7, 2)}
    assert evaluate(formula, values) == 0.375 + 1 + 3
    assert evaluate_exact(formula, values) == Rational(35, 8)


def test_empty_sums_and_products():
    assert evaluate(SQUARES + Product(L[j], (j, 0, d - 2)), {"L": (5,), "d": 1}) == 26.0
    assert evaluate_exact(SQUARES + Product(L[j], (j, 0, d - 2)), {"L": (5,), "d": 1}) == 26


def test_branches_that_do_not_apply_are_not_evaluated():
    formula = Sum(Piecewise((1 / L[j], L[j] > 0), (0, True)), (j, 0, d - 1))
    assert evaluate(formula, {"L": (2, 0), "d": 2}) == 0.5
    assert evaluate_exact(formula, {"L": (2, 0), "d": 2}) == Rational(1, 2)


def test_same_index_bound_and_free():
    formula = L[j] / Sum(L[j], (j, 0, d - 1))
    assert names(formula) == ("L", "d", "j")
    assert evaluate(formula, {"L": (1, 3), "d": 2, "j": 1}) == 0.75
    assert evaluate_exact(formula, {"L": (1, 3), "d": 2, "j": 1}) == Rational(3, 4)


@pytest.mark.parametrize("number", [1, 2, 3, 2**29 - 1, 2**29, 2**29 + 1, 2**52, 2**53 - 1])
def test_binary_logarithm_is_exact_next_to_powers_of_two(number):
    formula = floor(log(t, 2))
    assert evaluate(formula, {"t": number}) == number.bit_length() - 1
    assert evaluate_exact(formula, {"t": number}) == number.bit_length() - 1


@pytest.mark.parametrize("number", [Fraction(1, 3), Fraction(7, 2), Fraction(4), Fraction(1, 4)])
def test_binary_logarithm_of_fractions(number):
    expected = math.floor(math.log2(number))
    assert evaluate_exact(floor(log(t, 2)), {"t": number}) == expected
    assert evaluate(floor(log(t, 2)), {"t": number}) == expected


def test_names_are_checked_all_at_once():
    with pytest.raises(EvaluationError, match=r"missing value of L; unknown value h, x; .* needs L, d"):
        evaluate(SQUARES, {"h": 1, "d": 2, "x": 1})
    with pytest.raises(EvaluationError, match="missing value of d"):
        evaluate_exact(SQUARES, {"L": (1, 2)})


@pytest.mark.parametrize("function", [evaluate, evaluate_exact])
def test_vector_too_short(function):
    with pytest.raises(EvaluationError, match=r"a vector is too short: L has 1 entries, with d=2"):
        function(SQUARES, {"L": (1,), "d": 2})


@pytest.mark.parametrize("function", [evaluate, evaluate_exact])
def test_scalar_where_a_vector_is_needed(function):
    with pytest.raises(EvaluationError, match="L=3 must be a sequence"):
        function(SQUARES, {"L": 3, "d": 2})
    with pytest.raises(EvaluationError, match=r"t=.* must be a number"):
        function(t + 1, {"t": (1, 2)})


@pytest.mark.parametrize(
    ("value", "part"),
    [(math.nan, "finite"), (math.inf, "finite"), ("one", "must be a number"), (1j, "real number")],
)
def test_values_that_are_no_numbers(value, part):
    with pytest.raises(EvaluationError, match=part):
        evaluate(t + 1, {"t": value})


def test_division_by_zero_names_the_values():
    with pytest.raises(EvaluationError, match=r"1/t is undefined at t=0"):
        evaluate(1 / t, {"t": 0})


def test_two_symbols_of_one_name_are_refused():
    with pytest.raises(EvaluationError, match="two symbols named t"):
        names(t + Symbol("t", positive=True))


# The root of t^2 = sum L^2; the value is three times the root.
NORM = ImplicitValue(3 * t, t, SQUARES - t**2)


def test_solve_and_root():
    assert names(NORM) == ("L", "d")
    assert root(NORM, {"L": (3, 4), "d": 2}) == 5.0
    assert solve(NORM, {"L": (3, 4), "d": 2}) == evaluate(NORM, {"L": (3, 4), "d": 2}) == 15.0


@pytest.mark.parametrize("scale", [1e-150, 1e-20, 1.0, 1e20, 1e150])
def test_root_has_full_relative_precision_at_any_scale(scale):
    # brentq stops within four epsilons.
    assert root(NORM, {"L": (scale, scale), "d": 2}) == pytest.approx(math.sqrt(2) * scale, rel=1e-15, abs=0)


def test_root_at_one_and_at_zero():
    assert root(NORM, {"L": (1,), "d": 1}) == 1.0
    assert root(ImplicitValue(t, t, 1 / (1 + t) - L[0]), {"L": (1,)}) == 0.0


def test_no_root_names_the_equation():
    with pytest.raises(EvaluationError, match="has no root t >= 0 at these values"):
        solve(ImplicitValue(t, t, 1 + t + L[0]), {"L": (1,)})


def test_values_of_an_implicit_value_exclude_the_unknown():
    with pytest.raises(EvaluationError, match="unknown value t"):
        solve(NORM, {"L": (3, 4), "d": 2, "t": 1})


def test_import_is_light():
    loaded = "import sys, verify.formulas.evaluation as e"
    code = loaded + "; raise SystemExit(bool({'sympy', 'scipy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
