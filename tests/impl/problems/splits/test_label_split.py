import numpy as np
import pytest
from scipy.sparse import csr_matrix, issparse

from impl.problems import label_sorted_split


def test_stable_sort_and_dropped_rest():
    features = np.arange(14.0).reshape(7, 2)
    labels = [1, -1, 1, -1, -1, 1, 1]
    parts, signs = label_sorted_split(features, labels, 3)
    assert parts.shape == (3, 2, 2)
    assert (parts[..., 0] / 2).tolist() == [[1, 3], [4, 0], [2, 5]]  # row numbers; row 6 is dropped
    assert signs.tolist() == [[-1, -1], [-1, 1], [1, 1]]


@pytest.mark.parametrize(
    ("rows", "fraction", "sparse"), [(15_000, 0.01, False), (15_001, 0.01, True), (15_001, 0.4, False)]
)
def test_automatic_storage(rows, fraction, sparse):
    # 15 000 rows of 100 numbers are 12 MB.
    features = (np.arange(rows * 100) % 100 < 100 * fraction).reshape(rows, 100) * 1.0
    labels = np.resize([-1, 1], rows)
    for given in (features, csr_matrix(features)):
        assert issparse(label_sorted_split(given, labels, 1)[0]) == sparse


@pytest.mark.parametrize("n", [1, 5])
def test_extreme_numbers_of_nodes(n):
    parts, _ = label_sorted_split(np.ones((5, 2)), [1, 1, -1, 1, 1], n)
    assert parts.shape == (n, 5 // n, 2)


def test_many_rows_of_one_label_keep_their_order():
    # Of a few rows every sort of numpy keeps the order; of 300 only a stable one does.
    labels = np.resize([1, -1, -1, 1, -1], 300)
    parts, signs = label_sorted_split(np.arange(300.0)[:, None], labels, 3)
    expected = sorted(range(300), key=lambda k: labels[k])
    assert parts[..., 0].ravel().tolist() == expected
    assert signs.ravel().tolist() == [labels[k] for k in expected]
