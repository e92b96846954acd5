"""Methods of the experiments at their theoretical parameters."""

import numpy as np
import pytest

from impl.problems import tridiagonal
from verify.errors import UsageError
from verify.experiments.cq_marina.methods import (
    NAMES,
    Arrival,
    exactly,
    first_below,
    method_of,
    nearest,
    rounded_down,
    with_noise,
)


@pytest.fixture(scope="module")
def problem():
    return tridiagonal(4, 8, heterogeneity=0.5, mu=0.1, offset=0.3)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "correlated"])
def test_runs_have_the_exact_expectations(problem, name):
    method = method_of(problem, name)
    exact = method.expectations(12).gradient_norm_sq
    result = method.run(np.random.default_rng(5), rounds=12, replicates=4000)
    mean = result.gradient_norm_sq.mean(axis=0)
    error = result.gradient_norm_sq.std(axis=0) / 4000**0.5
    assert np.all(np.abs(mean - exact) <= 5 * error + 1e-6 * exact)


@pytest.mark.parametrize("name", NAMES)
def test_runs_send_the_expected_bits(problem, name):
    method = method_of(problem, name)
    bits = method.run(np.random.default_rng(6), rounds=11, replicates=4000).bits
    # The run counts what has been sent before x^k, one message less than the price of k rounds.
    expected = float(method.bits(10))
    assert bits[:, 11].mean() == pytest.approx(expected, abs=5 * bits[:, 11].std() / 4000**0.5 + 1e-9)


def test_correlated_quantization_has_no_exact_expectations(problem):
    with pytest.raises(UsageError, match="run it instead"):
        method_of(problem, "correlated").expectations(3)


def test_permk_has_none_where_neither_size_divides_the_other():
    method = method_of(tridiagonal(3, 8, heterogeneity=0.5, mu=0.1), "perm_k")
    with pytest.raises(UsageError, match="n=3, d=8"):
        method.expectations(3)


def test_unknown_methods_are_named(problem):
    with pytest.raises(UsageError, match="rand_k, perm_k, independent, correlated"):
        method_of(problem, "topk")


def test_rules_for_kept_entries():
    assert [nearest(n, 32) for n in (2, 10, 20, 50)] == [16, 3, 2, 1]
    assert [rounded_down(n, 68) for n in (10, 50, 100)] == [6, 1, 1]


def test_noise_sets_probability_and_step(problem):
    method = method_of(problem, "independent")
    first, second = (with_noise(method, method.chi / part) for part in (100, 400))
    assert second.probability < first.probability < method.probability == 1.0
    assert second.step_size > first.step_size
    assert second.theoretical_cost < first.theoretical_cost < 1.0
    fixed = with_noise(method, method.chi, probability=0.5)
    chi, L = method.chi, method.constants.L_minus
    assert fixed.step_size == pytest.approx(1 / (L + chi**0.5), rel=1e-12)


def test_first_below_and_arrival(problem):
    assert first_below([3.0, 2.0, 1.0, 0.5], 1.0) == 2
    with pytest.raises(UsageError, match="not reached in 1 rounds"):
        first_below([3.0, 2.0], 1.0)
    method = method_of(problem, "correlated")
    arrival = Arrival(np.array([[3.0, 1.0, 2.0], [3.0, 2.0, 2.0]]), 1.0, method)
    assert arrival.rounds.tolist() == [1.0, 2.0]
    low, high = arrival.bits
    assert low.tolist() == [float(method.bits(1)), float(method.bits(2))]
    assert high.tolist() == [float(method.bits(1)), np.inf]


def test_known_numbers_as_samples():
    low, high = exactly(2.5, 3)
    assert low.tolist() == high.tolist() == [2.5, 2.5, 2.5]
