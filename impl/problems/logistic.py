"""Regularised logistic regression, the rows split over nodes of equal size."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, Problems
from impl.problems.contract import Problem

Array = npt.NDArray[Any]

_GRADIENT_NORM = 1e-13  # squant, section 6: the solution by Newton to this gradient norm
_NEWTON_STEPS = 200
_REGULARISERS = ("convex", "nonconvex")


class Logistic(Problem):
    r"""Node functions $f_i(x)=\frac1m\sum_{k\le m}\log(1+e^{-y_{ik}a_{ik}^\top x})+r(x)$ (arXiv 2106.03524).

    The regulariser is $r(x)=\frac\lambda2\|x\|^2$ ("convex") or $r(x)=\lambda\sum_jx_j^2/(1+x_j^2)$
    ("nonconvex", curvature between $-\lambda/2$ and $2\lambda$). Smoothness matrices:
    $\frac1{4m}A_i^\top A_i+\lambda I$, with $2\lambda I$ in the nonconvex case. `mu` is a certified lower
    bound and no more: lambda, or 0 if nonconvex.

    Args:
        features: rows a_ik, (n, m, d).
        labels: -1 or +1, (n, m).
        ridge: lambda, nonnegative.
        regulariser: "convex" or "nonconvex".

    Raises:
        ArgumentError: shapes that do not fit, features that are not finite, labels other than -1 and +1, a
            negative ridge, an unknown regulariser.
    """

    def __init__(
        self,
        features: npt.ArrayLike,
        labels: npt.ArrayLike,
        ridge: float,
        *,
        regulariser: Literal["convex", "nonconvex"] = "convex",
    ) -> None:
        rows = np.asarray(features, dtype=np.float64)
        signs = np.asarray(labels, dtype=np.float64)
        problems = Problems("Logistic")
        problems.require(
            rows.ndim == 3 and rows.size > 0,
            f"features of shape {rows.shape} must have shape (n, m, d); label_sorted_split makes this from "
            "(N, d)",
        )
        problems.require(
            signs.shape == rows.shape[:2], f"labels of shape {signs.shape} must have shape {rows.shape[:2]}"
        )
        problems.require(np.all(np.isfinite(rows)), "features must be finite")
        problems.require(np.all(np.abs(signs) == 1), "labels must be -1 or +1; map the larger label to +1")
        problems.require(
            np.isfinite(ridge) and ridge >= 0, f"ridge={ridge} must be finite and at least 0; 1e-3 is usual"
        )
        problems.require(
            regulariser in _REGULARISERS, f"regulariser={regulariser!r} must be one of {list(_REGULARISERS)}"
        )
        problems.raise_if_any()

        self.n, self.m, self.d = rows.shape
        self.ridge = float(ridge)
        self.regulariser = regulariser
        # Only the products y_ik a_ik occur; they are kept once, contiguous.
        self._rows = rows * signs[..., None]
        self._stacked = self._rows.reshape(self.n * self.m, self.d)
        self.mu = self.ridge if regulariser == "convex" else 0.0

    @cached_property
    def smoothness(self) -> Array:  # type: ignore[override]  # computed on demand
        """Matrices L_i, (n, d, d)."""
        curvature = self.ridge if self.regulariser == "convex" else 2 * self.ridge
        gram = np.swapaxes(self._rows, -1, -2) @ self._rows
        return np.asarray(gram / (4 * self.m) + curvature * np.eye(self.d))

    @cached_property
    def solution(self) -> Array:
        """The minimiser x*, (d,), by Newton's method from 0 to gradient norm 1e-13.

        Raises:
            ArgumentError: ridge 0 or the nonconvex regulariser (no certified unique minimiser), or features
                scaled so badly that rounding keeps the gradient above 1e-13.
        """
        if self.mu == 0.0:
            raise ArgumentError(
                f"Logistic.solution: ridge={self.ridge} with the {self.regulariser} regulariser certifies no "
                "unique "
                'minimiser; use a positive ridge with regulariser="convex" where a solution is needed'
            )
        x = np.zeros(self.d)
        gradient = self.gradient(x)
        norm = float(np.linalg.norm(gradient))
        for _ in range(_NEWTON_STEPS):
            if norm <= _GRADIENT_NORM:
                return x
            step = np.linalg.solve(self.hessian(x), gradient)
            length = 1.0
            # The Newton step is a descent direction of the gradient norm, which unlike f resolves the last
            # digits.
            while length > 1e-8:
                candidate = x - length * step
                candidate_gradient = self.gradient(candidate)
                candidate_norm = float(np.linalg.norm(candidate_gradient))
                if candidate_norm <= (1 - 1e-4 * length) * norm:
                    break
                length /= 2
            else:
                break
            x, gradient, norm = candidate, candidate_gradient, candidate_norm
        if norm <= _GRADIENT_NORM:
            return x
        raise ArgumentError(
            f"Logistic.solution: Newton's method stopped at gradient norm {norm:.3g}, above "
            f"{_GRADIENT_NORM}; scale the features to about unit size or raise the ridge"
        )

    def hessian(self, x: npt.ArrayLike) -> Array:
        """Hessian of f at one point x (d,), (d, d)."""
        point = self._points(x)
        small = np.exp(-np.abs(self._stacked @ point))
        weights = small / (1 + small) ** 2 / (self.n * self.m)
        data = (self._stacked * weights[:, None]).T @ self._stacked
        if self.regulariser == "convex":
            return np.asarray(data + self.ridge * np.eye(self.d))
        return np.asarray(data + np.diag(2 * self.ridge * (1 - 3 * point**2) / (1 + point**2) ** 3))

    def objectives(self, x: npt.ArrayLike) -> Array:
        points = self._points(x)
        margins = self._margins(points)
        return self._losses(margins, _decay(margins)) + self._penalty(points)[..., None]

    def gradients(self, x: npt.ArrayLike) -> Array:
        points = self._points(x)
        margins = self._margins(points)
        return self._gradients(points, margins, _decay(margins))

    def evaluate(self, x: npt.ArrayLike) -> tuple[Array, Array]:
        points = self._points(x)
        margins = self._margins(points)
        small = _decay(margins)
        objective = self._losses(margins, small).mean(axis=-1) + self._penalty(points)
        return np.asarray(objective)[()], self._gradients(points, margins, small)

    def bregman(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
        x, y = np.broadcast_arrays(self._points(x), self._points(y))
        data = _softplus_bregman(self._margins(y), self._margins(x - y)).mean(axis=-1)
        difference = x - y
        if self.regulariser == "convex":
            penalty = self.ridge / 2 * np.sum(difference**2, axis=-1)
        else:
            shape = (1 - y * (y + 2 * x)) / ((1 + x**2) * (1 + y**2) ** 2)
            penalty = self.ridge * np.sum(difference**2 * shape, axis=-1)
        return np.asarray(data + penalty[..., None])

    def evaluate_node(self, i: int, x: Array) -> tuple[float, Array]:
        from scipy.special import expit

        rows = self._rows[i]
        margins = rows @ x
        value = np.logaddexp(0.0, -margins).mean()
        gradient = -(rows.T @ expit(-margins)) / self.m
        if self.regulariser == "convex":
            return float(value + self.ridge / 2 * (x @ x)), gradient + self.ridge * x
        square = x * x
        return (
            float(value + self.ridge * np.sum(square / (1 + square))),
            gradient + 2 * self.ridge * x / (1 + square) ** 2,
        )

    def _margins(self, points: Array) -> Array:
        """Margins y_ik a_ik^T x, (..., n, m), by one matrix product."""
        return np.asarray((points @ self._stacked.T).reshape(*points.shape[:-1], self.n, self.m))

    def _losses(self, margins: Array, small: Array) -> Array:
        """Mean losses (..., n) from margins z and exp(-|z|): log(1 + e^-z) = log1p(e^-|z|) + max(-z, 0)."""
        losses = np.log1p(small)
        losses -= np.minimum(margins, 0.0)
        return np.asarray(losses.mean(axis=-1))

    def _gradients(self, points: Array, margins: Array, small: Array) -> Array:
        """Gradients (..., n, d); overwrites `small`, as a fresh buffer of this size is expensive."""
        # sigma(-z) is e/(1+e) for z >= 0 and 1/(1+e) below, e = exp(-|z|): no overflow on either side.
        weights = np.where(margins >= 0, small, 1.0)
        small += 1
        weights /= small
        if points.ndim == 1:
            data = (weights[:, None, :] @ self._rows)[:, 0, :]
        else:
            by_node = np.moveaxis(weights.reshape(-1, self.n, self.m), 0, 1)
            data = np.moveaxis(by_node @ self._rows, 1, 0).reshape(*points.shape[:-1], self.n, self.d)
        data /= -self.m
        if self.regulariser == "convex":
            return np.asarray(data + (self.ridge * points)[..., None, :])
        return np.asarray(data + (2 * self.ridge * points / (1 + points**2) ** 2)[..., None, :])

    def _penalty(self, points: Array) -> Array:
        square = points**2
        if self.regulariser == "convex":
            return np.asarray(self.ridge / 2 * square.sum(axis=-1))
        return np.asarray(self.ridge * (square / (1 + square)).sum(axis=-1))


def _decay(margins: Array) -> Array:
    """Return exp(-|z|) in a new array."""
    small = np.abs(margins)
    np.negative(small, out=small)
    return np.asarray(np.exp(small, out=small))


def _softplus_bregman(v: Array, t: Array) -> Array:
    r"""Return $\phi(v+t)-\phi(v)-\phi'(v)t$ for $\phi(z)=\log(1+e^{-z})$ to about 1e-12 relative."""
    # phi(-z) = phi(z) + z, so the sign can be chosen such that v >= 0 and s = -phi'(v) <= 1/2.
    t = np.where(v >= 0, t, -t)
    v = np.abs(v)
    s = np.exp(-v) / (1 + np.exp(-v))
    # Far: the two values differ enough. Middle: one logarithm of their ratio. Near: cumulants of a
    # Bernoulli(s).
    far = np.logaddexp(0.0, -(v + t)) - np.log1p(np.exp(-v)) + s * t
    middle = np.log1p(s * np.expm1(-np.clip(t, -1.0, 1.0))) + s * t
    k2 = s * (1 - s)
    r = np.clip(t, -0.01, 0.01)
    k3, k4, k5 = 1 - 2 * s, 1 - 6 * k2, (1 - 2 * s) * (1 - 12 * k2)
    k6 = 1 - 30 * k2 + 120 * k2**2
    near = k2 * r**2 * (1 / 2 - k3 * r / 6 + k4 * r**2 / 24 - k5 * r**3 / 120 + k6 * r**4 / 720)
    return np.asarray(np.where(np.abs(t) > 1.0, far, np.where(np.abs(t) > 0.01, middle, near)))
