"""Golden numbers of the specification for MARINA with biased compressors."""

import numpy as np
import pytest

import theory
from verify.cq_marina.fixtures.second_moments import QuadraticRun, rand_k_noise
from verify.evaluation import EvaluationError, evaluate

CLAIM = theory.claim("cq_marina/marina-biased")

# Goldens are printed with 13 digits: half a unit of the last one.
DIGITS = 5e-13


def digits(number):
    return pytest.approx(number, rel=DIGITS, abs=0)


def value(name, **values):
    return evaluate(CLAIM.formulas[name], values)


def nothing(Y, Z, n):
    return 0 * Y


def scalar_run(p, step):
    """A compressor that sends nothing, on f = x^2 / 2 from 1."""
    run = QuadraticRun(np.ones((1, 1, 1)), None, np.ones(1), step, p, nothing, gain=0.0)
    return run.trace(40)


@pytest.mark.parametrize(
    ("p", "step", "average", "bound"),
    [
        (0.5, 0.2928932188135, 0.05111996441785, 0.08535533905933),
        (0.1, 0.05131670194949, 0.2088453249718, 0.4871708245126),
    ],
)
def test_compressor_that_sends_nothing(p, step, average, bound):
    gamma = value("step_size", p=p, X_v=0, X_b=1, L_minus=1)
    assert gamma == digits(step)
    assert gamma == pytest.approx(1 / (1 + value("root_kappa_any", p=p, X=1)), rel=1e-14)
    assert scalar_run(p, gamma).average(40) == digits(average)
    s = value("s_star", p=p, X_v=0, X_b=1)
    values = {"gamma": gamma, "T": 40, "Delta_0": 0.5, "E_0": 0, "p": p, "s": s}
    assert evaluate(CLAIM.bound, values) == digits(bound)


def test_step_of_unbiased_compressors_diverges():
    gamma = 1 / (1 + value("root_kappa_unbiased", p=0.1, X_v=1))
    assert gamma == digits(0.25)
    assert scalar_run(0.1, gamma).average(40) == digits(4.448904279801)
    assert 2 * 0.5 / (gamma * 40) == digits(0.1)
    # Section 8: at p = 1/2 the ratio is 1.49.
    gamma = 1 / (1 + value("root_kappa_unbiased", p=0.5, X_v=1))
    assert scalar_run(0.5, gamma).average(40) * gamma * 40 == pytest.approx(1.49, abs=5e-3)


def test_half_of_rand_k():
    X_v = value("scaled_variance", sigma=0.5, omega=3, n=1, L_plus=1)
    X_b = value("scaled_bias", sigma=0.5, L_minus=1)
    assert (X_v, X_b) == (0.75, 0.25)
    gamma = value("step_size", p=0.05, X_v=X_v, X_b=X_b, L_minus=1)
    assert gamma == digits(0.04772751981656)
    assert ratio_at_400(gamma) == digits(0.5282517035499)
    unbiased = 1 / (1 + value("root_kappa_unbiased", p=0.05, X_v=1))
    assert unbiased == digits(0.1866054968634)
    assert ratio_at_400(unbiased) == digits(9.328576979426)


def ratio_at_400(gamma):
    run = QuadraticRun(np.eye(8)[None], None, np.ones(8), gamma, 0.05, rand_k_noise(2), gain=0.5)
    return run.trace(400).average(400) * gamma * 400 / 8


@pytest.mark.parametrize(("p", "X_v", "X_b"), [(0.5, 0.0, 1.0), (0.05, 0.75, 0.25), (0.9, 3.0, 0.01)])
def test_split_of_the_specification(p, X_v, X_b):
    q = 1 - p
    stated = (-q * X_b + (q**2 * X_b**2 + p * q * (X_v + X_b) * X_b) ** 0.5) / (q * (X_v + X_b))
    assert value("s_star", p=p, X_v=X_v, X_b=X_b) == pytest.approx(stated, rel=1e-12)


@pytest.mark.parametrize("s", [1.001, 5.0])
def test_split_outside_its_range_raises(s):
    # Section 8: kappa < 0 there, so there is no step.
    assert value("kappa", p=0.5, X_v=1, X_b=1, s=s) < 0
    with pytest.raises(EvaluationError, match="undefined at"):
        value("step_at_split", p=0.5, X_v=1, X_b=1, s=s, L_minus=1)


def test_no_bias_is_the_rate_of_unbiased_compressors():
    unbiased = value("root_kappa_unbiased", p=0.1, X_v=7 / 4)
    assert value("root_kappa", p=0.1, X_v=7 / 4, X_b=0) == pytest.approx(unbiased, rel=1e-15)
    # The step of `cq_marina/marina-rate` at the identity, n = 4, d = 8.
    assert value("step_size", p=0.1, X_v=7 / 4, X_b=0, L_minus=1) == digits(0.201262845193)
