"""The breast cancer data that scikit-learn bundles: logistic regression without any download."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.problems.data.bundled import bundled_table
from impl.problems.logistic import Logistic
from impl.problems.splits.label_split import label_sorted_split

Array = npt.NDArray[Any]


def load_breast_cancer() -> tuple[Array, Array]:
    """Return features (569, 30), each scaled to maximum 1, and labels (569,): -1 malignant, +1 benign.

    Source: the Wisconsin diagnostic set bundled with scikit-learn, in its row order.
    """
    table = bundled_table("breast_cancer.csv", header=1)
    features = table[:, :-1]
    return features / np.abs(features).max(axis=0), np.where(table[:, -1] > 0, 1.0, -1.0)


def breast_cancer_logistic(n: int = 8, ridge: float = 0.01) -> Logistic:
    """Logistic regression on the label-sorted split over n nodes (71 rows each for n = 8).

    Raises:
        ArgumentError: n outside 1..569 or a ridge that is not a nonnegative number.
    """
    features, labels = label_sorted_split(*load_breast_cancer(), n)
    return Logistic(features, labels, ridge)
