"""Exact variance of a sum of bits with stratified thresholds, in O(n^2) for each coordinate."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import Problems

Array = npt.NDArray[Any]


def stratified_variance_literal(y: Sequence[Any], coefficients: Sequence[Any] | None = None) -> Any:
    r"""Return $\mathrm{Var}\sum_ic_i1[U_i<y_i]$ of one coordinate, by Hoeffding's formula.

    The terms are those of `cq_marina/cq-1d-exact` (arXiv 2401.05518).

    Args:
        y: Probabilities in [0, 1], (n,); Fractions give a Fraction.
        coefficients: $c_i\ge0$, (n,); ones by default.
    """
    n = len(y)
    c = [1] * n if coefficients is None else list(coefficients)
    cells = [math.floor(n * item) for item in y]
    alpha = [n * item - cell for item, cell in zip(y, cells, strict=True)]
    one: Any = Fraction(1) if any(isinstance(item, Fraction) for item in (*y, *c)) else 1.0
    within = sum((ci * ci * ai * (1 - ai) for ci, ai in zip(c, alpha, strict=True)), one * 0) / n
    if n == 1:
        return within
    entries = [[ci * min(max(n * yi - k, 0), 1) for k in range(n)] for ci, yi in zip(c, y, strict=True)]
    row_means = [sum(row, one * 0) / n for row in entries]
    column_means = [sum((row[k] for row in entries), one * 0) / n for k in range(n)]
    mean = sum(row_means, one * 0) / n
    between = sum(
        ((entries[i][k] - row_means[i] - column_means[k] + mean) ** 2 for i in range(n) for k in range(n)),
        one * 0,
    )
    return between / (n - 1) + within


def stratified_variance(y: npt.ArrayLike, coefficients: npt.ArrayLike | None = None) -> Array:
    r"""Return $\mathrm{Var}\sum_ic_i1[U_i<y_i]$ for every coordinate, (..., d).

    A sum of squares throughout, so that small variances keep their digits.

    Args:
        y: Probabilities, (..., n, d); clipped to [0, 1].
        coefficients: $c_i$, (..., n); ones by default.

    Raises:
        ArgumentError: y has fewer than two axes, or the coefficients do not fit.
    """
    chances = np.clip(np.asarray(y, dtype=np.float64), 0.0, 1.0)
    problems = Problems("stratified_variance")
    problems.require(chances.ndim >= 2, f"y of shape {chances.shape} must have shape (..., n, d)")
    problems.raise_if_any()
    n = chances.shape[-2]
    if coefficients is None:
        scale: Array = np.ones((n, 1))
    else:
        scale = np.asarray(coefficients, dtype=np.float64)[..., None]
        problems.require(
            scale.shape[-2:-1] == (n,),
            f"coefficients of shape {scale.shape[:-1]} must have shape (..., {n}), one for each client",
        )
        problems.raise_if_any()
    levels = n * chances
    alpha = levels - np.floor(levels)
    within = (scale * scale * (alpha * (1 - alpha))).sum(axis=-2) / n
    if n == 1:
        return np.asarray(within)
    between = np.zeros_like(within)
    for k in range(n):
        # What stratum k adds to the mean of each client.
        offset = scale * (np.clip(levels - k, 0.0, 1.0) - chances)
        offset -= offset.mean(axis=-2, keepdims=True)
        between += (offset * offset).sum(axis=-2)
    return np.asarray(between / (n - 1) + within)
