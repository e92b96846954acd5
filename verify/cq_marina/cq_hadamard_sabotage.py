"""Rotated quantizers with one fault: no rotation at all, or private signs."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import RotatedQuantizer
from impl.compressors.stratified_thresholds import draw_strata

Array = npt.NDArray[Any]


class NoRotation(RotatedQuantizer):
    r"""One bit for each coordinate of the input itself, at the scale $\|a\|_\infty$: its variance only."""

    def _coordinate_variances(self, x: Array) -> Array:
        scales = np.abs(x).max(axis=-1, keepdims=True)
        return np.asarray((scales**2 - x**2).sum(axis=-2) / x.shape[-2] ** 2)


class PrivateSigns(RotatedQuantizer):
    """Every client draws signs of its own, which the receiver knows; the strata are still shared."""

    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Array, ...]:
        signs = 2 * rng.integers(0, 2, size=shape, dtype=np.int8) - np.int8(1)
        return (signs, draw_strata(rng, shape)) if self.correlated else (signs,)

    def _chances(self, x: Array, signs: Array) -> tuple[Array, Array]:
        # The signs are in the product already, so that the common ones of the rotation are ones.
        return super()._chances(x * signs, np.ones(x.shape[-1]))

    def _decode(
        self, symbols: Any, scales: Array | None, rows: Any, shape: tuple[int, ...], shared: Any
    ) -> Array:
        signs = np.asarray(shared[0])[..., rows, :]
        plain = (np.ones(shape[-1]), *shared[1:])
        return signs * super()._decode(symbols, scales, rows, shape, plain)
