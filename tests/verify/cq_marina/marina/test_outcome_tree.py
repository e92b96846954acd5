"""The tree of outcomes of MARINA adds up."""

import numpy as np
import pytest

from verify.cq_marina.marina.outcome_tree import correlated_trace, equal_input_outcomes


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
