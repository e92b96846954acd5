import itertools

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.sparse import csr_array, csr_matrix, issparse

from impl.errors import ArgumentError
from impl.problems import Logistic, contiguous_split, label_sorted_split, load_breast_cancer


def random_data(N, d, seed=0):
    rng = np.random.default_rng(seed)
    features = rng.standard_normal((N, d)) * (rng.random((N, d)) < 0.6)
    return features, np.where(rng.random(N) < 0.5, -1.0, 1.0)


def problems(N=11, n=4, d=3, regulariser="nonconvex"):
    """Return the padded problem, dense and sparse, and one problem for each client on its own rows."""
    features, labels = random_data(N, d)
    padded = []
    for storage in ("dense", "sparse"):
        parts, signs, counts = contiguous_split(features, labels, n, storage=storage)
        padded.append(Logistic(parts, signs, 0.1, regulariser=regulariser, counts=counts))
    ends = [i * N // n for i in range(n + 1)]
    alone = [
        Logistic(features[None, a:b], labels[None, a:b], 0.1, regulariser=regulariser)
        for a, b in itertools.pairwise(ends)
    ]
    return padded, alone


@pytest.mark.parametrize("given", [np.asarray, csr_matrix])
@pytest.mark.parametrize(("N", "n"), [(11, 4), (12, 4), (5, 5), (7, 1), (9, 8)])
def test_rows_in_file_order(given, N, n):
    features, labels = random_data(N, 3)
    for storage in ("auto", "dense", "sparse"):
        parts, signs, counts = contiguous_split(given(features), labels, n, storage=storage)
        assert issparse(parts) == (storage == "sparse")
        parts = (parts.toarray() if issparse(parts) else parts).reshape(n, -1, 3)
        assert counts.sum() == N
        assert parts.shape[1] == counts.max() == -(-N // n)
        for i in range(n):
            own = slice(i * N // n, (i + 1) * N // n)
            np.testing.assert_array_equal(parts[i, : counts[i]], features[own])
            np.testing.assert_array_equal(signs[i, : counts[i]], labels[own])
            assert not parts[i, counts[i] :].any()


@pytest.mark.parametrize("regulariser", ["convex", "nonconvex"])
@pytest.mark.parametrize("shape", [(), (6,), (2, 3)])
def test_padding_does_not_count(regulariser, shape):
    padded, alone = problems(regulariser=regulariser)
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((2, *shape, 3)) * 2

    def stacked(values, axis):
        return np.concatenate(values, axis=axis)

    for problem in padded:
        assert problem.counts.tolist() == [2, 3, 3, 3]

        def same(found, expected):
            np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-14)

        same(problem.objectives(x), stacked([one.objectives(x) for one in alone], -1))
        same(problem.gradients(x), stacked([one.gradients(x) for one in alone], -2))
        objective, gradients = problem.evaluate(x)
        same(objective, np.mean([one.objective(x) for one in alone], axis=0))
        same(gradients, problem.gradients(x))
        same(problem.bregman(x, y), stacked([one.bregman(x, y) for one in alone], -1))
        same(problem.smoothness, stacked([one.smoothness for one in alone], 0))
        point = x.reshape(-1, 3)[0]
        same(problem.hessian(point), np.mean([one.hessian(point) for one in alone], axis=0))
        for i, one in enumerate(alone):
            for found, expected in zip(
                problem.evaluate_node(i, point), one.evaluate_node(0, point), strict=True
            ):
                same(found, expected)
        assert problem.mean_nonzeros == pytest.approx(np.count_nonzero(random_data(11, 3)[0]) / 11, rel=1e-15)


def test_gradient_against_differences():
    problem = problems()[0][0]
    x = np.array([0.3, -1.0, 0.7])
    # Forward differences: step 1e-7 times the curvature, plus rounding 1e-16 / 1e-7.
    np.testing.assert_allclose(problem.gradient(x), approx_fprime(x, problem.objective, 1e-7), atol=1e-6)


def test_pieces_of_clients_give_the_same(monkeypatch):
    from impl.problems import logistic

    points = np.random.default_rng(2).standard_normal((6, 3))
    for problem in problems()[0]:
        expected = problem.evaluate(points)
        monkeypatch.setattr(logistic, "_CACHED", 2 * 3 * 6)  # two of the four clients
        for found, value in zip(problem.evaluate(points), expected, strict=True):
            np.testing.assert_allclose(found, value, rtol=1e-13, atol=1e-15)
        monkeypatch.undo()


@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_equal_counts_change_no_bit(storage):
    parts, signs = label_sorted_split(*load_breast_cancer(), 8, storage=storage)
    plain, counted = Logistic(parts, signs, 0.01), Logistic(parts, signs, 0.01, counts=[71] * 8)
    points = np.random.default_rng(3).standard_normal((5, 30))
    for found, expected in zip(counted.evaluate(points), plain.evaluate(points), strict=True):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(counted.smoothness, plain.smoothness)
    np.testing.assert_array_equal(counted.hessian(points[0]), plain.hessian(points[0]))


def test_solution_of_unequal_clients():
    problem = problems(regulariser="convex")[0][0]
    assert np.linalg.norm(problem.gradient(problem.solution)) <= 1e-13


def test_mistakes_of_the_counts():
    parts, signs, _ = contiguous_split(*random_data(11, 3), 4)
    for counts in ([2, 3, 3], [2.0, 3.0, 3.0, 3.0], 3):
        with pytest.raises(ArgumentError, match="4 whole numbers"):
            Logistic(parts, signs, 0.1, counts=counts)
    with pytest.raises(ArgumentError, match="counts must be between 1 and 3"):
        Logistic(parts, signs, 0.1, counts=[0, 3, 3, 4])
    for features in (parts, csr_array(parts.reshape(12, 3))):
        with pytest.raises(ArgumentError, match="node 2 has a row behind its count that is not zero"):
            Logistic(features, signs, 0.1, counts=[2, 3, 1, 3])
