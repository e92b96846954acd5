import numpy as np
import pytest

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


def diagonal():
    return Quadratic.from_centers([[1.0, 0.0, 2.0], [0.5, 1.0, 0.0]], [[1.0, 5.0, 0.0], [2.0, -1.0, 3.0]])


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


def test_smoothness_in_every_form_gives_the_same_run(thinned):
    problem = diagonal()
    other = np.array([[2.0, 0.0, 3.0], [1.0, 1.5, 0.0]])
    runs = [
        dcgd_plus(
            problem, thinned(), step_size=0.2, rounds=9, rng=np.random.default_rng(1), smoothness=smoothness
        ).x
        for smoothness in (
            other,
            [np.diag(row) for row in other],
            MatrixRoots.of_nodes(other),
            problem.smoothness,
        )
    ]
    np.testing.assert_allclose(runs[0], runs[1], rtol=1e-13)
    np.testing.assert_array_equal(runs[0], runs[2])
    # The sparsifier commutes with diagonal roots: on the same range the matrices do not matter.
    np.testing.assert_allclose(runs[0], runs[3], rtol=1e-13)


def test_scalar_matrices_make_it_unaware(thinned):
    from impl.optimizers import dcgd

    problem = dense()
    plain = dcgd(problem, thinned(), step_size=0.1, rounds=9, rng=np.random.default_rng(1))
    scaled = problem.L_nodes[:, None] * np.ones((3, 5))
    plus = dcgd_plus(
        problem, thinned(), step_size=0.1, rounds=9, rng=np.random.default_rng(1), smoothness=scaled
    )
    np.testing.assert_allclose(plus.x, plain.x, rtol=1e-12)


def test_one_node_in_one_dimension(thinned):
    result = dcgd_plus(
        Quadratic([[4.0]], [[4.0]]), thinned(1.0), step_size=0.25, rounds=2, rng=np.random.default_rng(0)
    )
    assert result.x.tolist() == [[1.0]]
    assert result.distance_sq.tolist() == [[1.0, 0.0, 0.0]]


def test_indefinite_matrices_are_refused(whole):
    with pytest.raises(ArgumentError, match="indefinite"):
        dcgd_plus(dense(), whole, step_size=1, rounds=1, rng=None, smoothness=-np.ones((3, 5)))
