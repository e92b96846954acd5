"""A sample of one ordinary vector, without the detours that everything else needs."""

import functools
from typing import Any

import numpy as np

from impl.compressors.checked_input import is_plain_vector
from impl.compressors.contract import Array
from impl.compressors.philox_draws import philox_stream
from impl.compressors.rounding.block_norms import block_norms
from impl.compressors.rounding.step_sizes import StepSizes
from impl.compressors.rounding.stochastic_rounding import TILE_BYTES, UniformStream, round_tile
from impl.errors import ArgumentError

# What `LevelGrid` takes as it is.
_LIMITS = {
    np.dtype(kind): (2 * float(np.finfo(kind).tiny), float(np.finfo(kind).max) / 4)
    for kind in (np.float32, np.float64)
}
_NONE_BEFORE = np.uint64(0)
_LONGEST = 2**62  # kernels take every length


def rounded_vector(x: Any, rng: Any, steps: StepSizes, norm_bits: int, tier: str) -> Array | None:
    """Return what the general way gives for a vector of one block and one step; None where x is not ordinary.

    It draws nothing where it returns None. By numpy it takes vectors of one tile.
    """
    if not is_plain_vector(x, _LONGEST) or steps.lengths is not None or steps.values.ndim:
        return None
    if not isinstance(rng, np.random.Generator) or (tier == "numpy" and x.nbytes > TILE_BYTES):
        return None
    try:
        norm = block_norms(x, (len(x),), norm_bits, "StochasticQuantizer")
    except ArgumentError:
        return None
    size, (least, most) = float(norm[0]), _LIMITS[x.dtype]
    if not size * steps.smallest > least or size * (1 + steps.largest) >= most:
        return None
    step = steps.tile(x.dtype, 0, 1, 0, 1)
    if tier == "numpy":
        return round_tile(x, norm * step, UniformStream(rng, x.dtype))
    out: Array = np.empty_like(x)
    spacing = (norm * step).reshape(1, 1)
    _round_part()(x.reshape(1, -1), spacing, spacing, _NONE_BEFORE, philox_stream(rng), out)
    return out


@functools.cache  # an import costs half of what the kernel does
def _round_part() -> Any:
    from impl.kernels.stochastic_rounding import round_part  # numba, where it is asked for

    return round_part
