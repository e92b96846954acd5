"""A sample of one ordinary vector, without the detours that everything else needs."""

import functools
import math
from typing import Any

import numpy as np

from impl.compressors.checked_input import FLOATS, SHORT, is_plain_vector
from impl.compressors.contract import Array
from impl.compressors.dithered.dither_cosets import CosetDecoder
from impl.compressors.dithered.dither_stream import draw_words_as_dither
from impl.compressors.dithered.dither_tiles import quantize
from impl.compressors.philox_draws import philox_stream

_TILE = 2**15
_LIMITS = {kind: float(np.finfo(kind).max) / 2 for kind in FLOATS}
_FAR = 2.0**51  # steps of side information, below those that `CosetDecoder` calls lost
_SMALL = 2.0**-300  # of scales: the square of what is far in steps of a larger one does not underflow


def dithered_vector(x: Any, rng: Any, levels: int, points: int, tier: str) -> Array | None:
    """Return what the general way gives for a vector of one block with its own scale; None otherwise.

    It draws nothing where it returns None: x is no ordinary vector of at most a tile, or rng no generator.
    """
    kappa = _ordinary_scale(x, rng, _TILE)
    if kappa is None:
        return None
    if tier == "fused":
        out: Array = np.empty_like(x)
        none = np.empty((0, len(x)), np.int64)
        rows, scales, stream = x.reshape(1, -1), np.array([[kappa]], x.dtype), philox_stream(rng)
        gain = float(levels)
        _kernels()[0](rows, scales, points, stream, gain, gain, none, out.reshape(1, -1))
        return out
    u = draw_words_as_dither(rng, len(x), points)
    v = x / np.float64(kappa)
    if levels != 1:
        v *= levels
    v += u
    v += 0.5
    np.floor(v, out=v)
    np.minimum(v, levels, out=v)
    np.maximum(v, -levels, out=v)
    v -= u
    if levels != 1:
        v /= levels
    v *= kappa
    sampled: Array = v.astype(x.dtype, copy=False)
    return sampled


def nested_vector(x: Any, rng: Any, side: Any, decoder: CosetDecoder, points: int, tier: str) -> Array | None:
    """Return the same of a nested quantizer; None also where the decoder is range-aware or side is not plain.

    Side information is plain where it has the shape of x, is finite, and not too many steps from zero.
    """
    kappa = None if decoder.range_aware else _ordinary_scale(x, rng, SHORT)
    if kappa is None or not is_plain_vector(side, SHORT) or len(side) != len(x):
        return None
    y, step = side.astype(np.float64, copy=False), kappa / decoder.levels
    size = math.sqrt(np.vdot(y, y))
    if not (size < _FAR * step and kappa > _SMALL and size + step * decoder.ratio < _LIMITS[x.dtype] / 4):
        return None
    gain, limit = float(decoder.alpha) * decoder.levels, float(decoder.levels)
    if tier == "fused":
        out: Array = np.empty_like(x)
        rows, beside = x.reshape(1, -1), y.reshape(1, -1)
        scales, stream = np.array([[kappa]], x.dtype), philox_stream(rng)
        ratio, alpha = float(decoder.ratio), float(decoder.alpha)
        _kernels()[1](rows, scales, beside, points, stream, limit, ratio, alpha, limit, out.reshape(1, -1))
        return out
    u, i = draw_words_as_dither(rng, len(x), points), np.empty(len(x))
    quantize(x, np.float64(kappa), u, gain, decoder.levels, i)
    estimates: Array = decoder.near_estimates(i, u, y, step).astype(x.dtype, copy=False)
    return estimates


def _ordinary_scale(x: Any, rng: Any, longest: int) -> float | None:
    """Return the largest magnitude of an ordinary vector; None of others, and where rng is no generator."""
    if not is_plain_vector(x, longest) or not isinstance(rng, np.random.Generator):
        return None
    kappa = max(float(x.max()), -float(x.min()))
    return kappa if 0 < kappa <= _LIMITS[x.dtype] else None  # NaN fails


@functools.cache  # an import takes a third of the kernel's time
def _kernels() -> tuple[Any, Any]:
    from impl.kernels.dithered.dithered_quantizer import quantize_rows  # numba, where it is asked for
    from impl.kernels.dithered.nested_dithered_quantizer import decode_rows

    return quantize_rows, decode_rows
