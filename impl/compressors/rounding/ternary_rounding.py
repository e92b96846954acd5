"""Stochastic rounding to -kappa, 0 and kappa in place, tile by tile."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.dithered.dither_blocks import Blocks
from impl.compressors.philox_draws import PhiloxSequence, PhiloxUniforms
from impl.compressors.rounding.stochastic_rounding import TILE_BYTES, UniformStream, tiles

Array = npt.NDArray[Any]


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
            from impl.kernels.ternary_rounding import round_rows  # numba, where its draws are used

            ones = np.where(scales == 0, scales.dtype.type(1), scales)
            round_rows(x, ones.reshape(-1), uniforms.stream, out)
            return
        uniforms = np.asarray(uniforms).reshape(out.shape)
    cells = TILE_BYTES // 8
    whole = np.int32 if x.dtype == np.float32 else np.int64
    drawn, kept = np.empty(min(cells, out.size), x.dtype), np.empty(min(cells, out.size), bool)
    chances, signed = np.empty(min(cells, x.size)), np.empty(min(cells, x.size), x.dtype)
    for new, at in tiles(out.shape, cells):
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
