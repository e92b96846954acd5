"""Stochastic rounding of rows; stands for `impl.compressors.rounding.stochastic_rounding.round_tiles`.

Of `compress_rows`, which also counts bits, the reference are `message` and `reconstruct` of a quantizer.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.coders.elias import bits_of_rows
from impl.kernels.compiled import kernel_part, kernel_with_memory
from impl.kernels.philox import BLOCK, SCRATCH, fill_block

Array = npt.NDArray[Any]


@kernel_with_memory
def round_part(x: Array, spacing: Array, unit: Array, first: Any, stream: Array, out: Array) -> None:
    """Write sign(x) b (floor(v) + (u < v - floor(v))), v = |x| / a, of a tile of samples, with b = a or 1.

    Args:
        x: Vectors, (M, d), C-ordered or rows of such.
        spacing: a > 0 in the dtype of x: (1, 1), (M, 1), (1, d) or (M, d).
        unit: b, of the same shape: the spacing, or ones for levels.
        first: Index of the first uniform.
        stream: Of the uniforms, which have the dtype of x.
        out: (S M d,), floats, or int64 for levels.
    """
    buffer = np.empty(min(len(out), BLOCK), x.dtype)
    _round_tile(x, spacing, unit, first, stream, out, np.empty(SCRATCH, np.uint32), buffer)


@kernel_part
def _round_tile(
    x: Array,
    spacing: Array,
    unit: Array,
    first: Any,
    stream: Array,
    out: Array,
    scratch: Array,
    buffer: Array,
) -> None:
    rows, d = x.shape
    at, row, column, used, ready = 0, 0, 0, 0, 0
    while at < len(out):
        if used == ready:
            used, ready = 0, min(len(buffer), len(out) - at)
            fill_block(buffer[:ready], scratch, first + np.uint64(at), stream)
        n = min(ready - used, d - column)
        v, target = x[row, column : column + n], out[at : at + n]
        a, b = spacing[row % len(spacing)], unit[row % len(spacing)]
        u = buffer[used : used + n]
        if len(a) == 1:
            _round_evenly(v, a[0], b[0], u, target)
        else:
            _round_unevenly(v, a[column : column + n], b[column : column + n], u, target)
        used, at, column = used + n, at + n, column + n
        if column == d:
            row, column = (row + 1) % rows, 0


@kernel_part
def _round_evenly(x: Array, a: Any, b: Any, u: Array, out: Array) -> None:
    zero, one = a - a, a / a
    for j in range(len(x)):
        v = abs(x[j]) / a
        level = np.floor(v)
        size = (level + (one if u[j] < v - level else zero)) * b
        out[j] = size if x[j] > zero else zero - size  # never a negative zero


@kernel_part
def _round_unevenly(x: Array, a: Array, b: Array, u: Array, out: Array) -> None:
    zero, one = a[0] - a[0], a[0] / a[0]
    for j in range(len(x)):
        v = abs(x[j]) / a[j]
        level = np.floor(v)
        size = (level + (one if u[j] < v - level else zero)) * b[j]
        out[j] = size if x[j] > zero else zero - size


@kernel_with_memory
def compress_rows(
    x: Array, spacing: Array, stream: Array, sparse: bool, lengths: Array, decoded: Array, bits: Array
) -> Any:
    """Round vectors by the first uniforms of a stream, count the bits of their codes, and decode them.

    Args:
        x: Vectors, (M, d), C-ordered, with d of at most `BLOCK`.
        spacing: a > 0 in the dtype of x, (M, 1) or (M, d).
        stream: Of the uniforms, which have the dtype of x.
        sparse: As of `bits_of_rows`.
        lengths: Likewise.
        decoded: Output, of the shape of x.
        bits: Output, int64 (M,).

    Returns:
        Whether all numbers of the codes are in the table; otherwise the outputs are of no use.
    """
    d = x.shape[1]
    height = min(len(x), BLOCK // d)
    work = np.empty(SCRATCH, np.uint32), np.empty(height * d, x.dtype), np.empty((height, d), np.int64)
    return _compress(x, spacing, stream, sparse, lengths, decoded, bits, work, np.empty(d, x.dtype))


@kernel_part
def _compress(
    x: Array,
    spacing: Array,
    stream: Array,
    sparse: bool,
    lengths: Array,
    decoded: Array,
    bits: Array,
    work: Any,
    ones: Array,
) -> Any:
    (rows, d), (scratch, buffer, levels) = x.shape, work
    height = len(levels)
    for j in range(d):
        ones[j] = 1
    for first in range(0, rows, height):
        n = min(height, rows - first)
        fill_block(buffer[: n * d], scratch, np.uint64(first) * np.uint64(d), stream)
        for i in range(n):
            a, u, sent = spacing[first + i], buffer[i * d : (i + 1) * d], levels[i]
            if len(a) == 1:
                _round_evenly(x[first + i], a[0], ones[0], u, sent)
                for j in range(d):
                    decoded[first + i, j] = sent[j] * a[0]
            else:
                _round_unevenly(x[first + i], a, ones, u, sent)
                for j in range(d):
                    decoded[first + i, j] = sent[j] * a[j]
        if not bits_of_rows(levels[:n], sparse, lengths, bits[first : first + n]):
            return False
    return True
