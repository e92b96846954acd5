"""The sabotaged methods do what their names say, and the tree of outcomes adds up."""

import numpy as np
import pytest

from impl.compressors import RandK
from impl.optimizers import MarinaEstimator, marina
from impl.problems import Quadratic
from verify.cq_marina.marina.outcome_tree import correlated_trace, equal_input_outcomes
from verify.cq_marina.marina.sabotaged_marina import PrivateCoin, RareFullGradient, StaleDifference


def run(estimator, compressor=None, p=0.3, rounds=60, **changes):
    problem = Quadratic.from_centers(
        [[1.0, 2.0], [3.0, 1.0], [1.0, 1.0]], [[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]
    )
    arguments = {"step_size": 0.1, "probability": p, "rounds": rounds, "replicates": 50, **changes}
    made = RandK(1) if compressor is None else compressor
    return marina(problem, made, rng=np.random.default_rng(0), estimator=estimator, **arguments)


def test_private_coins_mix_lengths_of_messages():
    sent = np.diff(run(PrivateCoin, float_bits=64).bits, axis=1)[:, 1:]
    # One entry of 64 bits or two: a mean over three clients of 1 or 2 entries.
    assert len(np.unique(np.round(sent))) == 4
    assert sent.mean() == pytest.approx(64 * 1.3, rel=0.02)
    assert len(np.unique(np.diff(run(MarinaEstimator).bits, axis=1)[:, 1:])) == 2


def test_private_coins_leave_the_method_alone_at_probability_one():
    np.testing.assert_allclose(run(PrivateCoin, p=1.0).x, run(MarinaEstimator, p=1.0).x, rtol=1e-12)


def test_stale_differences_start_in_the_second_compressed_round():
    whole = run(MarinaEstimator, RandK(2), p=1e-9, rounds=4, trace=True).iterates
    stale = run(StaleDifference, RandK(2), p=1e-9, rounds=4, trace=True).iterates
    np.testing.assert_allclose(stale[:, :3], whole[:, :3])
    assert np.abs(stale[:, 3] - whole[:, 3]).max() > 1e-3


def test_rare_full_gradients_come_with_a_quarter_of_the_probability():
    sent = np.diff(run(RareFullGradient, p=0.8, rounds=200).bits, axis=1)[:, 1:]
    assert (sent > 100).mean() == pytest.approx(0.2, abs=0.03)


def test_outcomes_of_equal_inputs():
    chances, estimates = equal_input_outcomes(np.array([[3.0, 4.0], [0.0, 0.0]]), 3)
    np.testing.assert_allclose(chances.sum(axis=0), 1)
    np.testing.assert_allclose((chances[..., None] * estimates).sum(axis=0), [[3, 4], [0, 0]], atol=1e-14)
    # y = (4/5, 9/10), so n y = (12/5, 27/10): two levels apart by 2 r / n.
    assert np.unique(estimates[:, 0, 0]).tolist() == pytest.approx([5 / 3, 5])
    assert np.all(estimates[:, 1] == 0)


def test_tree_conserves_probability_and_starts_exactly():
    trace = correlated_trace(np.eye(1), [2.0], clients=1, step_size=0.5, probability=0.5, rounds=4)
    assert trace.error[0] == 0
    # One coordinate: the one-bit quantizer sends +-r with y = 0 or 1, so there is no error at all.
    np.testing.assert_allclose(trace.error, 0, atol=1e-15)
    np.testing.assert_allclose(trace.gradient_norm_sq, 4 * 0.25 ** np.arange(5))
