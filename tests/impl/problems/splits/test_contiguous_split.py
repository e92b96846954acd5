import numpy as np
import pytest
from scipy.sparse import csr_array

from impl.errors import ArgumentError
from impl.problems import Logistic, contiguous_split, label_sorted_split, load_breast_cancer


def random_data(N, d, seed=0):
    rng = np.random.default_rng(seed)
    features = rng.standard_normal((N, d)) * (rng.random((N, d)) < 0.6)
    return features, np.where(rng.random(N) < 0.5, -1.0, 1.0)


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
    parts, signs, counts = contiguous_split(*random_data(11, 3), 4)
    problem = Logistic(parts, signs, 0.1, counts=counts)
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
