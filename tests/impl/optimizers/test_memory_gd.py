"""Gradient descent with memory beside the ends of the range of messages."""

import numpy as np

from impl.compressors import OneBit
from impl.optimizers import memory_gd
from impl.problems import Quadratic


def test_class_means_that_are_too_small_stay_in_the_memory():
    """Means of 32 bits below their range are sent as zeros: the run goes on."""
    problem = Quadratic([[1.0, 1.0]])
    start = np.array([1e-47, 3e-47])
    run = memory_gd(
        problem, OneBit(norm_bits=32), step_size=0.5, rounds=3, rng=np.random.default_rng(0), start=start,
        trace=True,
    )  # fmt: skip
    np.testing.assert_array_equal(run.x[0], start)
    np.testing.assert_allclose(run.shifts[0, -1, 0], 3 * start)
