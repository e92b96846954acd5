"""Golden numbers of the specification for quadratics at a fixed scale."""

from fractions import Fraction as F

import numpy as np
import pytest
from sympy import Rational

import theory
from impl.compressors import DitheredQuantizer
from impl.optimizers import quantized_sgd
from impl.problems import Quadratic
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.finding_one_sided_tests import rounded
from verify.ndqsg.quad_fixed_scale import CURVATURES, STEP, STYLES, sample_run
from verify.ndqsg.fixtures.quadratic_oracle import moment

CLAIM = theory.claim("ndqsg/quad-fixed-scale")
SETTING = {"lambda_": CURVATURES, "x0": (1, 1, 1), "eta": STEP, "d": 3}


def value(T, v=F(1, 48)):
    return evaluate(CLAIM.exact, {**SETTING, "v": v, "T": T})


def test_variance():
    values = {"kappa": 2, "M": 2, "P": 4, "s_sq": 0}
    assert evaluate_exact(CLAIM.formulas["variance"], values) == Rational(1, 48)


# Printed with 16 digits: a unit of the last one.
@pytest.mark.parametrize(
    ("T", "golden"), [(1, 1.730625), (10, 0.4147384496264312), (100, 0.0723011899627709)]
)
def test_distance_after_T_steps(T, golden):
    assert value(T) == pytest.approx(golden, rel=2e-15)


def test_worst_case_of_one_step():
    case = CLAIM.worst_cases[0]
    assert evaluate_exact(CLAIM.exact, dict(case.values)) == case.value == Rational(1730625, 1000000)


# Three digits: half a unit of the last one.
@pytest.mark.parametrize(("T", "golden"), [(10, 0.574), (100, 0.289)])
def test_same_seed(T, golden):
    assert value(T, F(1, 12)) == pytest.approx(golden, abs=5e-4)


def test_ratios_of_the_mutants():
    # As their descriptions say: 1.38 and 4 times, 3 times, 0.963 and 0.0118 times, 19 times.
    assert value(10, F(1, 12)) / value(10) == pytest.approx(1.38, abs=5e-3)
    assert value(100, F(1, 12)) / value(100) == pytest.approx(4, abs=5e-3)
    assert 1.256 / value(10) == pytest.approx(3, abs=0.05)
    assert exact(10) / value(10) == pytest.approx(0.963, abs=5e-4)
    assert exact(100) / value(100) == pytest.approx(0.0118, abs=5e-5)
    assert 8.08 / value(10) == pytest.approx(19, abs=0.5)


def exact(T):
    return sum(moment(laws[T], 2) for laws in rounded(100))


@pytest.mark.parametrize(
    ("name", "at_10", "at_100"),
    [
        ("half-width-dither", 1.256, 1.27),
        ("dither-added", 0.508, 0.134),
        ("desynchronised", 0.459, 0.101),
        ("floor-for-round", 8.08, 26.1),
    ],
)
def test_measured_mutants(name, at_10, at_100):
    # The specification's numbers are sample means themselves, printed with three digits (two readings differ
    # by up to two per cent); the sample here has 64 * 40 runs, so six of its standard errors are added.
    for T, golden in ((10, at_10), (100, at_100)):
        found = sample_run(STYLES[name], T, np.random.default_rng(T), 64 * 40)
        error = 6 * found.std() / len(found) ** 0.5
        assert found.mean() == pytest.approx(golden, abs=error + 0.02 * golden)


def test_clipped_indices_break_the_identity():
    # With a scale below the gradients and indices clipped to -M..M the run is another one.
    codec = DitheredQuantizer(2, scale=0.5)
    draws = codec.draw(np.random.default_rng(0), (4,))
    assert np.abs(codec.message(np.full(4, 2.0), draws).symbols).min() >= 7
    assert codec.clips(np.full(4, 2.0), draws) == 0


def test_predetermined_scales_follow_the_recursion_too():
    # Statement: the recursion holds step by step, also for a scale that changes by a plan.
    scales, x_sq = (2.0, 1.0, 0.5), 1.0
    problem = Quadratic(np.ones((2, 4000)))
    x, rng = np.ones(4000), np.random.default_rng(1)
    for scale in scales:
        x = quantized_sgd(
            problem, DitheredQuantizer(1, scale=scale), step_size=0.5, rounds=1, rng=rng, start=x
        ).x[0]
        variance = evaluate(CLAIM.formulas["variance"], {"kappa": scale, "M": 1, "P": 2, "s_sq": 0})
        values = {"C": x_sq, "eta": 0.5, "lambda_": (1,), "v": variance, "j": 0}
        x_sq = evaluate(CLAIM.formulas["recursion"], values)
    # 4000 coordinates: six standard errors.
    assert (x**2).mean() == pytest.approx(x_sq, abs=6 * (x**2).std() / 4000**0.5)
