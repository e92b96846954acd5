"""The smaller of the two branches of `squant/bounds`, for many nodes or blocks at once."""

from typing import Any

import numpy as np


def smaller_branch(weights: Any, steps: Any, multiplicity: Any = 1.0) -> Any:
    """Return min of the coarse and the quarter bound of each row, (...).

    Args:
        weights: Diagonal weights, (..., groups).
        steps: Steps, (..., groups).
        multiplicity: Number of coordinates of each group, (groups,); one by default.
    """
    coarse = np.sqrt((multiplicity * weights**2 * steps**2).sum(axis=-1))
    return np.minimum(coarse, (multiplicity * weights * steps**2).sum(axis=-1) / 4)
