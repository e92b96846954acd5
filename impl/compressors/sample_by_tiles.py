"""Samples of long vectors whose coordinates know nothing of each other, tile by tile: little memory."""

from collections.abc import Callable
from typing import Any

import numpy as np

from impl.compressors.contract import Array, Compressor, Draws
from impl.compressors.philox_draws import PhiloxSequence
from impl.compressors.rounding.stochastic_rounding import UniformStream
from impl.errors import ArgumentError
from impl.tiers import TIERS, chosen

_TILE = 2**15  # even: two numbers of float32 are of one word


def is_long_vector(x: Any) -> bool:
    """Tell whether x is one plain vector of floats that is longer than a tile."""
    plain = type(x) is np.ndarray and x.ndim == 1 and x.dtype in (np.float32, np.float64)
    return plain and len(x) > _TILE


def sample_by_tiles(
    compressor: Compressor, x: Any, rng: Any, tier: Any, part_of: Callable[[slice], Compressor] | None = None
) -> Array | None:
    """Return the sample of one long vector with the draws of `Compressor.sample`; None for all others.

    Nothing is drawn where it returns None: also where anything is wrong, which the general way tells.

    Args:
        compressor: Draws private uniforms alone.
        x: As of `Compressor.sample`.
        rng: As there.
        tier: As there.
        part_of: Maps a slice of the coordinates to the compressor of these; None where all are alike.
    """
    if not is_long_vector(x) or not isinstance(rng, np.random.Generator) or tier not in (None, *TIERS):
        return None
    fused = chosen(tier, type(compressor).__name__) == "fused"
    before = rng.bit_generator.state
    uniforms = PhiloxSequence(rng) if fused else UniformStream(rng, x.dtype)
    out, room = np.empty(len(x), x.dtype), np.empty(_TILE, x.dtype)
    try:
        for start in range(0, len(x), _TILE):
            at = slice(start, min(start + _TILE, len(x)))
            part, own = x[at], compressor if part_of is None else part_of(at)
            uniforms.fill(room[: len(part)])
            out[at] = own.compress(part, Draws(private=room[: len(part)]))
    except ArgumentError:
        rng.bit_generator.state = before
        return None
    return out
