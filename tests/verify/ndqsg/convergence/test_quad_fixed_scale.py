"""Golden numbers of the specification for quadratics at a fixed scale."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer
from impl.optimizers import quantized_sgd
from impl.problems import Quadratic
from verify.ndqsg.convergence.quad_fixed_scale import judge
from verify.ndqsg.fixtures.fixed_scale_runs import START, STYLES, rounded_distance

LAW = judge._law()


def value(T, v=F(1, 48)):
    return LAW("exact", **START, v=v, T=T)


# Printed with 16 digits: a unit of the last one.
@pytest.mark.parametrize(
    ("T", "golden"), [(1, 1.730625), (10, 0.4147384496264312), (100, 0.0723011899627709)]
)
def test_distance_after_T_steps(T, golden):
    assert value(T) == pytest.approx(golden, rel=2e-15)


def test_ratios_of_the_mutants():
    # As their descriptions say: 1.38 and 4 times, 0.963 and 0.0118 times.
    assert value(10, F(1, 12)) / value(10) == pytest.approx(1.38, abs=5e-3)
    assert value(100, F(1, 12)) / value(100) == pytest.approx(4, abs=5e-3)
    assert rounded_distance(10) / value(10) == pytest.approx(0.963, abs=5e-4)
    assert rounded_distance(100) / value(100) == pytest.approx(0.0118, abs=5e-5)


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
        found = STYLES[name].run(T, np.random.default_rng(T), 64 * 40)
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
        variance = LAW("variance", kappa=scale, M=1, P=2, s_sq=0)
        x_sq = LAW("recursion", C=x_sq, eta=0.5, lambda_=(1,), v=variance, j=0)
    # 4000 coordinates: six standard errors.
    assert (x**2).mean() == pytest.approx(x_sq, abs=6 * (x**2).std() / 4000**0.5)
