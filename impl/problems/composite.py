"""A smooth problem with a regulariser that the server handles by its proximal point."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError
from impl.problems.contract import Problem
from impl.problems.regularisers import Regulariser

Array = npt.NDArray[Any]

_RESIDUAL = 1e-12  # relative to 1 + |x*|: some hundred roundings above what a prox step resolves
_SUPPORT = 1e-9  # residual at which the zeros of the solution are known, and Newton takes over
_FIRST_ORDER_STEPS = 200_000
_NEWTON_STEPS = 50


class Composite(Problem):
    r"""$\frac1n\sum_if_i+R$ (arXiv 2106.03524): nodes see $f_i$, the server takes $\mathrm{prox}_{\gamma R}$.

    Gradients, matrices, Bregman divergences and `mu` are those of f; objective and solution include R.

    Args:
        smooth: The problem f.
        regulariser: `L1`, `L2`, or anything with the members of `Regulariser`.

    Example:
        >>> from impl.problems import L1, Quadratic
        >>> Composite(Quadratic.from_centers([[1.0, 1.0]], [[3.0, 0.5]]), L1(1.0)).solution
        array([2., 0.])
    """

    def __init__(self, smooth: Problem, regulariser: Regulariser) -> None:
        if not isinstance(smooth, Problem) or isinstance(smooth, Composite):
            raise ArgumentError(
                f"Composite: smooth={smooth!r} must be a smooth problem, such as Quadratic or Logistic; "
                "add several regularisers up in one"
            )
        missing = [name for name in ("value", "prox", "smooth_part") if not hasattr(regulariser, name)]
        if missing:
            raise ArgumentError(
                f"Composite: regulariser={regulariser!r} must offer {', '.join(missing)}; L1 and L2 of "
                "impl.problems do"
            )
        self.smooth, self.regulariser = smooth, regulariser
        self.n, self.d, self.mu = smooth.n, smooth.d, smooth.mu

    @property
    def smoothness(self) -> Array:  # type: ignore[override]  # that of f
        """Matrices L_i of the smooth part."""
        return self.smooth.smoothness

    @cached_property
    def solution(self) -> Array:
        r"""The minimiser of f + R, (d,): proximal gradient steps, then Newton where R is smooth.

        Raises:
            ArgumentError: f certifies no strong convexity (mu = 0), or rounding keeps the residual
                $\|x-\mathrm{prox}_{R/L}(x-\nabla f(x)/L)\|$ above 1e-12.
        """
        if self.mu == 0.0:
            raise ArgumentError(
                "Composite.solution: the smooth part certifies no strong convexity (mu = 0), so no unique "
                "minimiser; add a ridge to it where a solution is needed"
            )
        x = self._first_order()
        for _ in range(_NEWTON_STEPS):
            if self._residual(x) <= _RESIDUAL * (1 + float(np.linalg.norm(x))) / 10:
                break
            free, slope, curvature = self.regulariser.smooth_part(x)
            hessian = self.hessian(x)[np.ix_(free, free)] + np.diag(curvature[free])
            x = x.copy()
            x[free] -= np.linalg.solve(hessian, (self.smooth.gradient(x) + slope)[free])
        residual = self._residual(x)
        if residual <= _RESIDUAL * (1 + float(np.linalg.norm(x))):
            return x
        raise ArgumentError(
            f"Composite.solution: the residual of the minimiser is {residual:.3g}, above {_RESIDUAL}; scale "
            "the features to about unit size or raise the ridge"
        )

    def _first_order(self) -> Array:
        """Return a point whose prox residual is small, by accelerated proximal gradient steps."""
        momentum = (1 - (self.mu / self.L) ** 0.5) / (1 + (self.mu / self.L) ** 0.5)
        x = before = np.zeros(self.d)
        for _ in range(_FIRST_ORDER_STEPS):
            ahead = x + momentum * (x - before)
            before, x = x, self.prox(ahead - self.smooth.gradient(ahead) / self.L, 1 / self.L)
            if self._residual(x) <= _SUPPORT * (1 + float(np.linalg.norm(x))):
                break
        return self.prox(x - self.smooth.gradient(x) / self.L, 1 / self.L)

    def _residual(self, x: Array) -> float:
        return float(np.linalg.norm(x - self.prox(x - self.smooth.gradient(x) / self.L, 1 / self.L)))

    def part(self, i: int) -> Problem:
        return self.smooth.part(i)

    def prox(self, x: Array, step_size: float) -> Array:
        return self.regulariser.prox(x, step_size)

    def objectives(self, x: npt.ArrayLike) -> Array:
        return np.asarray(self.smooth.objectives(x) + self.regulariser.value(self._points(x))[..., None])

    def evaluate(self, x: npt.ArrayLike) -> tuple[Array, Array]:
        objective, gradients = self.smooth.evaluate(x)
        return np.asarray(objective + self.regulariser.value(self._points(x)))[()], gradients

    def gradients(self, x: npt.ArrayLike) -> Array:
        return self.smooth.gradients(x)

    def hessian(self, x: npt.ArrayLike) -> Array:
        return self.smooth.hessian(x)

    def bregman(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
        return self.smooth.bregman(x, y)

    def evaluate_node(self, i: int, x: Array) -> tuple[float, Array]:
        value, gradient = self.smooth.evaluate_node(i, x)
        return value + float(self.regulariser.value(x)), gradient
