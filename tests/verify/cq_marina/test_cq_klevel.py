"""Golden numbers of `cq_marina/cq-klevel`, from the formulas alone."""

from fractions import Fraction as F

import pytest

import theory
from verify.evaluation import evaluate, evaluate_exact

CLAIM = theory.claim("cq_marina/cq-klevel")
X, BETA = (F(1, 10), F(9, 10), F(17, 10), F(26, 10)), F(4, 5)

# Decimal goldens are exact; doubles lose a few units of their last place.
DIGITS = 1e-14


def variance(x, beta, s=0):
    return evaluate_exact(CLAIM.exact, {"x": x, "beta": beta, "s": s, "n": len(x)})


def averaged(x, beta):
    return evaluate_exact(CLAIM.formulas["averaged"], {"x": x, "beta": beta, "n": len(x)})


def test_goldens():
    assert variance(X, BETA) == F(9375, 10**6)
    assert averaged(X, BETA) == F(8125, 10**6)
    values = {"x": [float(item) for item in X], "beta": 0.8, "n": 4}
    assert evaluate(CLAIM.exact, {**values, "s": 0.0}) == pytest.approx(0.009375, rel=DIGITS, abs=0)
    assert evaluate(CLAIM.formulas["averaged"], values) == pytest.approx(0.008125, rel=DIGITS, abs=0)


# The specification's own check: the error of 1000 midpoints is 4e-8, of 4000 it is 2.5e-9.
@pytest.mark.parametrize(("points", "error"), [(1000, 4e-8), (4000, 2.5e-9)])
def test_mean_over_midpoints_approaches_the_average(points, error):
    values = {"x": [float(item) for item in X], "beta": 0.8, "n": 4}
    shifts = [0.8 * (k + 0.5) / points for k in range(points)]
    mean = sum(evaluate(CLAIM.exact, {**values, "s": s}) for s in shifts) / points
    assert abs(mean - 0.008125) <= 1.05 * error


@pytest.mark.parametrize("case", CLAIM.worst_cases, ids=lambda case: case.description)
def test_worst_cases(case):
    assert evaluate_exact(CLAIM.exact, case.values) == case.value


def test_equal_inputs_average_a_sixth():
    for n in (2, 4, 8):
        assert averaged((F(3, 7),) * n, F(2)) == F(4, 6 * n**2)


def test_leading_term_does_not_depend_on_the_shift():
    # All inputs in cells of their own, whatever the shift: only the first term is left.
    x = (F(0), F(1, 3), F(2, 3))
    assert {variance(x, F(1), s) for s in (F(0), F(1, 7), F(5, 11))} == {averaged(x, F(1))}


def test_grids_of_few_levels():
    assert evaluate_exact(CLAIM.formulas["fixed_step"], {"width": 6, "levels": 4}) == 2
    assert evaluate_exact(CLAIM.formulas["shifted_step"], {"width": 6, "levels": 4}) == 3
