"""Exact law of a nested message for given input and side information, over a grid of dithers.

Seen from the dither, the sender's index rises at most once, and between its rises the decoded index moves at
most once: four segments of the grid with one decoded index each. On a segment the error is equally spaced.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.dithered.dither_law import ErrorLaw, grid_fourth, grid_second

Array = npt.NDArray[Any]


def _first_change(value: Callable[[Array], Array], start: Array, stop: Array) -> Array:
    """Return the first j in (start, stop) where value(j) is not value(start), else stop: by bisection."""
    first, low, high = value(start), start, stop
    while (wide := high - low > 1).any():
        middle = (low + high) // 2
        same = value(middle) == first
        low, high = np.where(wide & same, middle, low), np.where(wide & ~same, middle, high)
    return high


def segments(
    index: Callable[[Array], Array], decoded: Callable[[Array], Array], points: int, shape: tuple[int, ...]
) -> list[tuple[Array, Array, Array]]:
    """Return (start, stop, decoded index) of the four segments of [0, points), some of them empty.

    Args:
        index: Maps numbers of grid points, int64 (..., d), to the sender's indices.
        decoded: Maps them to the receiver's.
        points: Size of the grid.
        shape: (..., d).
    """
    begin, end = np.zeros(shape, dtype=np.int64), np.full(shape, points, dtype=np.int64)
    rise = _first_change(index, begin, end)
    found = []
    for start, stop in ((begin, rise), (rise, end)):
        middle = np.maximum(_first_change(decoded, start, stop), start)
        found += [(start, middle, decoded(start)), (middle, stop, decoded(middle))]
    return found


def law_of_segments(
    parts: list[tuple[Array, Array, Array]], offset: Array, step: Array, points: int
) -> ErrorLaw:
    """Return the law of the errors offset + step (c - u).

    Args:
        parts: As of `segments`: c is the decoded index.
        offset: (..., d).
        step: (..., d).
        points: Size of the grid.
    """
    weights, centres, seconds, fourths, reach = [], [], [], [], np.zeros(offset.shape)
    spacing = step / points
    for start, stop, c in parts:
        count = (stop - start).astype(np.float64)
        low, high = ((2 * j + 1 - points) / (2 * points) for j in (start, stop - 1))
        ends = offset + step * (c - low), offset + step * (c - high)
        filled = count > 0
        weights.append(count / points)
        centres.append(np.where(filled, (ends[0] + ends[1]) / 2, 0.0))
        seconds.append(np.where(filled, grid_second(count, spacing), 0.0))
        fourths.append(np.where(filled, grid_fourth(count, spacing), 0.0))
        reach = np.where(filled, np.maximum(reach, np.maximum(*np.abs(ends))), reach)
    mean = sum(w * m for w, m in zip(weights, centres, strict=True))
    second, third, fourth = (np.zeros(offset.shape) for _ in range(3))
    for w, m, v2, v4 in zip(weights, centres, seconds, fourths, strict=True):
        a = m - mean
        second += w * (v2 + a * a)
        third += w * (a * a * a + 3 * a * v2)
        fourth += w * (v4 + 6 * a * a * v2 + a * a * a * a)
    return ErrorLaw(np.asarray(mean), second, third, fourth, reach)


@dataclass(frozen=True)
class LiteralSegments:
    """The same for one coordinate, in Python numbers.

    Args:
        index: Maps the number of a grid point to the sender's index.
        error: Maps it to (decoded index, error).
        points: Size of the grid.
    """

    index: Callable[[int], int]
    error: Callable[[int], tuple[Any, Fraction]]
    points: int

    def mean_and_second(self) -> tuple[Fraction, Fraction]:
        """Return mean and variance of the error."""
        rise = self._first_change(self.index, 0, self.points)
        total = square = Fraction(0)
        for start, stop in ((0, rise), (rise, self.points)):
            while start < stop:
                end = self._first_change(lambda j: self.error(j)[0], start, stop)
                count = end - start
                first, last = self.error(start)[1], self.error(end - 1)[1]
                spacing = (first - last) / (count - 1) if count > 1 else Fraction(0)
                total += count * (first + last) / 2
                square += count * (((first + last) / 2) ** 2 + grid_second(count, spacing))
                start = end
        mean = total / self.points
        return mean, square / self.points - mean * mean

    @staticmethod
    def _first_change(value: Callable[[int], Any], start: int, stop: int) -> int:
        first, low, high = value(start) if start < stop else None, start, stop
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if value(middle) == first else (low, middle)
        return high
