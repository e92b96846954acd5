"""Rounding to -kappa, 0 and kappa; stands for `impl.compressors.rounding.ternary_rounding.round_ternary`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel_part, kernel_with_memory
from impl.kernels.philox import BLOCK, SCRATCH, fill_block

Array = npt.NDArray[Any]


@kernel_with_memory
def round_rows(x: Array, scales: Array, stream: Array, out: Array) -> None:
    """Write sign(x) kappa where u < |x| / kappa, else zero, for samples of all rows.

    Args:
        x: Vectors, (M, d).
        scales: kappa, (M,), positive, the dtype of x; no |x| exceeds it.
        stream: Of the uniforms, which have the dtype of x.
        out: (S, M, d), the dtype of x.
    """
    _round_samples(
        x, scales, stream, out, np.empty(SCRATCH, np.uint32), np.empty(min(out.size, BLOCK), x.dtype)
    )


@kernel_part
def _round_samples(x: Array, scales: Array, stream: Array, out: Array, scratch: Array, buffer: Array) -> None:
    samples, rows, d = out.shape
    first, used, ready = 0, 0, 0
    for sample in range(samples):
        for row in range(rows):
            at = 0
            while at < d:
                if used == ready:
                    used, ready = 0, min(len(buffer), out.size - first)
                    fill_block(buffer[:ready], scratch, np.uint64(first), stream)
                    first += ready
                n = min(ready - used, d - at)
                target = out[sample, row, at : at + n]
                _round(x[row, at : at + n], scales[row], buffer[used : used + n], target)
                used, at = used + n, at + n


@kernel_part
def _round(x: Array, scale: Any, u: Array, out: Array) -> None:
    zero = scale - scale
    if x.itemsize == 4:
        wide = np.float64(scale)  # a product of two float32 is exact here: no quotient is needed
        for j in range(len(x)):
            kept = scale if np.float64(u[j]) * wide < np.float64(abs(x[j])) else zero
            out[j] = kept if x[j] > zero else zero - kept
    else:
        for j in range(len(x)):
            kept = scale if u[j] < abs(x[j]) / scale else zero
            out[j] = kept if x[j] > zero else zero - kept
