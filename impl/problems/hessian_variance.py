"""Smoothness constants of averages: the mean, the mean square, and the Hessian variance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, Problems
from impl.problems.contract import Problem
from impl.problems.logistic import Logistic
from impl.problems.quadratic import Quadratic

Array = npt.NDArray[Any]

_SUM = 1e-9  # weights given as decimals add up to 1 far better than this


@dataclass(frozen=True)
class SmoothnessConstants:
    r"""Constants of $\Delta_i=\nabla f_i(x)-\nabla f_i(y)$ (claim `cq_marina/hv-relations`).

    Attributes:
        L_minus: smallest with $\|\frac1n\sum\Delta_i\|\le L_-\|x-y\|$.
        L_plus: $\frac1n\sum\frac{\|\Delta_i\|^2}{nw_i}\le L_{+,w}^2\|x-y\|^2$; the smallest for quadratics,
            else an upper bound.
        L_pm: the same with $\|\frac1n\sum\Delta_i\|^2$ taken off the left side.
        L_pm_lower: a lower bound on the smallest L_pm; equal to `L_pm` for quadratics.
    """

    L_minus: float
    L_plus: float
    L_pm: float
    L_pm_lower: float


def smoothness_constants(problem: Problem, weights: npt.ArrayLike | None = None) -> SmoothnessConstants:
    r"""Return the smoothness constants of a problem.

    Quadratics: exact, by eigenvalues. Logistic regression: `L_minus` exact, `L_plus` at most the root mean
    square of the $L_i$, and with $S_i=\frac1{4N_i}\sum_ja_ja_j^\top$ the Hessian variance between
    $\lambda_{\max}(\frac1n\sum(S_i-\bar S)^2)$ and
    $\frac1n\sum\max(\frac{n-1}n\|S_i\|,\|\bar S-\frac1nS_i\|)^2$ (claim `cq_marina/logreg`).

    Args:
        problem: a `Quadratic` or `Logistic`.
        weights: positive, with sum 1, (n,); 1/n each if left out. For quadratics only.

    Raises:
        ArgumentError: another kind of problem, weights of a wrong shape, sign or sum, or of a `Logistic`.

    Example:
        >>> smoothness_constants(Quadratic([[1.0], [3.0]]))
        SmoothnessConstants(L_minus=2.0, L_plus=2.23606797749979, L_pm=1.0, L_pm_lower=1.0)
    """
    if isinstance(problem, Quadratic):
        return _of_quadratic(problem, _checked_weights(weights, problem.n))
    if not isinstance(problem, Logistic):
        raise ArgumentError(
            f"smoothness_constants: problem of type {type(problem).__name__} must be a Quadratic or Logistic"
        )
    if weights is not None:
        raise ArgumentError(
            "smoothness_constants: weights are for quadratics; the regulariser of a Logistic cancels with "
            "equal ones only. Leave them out"
        )
    return _of_logistic(problem)


def _of_quadratic(problem: Quadratic, weights: Array) -> SmoothnessConstants:
    A, n = problem.matrices, problem.n
    w = weights.reshape((n,) + (1,) * (A.ndim - 1))
    mean = A.mean(axis=0)
    scaled = A / (n * w)
    L_pm = _root_mean_square(scaled - mean, w)  # sum_i w_i (A_i / (n w_i) - mean)^2 without cancellation
    return SmoothnessConstants(_norm(mean), _root_mean_square(scaled, w), L_pm, L_pm)


def _of_logistic(problem: Logistic) -> SmoothnessConstants:
    n, d = problem.n, problem.d
    S = problem.smoothness - problem.penalty_curvature * np.eye(d)
    mean = S.mean(axis=0)
    own = (n - 1) / n * np.linalg.eigvalsh(S)[:, -1]
    others = np.linalg.eigvalsh(mean - S / n)[:, -1]
    return SmoothnessConstants(
        L_minus=problem.L,
        L_plus=float(np.sqrt(np.mean(problem.L_nodes**2))),
        L_pm=float(np.sqrt(np.mean(np.maximum(own, others) ** 2))),
        L_pm_lower=_root_mean_square(S - mean, np.full((n, 1, 1), 1 / n)),
    )


def _norm(matrix: Array) -> float:
    """Spectral norm of a symmetric matrix (d, d), or of a diagonal one (d,)."""
    return float(np.abs(matrix if matrix.ndim == 1 else np.linalg.eigvalsh(matrix)).max())


def _root_mean_square(matrices: Array, weights: Array) -> float:
    """Root of the largest eigenvalue of the weighted sum of the squares of symmetric matrices."""
    if matrices.ndim == 2:
        return float(np.sqrt((weights * matrices**2).sum(axis=0).max()))
    total = (weights * (matrices @ matrices)).sum(axis=0)
    return float(np.sqrt(max(np.linalg.eigvalsh(total)[-1], 0.0)))


def _checked_weights(weights: npt.ArrayLike | None, n: int) -> Array:
    if weights is None:
        return np.full(n, 1 / n)
    given = np.asarray(weights, dtype=np.float64)
    problems = Problems("smoothness_constants")
    problems.require(given.shape == (n,), f"weights of shape {given.shape} must have shape ({n},)")
    problems.require(np.all(given > 0), "weights must be positive")
    problems.require(
        abs(given.sum() - 1) <= _SUM, f"weights must have the sum 1, not {given.sum():.12g}; divide by it"
    )
    problems.raise_if_any()
    return given
