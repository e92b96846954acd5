import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.problems import L1, L2, Composite, Logistic, Quadratic


def logistic(ridge=0.05):
    rng = np.random.default_rng(2)
    return Logistic(rng.standard_normal((4, 6, 5)), np.where(rng.random((4, 6)) < 0.5, -1.0, 1.0), ridge)


@pytest.mark.parametrize("regulariser", [L1(0.7), L2(0.7)])
def test_prox_is_the_minimiser(regulariser):
    points = np.random.default_rng(0).standard_normal((6, 4)) * 2
    found = regulariser.prox(points, 0.9)

    def objective(z):
        return 0.9 * regulariser.value(z) + ((z - points) ** 2).sum(axis=-1) / 2

    for shift in np.random.default_rng(1).standard_normal((50, 6, 4)) * 0.1:
        assert np.all(objective(found) <= objective(found + shift))


@pytest.mark.parametrize("regulariser", [L1(0.7), L2(0.7)])
def test_prox_is_nonexpansive(regulariser):
    x, y = np.random.default_rng(0).standard_normal((2, 200, 4))
    moved = np.linalg.norm(regulariser.prox(x, 0.4) - regulariser.prox(y, 0.4), axis=-1)
    assert np.all(moved <= np.linalg.norm(x - y, axis=-1) * (1 + 1e-15))


def test_quadratic_with_l1_has_the_solution_by_coordinates():
    curvature, center, weight = np.array([1.0, 2.0, 0.5, 4.0]), np.array([3.0, -1.0, 0.4, 0.1]), 0.5
    problem = Composite(Quadratic.from_centers(curvature[None], center[None]), L1(weight))
    expected = np.sign(center) * np.maximum(np.abs(center) - weight / curvature, 0)
    np.testing.assert_allclose(problem.solution, expected, atol=1e-14)


def test_l2_is_another_ridge():
    smooth, harder = logistic(0.05), logistic(0.25)
    problem = Composite(smooth, L2(0.2))
    np.testing.assert_allclose(problem.solution, harder.solution, atol=1e-12)
    np.testing.assert_allclose(
        problem.objective(problem.solution), harder.objective(harder.solution), rtol=1e-14
    )
    assert problem.mu == smooth.mu
    assert problem.L == smooth.L


def test_the_solution_is_optimal_coordinate_by_coordinate():
    problem = Composite(logistic(), L1(0.05))
    x, gradient = problem.solution, problem.smooth.gradient(problem.solution)
    assert 0 < np.count_nonzero(x) < problem.d
    np.testing.assert_allclose(gradient[x != 0], -0.05 * np.sign(x[x != 0]), atol=1e-12)
    assert np.all(np.abs(gradient[x == 0]) <= 0.05)


def test_evaluate_and_node_form_agree_with_the_objective():
    problem = Composite(logistic(), L1(0.3))
    points = np.random.default_rng(0).standard_normal((7, 5))
    objective, gradients = problem.evaluate(points)
    np.testing.assert_allclose(objective, problem.objective(points), rtol=1e-13)
    np.testing.assert_allclose(gradients, problem.smooth.gradients(points), rtol=1e-13)
    value, gradient = problem.evaluate_node(2, points[3])
    assert value == pytest.approx(problem.objectives(points[3])[2], rel=1e-13)
    np.testing.assert_allclose(gradient, gradients[3, 2], rtol=1e-12)
    np.testing.assert_array_equal(
        problem.bregman(points[0], points[1]), problem.smooth.bregman(points[0], points[1])
    )
    np.testing.assert_array_equal(problem.hessian(points[0]), problem.smooth.hessian(points[0]))


@pytest.mark.parametrize("weight", [-1.0, np.inf, "much"])
def test_a_wrong_weight_is_named(weight):
    for kind in (L1, L2):
        with pytest.raises(ArgumentError, match="weight="):
            kind(weight)


def test_mistakes():
    with pytest.raises(ArgumentError, match="must offer value, prox, smooth_part"):
        Composite(logistic(), 0.1)
    with pytest.raises(ArgumentError, match="mu = 0"):
        _ = Composite(logistic(0.0), L1(0.1)).solution


def test_only_one_regulariser_on_a_smooth_problem():
    for smooth in (Composite(logistic(), L1(0.1)), None):
        with pytest.raises(ArgumentError, match="must be a smooth problem"):
            Composite(smooth, L2(0.1))
