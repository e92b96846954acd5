import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.problems import Quadratic

INDEFINITE = [[[1.0, 2.0], [2.0, 1.0]], [[3.0, 0.0], [0.0, 3.0]]]  # eigenvalues -1, 3 and 3, 3


def test_indefinite_matrices_are_refused_unless_asked_for():
    with pytest.raises(ArgumentError, match="indefinite"):
        Quadratic(INDEFINITE)
    problem = Quadratic(INDEFINITE, [[1.0, 0.0], [3.0, 4.0]], convex=False)
    np.testing.assert_allclose(problem.smoothness[0], [[2.0, 1.0], [1.0, 2.0]], atol=1e-15)
    np.testing.assert_array_equal(problem.smoothness[1], INDEFINITE[1])  # semidefinite: not a bit changes
    assert problem.mu == pytest.approx(1.0, rel=1e-15)  # the mean has the eigenvalues 1 and 3
    np.testing.assert_allclose(problem.L_nodes, [3.0, 3.0], rtol=1e-15)
    np.testing.assert_allclose(problem.gradient(problem.solution), [0.0, 0.0], atol=1e-15)
    x = np.array([1.0, -1.0])
    assert problem.gradients(x).tolist() == [[-2.0, 1.0], [0.0, -7.0]]
    assert problem.objectives(x).tolist() == [-2.0, 4.0]
    assert problem.bregman(x, np.zeros(2)).tolist() == [-1.0, 3.0]


def test_diagonal_form():
    problem = Quadratic([[1.0, -2.0], [3.0, 1.0]], convex=False)
    assert problem.smoothness.tolist() == [[1.0, 2.0], [3.0, 1.0]]
    assert problem.mu == 0.0  # the mean has the eigenvalue -1/2
    with pytest.raises(ArgumentError, match="indefinite"):
        _ = problem.solution
    centered = Quadratic.from_centers([[1.0, -2.0]], [[1.0, 1.0]], convex=False)
    assert centered.objectives([2.0, 2.0]).tolist() == [-0.5]


def test_convex_problems_do_not_change():
    rng = np.random.default_rng(0)
    factors = rng.standard_normal((3, 4, 4))
    matrices = factors @ np.swapaxes(factors, -1, -2)
    plain, allowed = Quadratic(matrices), Quadratic(matrices, convex=False)
    np.testing.assert_array_equal(plain.smoothness, allowed.smoothness)
    assert (plain.mu, plain.L) == (allowed.mu, allowed.L)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"matrices": [[[1.0, 2.0], [0.0, 1.0]]]}, ["matrix 0", "not symmetric"]),
        ({"matrices": [1.0, 2.0]}, ["shape (2,)", "(n, d, d)"]),
        ({"matrices": [[np.nan, 2.0]]}, ["finite"]),
        ({"matrices": [["a", 2.0]]}, ["real numbers"]),
        ({"matrices": np.zeros((0, 2))}, ["at least one node"]),
        ({"matrices": [[-2.0, 1.0]], "smoothness": [[1.0, 1.0]]}, ["node 0", "L_i + A_i is -1"]),
        ({"matrices": INDEFINITE, "smoothness": [np.eye(2), np.eye(2)]}, ["node 0", "L_i - A_i is -2"]),
    ],
)
def test_mistakes_are_named(arguments, words):
    with pytest.raises(ArgumentError) as error:
        Quadratic(**arguments, convex=False)
    for word in words:
        assert word in str(error.value)
