import subprocess
import sys

import numpy as np
import pytest

from impl.problems.data import bundled
from impl.problems.data.bundled import bundled_table, stratified_rows


def test_tables_are_those_of_sklearn():
    from sklearn import datasets

    features, labels = datasets.load_digits(return_X_y=True)
    assert np.array_equal(bundled_table("digits.csv.gz"), np.column_stack([features, labels]))
    features, labels = datasets.load_breast_cancer(return_X_y=True)
    assert np.array_equal(bundled_table("breast_cancer.csv", 1), np.column_stack([features, labels]))


@pytest.mark.parametrize("seed", [0, 1, 7])
@pytest.mark.parametrize(
    ("sizes", "count"),
    [((3, 3, 3, 3), 6), ((5, 2), 4), ((2, 9, 30), 11), ((7, 7, 6), 10), ((4, 8), 3), ((10, 20), 15)],
    ids=str,
)
def test_rows_are_those_of_sklearn(sizes, count, seed):
    from sklearn.model_selection import train_test_split

    labels = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    stated = train_test_split(np.arange(len(labels)), train_size=count, stratify=labels, random_state=seed)
    for found, rows in zip(stratified_rows(labels, count, seed), stated, strict=True):
        assert found.tolist() == rows.tolist()


def test_sklearn_is_not_imported():
    code = (
        "import sys; from impl.problems import load_breast_cancer, load_digits; load_digits(); "
        "load_breast_cancer(); assert 'sklearn' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_sklearn(monkeypatch):
    monkeypatch.setattr(bundled, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match="scikit-learn"):
        bundled_table("digits.csv.gz")
