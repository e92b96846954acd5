"""Gradient descent with memory: what is kept, in which form, and that it mends biased compressors."""

from fractions import Fraction

import numpy as np
import pytest

from impl.compressors import Draws, OneBit, RandK, Scaled, TopK, TopKSigns
from impl.optimizers import dcgd, memory_gd
from impl.problems import Quadratic

COMPRESSORS = {
    "top-1": TopK(1),
    "signs": TopKSigns(5, scale="mean"),
    "one bit": OneBit(),
    "rand-2, unscaled": Scaled(RandK(2), Fraction(2, 5)),
}


def toy(n=3):
    rng = np.random.default_rng(0)
    return Quadratic.from_centers(rng.uniform(0.5, 2, (n, 5)), rng.standard_normal((n, 5)))


@pytest.mark.parametrize("name", COMPRESSORS)
def test_what_is_kept_is_what_was_lost(name):
    problem, compressor = toy(), COMPRESSORS[name]
    options = {"step_size": 0.1, "rounds": 9, "replicates": 4, "trace": True}
    run = memory_gd(problem, compressor, rng=np.random.default_rng(1), **options)
    sums = np.cumsum(problem.gradients(run.iterates[0])[:-1], axis=0)  # of all gradients so far, (K, n, d)
    sent = -(run.iterates[0, 1:] - run.iterates[0, 0]) / 0.1
    # Everything arrives, but for the memory: the sum of the messages is that of the gradients less h.
    np.testing.assert_allclose(sums.mean(axis=1) - run.shifts[0, 1:].mean(axis=1), sent, rtol=1e-12)
    np.testing.assert_allclose(run.shift_distance_sq, (run.shifts**2).sum(axis=-1))
    assert not run.shifts[:, 0].any()


def test_steps_inside_the_memory_make_the_same_points():
    """Stich et al. keep gamma h and compress it with gamma times the gradient."""
    problem, compressor, gamma = toy(1), TopK(2), 0.25
    run = memory_gd(problem, compressor, step_size=gamma, rounds=30, rng=np.random.default_rng(0), trace=True)
    x, m = np.zeros(5), np.zeros(5)
    for k in range(31):
        np.testing.assert_allclose(run.iterates[0, k], x, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(gamma * run.shifts[0, k, 0], m, rtol=1e-10, atol=1e-12)
        whole = m + gamma * problem.gradients(x)[0]
        g = compressor.compress(whole, Draws())
        x, m = x - g, whole - g


def test_memory_mends_the_largest_entries_and_signs():
    """One node of condition 100: both arrive at the step that is proved."""
    problem = Quadratic.from_centers([[1.0, 0.1, 0.01]], [[1.0, -2.0, 3.0]])
    for compressor, delta in ((TopK(1), 1 / 3), (TopKSigns(3, scale="mean"), 1 / 3)):
        step = (1 - (1 - delta) ** 0.5) / 2
        options = {"step_size": step, "rounds": 10_000, "rng": np.random.default_rng(0)}
        assert memory_gd(problem, compressor, **options).distance_sq[0, -1] < 1e-7


def test_memory_mends_what_diverges():
    """Largest entries of three nodes whose mean of them points away from the solution."""
    a = np.array([[-3.0, 2, 2], [2, -3, 2], [2, 2, -3]])
    # f_i = <a_i, x>^2 + |x|^2/4: at (t, t, t) every node keeps its negative entry.
    problem = Quadratic(2 * a[:, :, None] * a[:, None, :] + np.eye(3) / 2, np.zeros((3, 3)))
    options = {"step_size": 0.01, "start": np.ones(3), "rng": np.random.default_rng(0)}
    assert dcgd(problem, TopK(1), rounds=400, **options).distance_sq[0, -1] > 100
    assert memory_gd(problem, TopK(1), rounds=4000, **options).distance_sq[0, -1] < 1e-9


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
