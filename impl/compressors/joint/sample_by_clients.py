"""Estimates of long inputs, client by client, tile by tile: no draws, no decoded vectors are stored."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from impl.compressors.contract import Array
from impl.compressors.philox_draws import PhiloxSequence
from impl.compressors.rounding.stochastic_rounding import UniformStream
from impl.errors import ArgumentError
from impl.tiers import current

if TYPE_CHECKING:
    from impl.compressors.joint.joint_contract import JointCompressor

TILE = 2**15
Tiles = Iterator[tuple[slice, Array]]
"""Where a part of a decoded vector belongs, and it itself, float64, to be overwritten."""


def sample_by_clients(joint: "JointCompressor", x: Any, rng: Any) -> Array | None:
    """Return the estimate for one input of long vectors with the draws of `JointCompressor.sample`; or None.

    Nothing is drawn where it returns None: also where anything is wrong, which the general way tells.
    """
    plain = type(x) is np.ndarray and x.ndim == 2 and x.dtype in (np.float32, np.float64)
    if not plain or len(x) == 0 or x.shape[1] <= TILE or not isinstance(rng, np.random.Generator):
        return None
    if not all(np.isfinite(row.max()) and np.isfinite(row.min()) for row in x):
        return None
    before = rng.bit_generator.state
    try:
        joint._require_shape(x.shape)
        clients = joint._decoded_tiles(x, rng)
        mean = None if clients is None else _mean(clients, *x.shape)
    except ArgumentError:
        mean = None
    if mean is None:
        rng.bit_generator.state = before
    return mean


def _mean(clients: Iterator[Tiles], n: int, d: int) -> Array | None:
    """Return the mean as `numpy.mean` adds it up, None where it is not finite."""
    mean = np.empty(d)
    with np.errstate(over="ignore", invalid="ignore"):
        for i, tiles in enumerate(clients):
            for at, decoded in tiles:
                if i:
                    mean[at] += decoded
                else:
                    mean[at] = decoded
                del decoded  # before the next one takes its room
        mean /= n
        return mean if np.isfinite(mean.max()) and np.isfinite(mean.min()) else None


def tile_slices(d: int) -> Iterator[slice]:
    """Yield the tiles of d coordinates."""
    for first in range(0, d, TILE):
        yield slice(first, min(first + TILE, d))


def uniforms_in_turn(rng: np.random.Generator) -> UniformStream | PhiloxSequence:
    """Return the float64 numbers that `draw_uniforms` draws on this tier, in C order."""
    return PhiloxSequence(rng) if current() == "fused" else UniformStream(rng, np.float64)


def next_uniforms(uniforms: UniformStream | PhiloxSequence, count: int) -> Array:
    """Return the next uniforms, float64 (count,)."""
    out = np.empty(count)
    uniforms.fill(out)
    return out
