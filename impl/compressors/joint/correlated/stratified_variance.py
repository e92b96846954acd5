"""Exact variance of a sum of bits with stratified thresholds, in O(n^2), or O(n log n) for many clients."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import Problems

Array = npt.NDArray[Any]

# Up to here strata are summed one by one, which is faster; values of records rest on it.
_FEW_CLIENTS = 64
_BUFFER = 2**17  # numbers of the columns that are sorted at a time


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


def stratified_variance_rational(y: Sequence[Any], coefficients: Sequence[Any] | None = None) -> Fraction:
    """Return the same as `stratified_variance_literal` for rational numbers, by sums of whole numbers.

    Args:
        y: Probabilities in [0, 1], (n,), Fractions or integers.
        coefficients: c_i >= 0, (n,), Fractions or integers; ones by default.
    """
    n = len(y)
    c = [1] * n if coefficients is None else list(coefficients)
    unit, scale = (math.lcm(*(Fraction(item).denominator for item in items)) for items in (y, c))
    levels = [int(n * item * unit) for item in y]
    weights = [int(item * scale) for item in c]
    # Within a stratum: alpha (1 - alpha) of the part of n y_i that fills no cell.
    parts = [level % unit for level in levels]
    within = sum(w * w * part * (unit - part) for w, part in zip(weights, parts, strict=True))
    found = Fraction(within, n)
    if n > 1:
        rows = [
            [w * min(max(level - k * unit, 0), unit) for k in range(n)]
            for w, level in zip(weights, levels, strict=True)
        ]
        columns = [sum(column) for column in zip(*rows, strict=True)]
        sums = [sum(row) for row in rows]
        squares = sum(item * item for row in rows for item in row)
        # n^2 times the sum of squares about the means of rows and columns.
        between = n * n * squares - n * sum(item * item for item in (*sums, *columns)) + sum(sums) ** 2
        found += Fraction(between, n * n * (n - 1))
    return found / (unit * scale) ** 2


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
    if n <= _FEW_CLIENTS:
        between = _between_by_strata(levels, chances, scale)
    else:
        between = np.empty_like(within)
        width = max(1, _BUFFER // n)
        for index in np.ndindex(*within.shape[:-1]):
            c = np.broadcast_to(scale, (*chances.shape[:-1], 1))[index]
            for start in range(0, within.shape[-1], width):
                part = (*index, slice(None), slice(start, start + width))
                found = _between_by_ranks(levels[part], chances[part], c)
                between[(*index, slice(start, start + width))] = found
    return np.asarray(between / (n - 1) + within)


def _between_by_strata(levels: Array, chances: Array, scale: Array) -> Array:
    between = np.zeros((*chances.shape[:-2], chances.shape[-1]))
    for k in range(chances.shape[-2]):
        # What stratum k adds to the mean of each client.
        offset = scale * (np.clip(levels - k, 0.0, 1.0) - chances)
        offset -= offset.mean(axis=-2, keepdims=True)
        between += (offset * offset).sum(axis=-2)
    return between


def _between_by_ranks(levels: Array, chances: Array, scale: Array) -> Array:
    """Return the same, (d,), from levels and chances (n, d) and coefficients (n, 1), by sorting.

    In stratum k the clients of lower cells have the offsets -c y, those of higher ones c (1 - y), whatever k
    is: mean and sum of squares about it are summed once for every prefix and suffix. Squares are merged, so
    that nothing cancels.
    """
    n, d = levels.shape
    order = np.argsort(levels, axis=0, kind="stable")
    y = np.take_along_axis(chances, order, axis=0)
    c = np.take_along_axis(np.broadcast_to(scale, (n, d)), order, axis=0)
    t = np.take_along_axis(levels, order, axis=0)
    cells = np.minimum(np.floor(t), n - 1)
    below_mean, below_square = _prefix_moments(-c * y)
    above_mean, above_square = (part[::-1] for part in _prefix_moments((c * (1 - y))[::-1]))
    inside = c * ((t - cells) - y)
    # Strata without a client of their own: prefix and suffix alone, equal for all between two cells.
    edges = np.concatenate([np.full((1, d), -1.0), cells, np.full((1, d), float(n))])
    empty = np.maximum(np.diff(edges, axis=0) - 1, 0)
    counts = np.arange(n + 1)[:, None]
    gap = above_mean - below_mean
    apart = below_square + above_square + gap * gap * (counts * (n - counts) / n)
    total: npt.NDArray[np.float64] = (empty * apart).sum(axis=0)
    # Strata with clients: three groups.
    first = np.ones((n, d), dtype=bool)
    first[1:] = cells[1:] != cells[:-1]
    start = np.maximum.accumulate(np.where(first, np.arange(n)[:, None], 0), axis=0)
    last = np.ones((n, d), dtype=bool)
    last[:-1] = first[1:]
    sums = np.cumsum(inside, axis=0)
    rows, columns = np.nonzero(last)
    begin = start[rows, columns]
    count = rows + 1 - begin
    before = np.where(begin > 0, sums[begin - 1, columns], 0.0)
    middle = (sums[rows, columns] - before) / count
    means = np.zeros((n, d))
    means[rows, columns] = middle
    # The mean of the group, at each of its members: it stands at the last one.
    stop = np.minimum.accumulate(np.where(last, np.arange(n)[:, None], n)[::-1], axis=0)[::-1]
    spread = inside - np.take_along_axis(means, stop, axis=0)
    total += (spread * spread).sum(axis=0)
    low, high = below_mean[begin, columns], above_mean[rows + 1, columns]
    sizes = begin, count, n - rows - 1
    mean = (sizes[0] * low + sizes[1] * middle + sizes[2] * high) / n
    merged = below_square[begin, columns] + above_square[rows + 1, columns]
    for size, own in zip(sizes, (low, middle, high), strict=True):
        merged = merged + size * (own - mean) ** 2
    np.add.at(total, columns, merged)
    return total


def _prefix_moments(values: Array) -> tuple[Array, Array]:
    """Return means and sums of squares about them of the j first rows, j = 0, ..., n: (n + 1, d) each."""
    n, d = values.shape
    count = np.arange(1, n + 1)[:, None]
    means, squares = np.zeros((n + 1, d)), np.zeros((n + 1, d))
    means[1:] = np.cumsum(values, axis=0) / count
    # Welford: what the j-th value adds to the sum of squares.
    squares[2:] = np.cumsum((values[1:] - means[1:-1]) ** 2 * (count[:-1] / count[1:]), axis=0)
    return means, squares
