"""Hadamard transform in place; stands for `impl.hadamard.hadamard_in_place`, with the same sums."""

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel, kernel_part

Array = npt.NDArray[np.floating]

# Numbers that stay in the first and in the second level of the cache through all of their stages.
_CHUNK = 2**12
_BLOCK = 2**16


@kernel
def transform_rows(x: Array) -> None:
    """Transform the rows of a C-ordered array, (R, d), for d a power of two."""
    d = x.shape[1]
    for row in range(len(x)):
        for start in range(0, d, _BLOCK):
            block = x[row, start : start + _BLOCK]
            for place in range(0, len(block), _CHUNK):
                _stages(block[place : place + _CHUNK], np.int64(1))
            _stages(block, np.int64(_CHUNK))  # int64 all: literals would be compiled apart
        _stages(x[row], np.int64(_BLOCK))


@kernel_part
def _stages(x: Array, width: int) -> None:
    """Do the stages of widths `width`, 2 `width`, ... of one vector, three at a time."""
    d = len(x)
    if width == 1 and d >= 8:
        _first_three(x)
        width = 8
    while width < d:
        if 8 * width <= d:
            for start in range(0, d, 8 * width):
                _eight_columns(x[start : start + 8 * width], width)
            width *= 8
        else:
            for start in range(0, d, 2 * width):
                low, high = x[start : start + width], x[start + width : start + 2 * width]
                for j in range(width):
                    low[j], high[j] = low[j] + high[j], low[j] - high[j]
            width *= 2


@kernel_part
def _first_three(x: Array) -> None:
    for j in range(0, len(x), 8):
        a, b, c, d, e, f, g, h = x[j], x[j + 1], x[j + 2], x[j + 3], x[j + 4], x[j + 5], x[j + 6], x[j + 7]
        a, b, c, d, e, f, g, h = a + b, a - b, c + d, c - d, e + f, e - f, g + h, g - h
        a, b, c, d, e, f, g, h = a + c, b + d, a - c, b - d, e + g, f + h, e - g, f - h
        x[j], x[j + 1], x[j + 2], x[j + 3] = a + e, b + f, c + g, d + h
        x[j + 4], x[j + 5], x[j + 6], x[j + 7] = a - e, b - f, c - g, d - h


@kernel_part
def _eight_columns(x: Array, width: int) -> None:
    x0, x1, x2, x3 = x[:width], x[width : 2 * width], x[2 * width : 3 * width], x[3 * width : 4 * width]
    rest = x[4 * width :]
    x4, x5, x6, x7 = rest[:width], rest[width : 2 * width], rest[2 * width : 3 * width], rest[3 * width :]
    for j in range(width):
        a, b, c, d, e, f, g, h = x0[j], x1[j], x2[j], x3[j], x4[j], x5[j], x6[j], x7[j]
        a, b, c, d, e, f, g, h = a + b, a - b, c + d, c - d, e + f, e - f, g + h, g - h
        a, b, c, d, e, f, g, h = a + c, b + d, a - c, b - d, e + g, f + h, e - g, f - h
        x0[j], x1[j], x2[j], x3[j] = a + e, b + f, c + g, d + h
        x4[j], x5[j], x6[j], x7[j] = a - e, b - f, c - g, d - h
