"""Logistic regression on sparse rows: the same numbers as on dense ones."""

import numpy as np
import pytest
from scipy import sparse

from impl.errors import ArgumentError
from impl.problems import Logistic, label_sorted_split, load_breast_cancer, load_libsvm


def random_rows(n, m, d, seed=0):
    """Features (n * m, d) with an empty row of each node and an empty column, and labels (n, m)."""
    rng = np.random.default_rng(seed)
    features = rng.standard_normal((n * m, d)) * (rng.random((n * m, d)) < 0.4)
    features[::m] = 0.0
    features[:, d // 2] = 0.0
    return features, np.where(rng.random((n, m)) < 0.5, -1.0, 1.0)


def pair(pack, n=3, m=7, d=5, ridge=0.1):
    features, labels = random_rows(n, m, d)
    return (
        Logistic(features.reshape(n, m, d), labels, ridge),
        Logistic(pack(features), labels, ridge),
    )


def assert_same(dense, thin, points):
    """Compare everything that a problem offers, up to rounding."""

    def same(found, expected):
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-14)

    assert (thin.n, thin.m, thin.d, thin.mu) == (dense.n, dense.m, dense.d, dense.mu)
    objective, gradients = thin.evaluate(points)
    for found, expected in zip((objective, gradients), dense.evaluate(points), strict=True):
        same(found, expected)
    np.testing.assert_array_equal(gradients, thin.gradients(points))
    same(thin.objectives(points), dense.objectives(points))
    same(thin.bregman(points, points[..., ::-1]), dense.bregman(points, points[..., ::-1]))
    same(thin.smoothness, dense.smoothness)
    point = points.reshape(-1, thin.d)[0]
    same(thin.hessian(point), dense.hessian(point))
    for i in range(thin.n):
        value, gradient = thin.evaluate_node(i, point)
        same(value, dense.evaluate_node(i, point)[0])
        same(gradient, dense.evaluate_node(i, point)[1])
        same(thin.gradients(point)[i], gradient)


@pytest.mark.parametrize("n", [1, 4, 8])
def test_breast_cancer(n):
    data = load_breast_cancer()
    dense = Logistic(*label_sorted_split(*data, n, storage="dense"), 0.01)
    thin = Logistic(*label_sorted_split(*data, n, storage="sparse"), 0.01)
    assert_same(dense, thin, np.random.default_rng(1).standard_normal((5, dense.d)) * 3)
    np.testing.assert_allclose(thin.solution, dense.solution, rtol=1e-9)
    assert np.linalg.norm(thin.gradient(thin.solution)) <= 1e-13


def test_no_nonzero_at_all():
    problem = Logistic(sparse.csr_array((6, 2)), np.ones((3, 2)), 0.5)
    assert problem.gradients([1.0, 2.0]).tolist() == [[0.5, 1.0]] * 3
    assert problem.objective([0.0, 0.0]) == pytest.approx(np.log(2), rel=1e-15)
    assert problem.solution.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("pack", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array, sparse.lil_array])
def test_every_sparse_format(pack):
    dense, thin = pair(pack=pack)
    assert_same(dense, thin, np.ones((2, dense.d)))


def test_duplicates_are_added_and_the_input_stays():
    features = sparse.csr_array(([1.0, 2.0, 5.0], [1, 1, 0], [0, 2, 3]), shape=(2, 2))
    problem = Logistic(features, [[-1.0, 1.0]], 0.0)
    assert problem.smoothness.tolist() == [[[25 / 8, 0.0], [0.0, 9 / 8]]]
    assert features.data.tolist() == [1.0, 2.0, 5.0]


def test_mistakes():
    features, labels = random_rows(2, 3, 4)
    with pytest.raises(ArgumentError, match=r"\(5, 4\) must have shape \(n \* m, d\).* 6 labels"):
        Logistic(sparse.csr_array(features[:5]), labels, 0.1)
    with pytest.raises(ArgumentError, match=r"labels of shape \(6,\) must have shape \(n, m\)"):
        Logistic(sparse.csr_array(features), labels.ravel(), 0.1)
    with pytest.raises(ArgumentError, match=r"sparse features of shape \(4,\)"):
        Logistic(sparse.coo_array(np.ones(4)), [[1.0, 1.0, 1.0, 1.0]], 0.1)
    features[1, 1] = np.inf
    with pytest.raises(ArgumentError) as error:
        Logistic(sparse.csr_array(features), 0 * labels, -1.0)
    for word in ("finite", "-1 or +1", "ridge=-1.0"):
        assert word in str(error.value)


def test_w8a_is_stored_sparse_and_solved(libsvm_folder):
    rows, signs = label_sorted_split(*load_libsvm("w8a", libsvm_folder), 20)
    assert sparse.issparse(rows)
    problem = Logistic(rows, signs, 1e-3)
    assert np.linalg.norm(problem.gradient(problem.solution)) <= 1e-13
    x = np.random.default_rng(0).standard_normal(problem.d)
    for i in (0, 19):
        np.testing.assert_allclose(
            problem.gradients(x)[i], problem.evaluate_node(i, x)[1], rtol=1e-12, atol=1e-15
        )
