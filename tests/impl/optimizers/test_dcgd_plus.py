import numpy as np
import pytest

from impl.compressors import StochasticQuantizer
from impl.errors import ArgumentError, RangeError
from impl.matrix_roots import MatrixRoots
from impl.optimizers import dcgd_plus, dcgd_plus_reference
from impl.problems import Quadratic

# Squant/range: f_1 = x_1^2 / 2 + x_2, L_1 = diag(1, 0), f_2 = ||x||^2 / 2; the solution is (0, -1).
OUTSIDE = ([[1.0, 0.0], [1.0, 1.0]], [[0.0, -1.0], [0.0, 0.0]])


def dense(seed=0, n=3, d=5, rank=5):
    rng = np.random.default_rng(seed)
    factors = rng.standard_normal((n, d, rank))
    return Quadratic.from_centers(factors @ np.swapaxes(factors, -1, -2) / d, rng.standard_normal((n, d)))


def test_replicates_are_the_loops_of_consecutive_streams(thinned):
    """One round: replicate r uses the r-th block of n d uniforms."""
    problem, rng, start = dense(), np.random.default_rng(9), np.ones(5)
    batched = dcgd_plus(
        problem, thinned(), step_size=0.1, rounds=1, rng=np.random.default_rng(9), replicates=4, start=start
    )
    for r in range(4):
        literal = dcgd_plus_reference(problem, [thinned()] * 3, step_size=0.1, rounds=1, rng=rng, start=start)
        np.testing.assert_allclose(batched.x[r], literal.x[0], rtol=1e-12)


def test_golden_counterexample_without_the_check(whole):
    problem = Quadratic(*OUTSIDE)
    assert problem.solution.tolist() == [0.0, -1.0]
    arguments = {"step_size": 1.0, "rounds": 200, "rng": np.random.default_rng(0), "start": [1.0, 1.0]}
    result = dcgd_plus(problem, whole, check_range=False, **arguments)
    # Rounds halve the second coordinate: 2^-200 is zero at this tolerance. The golden error is 1.
    np.testing.assert_allclose(result.x, [[0.0, 0.0]], atol=1e-15)
    assert result.distance_sq[0, -1] == pytest.approx(1.0, abs=1e-15)


def test_the_counterexample_is_refused(whole):
    problem, rng = Quadratic(*OUTSIDE), np.random.default_rng(0)
    with pytest.raises(RangeError, match=r"A3.*node 0.*= 1 above"):
        dcgd_plus(problem, whole, step_size=1.0, rounds=5, rng=rng)
    with pytest.raises(RangeError, match="node 0"):
        dcgd_plus_reference(problem, [whole] * 2, step_size=1.0, rounds=5, rng=rng)


def test_singular_matrices_run_to_the_solution_without_false_alarm(whole):
    singular = [[[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]], np.diag([1.0, 2.0, 3.0])]
    problem = Quadratic.from_centers(singular, [[1.0, 1.0, 0.0], [0.0, -1.0, 1.0]])
    assert np.abs(problem.gradients(problem.solution)).max() > 0.1  # no interpolation
    result = dcgd_plus(problem, whole, step_size=1 / problem.L, rounds=3000, rng=np.random.default_rng(0))
    assert result.distance_sq[0, -1] < 1e-28  # rounding of x* of size 1
    interpolating = Quadratic.from_centers([[1.0, 0.0], [0.0, 1.0]], [[2.0, 3.0], [2.0, 3.0]])
    result = dcgd_plus(interpolating, whole, step_size=1.0, rounds=300, rng=np.random.default_rng(0))
    np.testing.assert_allclose(result.x, [[2.0, 3.0]], rtol=1e-14)


def test_indefinite_matrices_are_refused(whole):
    with pytest.raises(ArgumentError, match="indefinite"):
        dcgd_plus(dense(), whole, step_size=1, rounds=1, rng=None, smoothness=-np.ones((3, 5)))


class Doubled(MatrixRoots):
    """A server that multiplies by twice the root."""

    def apply_root(self, x):
        return 2 * super().apply_root(x)


def test_roots_of_another_class_are_asked_for_what_they_do():
    """Diagonal ones of the usual class are multiplied where messages are decoded."""
    problem, start = Quadratic([[1.0, 4.0], [9.0, 1.0]]), np.ones(2)
    roots = MatrixRoots.of_nodes(problem.smoothness)
    moved = []
    for given in (roots, Doubled(**vars(roots))):
        result = dcgd_plus(
            problem,
            StochasticQuantizer([0.5, 0.25]),
            step_size=0.1,
            rounds=1,
            rng=np.random.default_rng(0),
            start=start,
            smoothness=given,
        )
        moved.append(result.x[0] - start)
    np.testing.assert_allclose(moved[1], 2 * moved[0], rtol=1e-14)
