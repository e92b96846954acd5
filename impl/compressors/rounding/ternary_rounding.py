"""Stochastic rounding to -kappa, 0 and kappa in place, tile by tile, or of one vector."""

import functools
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import is_plain_vector
from impl.compressors.dithered.dither_blocks import Blocks
from impl.compressors.philox_draws import PhiloxSequence, PhiloxUniforms, philox_stream
from impl.compressors.rounding.stochastic_rounding import TILE_BYTES, UniformStream, tiles
from impl.tiers import chosen

Array = npt.NDArray[Any]

_CELLS = TILE_BYTES // 8
_WHOLE: dict[Any, Any] = {np.dtype(np.float32): np.int32, np.dtype(np.float64): np.int64}
_SMALL = 2.0**-900  # of scales of which both the power of two and its reciprocal are normal
_HALF_OF_RANGE = {kind: float(np.finfo(kind).max) / 2 for kind in _WHOLE}


def round_ternary(
    x: Array,
    scales: Array,
    uniforms: UniformStream | PhiloxSequence | PhiloxUniforms | Array,
    out: Array,
    blocks: Blocks,
) -> None:
    """Write sign(x) kappa where u < |x| / kappa, a quotient of float64, else zero.

    Args:
        x: Vectors, (M, d).
        scales: kappa of each block, (M, B), the dtype of x; no |x| exceeds that of its block.
        uniforms: A stream of the dtype of x, consumed in C order of out, or an array (S, M, d); those of
            Philox, of as many numbers as out, are made by a kernel where there is one block.
        out: (S, M, d), the dtype of x.
        blocks: Blocks of the d coordinates.
    """
    if not out.size:
        return
    if isinstance(uniforms, PhiloxUniforms):
        if uniforms.dtype == x.dtype and scales.shape[-1] == 1:
            ones = np.where(scales == 0, scales.dtype.type(1), scales)
            _round_rows()(x, ones.reshape(-1), uniforms.stream, out)
            return
        uniforms = np.asarray(uniforms).reshape(out.shape)
    whole = _WHOLE[x.dtype]
    drawn, kept = np.empty(min(_CELLS, out.size), x.dtype), np.empty(min(_CELLS, out.size), bool)
    chances, signed = np.empty(min(_CELLS, x.size)), np.empty(min(_CELLS, x.size), x.dtype)
    for new, at in tiles(out.shape, _CELLS):
        part, target = x[at[1:]], out[at]
        p, s = chances[: part.size].reshape(part.shape), signed[: part.size].reshape(part.shape)
        if new:
            kappa = blocks.spread_part(scales[at[1]], x.shape[-1], at[2].start, at[2].stop)
            np.divide(part, np.where(kappa == 0, 1.0, kappa.astype(np.float64)), out=p)
            np.abs(p, out=p)
            np.copysign(kappa, part, out=s)
        if not isinstance(uniforms, np.ndarray):
            u = drawn[: target.size]
            uniforms.fill(u)
            u = u.reshape(target.shape)
        else:
            u = uniforms[at]
        bit = kept[: target.size].reshape(target.shape)
        np.less(u, p, out=bit)
        # The bits of the number times 0 or 1: a product of floats would leave negative zeros.
        np.multiply(s.view(whole), bit, out=target.view(whole))


def ternary_vector(x: Any, rng: Any, clip: Any, norm_bits: int, tier: str | None) -> Array | None:
    """Return a sample of one plain vector of at most a tile, of one block, without detours; None otherwise.

    Nothing is drawn where it returns None: x is not plain or not finite, its scale is zero or rounded before
    it is sent, or rng is no generator.
    """
    if not is_plain_vector(x, _CELLS) or not isinstance(rng, np.random.Generator):
        return None
    kappa = max(float(x.max()), -float(x.min()))
    if not 0 < kappa <= _HALF_OF_RANGE[x.dtype] or (norm_bits == 32 and x.dtype != np.float32):  # NaN fails
        return None
    if clip is not None:
        if not _SMALL < kappa < 1 / _SMALL:
            return None
        bound = min(x.dtype.type(_bound(x, kappa, float(clip))), x.dtype.type(kappa))
        if not bound:
            return None
        x, kappa = np.minimum(np.maximum(x, -bound), bound), float(bound)
    if chosen(tier, "TernGrad") == "fused":
        out: Array = np.empty_like(x)
        scales = np.array([kappa], x.dtype)
        _round_rows()(x.reshape(1, -1), scales, philox_stream(rng), out.reshape(1, 1, -1))
        return out
    u = np.empty_like(x)
    UniformStream(rng, x.dtype).fill(u)
    chances = x / np.float64(kappa)
    np.abs(chances, out=chances)
    kept = u < chances
    signed: Array = np.copysign(x.dtype.type(kappa), x)
    bits = signed.view(_WHOLE[x.dtype])
    bits *= kept  # as above: no negative zeros
    return signed


def _bound(x: Array, kappa: float, clip: float) -> float:
    """Return what one vector is clipped to, by the operations of `TernGrad` and of `np.std`."""
    exponent = math.frexp(kappa)[1]
    scaled = x.astype(np.float64)
    scaled *= 2.0**-exponent
    scaled -= scaled[0]
    scaled -= np.add.reduce(scaled) / len(x)
    scaled *= scaled
    deviation = math.sqrt(np.add.reduce(scaled) / len(x))
    return math.ldexp(min(clip * deviation, 1.0), exponent)


@functools.cache  # an import costs as much as the rounding
def _round_rows() -> Any:
    from impl.kernels.ternary_rounding import round_rows  # numba, where its draws are used

    return round_rows
