"""Sums of long vectors whose terms are made part by part, to the last bit those of numpy over all of them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

TILE = 2**15  # terms at a time: not below 128, where numpy begins to halve


def tiled_sum(count: int, terms: Callable[[int, int], Array]) -> Any:
    """Return what `np.add.reduce` gives of the terms 0, ..., count - 1.

    It halves a contiguous float64 vector where numpy does (its pairwise sum: at a multiple of 8), down to
    parts of at most a tile.

    Args:
        count: Number of terms.
        terms: Maps (first, last + 1) to these terms, float64, contiguous.
    """

    def between(first: int, length: int) -> Any:
        if length <= TILE:
            return np.add.reduce(terms(first, first + length))
        half = length // 2 // 8 * 8
        return between(first, half) + between(first + half, length - half)

    return between(0, count)
