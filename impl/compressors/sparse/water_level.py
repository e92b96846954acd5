"""Water filling: from which magnitude on the best unbiased sparsifier of an expected size keeps surely."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_ROUND_OFF = 1e-15
"""Relative round-off by which a size may pass the one at which a further entry becomes sure."""

_CHUNK = 2**15  # entries that are worked on at a time: some such arrays fit into the L2 cache
_LARGE = 900  # exponent below which no sum of magnitudes leaves the range


def surely_kept(sizes: Array, tails: Array, size: Any) -> int:
    r"""Return the least k with $s_{k+1}(T-k)\le\sum_{j>k}s_j$: the k largest are sure; it is below T.

    Args:
        sizes: s, falling and positive, (m,), floats or Fractions.
        tails: Sums of s behind the k largest, for k = 0, ..., m - 1.
        size: T, above 0 and at most m.
    """
    slack = 1 if sizes.dtype == object else 1 + _ROUND_OFF
    for first in range(0, len(sizes), _CHUNK):
        rest = size - np.arange(first, min(first + _CHUNK, len(sizes)))
        stays = sizes[first : first + _CHUNK] * rest <= tails[first : first + _CHUNK] * slack
        if stays.any():
            return first + int(np.argmax(stays))
    return len(sizes) - 1


def water_level(sizes: Array, size: float) -> float:
    r"""Return $\tau$ with $\sum_j\min(1,s_j/\tau)=T$; 0 where no more than T are positive: all are sure.

    Args:
        sizes: s, not negative, in any order, (m,).
        size: T, positive.

    Returns:
        The level; infinite where it exceeds the range.
    """
    falling = -np.sort(-sizes[sizes > 0])
    if len(falling) <= size:
        return 0.0
    exponent = max(0, int(np.frexp(falling[0])[1]) - _LARGE)
    falling = np.ldexp(falling, -exponent)
    tails = np.cumsum(falling[::-1])[::-1]
    k = surely_kept(falling, tails, size)
    with np.errstate(over="ignore"):
        return float(np.ldexp(tails[k] / (size - k), exponent))


def literal_level(sizes: Iterable[Any], size: Any) -> Any:
    """Return the same literally, for floats or Fractions; the level is one of these as they are."""
    falling = sorted((s for s in sizes if s), reverse=True)
    if len(falling) <= size:
        return size * 0
    k = 0
    while falling[k] > sum(s / (size - k) for s in falling[k:]):
        k += 1
    return sum(s / (size - k) for s in falling[k:])


def keep_chances(sizes: Array, levels: Array) -> Array:
    r"""Return $\min(1,s_j/\tau)$, 0 for a zero: s is (..., d), the levels $\tau$ are (..., 1)."""
    sure = sizes >= levels
    return np.asarray(np.where(sure, sizes > 0, sizes / np.where(levels > 0, levels, 1.0)))
