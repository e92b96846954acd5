"""Golden numbers of the specification, from the formulas of the claim alone: steps for DIANA+."""

import math

import pytest

import theory
from verify.evaluation import evaluate

CLAIM = theory.claim("squant/steps-diana")
STEPS = theory.claim("squant/steps")
GOLDEN = {"L": (1, 0.1, 0.01), "n": 4, "mu": 0.01, "d": 3}

# Printed with 12 digits.
DIGITS = 2e-12


def formula(name, **values):
    return evaluate(CLAIM.formulas[name], values)


def digits(value):
    return pytest.approx(value, rel=DIGITS, abs=0)


def steps_of(diagonal, n, mu, beta):
    total = formula("total_weight", L=diagonal, n=n, mu=mu, d=len(diagonal))
    return [formula("step", W=total, L_j=item, n=n, mu=mu, beta=beta) for item in diagonal]


def test_golden_steps():
    assert formula("total_weight", **GOLDEN) == digits(30.75)
    steps = steps_of(GOLDEN["L"], 4, 0.01, 2)
    assert steps == [digits(item) for item in (0.543758289061, 1.48203528009, 2.47991935353)]
    assert math.hypot(*steps) == digits(2.93974516725)
    assert formula("norm", **GOLDEN, beta=2) == digits(2.93974516725)
    assert math.fsum(step**-2 for step in steps) == digits(4)


def test_golden_bounds():
    value = formula("smoothness_value", **GOLDEN, beta=2)
    assert value == digits(14.1034650582)
    coarse = math.hypot(
        *(item * step for item, step in zip(GOLDEN["L"], steps_of(GOLDEN["L"], 4, 0.01, 2), strict=True))
    )
    assert coarse / (4 * 0.01) == digits(14.1034650582)
    bound = evaluate(CLAIM.bound, {**GOLDEN, "beta": 2})
    assert bound == digits(15.375)
    assert formula("norm", **GOLDEN, beta=2) <= formula("norm_bound", **GOLDEN, beta=2) <= bound
    assert value <= bound


def test_plain_steps_have_the_printed_norm():
    plain = [
        evaluate(STEPS.formulas["vary_step"], {"L": GOLDEN["L"], "beta": 2, "d": 3, "i": i}) for i in range(3)
    ]
    assert math.hypot(*plain) == digits(5.55)
    assert formula("plain_norm", L=GOLDEN["L"], beta=2, d=3) == digits(5.55)


def test_plain_steps_of_a_vanishing_weight():
    diagonal = (1,) * 9 + (1e-8,)
    # Printed with one digit: 3e4 / beta against 19 / beta.
    assert formula("plain_norm", L=diagonal, beta=1, d=10) == pytest.approx(3e4, rel=1e-4)
    bound = evaluate(CLAIM.bound, {"L": diagonal, "n": 1, "mu": 1, "beta": 1, "d": 10})
    assert bound == pytest.approx(19, rel=1e-8)


def test_worst_cases_have_their_value():
    for case in CLAIM.worst_cases:
        assert evaluate(CLAIM.bound, case.values) == digits(float(case.value))


def test_one_block_for_each_coordinate_is_a_varying_step_without_its_square_root():
    """With blocks of one coordinate G_l = w_l and S = W, so h_l = W / (beta w_l)."""
    total = formula("block_total", m=(1,) * 3, F=GOLDEN["L"], n=4, mu=0.01, B=3)
    assert total == digits(30.75)
    for item in GOLDEN["L"]:
        weight = formula("weight", L_j=item, n=4, mu=0.01)
        assert formula("block_weight", d_l=1, F_l=item, n=4, mu=0.01) == digits(weight)
        step = formula("block_step", d_l=1, F_l=item, n=4, mu=0.01, S=total, beta=2)
        assert step == digits(30.75 / (2 * weight))
