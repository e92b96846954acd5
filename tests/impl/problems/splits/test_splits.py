"""What every split of a data set over nodes has in common."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix, issparse

from impl.errors import ArgumentError
from impl.problems import contiguous_split, label_sorted_split, scaled_split

pytestmark = pytest.mark.parametrize("split", [contiguous_split, label_sorted_split, scaled_split])


@pytest.mark.parametrize("given", [np.asarray, csr_matrix])
def test_storage_changes_the_form_only(split, given):
    rng = np.random.default_rng(0)
    features = rng.standard_normal((11, 3)) * (rng.random((11, 3)) < 0.5)
    labels = np.where(rng.random(11) < 0.5, -1, 1)
    expected, *others = split(features, labels, 4)
    before = features.copy()
    for storage in ("auto", "dense", "sparse"):
        parts, *found = split(given(features), labels, 4, storage=storage)
        for one, other in zip(found, others, strict=True):
            np.testing.assert_array_equal(one, other)
        assert issparse(parts) == (storage == "sparse")
        if issparse(parts):
            assert parts.shape == (4 * expected.shape[1], 3)
            parts = parts.toarray().reshape(expected.shape)
        np.testing.assert_array_equal(parts, expected)
    np.testing.assert_array_equal(features, before)


def test_all_mistakes_at_once(split):
    with pytest.raises(ArgumentError) as error:
        split(np.ones((5, 2)), [0, 1, 2], 9, storage="csc")
    message = str(error.value)
    assert message.startswith(split.__name__)
    for word in ("labels of shape (3,)", "-1 or +1", "n=9", "storage='csc'", "auto"):
        assert word in message


@pytest.mark.parametrize("n", [0, 6, 2.0, True])
def test_wrong_number_of_nodes(split, n):
    with pytest.raises(ArgumentError, match=r"between 1 and the number of rows, 5"):
        split(np.ones((5, 2)), [1, 1, -1, 1, 1], n)
