"""The grid on which a quantizer rounds, safe at both ends of the range of floats."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.rounding.step_sizes import StepSizes
from impl.errors import ArgumentError

Array = npt.NDArray[Any]


class LevelGrid:
    """Distances h N between neighbouring levels; a norm of zero counts as one.

    Where h N or the result may leave the range of floats, x and norms are scaled by powers of two, and the
    result is scaled back at the end.

    Args:
        steps: h.
        norms: N, (..., B).
        bounded: Whether no |x| exceeds its N: where 1/h is a whole number M but for its rounding, x / (h N)
            does not exceed M either, rounding included.
    """

    def __init__(self, steps: StepSizes, norms: Array, *, bounded: bool = False) -> None:
        self._steps, self._exponents, self._bounded = steps, None, bounded
        if norms.size:
            if norms.min() == 0:
                norms = np.where(norms == 0, norms.dtype.type(1), norms)
            limits = np.finfo(norms.dtype)
            small = float(norms.min()) * steps.smallest <= 2 * float(limits.tiny)
            large = float(norms.max()) * (1 + steps.largest) >= float(limits.max) / 4
            if small or large:
                norms, exponent = np.frexp(norms)
                self._exponents = exponent if steps.block_of is None else exponent[..., steps.block_of]
        self._norms = norms.reshape(-1, norms.shape[-1])

    def scaled(self, x: Array) -> Array:
        """Return x (..., d) at the scale of the grid."""
        return x if self._exponents is None else np.ldexp(x, -self._exponents)

    def spacing(self, r0: int, r1: int, c0: int, c1: int) -> Array:
        """Return h N on a tile of rows and columns, to be broadcast, at the scale of the grid."""
        block_of = self._steps.block_of
        norm = self._norms[r0:r1] if block_of is None else self._norms[r0:r1, block_of[c0:c1]]
        spacing = np.asarray(norm * self._steps.tile(norm.dtype, r0, r1, c0, c1))
        return bounded_spacing(norm, spacing) if self._bounded else spacing

    def true_spacing(self, shape: tuple[int, ...]) -> Array:
        """Return h N for x (..., d) of this shape, at its own scale; infinite where it is out of range.

        It is float64, (..., 1) where all coordinates have the same.
        """
        spacing = self.spacing(0, len(self._norms), 0, shape[-1])
        spacing = spacing.reshape(*shape[:-1], spacing.shape[-1]).astype(np.float64)
        with np.errstate(over="ignore"):
            return spacing if self._exponents is None else np.ldexp(spacing, self._exponents)

    def restore(self, out: Array) -> Array:
        """Scale the result back in place; raise an ArgumentError where it leaves the range."""
        if self._exponents is None:
            return out
        with np.errstate(over="ignore"):
            np.ldexp(out, self._exponents, out=out)
        if not np.isfinite(out).all():
            raise ArgumentError(
                f"StochasticQuantizer: the result exceeds the range of {out.dtype}; scale x down"
            )
        return out


def bounded_spacing(norm: Array, spacing: Array) -> Array:
    """Return spacings, raised by a rounding where norm / spacing is more than the whole number that it means.

    Without that the largest entry would, once in 1e15 draws, or 1e7 in float32, be rounded to M + 1.
    """
    ratio = norm / spacing
    levels = np.rint(ratio)
    above = (ratio > levels) & (ratio - levels <= 4 * np.finfo(spacing.dtype).eps * ratio)
    if not above.any():
        return spacing
    raised = norm / np.where(above, levels, 1)
    raised = np.where(norm / raised > levels, np.nextafter(raised, spacing.dtype.type(np.inf)), raised)
    return np.asarray(np.where(above, raised, spacing))
