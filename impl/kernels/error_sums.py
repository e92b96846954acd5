"""Squared errors of many samples, none of them stored; stands for `impl.compressors.error_sums`.

Of `rounding_variances` the reference is `two_point_variance` of `impl.compressors.rounding.two_point_error`.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel, kernel_of_sums, kernel_part, kernel_with_memory
from impl.kernels.correlated_quantizer import quantize_block
from impl.kernels.philox import SCRATCH, fill_block
from impl.kernels.strata import block_width

Array = npt.NDArray[Any]

_FEW = 256  # uniforms at a time: beside chances and gains they stay in the innermost cache


@kernel
def rounding_variances(x: Array, spacing: Array, sums: Array) -> None:
    """Write sums over j of p_j (1 - p_j), where p_j is the fractional part of |x_j| / a.

    Args:
        x: Vectors, (M, d), C-ordered.
        spacing: a > 0 in the dtype of x, (M, 1).
        sums: Output, (M,), float64.
    """
    for row in range(len(x)):
        sums[row] = _fractional(x[row], spacing[row, 0])


@kernel_of_sums
def _fractional(x: Array, a: Any) -> float:
    total = 0.0
    for j in range(len(x)):
        v = abs(x[j]) / a
        p = np.float64(v - np.floor(v))
        total += p * (1.0 - p)
    return total


@kernel_with_memory
def two_point_sums(chances: Array, gains: Array, base: float, stream: Array, sums: Array) -> None:
    """Write independent sums over j of g_j with chance p_j and nothing otherwise, and of a constant.

    Args:
        chances: p, (d,).
        gains: g, (d,).
        base: The constant.
        stream: Philox stream of the uniforms, float64 (S, d): g where u < p.
        sums: Output, (S,).
    """
    _sum_two_points(chances, gains, base, stream, sums, np.empty(SCRATCH, np.uint32), np.empty(_FEW))


@kernel_part
def _sum_two_points(
    chances: Array, gains: Array, base: float, stream: Array, sums: Array, scratch: Array, buffer: Array
) -> None:
    d = len(chances)
    for sample in range(len(sums)):
        total = base
        for start in range(0, d, _FEW):
            stop = min(d, start + _FEW)
            u = buffer[: stop - start]
            fill_block(u, scratch, np.uint64(sample) * np.uint64(d) + np.uint64(start), stream)
            total += _chosen(u, chances[start:stop], gains[start:stop])
        sums[sample] = total


@kernel_of_sums
def _chosen(u: Array, chances: Array, gains: Array) -> float:
    total = 0.0
    for j in range(len(u)):
        total += gains[j] if u[j] < chances[j] else 0.0
    return total


@kernel_with_memory
def stratified_sums(
    x: Array,
    scales: Array,
    binary: bool,
    reciprocal: bool,
    low: Any,
    shared: Array,
    private: Array,
    network: Array,
    mean: Array,
    weight: Array,
    sums: Array,
) -> None:
    """Write sums over j of w_j (estimate - mean)_j^2 for samples of a correlated quantizer.

    Args:
        x: One input, float64 (1, n, d); the next ones until `network` as of `quantize_clients`.
        scales: As there.
        binary: As there.
        reciprocal: As there.
        low: As there.
        shared: As there, of (S, n, d).
        private: As there.
        network: As there.
        mean: Of the clients, (d,).
        weight: w, (d,).
        sums: Output, (S,).
    """
    n = x.shape[1]
    width = block_width(n)
    keys = np.empty((n, width), np.uint32), np.empty((n, width), np.uint32), np.empty(width, np.uint8)
    work = keys, np.empty(width), np.empty(SCRATCH, np.uint32)
    grid, streams, found = (binary, reciprocal), (low, shared, private, network), (mean, weight, sums)
    _sum_strata(x[0], scales[0], grid, streams, found, work, np.empty((n, width)), np.empty(width))


@kernel_part
def _sum_strata(
    x: Array, scales: Array, grid: Any, streams: Any, found: Any, work: Any, part: Array, estimate: Array
) -> None:
    (n, d), (mean, weight, sums) = x.shape, found
    width, rows = len(estimate), len(sums)
    for row in range(rows):
        total = 0.0
        for start in range(0, d, width):
            m, place = min(width, d - start), (row, start)
            quantize_block(x, scales, grid, streams, place, rows, work, m, 0, part)
            for j in range(m):  # a slice that is assigned takes a second longer to compile
                estimate[j] = 0.0
            for i in range(n):
                _add(part[i, :m], estimate[:m])
            total += _weighted(estimate[:m], n, mean[start : start + m], weight[start : start + m])
        sums[row] = total


@kernel_part
def _add(part: Array, total: Array) -> None:
    for j in range(len(part)):
        total[j] += part[j]


@kernel_of_sums
def _weighted(total: Array, n: int, mean: Array, weight: Array) -> float:
    found = 0.0
    for j in range(len(total)):
        error = total[j] / n - mean[j]
        found += weight[j] * error * error
    return found
