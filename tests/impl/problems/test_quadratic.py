import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.problems import Quadratic


def test_golden_cocoercivity():
    L = np.array([[[2.0, 1.0], [1.0, 2.0]]])
    x, y = np.array([1.0, 1.0]), np.zeros(2)
    for hessian, left in ((L, 6.0), (L / 2, 1.5)):
        problem = Quadratic(hessian, smoothness=L)
        difference = (problem.gradients(x) - problem.gradients(y))[0]
        # Exact in exact arithmetic; one linear solve of rounding.
        assert difference @ np.linalg.solve(L[0], difference) == pytest.approx(left, rel=1e-15)
        assert 2 * problem.bregman(x, y)[0] == pytest.approx(6.0 if left == 6.0 else 3.0, rel=1e-15)


def test_attributes_of_a_mixed_problem():
    problem = Quadratic([[4.0, 1.0], [1.0, 2.0]], [[1.0, 0.0], [0.0, 3.0]])
    assert (problem.n, problem.d, problem.mu, problem.L) == (2, 2, 1.5, 2.5)
    assert problem.L_nodes.tolist() == [4.0, 2.0]
    assert problem.hessians.shape == problem.smoothness.shape == (2, 2)
    np.testing.assert_allclose(problem.solution, [0.2, 1.0], rtol=1e-15)
    # f_1 at (1, 1): (4 + 1)/2 - 1; f_2: (1 + 2)/2 - 3: the linear term is subtracted.
    assert problem.objectives([1.0, 1.0]).tolist() == [1.5, -1.5]
    assert problem.objective([1.0, 1.0]) == 0.0


@pytest.mark.parametrize("shape", [(2, 2, 2), (2, 2)])
def test_batch_axes_do_not_change_a_point(shape):
    problem, points = Quadratic(np.ones(shape) + np.eye(2)), np.arange(12.0).reshape(2, 3, 2)
    objective, gradients = problem.evaluate(points)
    for place in np.ndindex(2, 3):
        np.testing.assert_allclose(gradients[place], problem.gradients(points[place]), rtol=1e-14)
        assert objective[place] == pytest.approx(problem.objective(points[place]), rel=1e-14)


def test_bregman_is_stable_at_close_points():
    problem = Quadratic([[2.0, 3.0], [1.0, 0.0]], [[1.0, 1.0], [5.0, 1.0]])
    y = np.array([1e3, -1e3])
    x = y + np.array([2.0**-20, 0.0])  # exact in floating point
    np.testing.assert_array_equal(problem.bregman(x, y), [2.0**-40, 2.0**-41])
    assert problem.bregman(np.ones((4, 2)), np.zeros(2)).shape == (4, 2)
    far = problem.objectives(x + 1) - problem.objectives(y) - problem.gradients(y) @ (x + 1 - y)
    np.testing.assert_allclose(problem.bregman(x + 1, y), far, rtol=1e-8)  # values of 1e6 lose 10 digits


def test_singular_mean_has_no_solution_but_runs():
    problem = Quadratic([[1.0, 0.0], [2.0, 0.0]])
    assert problem.mu == 0.0
    assert problem.gradients([1.0, 1.0]).tolist() == [[1.0, 0.0], [2.0, 0.0]]
    with pytest.raises(ArgumentError, match="ridge"):
        _ = problem.solution


def test_one_node_in_one_dimension():
    problem = Quadratic([[[2.0]]], [[4.0]])
    assert problem.solution.tolist() == [2.0]
    assert problem.objective([2.0]) == -4.0
    assert problem.gradients([[0.0], [3.0]]).tolist() == [[[-4.0]], [[2.0]]]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"matrices": [[1.0, 1.0]], "linear": [[1.0]]}, ["linear", "(1, 1)", "(1, 2)"]),
        ({"matrices": [[1.0, 1.0]], "linear": [[1.0, np.inf]]}, ["linear", "finite"]),
        ({"matrices": [[[1.0, 2.0], [0.0, 1.0]]]}, ["not symmetric"]),
        ({"matrices": [[-1.0, 1.0]]}, ["indefinite"]),
        ({"matrices": [[2.0, 1.0]], "smoothness": [[1.0, 1.0]]}, ["node 0", "below its Hessian", "-1"]),
        ({"matrices": [[2.0, 1.0]], "smoothness": [[1.0, 1.0, 1.0]]}, ["smoothness", "(1, 3)"]),
    ],
)
def test_mistakes_are_named(arguments, words):
    with pytest.raises(ArgumentError) as error:
        Quadratic(**arguments)
    for word in words:
        assert word in str(error.value)


def test_wrong_point_is_named():
    with pytest.raises(ArgumentError, match="d = 2"):
        Quadratic([[1.0, 1.0]]).gradients([1.0, 2.0, 3.0])


@pytest.mark.parametrize("x", ["a", [1.0, "b"], [[1.0], [1.0, 2.0]], [1j, 0.0], [10**400, 0]])
def test_a_point_that_is_none(x):
    problem = Quadratic([[1.0, 2.0]])
    for called in (problem.gradients, problem.objective, problem.evaluate, problem.hessian):
        with pytest.raises(
            ArgumentError, match=r"Quadratic: x=.* must be real numbers of shape \(..., d\) with"
        ):
            called(x)
