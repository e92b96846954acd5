import mpmath
import numpy as np
import pytest
from scipy import sparse

from impl.errors import ArgumentError
from impl.problems import Logistic


def random_problem(regulariser="convex", ridge=0.1, n=3, m=7, d=4, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.where(rng.random((n, m)) < 0.5, -1.0, 1.0)
    return Logistic(rng.standard_normal((n, m, d)), labels, ridge, regulariser=regulariser)


def test_values_by_hand():
    problem = Logistic([[[1.0], [2.0]]], [[1.0, -1.0]], 0.5)
    z = 0.3
    expected = (np.log(1 + np.exp(-z)) + np.log(1 + np.exp(2 * z))) / 2 + 0.25 * z**2
    assert problem.objective([z]) == pytest.approx(expected, rel=1e-15)
    # (1 + 4) / (4 * 2) + 1/2
    assert problem.smoothness.ravel().tolist() == [1.125]
    assert problem.mu == 0.5
    nonconvex = Logistic([[[1.0], [2.0]]], [[1.0, -1.0]], 0.5, regulariser="nonconvex")
    assert nonconvex.objective([z]) == pytest.approx(
        expected - 0.25 * z**2 + 0.5 * z**2 / (1 + z**2), rel=1e-15
    )
    assert nonconvex.smoothness.tolist() == [[[1.625]]]
    assert nonconvex.mu == 0.0


@pytest.mark.parametrize("regulariser", ["convex", "nonconvex"])
def test_smoothness_matrices_dominate(regulariser):
    problem = random_problem(regulariser)
    rng = np.random.default_rng(2)
    x, y = rng.standard_normal((2, 200, problem.d))
    difference = x - y
    upper = np.einsum("rj,ijk,rk->ri", difference, problem.smoothness, difference) / 2
    divergence = problem.bregman(x, y)
    assert np.all(divergence <= upper)
    if regulariser == "convex":
        assert np.all(divergence >= problem.mu / 2 * (difference**2).sum(axis=-1)[:, None])


def test_smoothness_is_attained():
    # Margins 0 have curvature 1/4, and x = 0 has the largest curvature of both regularisers.
    for regulariser in ("convex", "nonconvex"):
        problem = random_problem(regulariser)
        np.testing.assert_allclose(
            problem.hessian(np.zeros(problem.d)), problem.smoothness.mean(axis=0), rtol=1e-13, atol=1e-15
        )
        assert pytest.approx(np.linalg.norm(problem.smoothness.mean(axis=0), 2), rel=1e-13) == problem.L


def test_extreme_margins_do_not_overflow():
    problem = Logistic([[[1.0], [1.0]]], [[1.0, -1.0]], 0.0)
    for z in (1e3, -1e3, 1e100):
        assert problem.objective([z]) == abs(z) / 2
        assert problem.gradients([z]).tolist() == [[np.sign(z) / 2]]


@pytest.mark.parametrize("regulariser", ["convex", "nonconvex"])
@pytest.mark.parametrize("distance", [1e-9, 1e-5, 3e-3, 0.0099, 0.0101, 0.3, 1.0, 5.0, 900.0])
@pytest.mark.parametrize("base", [0.0, 0.7, -0.7, 8.0, -30.0])
def test_bregman_against_many_digits(regulariser, distance, base):
    problem = Logistic([[[1.0], [-2.0]]], [[1.0, 1.0]], 0.01, regulariser=regulariser)
    for signed in (distance, -distance):
        x, y = base + signed, base
        with mpmath.workdps(60):
            X, Y = mpmath.mpf(x), mpmath.mpf(y)

            def f(z):
                penalty = z**2 / 2 if regulariser == "convex" else z**2 / (1 + z**2)
                losses = mpmath.log(1 + mpmath.exp(-z)) + mpmath.log(1 + mpmath.exp(2 * z))
                return losses / 2 + mpmath.mpf(0.01) * penalty

            exact = f(X) - f(Y) - mpmath.diff(f, Y) * (X - Y)
        found = problem.bregman(np.array([x]), np.array([y]))[0]
        # 1e-12: switching between three forms; the nonconvex penalty may cancel against the loss, hence
        # absolute.
        scale = abs(exact) if regulariser == "convex" else abs(exact) + 0.01 * signed**2
        assert abs(found - exact) <= 1e-12 * scale


@pytest.mark.parametrize("scale", [1e-3, 1.0, 40.0, 700.0])
@pytest.mark.parametrize("points", [1, 40])
def test_losses_of_many_rows_keep_their_digits(scale, points):
    """Sums of logarithms are logarithms of products, of padded nodes too; tiny losses are found otherwise."""
    rng = np.random.default_rng(3)
    features = np.abs(rng.standard_normal((2, 1500, 3))) + 0.1
    counts = np.array([1500, 1201])
    features[1, counts[1] :] = 0
    problem = Logistic(features, np.ones((2, 1500)), 0.0, counts=counts)
    x = scale * rng.uniform(0.5, 1, (points, 3))
    for sign in (1, -1):
        margins = np.einsum("nmd,rd->nmr", features, sign * x)
        losses = np.log1p(np.exp(-np.abs(margins))) + np.maximum(-margins, 0)
        expected = [losses[i, : counts[i]].mean(axis=0) for i in range(2)]
        np.testing.assert_allclose(problem.objectives(sign * x), np.transpose(expected), rtol=1e-12)
        value, gradients = problem.evaluate(sign * x)
        np.testing.assert_allclose(value, np.mean(expected, axis=0), rtol=1e-12)
        np.testing.assert_array_equal(gradients, problem.gradients(sign * x))


def test_newton_solution():
    problem = random_problem(ridge=1e-3)
    assert np.linalg.norm(problem.gradient(problem.solution)) <= 1e-13
    assert problem.solution is problem.solution  # computed once


def test_newton_from_a_saturated_start():
    # Separable data with a tiny ridge: the first full Newton steps overshoot.
    problem = Logistic([[[10.0], [8.0]]], [[1.0, 1.0]], 1e-8)
    assert np.linalg.norm(problem.gradient(problem.solution)) <= 1e-13


def test_no_certified_solution():
    for problem in (random_problem(ridge=0.0), random_problem("nonconvex")):
        with pytest.raises(ArgumentError, match="positive ridge"):
            _ = problem.solution


def test_hopeless_scaling_is_an_error():
    problem = Logistic([[[1e8], [-3e7], [1.0]]], [[1.0, 1.0, 1.0]], 1e-3)
    with pytest.raises(ArgumentError, match="scale the features"):
        _ = problem.solution


def test_one_node_one_row_one_dimension():
    problem = Logistic([[[2.0]]], [[1.0]], 0.1)
    assert (problem.n, problem.m, problem.d) == (1, 1, 1)
    assert problem.gradients(np.zeros((5, 1))).shape == (5, 1, 1)
    assert problem.gradients([0.0]).tolist() == [[-1.0]]


def test_all_mistakes_at_once():
    with pytest.raises(ArgumentError) as error:
        Logistic(np.zeros((2, 3, 4)), np.zeros((2, 2)), -1.0, regulariser="lasso")
    for word in ("labels of shape (2, 2)", "(2, 3)", "-1 or +1", "ridge=-1.0", "'lasso'", "nonconvex"):
        assert word in str(error.value)
    with pytest.raises(ArgumentError, match=r"\(n, m, d\)"):
        Logistic(np.zeros((3, 4)), np.ones(3), 0.1)
    with pytest.raises(ArgumentError, match="finite"):
        Logistic([[[np.nan]]], [[1.0]], 0.1)


def test_nonzeros_are_counted_by_row():

    rows = np.array([[[1.0, 0.0, 2.0], [0.0, 0.0, 1.0]], [[0.0, 0.0, 0.0], [3.0, 1.0, 1.0]]])
    labels = [[1, -1], [1, 1]]
    assert Logistic(rows, labels, 0.1).mean_nonzeros == 6 / 4
    assert Logistic(sparse.csr_array(rows.reshape(4, 3)), labels, 0.1).mean_nonzeros == 6 / 4


def test_no_points_and_points_that_are_no_numbers_leave_the_others_alone():
    problem = Logistic([[[1.0], [2.0]], [[1.0], [3.0]]], np.ones((2, 2)), 0.0)
    assert problem.objectives(np.empty((0, 1))).shape == (0, 2)
    assert [item.shape for item in problem.evaluate(np.empty((0, 1)))] == [(0,), (0, 2, 1)]
    points = np.array([[np.nan], [400.0]])
    assert problem.objectives(points)[1].tolist() == problem.objectives(points[1:])[0].tolist()
    assert 0 < problem.evaluate(points)[0][1] < 1e-170
