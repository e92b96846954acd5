import numpy as np
import pytest

from impl.errors import ArgumentError, RangeError
from impl.optimizers import diana, diana_plus
from impl.problems import Logistic, Quadratic


def dense(seed=0, n=3, d=5, rank=5):
    rng = np.random.default_rng(seed)
    factors = rng.standard_normal((n, d, rank))
    return Quadratic.from_centers(factors @ np.swapaxes(factors, -1, -2) / d, rng.standard_normal((n, d)))


def diagonal():
    return Quadratic.from_centers([[1.0, 0.0, 2.0], [0.5, 1.0, 0.0]], [[1.0, 5.0, 0.0], [2.0, -1.0, 3.0]])


def test_diana_is_diana_plus_with_scalar_matrices(thinned):
    problem = dense()
    arguments = {"step_size": 0.1, "learning_rate": 0.3, "rounds": 9}
    plain = diana(problem, thinned(), rng=np.random.default_rng(1), **arguments)
    scaled = problem.L_nodes[:, None] * np.ones((3, 5))
    plus = diana_plus(problem, thinned(), rng=np.random.default_rng(1), smoothness=scaled, **arguments)
    np.testing.assert_allclose(plus.x, plain.x, rtol=1e-11)
    # The norms of the shifts differ by the matrices.
    expected = plain.shift_distance_sq / problem.L_nodes
    np.testing.assert_allclose(plus.shift_distance_sq, expected, rtol=1e-9)


def test_shifts_outside_the_range_are_refused(thinned):
    problem = diagonal()
    arguments = {"step_size": 0.1, "learning_rate": 0.3, "rounds": 5, "rng": np.random.default_rng(0)}
    shifts = [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    with pytest.raises(RangeError, match=r"shifts of node 0 are outside the range.*project|Project"):
        diana_plus(problem, thinned(), shifts=shifts, **arguments)
    diana_plus(problem, thinned(), shifts=shifts, check_range=False, **arguments)


def test_a_shift_outside_the_range_is_never_learnt(whole):
    """Node 0 is blind in coordinate 1: the wrong part of its shift stays in the direction."""
    problem = diagonal()
    shifts = [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    result = diana_plus(
        problem,
        whole,
        step_size=1 / problem.L,
        learning_rate=1.0,
        rounds=500,
        rng=np.random.default_rng(0),
        shifts=shifts,
        check_range=False,
    )
    # The fixed point of mean gradient + (0, 1/2, 0): the mean curvature there is 1/2.
    np.testing.assert_allclose(result.x[0] - problem.solution, [0, -1, 0], atol=1e-12)


@pytest.mark.parametrize("method", [diana, diana_plus])
def test_a_learning_rate_above_the_proved_one_is_refused_where_omega_is_known(method, thinned):
    arguments = {"step_size": 0.1, "rounds": 2, "rng": np.random.default_rng(0)}
    method(dense(), thinned(), learning_rate=0.25, omega=3.0, **arguments)
    method(dense(), thinned(), learning_rate=1.0, omega=0.0, **arguments)  # nothing is lost
    with pytest.raises(ArgumentError, match=r"exceeds 1/\(1 \+ omega\) = 0.25"):
        method(dense(), thinned(), learning_rate=0.26, omega=3.0, **arguments)
    method(dense(), thinned(), learning_rate=0.26, **arguments)


def test_mu_zero_has_no_distances_and_cannot_stop_early(thinned):
    problem = Logistic([[[1.0, 2.0]], [[2.0, 1.0]]], [[1.0], [-1.0]], 0.0)
    arguments = {"step_size": 0.1, "learning_rate": 0.3, "rounds": 3, "rng": np.random.default_rng(0)}
    result = diana(problem, thinned(), **arguments)
    assert result.distance_sq is None
    assert result.shift_distance_sq is None
    with pytest.raises(ArgumentError, match=r"mu > 0"):
        diana(problem, thinned(), until=1e-3, **arguments)


def test_shifts_beside_the_range_by_rounding_are_projected(whole):
    """A part of 5e-7 of the shift is accepted as rounding; it must not stay in the limit."""
    problem = diagonal()
    shifts = [[1e4, 5e-3, 0.0], [0.0, 0.0, 0.0]]
    result = diana_plus(
        problem,
        whole,
        step_size=1 / problem.L,
        learning_rate=1.0,
        rounds=500,
        rng=np.random.default_rng(0),
        shifts=shifts,
    )
    # Rounding of shifts of size 1e4, far below the 1e-2 that the part outside would cost.
    np.testing.assert_allclose(result.x[0], problem.solution, atol=1e-9)


def test_matrices_without_the_ridge_are_refused_where_the_data_are_flat(whole):
    """Leaving out lambda I breaks A3 as soon as a node has fewer rows than coordinates."""
    rng = np.random.default_rng(2)
    problem = Logistic(rng.standard_normal((4, 3, 5)), np.ones((4, 3)), 0.05)
    without = problem.smoothness - problem.ridge * np.eye(5)
    arguments = {"step_size": 0.1, "learning_rate": 0.5, "rounds": 3, "rng": np.random.default_rng(0)}
    with pytest.raises(RangeError, match="A3"):
        diana_plus(problem, whole, smoothness=without, start=np.ones(5), **arguments)


def test_a_difference_that_overflows_ends_the_replicate(thinned):
    problem = Quadratic([[1e-60, 0.0]], [[1e135, 0.0]])
    arguments = {"learning_rate": 0.5, "rounds": 3, "rng": np.random.default_rng(0)}
    assert diana_plus(problem, thinned(), step_size=1.0, **arguments).overflowed.all()


def test_every_chunk_begins_with_the_first_shifts(thinned):
    problem, rng = dense(), np.random.default_rng(9)
    arguments = {"step_size": 0.1, "learning_rate": 0.3, "rounds": 4}
    together = diana_plus(problem, thinned(), rng=np.random.default_rng(9), replicates=200, **arguments)
    chunks = [diana_plus(problem, thinned(), rng=rng, replicates=100, **arguments) for _ in range(2)]
    np.testing.assert_array_equal(together.x, np.concatenate([chunk.x for chunk in chunks]))
