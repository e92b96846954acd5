"""Regularisers R whose proximal point has a closed form: the 1-norm and the squared 2-norm."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError

Array = npt.NDArray[Any]


class Regulariser(Protocol):
    """A closed convex function R on R^d."""

    def value(self, x: Array) -> Array:
        """Values R(x) at points (..., d), (...)."""

    def prox(self, x: Array, step_size: float) -> Array:
        """Points that minimise step_size R(z) + ||z - x||^2 / 2, (..., d)."""

    def smooth_part(self, x: Array) -> tuple[Array, Array, Array]:
        """Coordinates near which R is smooth, (d,) booleans, with gradient and diagonal Hessian there."""


class L1:
    r"""$R(x)=w\|x\|_1$; its proximal point is soft thresholding.

    Args:
        weight: w, at least 0.

    Example:
        >>> L1(2.0).prox(np.array([3.0, -0.5]), 0.5)
        array([ 2., -0.])
    """

    def __init__(self, weight: float) -> None:
        self.weight = _weight("L1", weight)

    def value(self, x: Array) -> Array:
        return np.asarray(self.weight * np.abs(x).sum(axis=-1))

    def prox(self, x: Array, step_size: float) -> Array:
        return np.asarray(np.sign(x) * np.maximum(np.abs(x) - step_size * self.weight, 0.0))

    def smooth_part(self, x: Array) -> tuple[Array, Array, Array]:
        return x != 0, self.weight * np.sign(x), np.zeros_like(x)


class L2:
    r"""$R(x)=\frac w2\|x\|_2^2$; its proximal point is $x/(1+\gamma w)$.

    Args:
        weight: w, at least 0.
    """

    def __init__(self, weight: float) -> None:
        self.weight = _weight("L2", weight)

    def value(self, x: Array) -> Array:
        return np.asarray(self.weight / 2 * (x * x).sum(axis=-1))

    def prox(self, x: Array, step_size: float) -> Array:
        return np.asarray(x / (1 + step_size * self.weight))

    def smooth_part(self, x: Array) -> tuple[Array, Array, Array]:
        return np.ones(x.shape, dtype=bool), self.weight * x, np.full_like(x, self.weight)


def _weight(where: str, weight: float) -> float:
    try:
        number = float(weight)
    except (TypeError, ValueError):
        number = np.nan
    if not np.isfinite(number) or number < 0:
        raise ArgumentError(
            f"{where}: weight={weight!r} must be a finite number of at least 0; 1e-3 is usual"
        )
    return number
