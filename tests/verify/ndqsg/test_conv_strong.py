"""Golden numbers of the specification for strongly convex functions."""

from fractions import Fraction as F

import pytest
from sympy import Rational

import theory
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.one_dimension import RULES, STATED

CLAIM = theory.claim("ndqsg/conv-strong")


def formula(name, **values):
    return evaluate_exact(CLAIM.formulas[name], values)


def test_bound_after_fifty_steps():
    step = formula("step_size", L=1, omega=1, P=4)
    assert step == Rational(4, 5)
    values = {"mu": F(1, 10), "eta": step, "r_0": 1, "sigma_sq": F(1, 2), "omega": 1, "P": 4, "T": 50}
    # Printed with 14 digits.
    assert evaluate(CLAIM.bound, values) == pytest.approx(2.0154664758318, rel=5e-14)
    case = CLAIM.worst_cases[2]
    assert evaluate_exact(CLAIM.bound, dict(case.values)) == case.value


@pytest.mark.parametrize(("P", "factor"), [(4, Rational(1, 49)), (1, Rational(1, 13))])
def test_one_dimension(P, factor):
    h = formula("largest_h", omega=F(1, 12), P=P)
    assert formula("factor", h=h, omega=F(1, 12), P=P) == factor == 1 - h
    case = next(item for item in CLAIM.worst_cases if item.values["P"] == P)
    assert formula("factor", **dict(case.values)) == case.value == factor


# Factors of one step and what is claimed, three or more digits in the specification.
@pytest.mark.parametrize(
    ("name", "P", "found", "claimed"),
    [
        ("half-omega", 1, 0.0784, 0.04),
        ("same-seed", 4, 0.0803832, 0.0204082),
        ("long-step", 1, 0.3077, 0.0769),
        ("long-step", 4, 0.2653, 0.0204),
    ],
)
def test_mutants(name, P, found, claimed):
    rule = RULES[name]
    digits = 5e-8 if name == "same-seed" else 5e-5
    assert float(rule.second_moments(F(1), 1, P, F(1), 1)[1]) == pytest.approx(found, abs=digits)
    assert float(1 - rule.claimed_step(F(1, 12), P)) == pytest.approx(claimed, abs=digits)


def test_different_workers_pay_for_their_gradients_at_the_solution():
    values = {"mu": 0.1, "eta": 0.2, "r_0": 1, "sigma_sq": 0.5, "omega": 1, "P": 4, "T": 7}
    same = evaluate(CLAIM.bound, values)
    assert evaluate(CLAIM.formulas["bound_different"], {**values, "S_star": 0}) == pytest.approx(
        same, rel=1e-15
    )
    more = evaluate(CLAIM.formulas["bound_different"], {**values, "S_star": 3})
    assert more - same == pytest.approx(2 * 0.2 / (0.1 * 16) * 3, rel=1e-12)
    # The step of different workers is shorter.
    assert formula("step_size_different", L=1, omega=1, P=4) == Rational(2, 3)
    assert STATED.claimed_step(F(1), 4) == F(4, 5)
