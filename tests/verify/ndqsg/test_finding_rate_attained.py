"""Numbers of the finding on the attained rate."""

from fractions import Fraction as F

import pytest
from sympy import Rational

import theory
from verify.evaluation import evaluate_exact, names
from verify.ndqsg.finding_rate_attained import AS_STATED, READINGS, claimed_factor, expected_lengths
from verify.ndqsg.one_dimension import RULES, STATED

CLAIM = theory.claim("ndqsg/finding-rate-attained")
OMEGA = F(1, 12)


def stated(name, **values):
    formula = CLAIM.expressions[name]
    return evaluate_exact(formula, {key: values[key] for key in names(formula)})


@pytest.mark.parametrize(("P", "golden"), [(1, Rational(1, 13)), (4, Rational(1, 49))])
def test_least_factor(P, golden):
    assert stated("least", omega=OMEGA, P=P) == golden == 1 - stated("longest", omega=OMEGA, P=P)
    assert claimed_factor(AS_STATED, OMEGA, P) == golden


# Three digits in the statement.
@pytest.mark.parametrize(("name", "P", "ratio"), [("half-omega", 1, 1.96), ("same-seed", 4, 3.94)])
def test_a_fault_is_a_factor_per_step(name, P, ratio):
    rule = RULES[name]
    for T in (1, 5):
        found = rule.second_moments(F(1), 1, P, F(1), T)[T]
        claimed = claimed_factor(READINGS[name], OMEGA, P) ** T
        assert float(found / claimed) == pytest.approx(ratio**T, rel=5e-3 * T)


def test_one_and_a_half_times_the_step():
    # 4.0 and 13 times the claimed factor per step, as in `ndqsg/conv-strong`.
    for P, ratio in ((1, 4.0), (4, 13.0)):
        longest = stated("longest", omega=OMEGA, P=P)
        h = Rational(3, 2) * longest
        excess = stated("excess", h=h, omega=OMEGA, P=P)
        assert float((1 - h + excess) / (1 - longest)) == pytest.approx(ratio, rel=5e-3)
        found = RULES["long-step"].second_moments(F(1), 1, P, F(1), 1)[1]
        assert found == F(int((1 - h + excess).p), int((1 - h + excess).q))


def test_any_longer_step_exceeds_the_rate_and_any_shorter_one_is_slower():
    longest = stated("longest", omega=OMEGA, P=1)
    assert stated("excess", h=longest * (1 + Rational(1, 10**9)), omega=OMEGA, P=1) > 0
    for h in (longest * Rational(99, 100), longest * Rational(101, 100)):
        factor = 1 - h + stated("excess", h=h, omega=OMEGA, P=1)
        assert factor > stated("least", omega=OMEGA, P=1)


def test_noise_term_is_attained_in_the_limit():
    step = STATED.claimed_step(OMEGA, 4)
    values = {"eta": step, "omega": OMEGA, "P": 4, "sigma_sq": F(1, 2)}
    bound = theory.claim("ndqsg/conv-strong").bound
    for T, share in ((1, F(1, 49)), (6, F(1, 49**6))):
        above = evaluate_exact(bound, {**values, "mu": 1, "r_0": 1, "T": T})
        noise = evaluate_exact(bound, {**values, "mu": 1, "r_0": 0, "T": T})
        exact = stated("exact", **values, lambda_=1, r_0=1, T=T)
        assert (above - exact) / noise == Rational(share)


def test_one_block_of_two_is_below_the_bound_after_two_steps():
    step = STATED.claimed_step(F(2, 12) * F(15, 16), 1)
    first, second = expected_lengths(2, step)
    assert first == 1 - step
    assert second < F(9, 10) * (1 - step) ** 2


def test_worst_cases():
    for case in CLAIM.worst_cases:
        name = "excess" if "h" in case.values else "least"
        assert stated(name, **case.values) == case.value
