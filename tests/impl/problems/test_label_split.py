import numpy as np
import pytest
from scipy.sparse import csr_matrix, issparse

from impl.errors import ArgumentError
from impl.problems import label_sorted_split


def test_stable_sort_and_dropped_rest():
    features = np.arange(14.0).reshape(7, 2)
    labels = [1, -1, 1, -1, -1, 1, 1]
    parts, signs = label_sorted_split(features, labels, 3)
    assert parts.shape == (3, 2, 2)
    assert (parts[..., 0] / 2).tolist() == [[1, 3], [4, 0], [2, 5]]  # row numbers; row 6 is dropped
    assert signs.tolist() == [[-1, -1], [-1, 1], [1, 1]]


@pytest.mark.parametrize("given", [np.asarray, csr_matrix])
def test_storage_changes_the_form_only(given):
    rng = np.random.default_rng(0)
    features = rng.standard_normal((10, 3)) * (rng.random((10, 3)) < 0.5)
    labels = np.where(rng.random(10) < 0.5, -1, 1)
    expected, signs = label_sorted_split(features, labels, 4)
    assert expected.shape == (4, 2, 3)
    before = features.copy()
    for storage in ("auto", "dense", "sparse"):
        parts, found = label_sorted_split(given(features), labels, 4, storage=storage)
        np.testing.assert_array_equal(found, signs)
        assert issparse(parts) == (storage == "sparse")
        if issparse(parts):
            assert parts.shape == (8, 3)
            parts = parts.toarray().reshape(expected.shape)
        np.testing.assert_array_equal(parts, expected)
    np.testing.assert_array_equal(features, before)


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


@pytest.mark.parametrize("n", [0, 6, 2.0, True])
def test_wrong_number_of_nodes(n):
    with pytest.raises(ArgumentError, match=r"between 1 and the number of rows, 5"):
        label_sorted_split(np.ones((5, 2)), [1, 1, -1, 1, 1], n)


def test_all_mistakes_at_once():
    with pytest.raises(ArgumentError) as error:
        label_sorted_split(np.ones((5, 2)), [0, 1, 2], 9, storage="csc")
    for word in ("label_sorted_split", "labels of shape (3,)", "-1 or +1", "n=9", "storage='csc'", "auto"):
        assert word in str(error.value)


def test_many_rows_of_one_label_keep_their_order():
    # Of a few rows every sort of numpy keeps the order; of 300 only a stable one does.
    labels = np.resize([1, -1, -1, 1, -1], 300)
    parts, signs = label_sorted_split(np.arange(300.0)[:, None], labels, 3)
    expected = sorted(range(300), key=lambda k: labels[k])
    assert parts[..., 0].ravel().tolist() == expected
    assert signs.ravel().tolist() == [labels[k] for k in expected]
