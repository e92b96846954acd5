"""Symmetric matrices that may be indefinite: what is asked of them, and their absolute values."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, Problems

Array = npt.NDArray[Any]

_ROUNDING = 1e-10  # relative to the largest entry, as for semidefinite matrices in `impl.matrix_roots`


def check_symmetric(where: str, matrices: npt.ArrayLike) -> None:
    """Refuse what is no stack of finite symmetric matrices (n, d, d), or diagonals (n, d).

    Raises:
        ArgumentError: another shape, entries that are no finite numbers, or a matrix that is not symmetric.
    """
    try:
        given = np.asarray(matrices, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ArgumentError(
            f"{where}: matrices must be an array of real numbers, all of one shape: {error}"
        ) from None
    problems = Problems(where)
    fits = given.ndim == 2 or (given.ndim == 3 and given.shape[1] == given.shape[2])
    problems.require(
        fits and given.shape[-1] >= 1,
        f"matrices of shape {given.shape} must have shape (n, d, d), or (n, d) if diagonal",
    )
    problems.require(np.all(np.isfinite(given)), "matrices must be finite")
    problems.raise_if_any()
    if given.ndim == 3:
        asymmetry = np.abs(given - np.swapaxes(given, -1, -2)).max(axis=(-1, -2), initial=0.0)
        wrong = np.flatnonzero(asymmetry > _ROUNDING * np.abs(given).max(axis=(-1, -2), initial=0.0))
        if wrong.size:
            i = int(wrong[0])
            raise ArgumentError(
                f"{where}: matrix {i} is not symmetric (largest difference {asymmetry[i]:.3g}); pass "
                "(M + M^T) / 2 if that is what you mean"
            )


def absolute_values(matrices: Array) -> Array:
    """Return |A_i| of symmetric matrices (n, d, d) or diagonals (n, d); semidefinite ones stay."""
    if matrices.ndim == 2:
        return np.asarray(np.abs(matrices))
    values, vectors = np.linalg.eigh(matrices)
    absolute = (vectors * np.abs(values)[:, None, :]) @ np.swapaxes(vectors, -1, -2)
    return np.where((values[:, 0] < 0)[:, None, None], absolute, matrices)
