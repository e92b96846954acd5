"""Hadamard transform in place; stands for `impl.hadamard.hadamard_in_place`, with the same sums."""

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel, kernel_part

Array = npt.NDArray[np.floating]

_CHUNK = 2**12  # numbers that stay in the innermost cache through all of their stages


@kernel
def transform_rows(x: Array) -> None:
    """Transform the rows of a C-ordered array, (R, d), for d a power of two."""
    d = x.shape[1]
    for row in range(len(x)):
        for start in range(0, d, _CHUNK):
            _stages(x[row, start : start + _CHUNK], np.int64(1))
        _stages(x[row], np.int64(_CHUNK))  # int64 both: literals would be compiled apart


@kernel_part
def _stages(x: Array, width: int) -> None:
    """Do the stages of widths `width`, 2 `width`, ... of one vector, two at a time."""
    d = len(x)
    if width == 1 and d >= 4:
        for j in range(d // 4):
            a, b, c, e = x[4 * j], x[4 * j + 1], x[4 * j + 2], x[4 * j + 3]
            a, b, c, e = a + b, a - b, c + e, c - e
            x[4 * j], x[4 * j + 1], x[4 * j + 2], x[4 * j + 3] = a + c, b + e, a - c, b - e
        width = 4
    while width < d:
        if 4 * width <= d:
            for start in range(0, d, 4 * width):
                _four_columns(x[start : start + 4 * width], width)
            width *= 4
        else:
            low, high = x[:width], x[width:]
            for j in range(width):
                low[j], high[j] = low[j] + high[j], low[j] - high[j]
            width *= 2


@kernel_part
def _four_columns(x: Array, width: int) -> None:
    x0, x1, x2, x3 = x[:width], x[width : 2 * width], x[2 * width : 3 * width], x[3 * width :]
    for j in range(width):
        a, b, c, e = x0[j], x1[j], x2[j], x3[j]
        a, b, c, e = a + b, a - b, c + e, c - e
        x0[j], x1[j], x2[j], x3[j] = a + c, b + e, a - c, b - e
