import numpy as np
import pytest
from scipy.optimize import approx_fprime

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


def test_diagonal_equals_dense():
    rng = np.random.default_rng(0)
    diagonals, centers, x = (
        rng.uniform(0.1, 2, (3, 4)),
        rng.standard_normal((3, 4)),
        rng.standard_normal((5, 4)),
    )
    thin = Quadratic.from_centers(diagonals, centers)
    thick = Quadratic.from_centers([np.diag(row) for row in diagonals], centers)
    for name in ("objectives", "gradients", "objective", "gradient"):
        np.testing.assert_allclose(getattr(thin, name)(x), getattr(thick, name)(x), rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(thin.solution, thick.solution, rtol=1e-13)
    np.testing.assert_allclose([thin.mu, thin.L], [thick.mu, thick.L], rtol=1e-13)


@pytest.mark.parametrize("form", ["linear", "centers"])
def test_gradients_against_differences_and_node_by_node(form):
    rng = np.random.default_rng(1)
    factors, vectors = rng.standard_normal((3, 4, 2)), rng.standard_normal((3, 4))
    matrices = factors @ np.swapaxes(factors, -1, -2)
    problem = (Quadratic if form == "linear" else Quadratic.from_centers)(matrices, vectors)
    points = rng.standard_normal((2, 5, 4))
    objective, gradients = problem.evaluate(points)
    assert gradients.shape == (2, 5, 3, 4)
    assert objective.shape == (2, 5)
    np.testing.assert_array_equal(objective, problem.objective(points))
    np.testing.assert_array_equal(gradients, problem.gradients(points))
    for place in np.ndindex(2, 5):
        for i in range(3):
            value, gradient = problem.evaluate_node(i, points[place])
            assert value == pytest.approx(problem.objectives(points)[place][i], rel=1e-12, abs=1e-13)
            np.testing.assert_allclose(gradients[place][i], gradient, rtol=1e-12, atol=1e-13)
    for i in range(3):
        differences = approx_fprime(points[0, 0], lambda x, i=i: problem.objectives(x)[i], 1e-7)
        # Forward differences: step 1e-7 times the curvature, plus rounding 1e-16 / 1e-7.
        np.testing.assert_allclose(gradients[0, 0, i], differences, atol=1e-5)


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
