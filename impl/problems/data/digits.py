"""The handwritten digits that scikit-learn bundles: images of 8 x 8 pixels in ten classes, no download."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from impl.problems.data.bundled import bundled_table, stratified_rows

Array = npt.NDArray[Any]

_TRAINING_ROWS, _BRIGHTEST = 1400, 16.0


@dataclass(frozen=True, eq=False)
class Classified:
    """Rows with classes, for training and for testing.

    Attributes:
        features: Training rows, (N, p).
        labels: Their classes, 0 to classes - 1, (N,).
        test_features: Test rows, (N', p).
        test_labels: Their classes, (N',).
    """

    features: Array
    labels: Array
    test_features: Array
    test_labels: Array


@functools.cache
def load_digits() -> Classified:
    """Return 1400 images for training and 397 for testing, pixels row by row in [0, 1], read-only.

    The split is stratified by class and always the same (specification of arXiv 1904.01197, section 12).
    """
    table = bundled_table("digits.csv.gz")
    features, labels = table[:, :-1] / _BRIGHTEST, table[:, -1].astype(int)
    parts = [part[rows] for rows in stratified_rows(labels, _TRAINING_ROWS, 0) for part in (features, labels)]
    for part in parts:
        part.setflags(write=False)  # all callers share them
    return Classified(*parts)
