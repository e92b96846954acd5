import numpy as np
import pytest

from impl.errors import ArgumentError, RangeError
from impl.matrix_roots import MatrixRoots
from impl.optimizers import dcgd_plus, dcgd_plus_reference, gd
from impl.problems import Logistic, Quadratic

# Squant/range: f_1 = x_1^2 / 2 + x_2, L_1 = diag(1, 0), f_2 = ||x||^2 / 2; the solution is (0, -1).
OUTSIDE = ([[1.0, 0.0], [1.0, 1.0]], [[0.0, -1.0], [0.0, 0.0]])


def dense(seed=0, n=3, d=5, rank=5):
    rng = np.random.default_rng(seed)
    factors = rng.standard_normal((n, d, rank))
    return Quadratic.from_centers(factors @ np.swapaxes(factors, -1, -2) / d, rng.standard_normal((n, d)))


def diagonal():
    return Quadratic.from_centers([[1.0, 0.0, 2.0], [0.5, 1.0, 0.0]], [[1.0, 5.0, 0.0], [2.0, -1.0, 3.0]])


def logistic(n=4):
    rng = np.random.default_rng(2)
    return Logistic(rng.standard_normal((n, 6, 5)), np.where(rng.random((n, 6)) < 0.5, -1.0, 1.0), 0.05)


