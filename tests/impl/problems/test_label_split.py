import numpy as np
import pytest
from scipy.sparse import csr_matrix

from impl.errors import ArgumentError
from impl.problems import label_sorted_split


def test_stable_sort_and_dropped_rest():
    features = np.arange(14.0).reshape(7, 2)
    labels = [1, -1, 1, -1, -1, 1, 1]
    parts, signs = label_sorted_split(features, labels, 3)
    assert parts.shape == (3, 2, 2)
    assert (parts[..., 0] / 2).tolist() == [[1, 3], [4, 0], [2, 5]]  # row numbers; row 6 is dropped
    assert signs.tolist() == [[-1, -1], [-1, 1], [1, 1]]


def test_sparse_equals_dense():
    rng = np.random.default_rng(0)
    features = rng.standard_normal((10, 3)) * (rng.random((10, 3)) < 0.5)
    labels = np.where(rng.random(10) < 0.5, -1, 1)
    for dense, sparse in zip(
        label_sorted_split(features, labels, 4),
        label_sorted_split(csr_matrix(features), labels, 4),
        strict=True,
    ):
        np.testing.assert_array_equal(dense, sparse)


@pytest.mark.parametrize("n", [1, 5])
def test_extreme_numbers_of_nodes(n):
    parts, _ = label_sorted_split(np.ones((5, 2)), [1, 1, -1, 1, 1], n)
    assert parts.shape == (n, 5 // n, 2)


@pytest.mark.parametrize("n", [0, 6, 2.0, True])
def test_wrong_number_of_nodes(n):
    with pytest.raises(ArgumentError, match=r"between 1 and the number of rows, 5"):
        label_sorted_split(np.ones((5, 2)), [1, 1, -1, 1, 1], n)


def test_all_mistakes_at_once():
    with pytest.raises(ArgumentError) as error:
        label_sorted_split(np.ones((5, 2)), [0, 1, 2], 9)
    for word in ("labels of shape (3,)", "-1 or +1", "n=9"):
        assert word in str(error.value)
