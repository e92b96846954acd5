import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.problems import breast_cancer_logistic, label_sorted_split, load_breast_cancer


def test_facts():
    features, labels = load_breast_cancer()
    assert features.shape == (569, 30)
    np.testing.assert_array_equal(features.max(axis=0), 1.0)
    assert features.min() >= 0
    assert np.count_nonzero(labels == -1) == 212  # malignant
    assert np.count_nonzero(labels == 1) == 357


def test_default_problem():
    problem = breast_cancer_logistic()
    assert (problem.n, problem.m, problem.d, problem.mu) == (8, 71, 30, 0.01)
    assert np.linalg.norm(problem.gradient(problem.solution)) <= 1e-13
    # The ridge gives every smoothness matrix full rank.
    assert np.linalg.eigvalsh(problem.smoothness).min() >= 0.01 * (1 - 1e-12)
    assert problem.mu < problem.L <= problem.L_nodes.max()


def test_nodes_are_sorted_by_label():
    _, labels = label_sorted_split(*load_breast_cancer(), 8)
    # 212 malignant rows fill two nodes of 71 and 70 places of the third.
    assert [int(np.sum(row == -1)) for row in labels] == [71, 71, 70, 0, 0, 0, 0, 0]


def test_a_ridge_that_is_no_number():
    with pytest.raises(ArgumentError, match="ridge='a' must be a finite number of at least 0"):
        breast_cancer_logistic(2, "a")
