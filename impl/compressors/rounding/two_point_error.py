"""Moments of a weighted square of independent centred errors that take two values each."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import number, quadratic_form, weight_diagonal
from impl.compressors.contract import Moments

Array = npt.NDArray[Any]


def two_point_variance(gap: Array, p: Array, weight: Array | None, node: bool) -> Array:
    """Return sum_j W_jj gap_j^2 p_j (1 - p_j), (...); infinite where it exceeds the range.

    Args:
        gap: Distance of both points, (..., d) or (..., 1).
        p: Probability of one of them, (..., d).
        weight: W as of `Compressor._weighted`.
        node: Whether there is one for each node.
    """
    root = 1 - p
    root *= p
    np.sqrt(root, out=root)
    with np.errstate(over="ignore"):
        root *= gap
        root *= root  # squared last, so that the range is used to the end
        return np.asarray(np.sum(root if weight is None else weight_diagonal(weight, node) * root, axis=-1))


def rounding_variance(rows: Array, spacing: Array, gap: Array) -> Array:
    """Return `two_point_variance` of stochastic rounding without a weight, by a kernel, (M,).

    Args:
        rows: What is rounded, (M, d).
        spacing: Distances of levels in the dtype and at the scale of `rows`, (M, 1).
        gap: The same at the scale of the result, (M,).
    """
    from impl.kernels.error_sums import rounding_variances  # numba, where it is asked for

    sums = np.empty(len(rows))
    rounding_variances(np.ascontiguousarray(rows), spacing, sums)
    with np.errstate(over="ignore"):
        return np.asarray(np.square(np.sqrt(sums) * gap))  # squared last, as above


def two_point_moments(
    up: Array, down: Array, p: Array, weight: Array | None, shift: Array, sign: Any = 1.0
) -> Moments:
    """Return mean, variance and a sure upper bound of Z = (e + b)^T W (e + b).

    e_j is sign_j up_j with probability p_j and -sign_j down_j else, with p_j up_j = (1 - p_j) down_j,
    independent over j. With s_j^2 = E e_j^2 and g = W b, as other products of the errors are uncorrelated,
    Var Z = sum W_jj^2 Var(e_j^2) + 2 sum_{j != k} W_jk^2 s_j^2 s_k^2
            + 4 sum g_j^2 s_j^2 + 4 sum W_jj g_j E e_j^3.

    Args:
        up: (..., d), not negative.
        down: (..., d), not negative.
        p: (..., d).
        weight: W, (d,) or (d, d), symmetrised; None for the identity.
        shift: b, (..., d), what is deterministic in the error.
        sign: (..., d), of the first of the two values.

    Returns:
        Moments of shape (...), floats for one vector.
    """
    if weight is not None and weight.ndim == 2:
        weight = (weight + weight.T) / 2
    with np.errstate(over="ignore", invalid="ignore"):
        diagonal = weight_diagonal(weight, False)
        second = up * down  # s^2 = p up^2 + (1 - p) down^2 = up down, because the mean is zero
        mean = np.sum(diagonal * second, axis=-1) + quadratic_form(shift, weight, False)
        # Var(e^2) = p (1 - p) (up^2 - down^2)^2
        variance = np.sum((diagonal * (up * up - down * down)) ** 2 * p * (1 - p), axis=-1)
        high, low = np.abs(sign * up + shift), np.abs(shift - sign * down)
        reach = np.maximum(np.where(p > 0, high, 0.0), np.where(p < 1, low, 0.0))
        if weight is None or weight.ndim == 1:
            slope = diagonal * shift
            upper = np.sum(np.maximum(diagonal, 0.0) * reach * reach, axis=-1)
        else:
            slope = np.matmul(shift, weight)
            off = weight - np.diag(np.diagonal(weight))
            variance = variance + 2 * quadratic_form(second, off * off, False)
            upper = quadratic_form(reach, np.abs(weight), False)
        variance = variance + 4 * np.sum(slope * slope * second, axis=-1)
        variance = variance + 4 * np.sum(diagonal * slope * second * sign * (up - down), axis=-1)
    return Moments(number(mean), number(variance), number(upper))
