"""The Hadamard transform of Sylvester without its factor, tile by tile."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_TILE = 2**15  # numbers of one tile: with its copy it stays in the second-level cache
_RADIX = 2**7  # rows of a tile at most: they stay long enough for the vector units


def hadamard(x: Array) -> Array:
    """Return H x, float64 (..., d), for d a power of two.

    The sums are those of the stages of widths 1, 2, 4, ..., in this order, whatever the tiles are: the result
    does not depend on how it is computed.
    """
    out = np.array(x, dtype=np.float64, order="C")
    d = out.shape[-1]
    if out.size:
        for row in out.reshape(-1, d) if d > _TILE else [out]:
            _stages(row)
    return out


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
