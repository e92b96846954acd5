"""All clients of a correlated quantizer; stands for `CorrelatedQuantizer.compress_counted`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel_part, kernel_with_memory
from impl.kernels.philox import SCRATCH, fill_block
from impl.kernels.strata import block_width, order_block

Array = npt.NDArray[Any]


@kernel_with_memory
def quantize_clients(
    x: Array,
    scales: Array,
    binary: bool,
    reciprocal: bool,
    low: Any,
    shared: Array,
    private: Array,
    network: Array,
    decoded: Array,
) -> None:
    """Write r times the level above or below a_j / r, the upper one where (stratum + jitter) / n < y.

    Args:
        x: Inputs, float64 (M, n, d).
        scales: r, not negative, (M, n).
        binary: The grid {-r, r}; otherwise {-r, 0, r}.
        reciprocal: Whether every r that is not zero has a reciprocal.
        low: As of `order_block`.
        shared: Philox stream of the strata.
        private: Philox stream of the jitter, float64 (R, n, d).
        network: As of `order_block`.
        decoded: Output, float64 (R, n, d); row r is of x[r mod M].
    """
    n = x.shape[1]
    width = block_width(n)
    keys = np.empty((n, width), np.uint32), np.empty((n, width), np.uint32), np.empty(width, np.uint8)
    work = keys, np.empty(width), np.empty(SCRATCH, np.uint32)
    _quantize(x, scales, (binary, reciprocal), (low, shared, private, network), decoded, work)


@kernel_part
def _quantize(x: Array, scales: Array, grid: Any, streams: Any, decoded: Array, work: Any) -> None:
    (rows, _, d), width = decoded.shape, len(work[1])
    for row in range(rows):
        own = row % len(x)
        for start in range(0, d, width):
            m, place, part = min(width, d - start), (row, start), decoded[row]
            quantize_block(x[own], scales[own], grid, streams, place, rows, work, m, start, part)


@kernel_part
def quantize_block(
    x: Array,
    scales: Array,
    grid: Any,
    streams: Any,
    place: Any,
    rows: int,
    work: Any,
    m: int,
    at: int,
    out: Array,
) -> None:
    """Write m coordinates of all clients of one row.

    Args:
        x: Input, (n, d).
        scales: r, (n,).
        grid: binary and reciprocal of `quantize_clients`.
        streams: low, shared, private and network of there.
        place: Number of the row, and first coordinate.
        rows: R.
        work: Memory of `order_block`, and arrays for jitter and words.
        m: As above.
        at: First column of out.
        out: (n, ...).
    """
    (binary, reciprocal), (low, shared, private, network) = grid, streams
    memory, jitter, scratch = work
    keys, (row, start) = memory[0], place
    n, d = x.shape
    order_block(memory, m, low, place, (rows, n, d), shared, network, scratch)
    u = jitter[:m]
    for i in range(n):
        first = np.uint64(row * n + i) * np.uint64(d) + np.uint64(start)
        fill_block(u, scratch, first, private)
        a, target, r = x[i, start : start + m], out[i, at : at + m], scales[i]
        if binary:
            _binary(a, r, reciprocal, n, keys[i, :m], u, target)
        else:
            _ternary(a, r, n, keys[i, :m], u, target)


@kernel_part
def _binary(x: Array, r: float, reciprocal: bool, n: int, strata: Array, u: Array, out: Array) -> None:
    divisor = r if r > 0.0 else 1.0
    factor = 0.5 / divisor
    if reciprocal:
        for j in range(len(x)):
            up = (x[j] * factor + 0.5) * n - u[j] > np.float64(np.int32(strata[j]))
            out[j] = r if up else 0.0 - r
    else:
        for j in range(len(x)):
            up = (x[j] / divisor * 0.5 + 0.5) * n - u[j] > np.float64(np.int32(strata[j]))
            out[j] = r if up else 0.0 - r


@kernel_part
def _ternary(x: Array, r: float, n: int, strata: Array, u: Array, out: Array) -> None:
    divisor = r if r > 0.0 else 1.0
    for j in range(len(x)):
        t = min(max(x[j] / divisor, -1.0), 1.0)
        level = np.floor(t)
        up = (t - level) * n - u[j] > np.float64(np.int32(strata[j]))
        out[j] = (level + (1.0 if up else 0.0)) * r + 0.0
