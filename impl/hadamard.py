"""The Hadamard transform of Sylvester without its factor, tile by tile."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import Problems
from impl.tiers import chosen

Array = npt.NDArray[Any]

_TILE = 2**15  # numbers of one tile: with its copy it stays in the second-level cache
_RADIX = 2**7  # rows of a tile at most: they stay long enough for the vector units


def hadamard(x: Array, *, tier: str | None = None) -> Array:
    """Return H x, float64 (..., d), for d a power of two.

    The sums are those of the stages of widths 1, 2, 4, ..., in this order, whatever the tiles are: the result
    does not depend on how it is computed, nor on the tier. Beyond the range it is infinite or NaN, without a
    warning.
    """
    out = np.array(x, dtype=np.float64, order="C")
    hadamard_in_place(out, tier=tier)
    return out


def hadamard_in_place(x: Array, *, tier: str | None = None) -> None:
    """Replace x, float32 or float64 (..., d), by H x, in the precision of x and with the same sums.

    Args:
        x: C-ordered and writable; d is a power of two.
        tier: `numpy`, or `fused` for a compiled kernel (extra `fast`); that of `impl.tier` by default.

    Raises:
        ArgumentError: Another dtype, order or dimension.
    """
    problems = Problems("hadamard_in_place")
    with problems.collect():
        tier = chosen(tier, "hadamard_in_place")
    fits = isinstance(x, np.ndarray) and x.dtype in (np.float32, np.float64) and x.ndim > 0
    fits = fits and x.flags.c_contiguous and x.flags.writeable
    problems.require(fits, "x must be a writable C-ordered array (..., d) of float32 or float64")
    d = x.shape[-1] if fits else 1
    problems.require(d > 0 and not d & (d - 1), f"d={d} must be a power of two; fill x up with zeros")
    problems.raise_if_any()
    if not x.size:
        return
    if tier == "fused":
        from impl.kernels.hadamard import transform_rows  # numba, where it is asked for

        transform_rows(x.reshape(-1, d))
        return
    with np.errstate(over="ignore", invalid="ignore"):  # kernels warn of nothing
        for row in x.reshape(-1, d) if d > _TILE else [x]:
            _stages(row)


def _stages(x: Array) -> None:
    """Transform the last axis of a contiguous array in place."""
    d = x.shape[-1]
    width = 1
    while width < d:
        radix = min(_RADIX, d // width)
        # Coordinates j = (a radix + b) width + c: these stages mix b, for all a and c.
        parts = x.reshape(-1, radix, width)
        if width == 1:  # neighbours are mixed: as columns they would be one number long
            rows = np.ascontiguousarray(parts[..., 0].T)
            _mix_columns(rows)
            parts[..., 0] = rows.T
        else:
            for part in parts:
                _mix_columns(part)
        width *= radix


def _mix_columns(rows: Array) -> None:
    """Transform the first axis of (radix, columns) in place, some columns at a time."""
    radix, columns = rows.shape
    step = max(8, _TILE // radix)
    for start in range(0, columns, step):
        part = rows[:, start : start + step]
        here = np.ascontiguousarray(part)
        there = np.empty_like(here)
        width = 1
        while width < radix:
            pairs = here.reshape(-1, 2, width * here.shape[1])
            mixed = there.reshape(pairs.shape)
            np.add(pairs[:, 0], pairs[:, 1], out=mixed[:, 0])
            np.subtract(pairs[:, 0], pairs[:, 1], out=mixed[:, 1])
            here, there = there, here
            width *= 2
        part[...] = here
