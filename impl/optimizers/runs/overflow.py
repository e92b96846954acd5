"""When numbers of a run count as overflowed, found by one product where nothing has."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

OVERFLOW = 1e280  # a squared length above this counts as overflow: room for the sums that compressors form
_SURELY = 1e270  # a sum of squares up to here has no part above OVERFLOW, however it is rounded


def squared_length(vectors: Array) -> Array:
    """Return the sums of squares over the last axis."""
    return np.asarray(np.einsum("...d,...d->...", vectors, vectors))


def surely_fit(numbers: Array) -> bool:
    """Tell without a pass over rows that no squared length overflows; False leaves it open, NaN too."""
    return bool(np.vdot(numbers, numbers) <= _SURELY)
