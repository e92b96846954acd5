"""A sample of one ordinary vector by numpy, without the detours that everything else needs."""

from typing import Any

import numpy as np

from impl.compressors.contract import Array
from impl.compressors.dithered.dither_stream import draw_words_as_dither

_TILE = 2**15
_LIMITS = {np.dtype(kind): float(np.finfo(kind).max) / 2 for kind in (np.float32, np.float64)}


def dithered_vector(x: Any, rng: Any, levels: int, points: int) -> Array | None:
    """Return what the general way gives for a vector of one block with its own scale; None otherwise.

    It draws nothing where it returns None: x is no ordinary vector of at most a tile, or rng no generator.
    """
    plain = type(x) is np.ndarray and x.ndim == 1 and x.dtype in _LIMITS and x.flags.c_contiguous
    if not plain or not 0 < x.size <= _TILE or not isinstance(rng, np.random.Generator):
        return None
    kappa = max(float(x.max()), -float(x.min()))
    if not 0 < kappa <= _LIMITS[x.dtype]:  # NaN fails
        return None
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
