"""Golden numbers of the specification for PermK, and for the variant with idle clients."""

import pytest
from sympy import Rational

import theory
from verify.cq_marina.fixtures.grid_inputs import REMAINDER
from verify.cq_marina.fixtures.joint_enumeration import mean_squares
from verify.evaluation import evaluate, evaluate_exact

CLAIM = theory.claim("cq_marina/ab-permk")
IDLE = theory.claim("cq_marina/finding-idle-clients")

# Printed with 13 significant digits, or exactly.
DIGITS = 5e-13


def theta(n, d):
    return evaluate(CLAIM.formulas["theta"], {"n": n, "d": d})


@pytest.mark.parametrize(
    ("n", "d", "expected"),
    [
        (6, 3, 0.4),
        (7, 3, 0.3518518518519),
        (5, 2, 0.2708333333333),
        (5, 3, 0.5833333333333),
        (3, 3, 1),
        (3, 4, 1),
        (3, 7, 1),
        (4, 1, 0),
    ],
)
def test_theta(n, d, expected):
    assert theta(n, d) == pytest.approx(expected, rel=DIGITS, abs=1e-15)


def test_theta_of_seven_clients_on_three_coordinates_is_written_out():
    stated = Rational(7) * (Rational(2, 6) + Rational(1, 9)) / 6 - Rational(1, 6)
    assert evaluate_exact(CLAIM.formulas["theta"], {"n": 7, "d": 3}) == stated == Rational(19, 54)


@pytest.mark.parametrize(("n", "d"), [(6, 3), (8, 2), (9, 3), (12, 4), (5, 1)])
def test_divisible(n, d):
    values = {"n": n, "d": d}
    assert theta(n, d) == pytest.approx(1 - (n - d) / (n - 1), rel=1e-14, abs=1e-15)
    divisible = evaluate_exact(CLAIM.formulas["theta_divisible"], values)
    assert evaluate_exact(CLAIM.formulas["theta"], values) == divisible


@pytest.mark.parametrize("case", [*CLAIM.worst_cases, *IDLE.worst_cases], ids=lambda case: case.description)
def test_worst_cases(case):
    claim = CLAIM if case in CLAIM.worst_cases else IDLE
    needed = {"M", "m"} | ({"n", "d"} if claim is CLAIM else set())
    assert evaluate_exact(claim.exact, {key: case.values[key] for key in needed}) == case.value


def test_idle_clients():
    M, m = mean_squares(REMAINDER)
    theta = CLAIM.formulas["theta"]
    sevenths = evaluate_exact(theta, {"n": 5, "d": 3})
    idle = evaluate(IDLE.exact, {"M": M, "m": m})
    balanced = evaluate(IDLE.formulas["balanced"], {"theta": sevenths, "M": M, "m": m})
    assert idle == pytest.approx(6.74, rel=DIGITS)
    assert balanced == pytest.approx(3.931666666667, rel=DIGITS)
    # Printed with four digits.
    assert idle / balanced == pytest.approx(1.714, abs=5e-4)
    assert evaluate(IDLE.formulas["factor"], {"n": 6, "d": 3}) == 2.5
