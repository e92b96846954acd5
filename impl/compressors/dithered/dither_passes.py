"""The passes of a dithered quantizer over all its vectors: by numpy, tile by tile, or by a kernel."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.dithered.dither_blocks import Blocks
from impl.compressors.dithered.dither_cosets import CosetDecoder
from impl.compressors.dithered.dither_input import dither_rows, rows_of
from impl.compressors.dithered.dither_stream import LazyDither, PhiloxDither
from impl.compressors.dithered.dither_tiles import write_quantized

Array = npt.NDArray[Any]


def quantize_all(
    x: Array,
    scales: Array,
    dither: Array | LazyDither,
    shape: tuple[int, ...],
    gain: float,
    limit: int | None,
    indices: Array,
    decoded: Array,
    blocks: Blocks,
) -> int:
    """Write indices and estimates, as `write_quantized` does; return how many indices were clipped.

    Args:
        x: float32 or float64, broadcast to the shape.
        scales: Of its blocks, (..., B).
        dither: Broadcast to the shape.
        shape: (..., d), not empty.
        gain: Steps per scale.
        limit: Indices are clipped to plus or minus this; for None not at all.
        indices: int64, of the shape, or (0,) where they are not wanted.
        decoded: In the dtype of x, likewise.
        blocks: Blocks of the coordinates.
    """
    d = shape[-1]
    wanted, estimates = indices.reshape(-1, d), decoded.reshape(-1, d)
    if isinstance(dither, PhiloxDither) and dither.shape == shape:
        from impl.kernels.dithered.dithered_quantizer import quantize_rows  # numba, where its draws are used

        own, limits = _own_shape(x, shape), np.inf if limit is None else float(limit)
        rows, kappa = rows_of(x, own), rows_of(blocks.spread(scales, d), own)
        return int(quantize_rows(rows, kappa, dither.points, dither.stream, gain, limits, wanted, estimates))
    return write_quantized(
        rows_of(x, shape),
        rows_of(scales, shape),
        dither_rows(dither, shape),
        gain,
        limit,
        wanted if len(wanted) else None,
        estimates if len(estimates) else None,
        blocks,
    )


def decode_all(
    decoder: CosetDecoder,
    x: Array,
    scales: Array,
    dither: Array | LazyDither,
    side: Array,
    shape: tuple[int, ...],
    limit: int | None,
    decoded: Array,
) -> None:
    """Write what the receiver makes of the cosets of x, as `CosetDecoder.write_of_vectors` does.

    Args:
        decoder: The receiver.
        x: As of `quantize_all`, and likewise dither, shape, limit and decoded.
        scales: Of its coordinates, (..., 1) or (..., d).
        dither: As there.
        side: y, float64, broadcast to the shape.
        shape: As there.
        limit: As there.
        decoded: As there.
    """
    estimates = decoded.reshape(-1, shape[-1])
    side = np.broadcast_to(side, np.broadcast_shapes(side.shape, shape[-1:]))
    alpha, levels = float(decoder.alpha), float(decoder.levels)
    if isinstance(dither, PhiloxDither) and dither.shape == shape and not decoder.range_aware:
        from impl.kernels.dithered.nested_dithered_quantizer import (
            decode_rows,  # numba, where its draws are used
        )

        own, beside = _own_shape(x, shape), _own_shape(side, shape)
        decode_rows(
            rows_of(x, own),
            rows_of(scales, own),
            rows_of(side, beside),
            dither.points,
            dither.stream,
            levels,
            float(decoder.ratio),
            alpha,
            np.inf if limit is None else float(limit),
            estimates,
        )
        return
    decoder.write_of_vectors(
        rows_of(x, shape),
        dither_rows(dither, shape),
        rows_of(np.broadcast_to(side, shape), shape),
        rows_of(scales, shape),
        alpha * levels,
        limit,
        estimates,
    )


def _own_shape(array: Array, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of an array whose rows are taken again and again, that of all of them otherwise."""
    return array.shape if shape[len(shape) - array.ndim :] == array.shape else shape
