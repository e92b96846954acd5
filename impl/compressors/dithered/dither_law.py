"""Moments of weighted squared errors whose coordinates are independent, and of points of a grid."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import number, quadratic_form, weight_diagonal
from impl.compressors.contract import Moments

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class ErrorLaw:
    """Independent errors of the coordinates, each array (..., d).

    Args:
        mean: Biases.
        second: Central second moments.
        third: Central third moments.
        fourth: Central fourth moments.
        reach: Largest magnitudes that are taken.
    """

    mean: Array
    second: Array
    third: Array
    fourth: Array
    reach: Array

    def variance(self, weight: Array | None, node: bool) -> Any:
        """Return E e^T W e for W as of `Compressor._weighted`: (...) or a number."""
        with np.errstate(over="ignore", invalid="ignore"):
            own = np.sum(weight_diagonal(weight, node) * self.second, axis=-1)
            return number(own + quadratic_form(self.mean, weight, node))

    def moments(self, weight: Array | None) -> Moments:
        """Return mean, variance and a sure upper bound of Z = e^T W e.

        With e = b + n, s^2 = E n^2 and g = W b, as other products of the noises are uncorrelated,
        Var Z = sum W_jj^2 Var(n_j^2) + 2 sum_{j != k} W_jk^2 s_j^2 s_k^2
                + 4 sum g_j^2 s_j^2 + 4 sum W_jj g_j E n_j^3.
        """
        if weight is not None and weight.ndim == 2:
            weight = (weight + weight.T) / 2
        with np.errstate(over="ignore", invalid="ignore"):
            diagonal = weight_diagonal(weight, False)
            variance = np.sum(diagonal * diagonal * (self.fourth - self.second**2), axis=-1)
            if weight is None or weight.ndim == 1:
                slope = diagonal * self.mean
                upper = np.sum(np.maximum(diagonal, 0.0) * self.reach * self.reach, axis=-1)
            else:
                slope = np.matmul(self.mean, weight)
                off = weight - np.diag(np.diagonal(weight))
                variance = variance + 2 * quadratic_form(self.second, off * off, False)
                upper = quadratic_form(self.reach, np.abs(weight), False)
            variance = variance + 4 * np.sum(slope * slope * self.second, axis=-1)
            variance = variance + 4 * np.sum(diagonal * slope * self.third, axis=-1)
        return Moments(self.variance(weight, False), number(np.asarray(variance)), number(np.asarray(upper)))


def exact_variance(mean: Sequence[Fraction], second: Sequence[Fraction], weight: Sequence[Any]) -> Fraction:
    """Return E e^T W e of one vector, for W (d,) or (d, d) as of `exact_weight`."""
    total = Fraction(0)
    for j, row in enumerate(weight):
        if isinstance(row, list):
            total += row[j] * second[j] + mean[j] * sum(w * b for w, b in zip(row, mean, strict=True))
        else:
            total += row * (second[j] + mean[j] * mean[j])
    return total


def grid_second(count: Any, spacing: Any) -> Any:
    """Return the variance of the uniform law on `count` equally spaced points."""
    return (count * count - 1) * spacing * spacing / 12


def grid_fourth(count: Any, spacing: Any) -> Any:
    """Return the fourth central moment of the same law."""
    square = count * count
    return (square - 1) * (3 * square - 7) * (spacing * spacing) * (spacing * spacing) / 240


def dithered_law(v: Array, step: Array, points: int) -> ErrorLaw:
    """Return the law of the errors step (floor(v + u + 1/2) - u - v) for u on the grid of `points` N.

    The error takes N values, step / N apart, centred up to half of that distance.
    """
    with np.errstate(over="ignore"):
        spacing = step / points
        mean = -spacing * (points * v - np.floor(points * v + 0.5))
        reach = np.abs(mean) + (points - 1) / 2 * spacing
        second, fourth = grid_second(float(points), spacing), grid_fourth(float(points), spacing)
        return ErrorLaw(mean, second, np.zeros_like(mean), fourth, reach)


def exact_dithered_law(
    v: Sequence[Fraction], step: Sequence[Fraction], points: int
) -> tuple[list[Fraction], list[Fraction]]:
    """Return means and variances of the same errors of one vector."""
    rests = [points * item - math.floor(points * item + Fraction(1, 2)) for item in v]
    mean = [-s * rest / points for s, rest in zip(step, rests, strict=True)]
    return mean, [grid_second(points, s / points) for s in step]


def lifted(v: Array, points: int) -> Array:
    """Return the chances that |floor(v + u + 1/2)| is floor(|v|) + 1, else it is floor(|v|)."""
    fraction = v - np.floor(v)
    upper = np.floor(points * fraction + 0.5)  # of N dithers, those that give floor(v) + 1
    return np.asarray(np.where((v < 0) & (fraction > 0), points - upper, upper) / points)


def exactly_lifted(v: Fraction, points: int) -> Fraction:
    """Return the same for one number."""
    fraction = v - math.floor(v)
    upper = Fraction(math.floor(points * fraction + Fraction(1, 2)), points)
    return 1 - upper if v < 0 and fraction else upper
