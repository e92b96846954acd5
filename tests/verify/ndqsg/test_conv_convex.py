"""Golden numbers of the specification for convex functions."""

from fractions import Fraction as F

import pytest
from sympy import Rational

import theory
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.fixtures.quadratic_oracle import affine_run

CLAIM = theory.claim("ndqsg/conv-convex")
# Printed with 10 to 16 digits after the point.
DIGITS = 5e-14


def test_variance():
    values = {"sigma_sq": F(1, 2), "K_sq": 1, "d": 12, "M": 2, "P": 4}
    assert evaluate_exact(CLAIM.formulas["variance"], values) == Rational(3, 16)


@pytest.mark.parametrize(
    ("T", "golden"), [(100, 0.0579166666667), (1000, 0.0339166666667), (10**12, 0.03125)]
)
def test_bound(T, golden):
    values = {"L": 1, "R": 1, "V": F(3, 16), "eta": F(1, 4), "T": T}
    # The last golden is the limit, which T = 10^12 misses by 3e-12.
    assert evaluate(CLAIM.bound, values) == pytest.approx(golden, abs=max(DIGITS, 4 / T * (T > 1000)))


@pytest.mark.parametrize(
    ("case", "value", "bound", "tightness"),
    [
        (0, 0.000519390581738, 0.001157407407407, 0.45),
        (1, 0.003425925925926, 0.010416666666667, 0.33),
        (2, 0.002181440443213, 0.004629629629630, 0.47),
    ],
)
def test_from_the_minimum(case, value, bound, tightness):
    values = dict(CLAIM.worst_cases[case].values)
    found = evaluate(CLAIM.formulas["at_the_minimum"], values)
    assert found == pytest.approx(value, abs=5e-16)
    eta, V, T = (float(values[name]) for name in ("eta", "V", "T"))
    run = affine_run((1 - eta) ** 2, eta**2 * V, 0.0, int(T) - 1)
    assert sum(item / 2 for item in run) / T == pytest.approx(value, abs=5e-16)
    stated = evaluate(CLAIM.bound, {**values, "L": 1, "R": 0})
    assert stated == pytest.approx(bound, abs=5e-16)
    assert found / stated == pytest.approx(tightness, abs=5e-3)


@pytest.mark.parametrize(("case", "P", "excess"), [(0, 4, 1.80), (1, 4, 1.32)])
def test_squared_workers(case, P, excess):
    values = dict(CLAIM.worst_cases[case].values)
    found = evaluate(CLAIM.formulas["at_the_minimum"], values)
    mutated = evaluate(CLAIM.bound, {**values, "V": values["V"] / P, "L": 1, "R": 0})
    assert found / mutated == pytest.approx(excess, abs=5e-3)


def test_the_supremum_of_the_tightness_is_one_half():
    eta, V, T = 1e-4, 1.0, 10**9
    found = evaluate(CLAIM.formulas["at_the_minimum"], {"eta": eta, "V": V, "T": T})
    bound = evaluate(CLAIM.bound, {"eta": eta, "V": V, "T": T, "L": 1, "R": 0})
    assert 0.499 < found / bound < 0.5


def test_accuracy():
    R, V, epsilon = 3.0, 2.0, 0.01
    T = evaluate(CLAIM.formulas["iterations"], {"R": R, "V": V, "epsilon": epsilon})
    step = evaluate(CLAIM.formulas["balanced_step"], {"R": R, "V": V, "T": T})
    values = {"R": R, "V": V, "T": T, "eta": step}
    assert evaluate(CLAIM.formulas["simple"], values) == pytest.approx(epsilon, rel=1e-14)
    assert evaluate(CLAIM.bound, {**values, "L": 1.0}) < epsilon
