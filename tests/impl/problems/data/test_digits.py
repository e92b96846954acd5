import zlib

import numpy as np
import pytest

from impl.problems import load_digits


def test_rows_and_classes():
    data = load_digits()
    assert data.features.shape == (1400, 64)
    assert data.test_features.shape == (397, 64)
    assert data.labels.shape == (1400,)
    assert data.test_labels.shape == (397,)
    assert data.features.dtype == data.test_features.dtype == np.float64
    for rows in (data.features, data.test_features):
        assert (rows.min(), rows.max()) == (0.0, 1.0)
        assert np.array_equal(rows * 16, np.rint(rows * 16))  # whole grey levels


def test_the_split_is_stratified():
    data = load_digits()
    together = np.bincount(data.labels, minlength=10) + np.bincount(data.test_labels, minlength=10)
    assert together.tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
    # The share of each class, rounded down or up.
    share = together * 1400 / 1797
    assert (np.abs(np.bincount(data.labels) - share) < 1).all()


def test_the_split_takes_every_image_once():
    from sklearn import datasets

    data = load_digits()
    rows = np.concatenate([data.features, data.test_features]) * 16
    labels = np.concatenate([data.labels, data.test_labels])
    found = np.column_stack([rows, labels])
    given = np.column_stack(datasets.load_digits(return_X_y=True))
    assert np.array_equal(found[np.lexsort(found.T)], given[np.lexsort(given.T)])


def test_the_split_is_always_the_same():
    first, second = load_digits(), load_digits.__wrapped__()
    assert np.array_equal(first.features, second.features)
    assert np.array_equal(first.test_labels, second.test_labels)
    with pytest.raises(ValueError, match="read-only"):
        first.features[0, 0] = 1.0
    # Of all labels in their order: another seed, or a library that splits otherwise, changes it.
    assert zlib.crc32(first.labels.astype("<i8").tobytes()) == 1027774247
    assert first.labels[:12].tolist() == [3, 6, 8, 4, 2, 2, 9, 1, 7, 3, 7, 7]