@pytest.mark.parametrize("problem", [dense(), dense(rank=2), diagonal(), logistic()], ids=str)
def test_batched_equals_the_loop_over_nodes(problem, thinned):
    step_size, start = 0.3 / problem.L, np.linspace(-1, 2, problem.d)
    batched = dcgd_plus(
        problem,
        thinned(),
        step_size=step_size,
        rounds=30,
        rng=np.random.default_rng(7),
        start=start,
        trace=True,
    )
    literal = dcgd_plus_reference(
        problem,
        [thinned() for _ in range(problem.n)],
        step_size=step_size,
        rounds=30,
        rng=np.random.default_rng(7),
        start=start,
    )
    for name in ("x", "objective", "gradient_norm_sq", "distance_sq", "iterates"):
        # The same draws: only the order of the sums differs.
        np.testing.assert_allclose(getattr(batched, name), getattr(literal, name), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(batched.bits, literal.bits, rtol=1e-14)
    np.testing.assert_allclose(batched.bits_slowest, literal.bits_slowest, rtol=1e-14)
    assert batched.bits[0, 0] == 0
    assert np.all(np.diff(batched.bits[0]) > 0)


def test_replicates_are_the_loops_of_consecutive_streams(thinned):
    """One round: replicate r uses the r-th block of n d uniforms."""
    problem, rng, start = dense(), np.random.default_rng(9), np.ones(5)
    batched = dcgd_plus(
        problem, thinned(), step_size=0.1, rounds=1, rng=np.random.default_rng(9), replicates=4, start=start
    )
    for r in range(4):
        literal = dcgd_plus_reference(problem, [thinned()] * 3, step_size=0.1, rounds=1, rng=rng, start=start)
        np.testing.assert_allclose(batched.x[r], literal.x[0], rtol=1e-12)


def test_different_compressors_per_node(thinned):
    problem, p = dense(), np.array([[0.2], [0.5], [0.9]]) * np.ones(5)
    batched = dcgd_plus(problem, thinned(p), step_size=0.1, rounds=10, rng=np.random.default_rng(1))
    literal = dcgd_plus_reference(
        problem, [thinned(row) for row in p], step_size=0.1, rounds=10, rng=np.random.default_rng(1)
    )
    np.testing.assert_allclose(batched.x, literal.x, rtol=1e-12)
    np.testing.assert_allclose(batched.bits, literal.bits, rtol=1e-14)
    np.testing.assert_allclose(batched.bits_slowest, literal.bits_slowest, rtol=1e-14)


def test_the_quantizer_with_steps_per_node_equals_the_loop():
    from impl.compressors import StochasticQuantizer

    problem, steps = dense(), np.random.default_rng(3).uniform(0.2, 2, (3, 5))
    batched = dcgd_plus(
        problem,
        StochasticQuantizer(steps=steps),
        step_size=0.1,
        rounds=20,
        rng=np.random.default_rng(1),
        trace=True,
    )
    per_node = [StochasticQuantizer(steps=row) for row in steps]
    literal = dcgd_plus_reference(problem, per_node, step_size=0.1, rounds=20, rng=np.random.default_rng(1))
    np.testing.assert_allclose(batched.iterates, literal.iterates, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(batched.bits, literal.bits, rtol=1e-14)
    np.testing.assert_allclose(batched.bits_slowest, literal.bits_slowest, rtol=1e-14)


@pytest.mark.parametrize("problem", [dense(), dense(rank=2), diagonal(), logistic()], ids=str)
def test_without_compression_it_is_gradient_descent(problem, whole):
    plus = dcgd_plus(problem, whole, step_size=1 / problem.L, rounds=40, rng=np.random.default_rng(0))
    plain = gd(problem, step_size=1 / problem.L, rounds=40)
    # Root times pseudo-inverse root is the projector, up to rounding.
    np.testing.assert_allclose(plus.x, plain.x, rtol=1e-11, atol=1e-12)
    np.testing.assert_array_equal(plus.bits, plain.bits)


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


def test_one_step_has_the_exact_mean_squared_distance(thinned):
    """Left side of squant/dcgd, here Var_j = y_j^2 (1/p - 1); sees a wrong root or a draw shared by nodes."""
    problem, p, gamma, R, start = dense(), 0.3, 1.0, 40000, np.array([1.0, -2.0, 0.5, 3.0, 0.0])
    result = dcgd_plus(
        problem,
        thinned(p),
        step_size=gamma,
        rounds=1,
        rng=np.random.default_rng(5),
        replicates=R,
        start=start,
    )
    y = MatrixRoots.of_nodes(problem.smoothness).apply_pseudo_inverse_root(problem.gradients(start))
    noise = sum(np.diag(L) @ y_i**2 for L, y_i in zip(problem.smoothness, y, strict=True)) * (1 / p - 1)
    exact = np.sum((start - gamma * problem.gradient(start) - problem.solution) ** 2) + gamma**2 / 9 * noise
    sample = result.distance_sq[:, 1]
    error = sample.std() / np.sqrt(R)
    assert abs(sample.mean() - exact) <= 6 * error  # on a fixed stream
    assert 6 * error < 0.2 * gamma**2 / 9 * noise  # the test would see a fifth of the noise


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


def test_divergence_is_no_error(thinned):
    result = dcgd_plus(
        dense(rank=2), thinned(), step_size=1e3, rounds=400, rng=np.random.default_rng(1), replicates=5
    )
    assert result.overflowed.all()
    assert np.all(np.isfinite(result.distance_sq))
    assert np.all(np.diff(result.bits) >= 0)


def test_one_node_in_one_dimension(thinned):
    result = dcgd_plus(
        Quadratic([[4.0]], [[4.0]]), thinned(1.0), step_size=0.25, rounds=2, rng=np.random.default_rng(0)
    )
    assert result.x.tolist() == [[1.0]]
    assert result.distance_sq.tolist() == [[1.0, 0.0, 0.0]]


def test_all_mistakes_at_once(whole):
    with pytest.raises(ArgumentError) as error:
        dcgd_plus(dense(), whole, step_size=-1, rounds=0, rng=None, replicates=0, smoothness=np.ones((3, 4)))
    for word in ("step_size=-1", "rounds=0", "rng=None", "replicates=0", "(3, 4)", "(3, 5)"):
        assert word in str(error.value)
    with pytest.raises(ArgumentError, match="indefinite"):
        dcgd_plus(dense(), whole, step_size=1, rounds=1, rng=None, smoothness=-np.ones((3, 5)))
