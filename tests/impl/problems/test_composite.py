import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.problems import L1, L2, Composite, Logistic, Quadratic


def logistic(ridge=0.05):
    rng = np.random.default_rng(2)
    return Logistic(rng.standard_normal((4, 6, 5)), np.where(rng.random((4, 6)) < 0.5, -1.0, 1.0), ridge)


def test_quadratic_with_l1_has_the_solution_by_coordinates():
    curvature, center, weight = np.array([1.0, 2.0, 0.5, 4.0]), np.array([3.0, -1.0, 0.4, 0.1]), 0.5
    problem = Composite(Quadratic.from_centers(curvature[None], center[None]), L1(weight))
    expected = np.sign(center) * np.maximum(np.abs(center) - weight / curvature, 0)
    np.testing.assert_allclose(problem.solution, expected, atol=1e-14)


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
