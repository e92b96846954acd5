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
    for first in range(0, len(sizes), _CHUNK):
        stays = _stays(sizes[first : first + _CHUNK], tails[first : first + _CHUNK], size, first)
        if stays.any():
            return first + int(np.argmax(stays))
    return len(sizes) - 1


def _stays(sizes: Array, tails: Array, size: Any, first: int) -> Array:
    """Tell which k fulfil it, from k = first on."""
    slack = 1 if sizes.dtype == object else 1 + _ROUND_OFF
    return np.asarray(sizes * (size - np.arange(first, first + len(sizes))) <= tails * slack)


def water_level(sizes: Array, size: float) -> float:
    r"""Return $\tau$ with $\sum_j\min(1,s_j/\tau)=T$; 0 where no more than T are positive: all are sure.

    Args:
        sizes: s, not negative, in any order, (m,).
        size: T, positive.

    Returns:
        The level; infinite where it exceeds the range.
    """
    return level_of_rising(np.sort(sizes), size)


def level_of_rising(sizes: Array, size: float) -> float:
    """Return the same for rising sizes, float32 or float64, with no array of their length."""
    rising = sizes[np.searchsorted(sizes, sizes.dtype.type(0), "right") :]
    m = len(rising)
    if m <= size:
        return 0.0
    exponent = max(0, int(np.frexp(rising[-1])[1]) - _LARGE)

    def part(start: int, below: float) -> tuple[Array, Array]:
        """Return a chunk and its running sums, which go on from those of all smaller ones."""
        own = rising[start : start + _CHUNK].astype(np.float64)
        if exponent:
            np.ldexp(own, -exponent, out=own)
        sums = own.copy()
        sums[0] += below
        return own, np.cumsum(sums, out=sums)

    below = [0.0]
    for start in range(0, m - _CHUNK, _CHUNK):
        below.append(float(part(start, below[-1])[1][-1]))
    for start, under in zip(reversed(range(0, m, _CHUNK)), reversed(below), strict=True):
        own, sums = part(start, under)
        larger, tails = m - start - len(own), sums[::-1]
        stays = _stays(own[::-1], tails, size, larger)
        if stays.any():
            break
    k = int(np.argmax(stays))  # the last one always stays: m exceeds T
    with np.errstate(over="ignore"):
        return float(np.ldexp(tails[k] / (size - (larger + k)), exponent))


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
