"""Correlated quantization on a grid whose random shift is drawn by every client on its own."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import CorrelatedGrid

Array = npt.NDArray[Any]


class IndependentShifts(CorrelatedGrid):
    """A random shift for each client; the variance of two clients is averaged over both shifts exactly."""

    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Array, ...]:
        strata, _ = super().draw_shared(rng, shape)
        return strata, np.asarray(rng.random(shape[:-1]))

    def _parts(self, shared: Any, n: int, d: int) -> tuple[Array, Any]:
        return np.asarray(shared[0]), float(self.step) * np.asarray(shared[1])[..., None]

    def _exact_coordinate_variances(self, x: list[list[Fraction]]) -> list[Any]:
        if len(x) != 2:
            raise ValueError(f"x has {len(x)} rows; the average over all shifts is done for two clients")
        return [self._over_distances(column) for column in zip(*x, strict=True)]

    def _over_distances(self, inputs: Sequence[Fraction]) -> Fraction:
        """Average over the difference of the shifts what a common shift leaves on average.

        That is a cubic polynomial of the difference between multiples of half a step.
        """
        beta = Fraction(self.step)
        cell = beta / 2
        start = inputs[0] - inputs[1]
        kinks = [math.ceil(start / cell) * cell - start + k * cell for k in range(3)]
        ends = sorted({Fraction(0), beta, *(kink for kink in kinks if 0 < kink < beta)})
        total = Fraction(0)
        for low, high in pairwise(ends):
            at = [self._common(inputs, place) for place in (low, (low + high) / 2, high)]
            total += (high - low) * (at[0] + 4 * at[1] + at[2]) / 6
        return total / beta

    def _common(self, inputs: Sequence[Fraction], moved: Fraction) -> Fraction:
        (value,) = super()._exact_coordinate_variances([[inputs[0] + moved], [inputs[1]]])
        return Fraction(value)
