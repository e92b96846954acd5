"""Golden numbers of the specification for quadratics with the scale of each gradient."""

from fractions import Fraction as F

import numpy as np
import pytest
from sympy import Rational

import theory
from impl.compressors import DitheredQuantizer
from impl.optimizers import quantized_sgd
from impl.problems import Quadratic
from verify.evaluation import evaluate_exact

CLAIM = theory.claim("ndqsg/quad-adaptive")


def formula(name, **values):
    return evaluate_exact(CLAIM.formulas[name], values)


def after(T, lam, x0, eta, M, P, s_sq):
    a = formula("a", eta=eta, lambda_=lam, M=M, P=P)
    b = formula("b", eta=eta, s_sq=s_sq, M=M, P=P)
    return float(evaluate_exact(CLAIM.exact, {"a": a, "b": b, "x0_sq": x0**2, "T": T}))


# Printed with 13 to 16 digits: a unit of the last one of the shortest.
@pytest.mark.parametrize(
    ("arguments", "golden"),
    [
        ((20, 1, 1, F(1, 2), 1, 1, 0), 4.508606145061735e-12),
        ((20, 1, 1, F(1, 2), 1, 4, 1), 0.0909090909103397),
        ((5, 2, 3, F(1, 4), 2, 3, F(1, 10)), 0.0119378604127051),
    ],
)
def test_second_moment(arguments, golden):
    assert after(*arguments) == pytest.approx(golden, rel=5e-15)


# Printed with 14 to 16 digits.
@pytest.mark.parametrize(
    ("T", "low", "high"),
    [
        (4, 0.0045991238252616, 0.0157336953245563),
        (8, 2.11519399600891e-5, 2.47549168565966e-4),
    ],
)
def test_sandwich(T, low, high):
    values = {"eta": F(1, 2), "lambda_": 1, "M": 1, "P": 2}
    assert float(formula("a", **values)) ** T == pytest.approx(low, rel=1e-14)
    assert float(formula("a_upper", **values, d=10)) ** T == pytest.approx(high, rel=1e-14)


def test_a_start_between_the_rates():
    start = np.linspace(-1, 1, 10)
    length = float(start @ start)
    assert length == pytest.approx(4.074, abs=5e-4)
    run = quantized_sgd(
        Quadratic(np.ones((2, 10))),
        DitheredQuantizer(1),
        step_size=0.5,
        rounds=4,
        rng=np.random.default_rng(2),
        replicates=20_000,
        start=start,
    )
    found = run.distance_sq[:, 4]
    # Measured 0.02534 with error 1e-5 in the specification; six standard errors of the sample here.
    assert found.mean() == pytest.approx(0.02534, abs=1e-5 + 6 * found.std() / 20_000**0.5)
    assert 0.0045991238252616 * length < found.mean() < 0.0157336953245563 * length


def test_fourth_moment_of_one_worker():
    values = {"h": F(1, 2), "M": 1, "P": 1}
    normalised = formula("fourth", **values) / formula("a", eta=F(1, 2), lambda_=1, M=1, P=1) ** 2
    # 1.289 per step, 160 after 20 steps: printed with three digits.
    assert float(normalised) == pytest.approx(1.289, abs=5e-4)
    assert float(normalised) ** 20 == pytest.approx(160, rel=5e-3)


def test_stability_limit():
    assert formula("largest_h", d=10, M=1, P=2) == Rational(2) / (1 + Rational(10, 24))


def test_worst_cases():
    step, one_hot, flat = CLAIM.worst_cases
    assert formula("a", **dict(step.values)) == step.value
    values = {"eta": F(1, 2), "lambda_": 1, "M": 1, "P": 2}
    assert formula("a_upper", **values, d=10) == one_hot.value
    assert formula("a", **values) == flat.value
    for case in (one_hot, flat):
        x = [F(item) for item in case.values["x"]]
        length = sum(item**2 for item in x)
        # The exact variance of the codec on its fine grid of dithers, but for its factor 1 - 2^-48.
        error = DitheredQuantizer(1).variance(x) / (1 - F(1, 2**48))
        expected = (F(1, 4) * length + F(1, 4) * error / 2) / length
        assert float(expected) == pytest.approx(float(case.value), rel=1e-13)


def test_mutants_after_twenty_noisy_steps():
    # Specification: P^2 in a alone changes the value by 0.5 per cent, in a and b it is divided by 4.
    right = after(20, 1, 1, F(1, 2), 1, 4, 1)
    a = formula("a", eta=F(1, 2), lambda_=1, M=1, P=16)
    b = formula("b", eta=F(1, 2), s_sq=1, M=1, P=4)
    alone = float(evaluate_exact(CLAIM.exact, {"a": a, "b": b, "x0_sq": 1, "T": 20}))
    assert alone / right == pytest.approx(0.995, abs=5e-4)
    b = formula("b", eta=F(1, 2), s_sq=1, M=1, P=16)
    both = float(evaluate_exact(CLAIM.exact, {"a": a, "b": b, "x0_sq": 1, "T": 20}))
    assert right / both == pytest.approx(4, rel=6e-3)
