"""Samples of long vectors whose coordinates know nothing of each other, tile by tile: little memory."""

from typing import Any

import numpy as np

from impl.compressors.contract import Array, Compressor, Draws
from impl.compressors.rounding.stochastic_rounding import UniformStream
from impl.errors import ArgumentError
from impl.tiers import TIERS, chosen

_TILE = 2**15  # even: two numbers of float32 are of one word


def sample_by_tiles(compressor: Compressor, x: Any, rng: Any, tier: Any) -> Array | None:
    """Return the sample of one long vector by numpy, with the draws of `Compressor.sample`; None otherwise.

    Nothing is drawn where it returns None: also where anything is wrong, which the general way tells.
    """
    plain = type(x) is np.ndarray and x.ndim == 1 and x.dtype in (np.float32, np.float64)
    if not plain or len(x) <= _TILE or not isinstance(rng, np.random.Generator):
        return None
    if not (tier in (None, *TIERS) and chosen(tier, type(compressor).__name__) == "numpy"):
        return None
    before = rng.bit_generator.state
    uniforms, out, room = UniformStream(rng, x.dtype), np.empty(len(x), x.dtype), np.empty(_TILE, x.dtype)
    try:
        for start in range(0, len(x), _TILE):
            part = x[start : start + _TILE]
            uniforms.fill(room[: len(part)])
            out[start : start + _TILE] = compressor.compress(part, Draws(private=room[: len(part)]))
    except ArgumentError:
        rng.bit_generator.state = before
        return None
    return out
