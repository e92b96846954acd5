"""Golden numbers of the specification, from the formulas of the claims alone: var, bounds, sup."""

import math
from fractions import Fraction

import pytest
from sympy import Rational

import theory
from theory.squant.var import OLD as VAR
from verify.evaluation import evaluate, evaluate_exact, names, root, solve

BOUNDS = theory.claim("squant/bounds")
SUP = theory.claim("squant/sup")

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


# ---------------------------------------------------------------- sup


@pytest.mark.parametrize(
    ("diagonal", "steps", "expected"),
    [
        ((4, 1), (3, 3), 8.67954544979760),
        ((9, 4, 1), (2, 3, 6), 16.2602761720076),
        ((1,) * 100, (1,) * 100, 9.0),
    ],
)
def test_sup_goldens_of_the_coarse_regime(diagonal, steps, expected):
    values = {"L": diagonal, "h": steps, "d": len(diagonal)}
    assert evaluate(SUP.formulas["regime"], values) > 4
    assert solve(SUP.exact, values) == digits(expected)


@pytest.mark.parametrize(("diagonal", "steps"), [((4, 1), (3, 3)), ((9, 4, 1), (2, 3, 6))])
def test_sup_is_attained_at_the_maximiser(diagonal, steps):
    d = len(diagonal)
    values = {"L": diagonal, "h": steps, "d": d}
    nu = root(SUP.exact, values)
    point = [
        evaluate(SUP.formulas["maximiser"], {"L": diagonal, "h": steps, "nu": nu, "j": j}) for j in range(d)
    ]
    norm = math.hypot(*point)
    assert norm == digits(1.0)
    variance = evaluate(VAR.exact, {**values, "x": point, "N": (norm,) * d})
    assert variance == digits(solve(SUP.exact, values))
    # The mutant that claims 90 % of it is refuted there.
    assert variance > 0.9 * solve(SUP.exact, values)


def test_sup_weights_of_zero_do_not_count():
    with_zero = {"L": (4, 1, 0), "h": (3, 3, 2), "d": 3}
    assert solve(SUP.exact, with_zero) == digits(8.67954544979760)
    assert evaluate(SUP.formulas["regime"], with_zero) == 18


@pytest.mark.parametrize("position", [2, 3, 4])
def test_sup_attained_values(position):
    case = SUP.worst_cases[position]
    d = case.values["d"]
    norm = sum(item**2 for item in case.values["x"])
    values = {name: case.values[name] for name in ("x", "h", "L", "d")}
    variance = evaluate_exact(VAR.exact, {**values, "N": (norm ** Rational(1, 2),) * d})
    assert variance / norm == case.value
    if position > 2:
        fine = {name: case.values[name] for name in ("h", "L", "d")}
        assert evaluate(SUP.formulas["regime"], fine) <= 4
        assert evaluate_exact(SUP.formulas["fine_upper"], fine) == case.value


@pytest.mark.parametrize(("d", "step"), [(100, 1.0), (16, 0.75), (9, 2.0)])
def test_sup_of_uniform_steps_is_step_times_root_of_d_minus_one(d, step):
    general = solve(SUP.exact, {"L": (1,) * d, "h": (step,) * d, "d": d})
    assert general == digits(evaluate(SUP.formulas["uniform"], {"step": step, "d": d}))


def test_sup_regimes_meet():
    # At h sqrt(d) = 2 both forms are 1; the multiplier there is zero.
    assert solve(SUP.exact, {"L": (1,) * 16, "h": (0.5,) * 16, "d": 16}) == digits(1.0)
    assert root(SUP.exact, {"L": (1,) * 16, "h": (0.5,) * 16, "d": 16}) == 0.0
    assert evaluate(SUP.formulas["uniform_fine"], {"step": 0.5, "d": 16}) == 1.0


def test_sup_in_one_dimension():
    formula = SUP.formulas["one_dimension"]
    assert evaluate_exact(formula, {"weight": 3, "step": Fraction(1, 4)}) == 0
    # h = 2/3: levels 3/2, so L h^2 / 4.
    assert evaluate_exact(formula, {"weight": 3, "step": Fraction(2, 3)}) == Rational(1, 3)


def test_sup_mutants_have_the_printed_values():
    values = {"L": (4, 1), "h": (3, 3), "d": 2}
    assert evaluate(SUP.formulas["dropped_norm_constraint"], values) == 11.25
    # Printed with four decimals.
    assert evaluate(SUP.formulas["dropped_quadratic_term"], values) == pytest.approx(12.3693, abs=6e-5)
