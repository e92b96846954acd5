"""Nested dithered quantizer; stands for `CosetDecoder.write_of_vectors` in `impl.compressors.dithered`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel_part, kernel_with_memory
from impl.kernels.dithered.dithered_quantizer import BLOCK, SCRATCH, fill_dither, quantize, spread

Array = npt.NDArray[Any]

_DITHER_LOST = 2.0**52


@kernel_with_memory
def decode_rows(
    x: Array,
    scales: Array,
    side: Array,
    points: int,
    stream: Array,
    levels: float,
    ratio: float,
    alpha: float,
    limit: float,
    decoded: Array,
) -> None:
    """Write what the receiver makes of the cosets of the indices of x, by the plain rule.

    Args:
        x: float32 or float64, (M, d).
        scales: kappa, not negative, the dtype of x, (M, 1) or (M, d).
        side: y, float64, (m, d); row r of the result takes row r mod m.
        points: Size of the grid of dithers.
        stream: Its Philox stream.
        levels: M.
        ratio: k.
        alpha: Gain of both ends.
        limit: Indices are clipped to plus or minus this, perhaps infinite.
        decoded: In the dtype of x, (R, d); row r is of x[r mod M].
    """
    work = np.empty(SCRATCH, np.uint32), np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK)
    _decode_blocks(x, scales, side, points, stream, (levels, ratio, alpha, limit), decoded, work)


@kernel_part
def _decode_blocks(
    x: Array, scales: Array, side: Array, points: int, stream: Array, rule: Any, decoded: Array, work: Any
) -> None:
    (levels, ratio, alpha, limit), (scratch, dither, q, kappa), d = rule, work, x.shape[1]
    for row in range(len(decoded)):
        own, beside = row % len(x), row % len(side)
        for start in range(0, d, BLOCK):
            stop = min(d, start + BLOCK)
            u, i, k = dither[: stop - start], q[: stop - start], kappa[: stop - start]
            fill_dither(u, scratch, np.uint64(row) * np.uint64(d) + np.uint64(start), points, stream)
            spread(scales[own], start, k)
            quantize(x[own, start:stop], k, u, alpha * levels, limit, i)
            _decode(i, u, side[beside, start:stop], k, levels, ratio, alpha, decoded[row, start:stop])


@kernel_part
def _decode(
    i: Array, u: Array, side: Array, scales: Array, levels: float, ratio: float, alpha: float, out: Array
) -> None:
    half = np.floor(ratio / 2.0)
    for j in range(len(i)):
        symbol = i[j] - np.floor((i[j] + half) / ratio) * ratio
        step = scales[j] / levels
        shift = alpha * side[j] / step
        near = symbol - u[j] - shift
        near -= np.floor(near / ratio + 0.5) * ratio
        v = near * (alpha * step) + side[j]
        v = v if abs(shift) < _DITHER_LOST else side[j]
        out[j] = v if scales[j] > 0.0 else 0.0
