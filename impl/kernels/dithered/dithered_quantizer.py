"""Dither, indices and estimates; stands for `impl.compressors.dithered.dither_tiles.write_quantized`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel_part, kernel_with_memory
from impl.kernels.philox import fill_from

Array = npt.NDArray[Any]

BLOCK = 512  # with what is made of them, so many numbers stay in the innermost cache
SCRATCH = BLOCK + 4
_HALF, _LOW_8 = np.uint64(32), np.uint32(8)
_FINEST = 2**24


@kernel_part
def fill_dither(dither: Array, scratch: Array, first: Any, points: int, stream: Array) -> None:
    """Fill at most `BLOCK` dithers, float64, with those of the words first, first + 1, ... of a stream.

    On a grid of 2^24 points u = (2 (word >> 8) + 1 - 2^24) / 2^25, on one of N it is (2 j + 1 - N) / (2 N)
    with j = (word N) >> 32: as of the upper half of a raw word in `dither_stream`.
    """
    words = scratch[fill_from(scratch, first, len(dither), stream) :]
    if points == _FINEST:
        for j in range(len(dither)):
            dither[j] = np.float64(2 * np.int32(words[j] >> _LOW_8) + np.int32(1 - _FINEST)) * 2.0**-25
    else:
        n, shift, whole = np.uint64(points), np.float64(1 - points), np.float64(2 * points)
        for j in range(len(dither)):
            point = np.int32((np.uint64(words[j]) * n) >> _HALF)
            dither[j] = (2.0 * np.float64(point) + shift) / whole


@kernel_with_memory
def fill_dithers(dither: Array, first: Any, points: int, stream: Array) -> None:
    """Fill a contiguous array, float64 (m,), with the dithers first, ..., first + m - 1 of a stream."""
    _fill_blocks(dither, first, points, stream, np.empty(SCRATCH, np.uint32))


@kernel_part
def _fill_blocks(dither: Array, first: Any, points: int, stream: Array, scratch: Array) -> None:
    for at in range(0, len(dither), BLOCK):
        fill_dither(dither[at : at + BLOCK], scratch, first + np.uint64(at), points, stream)


@kernel_with_memory
def quantize_rows(
    x: Array,
    scales: Array,
    points: int,
    stream: Array,
    gain: float,
    limit: float,
    indices: Array,
    decoded: Array,
) -> int:
    """Write q = floor((gain (x / scale) + u) + 1/2) and scale ((q - u) / gain); return how many were clipped.

    Args:
        x: float32 or float64, (M, d).
        scales: Not negative, the dtype of x, (M, 1) or (M, d).
        points: Size of the grid of dithers.
        stream: Its Philox stream.
        gain: Steps per scale.
        limit: Indices are clipped to plus or minus this, perhaps infinite.
        indices: int64, (R, d), or (0, d) where they are not wanted; row r is of x[r mod M].
        decoded: In the dtype of x, likewise.
    """
    work = np.empty(SCRATCH, np.uint32), np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK)
    return int(_quantize_blocks(x, scales, points, stream, gain, limit, indices, decoded, work))


@kernel_part
def _quantize_blocks(
    x: Array,
    scales: Array,
    points: int,
    stream: Array,
    gain: float,
    limit: float,
    indices: Array,
    decoded: Array,
    work: Any,
) -> int:
    (scratch, dither, q, kappa), rows, d = work, max(len(indices), len(decoded)), x.shape[1]
    clipped = 0
    for row in range(rows):
        own = row % len(x)
        for start in range(0, d, BLOCK):
            stop = min(d, start + BLOCK)
            u, v, k = dither[: stop - start], q[: stop - start], kappa[: stop - start]
            fill_dither(u, scratch, np.uint64(row) * np.uint64(d) + np.uint64(start), points, stream)
            spread(scales[own], start, k)
            clipped += quantize(x[own, start:stop], k, u, gain, limit, v)
            if len(indices):
                _write(v, indices[row, start:stop])
            if len(decoded):
                _decode(v, u, k, gain, decoded[row, start:stop])
    return clipped


@kernel_part
def spread(scales: Array, start: int, out: Array) -> None:
    """Write the scales of the coordinates start, start + 1, ... of a row, (1,) or (d,)."""
    for j in range(len(out)):
        out[j] = scales[0 if len(scales) == 1 else start + j]


@kernel_part
def quantize(x: Array, scales: Array, u: Array, gain: float, limit: float, q: Array) -> int:
    """Write the indices of at most `BLOCK` coordinates, float64; return how many were clipped."""
    clipped = 0
    for j in range(len(x)):
        divisor = scales[j] if scales[j] > 0.0 else 1.0
        v = np.floor((x[j] / divisor * gain + u[j]) + 0.5)
        clipped += abs(v) > limit
        q[j] = min(max(v, -limit), limit)
    return clipped


@kernel_part
def _write(q: Array, indices: Array) -> None:
    for j in range(len(q)):  # entry by entry: a slice that is assigned takes a second longer to compile
        indices[j] = np.int64(q[j])


@kernel_part
def _decode(q: Array, u: Array, scales: Array, gain: float, out: Array) -> None:
    for j in range(len(q)):
        v = (q[j] - u[j]) / gain * scales[j]
        out[j] = v if scales[j] > 0.0 else 0.0
