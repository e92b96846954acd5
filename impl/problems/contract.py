"""What every method may ask of a problem: the average of n node functions on R^d."""

from __future__ import annotations

import reprlib
from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError

Array = npt.NDArray[Any]


class Problem(ABC):
    r"""$f=\frac1n\sum_if_i$ on $\mathbb R^d$; points x have shape (..., d), the leading axes are replicates.

    Attributes:
        n: number of nodes.
        d: dimension.
        smoothness: matrices L_i of the nodes, (n, d, d), or (n, d) when all are diagonal.
        mu: a certified lower bound on the strong convexity of f; 0 if there is none.
    """

    n: int
    d: int
    smoothness: Array
    mu: float

    @cached_property
    def L(self) -> float:
        """Smoothness constant of f: the largest eigenvalue of the mean of the matrices L_i."""
        mean = self.smoothness.mean(axis=0)
        return float(mean.max() if mean.ndim == 1 else np.linalg.eigvalsh(mean)[-1])

    @cached_property
    def L_nodes(self) -> Array:
        """Largest eigenvalues of the matrices L_i, (n,)."""
        if self.smoothness.ndim == 2:
            return np.asarray(self.smoothness.max(axis=-1))
        return np.asarray(np.linalg.eigvalsh(self.smoothness)[..., -1])

    @property
    @abstractmethod
    def solution(self) -> Array:
        """The minimiser x*, (d,); raises `ArgumentError` where it is not unique or not certified."""

    @abstractmethod
    def objectives(self, x: npt.ArrayLike) -> Array:
        """Values f_i(x), (..., n)."""

    @abstractmethod
    def gradients(self, x: npt.ArrayLike) -> Array:
        """Gradients of all nodes at x, (..., n, d)."""

    @abstractmethod
    def bregman(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
        """Bregman divergences D_{f_i}(x, y), (..., n), without cancellation when x is close to y."""

    @abstractmethod
    def evaluate_node(self, i: int, x: Array) -> tuple[float, Array]:
        """Value and gradient of node i at one point x (d,): the literal form of the batched methods."""

    @abstractmethod
    def hessian(self, x: npt.ArrayLike) -> Array:
        """Hessian of f at one point x (d,), (d, d)."""

    def part(self, i: int) -> Problem:
        """Return node i alone, a problem of one node that holds its data only, without a regulariser.

        Raises:
            ArgumentError: The problem cannot be taken apart.
        """
        raise ArgumentError(
            f"{type(self).__name__} cannot be taken apart; Logistic, LeastSquares and Quadratic can"
        )

    def prox(self, x: Array, step_size: float) -> Array:
        """Proximal point of step_size times the regulariser R, (..., d); x itself where there is none."""
        return x

    def objective(self, x: npt.ArrayLike) -> Array:
        """Values f(x), (...); a number for one point."""
        return np.asarray(self.objectives(x).mean(axis=-1))[()]

    def gradient(self, x: npt.ArrayLike) -> Array:
        """Gradients of f at x, (..., d)."""
        return np.asarray(self.gradients(x).mean(axis=-2))

    def evaluate(self, x: npt.ArrayLike) -> tuple[Array, Array]:
        """Objective (...) and node gradients (..., n, d) at x; overridden where they share work."""
        return self.objective(x), self.gradients(x)

    def _points(self, x: npt.ArrayLike) -> Array:
        try:
            points = np.asarray(x, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            raise ArgumentError(
                f"{type(self).__name__}: x={reprlib.repr(x)} must be real numbers of shape (..., d) with d = "
                f"{self.d}"
            ) from None
        if points.ndim == 0 or points.shape[-1] != self.d:
            raise ArgumentError(
                f"{type(self).__name__}: x of shape {points.shape} must have shape (..., d) with d = {self.d}"
            )
        return points
