"""The candidates of Top-k; stands for a part of `impl.compressors.sparse.largest_entries`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel
from impl.kernels.lowest_bit import lowest_bit

Array = npt.NDArray[Any]

_GROUP = 64  # entries that are compared together: a bit of a word each


@kernel
def reaching(x: Array, threshold: Any, found: Array) -> int:
    """Write the indices of the entries of x, (d,), whose magnitude reaches the threshold.

    Returns:
        Their number, or len(found) + 1 where there are more than found has room for.
    """
    count = 0
    for start in range(0, len(x), _GROUP):
        group = x[start : start + _GROUP]
        reached = np.uint64(0)
        for j in range(len(group)):
            reached |= np.uint64(abs(group[j]) >= threshold) << np.uint64(j)
        while reached:
            if count == len(found):
                return count + 1
            found[count] = start + lowest_bit(reached)
            count += 1
            reached &= reached - np.uint64(1)
    return count
