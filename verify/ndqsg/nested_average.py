"""Averages of m dithered and m nested messages of one vector, enumerated and sampled.

The fine step is 1, and the noise of each worker is plus or minus a number of at most one half: then no
innovation leaves the margin, and dyadic inputs give exact numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.compressors.contract import Draws
from impl.compressors.dither_stream import draw_dither
from verify.ndqsg.nested_links import grid

Array = npt.NDArray[Any]

RATIO = 7


@dataclass(frozen=True)
class Group:
    """m dithered and m nested workers.

    Args:
        m: Workers of each kind.
        alpha: Gain of the nested ones.
        noise: Half the distance of the two values of a worker's noise.
        own_side: Sabotage: each nested worker has side information of its own, from m further workers.
        reverse: Number the workers of each kind the other way round.
    """

    m: int
    alpha: float
    noise: float = 0.5
    own_side: bool = False
    reverse: bool = False

    @property
    def workers(self) -> int:
        """Return the number of workers, those that send further side information included."""
        return 2 * self.m + (self.m * self.m if self.own_side else 0)

    def average(self, gradients: Sequence[Array], dithers: Sequence[Array]) -> Array:
        """Return the average of the 2 m decoded messages, (..., d).

        Args:
            gradients: One for each worker, (..., d).
            dithers: Likewise.
        """
        first, nested = (
            DitheredQuantizer(1, scale=1.0),
            NestedDitheredQuantizer(1, RATIO, self.alpha, scale=1.0),
        )
        m = self.m
        pairs = list(zip(gradients, dithers, strict=True))
        if self.reverse:
            pairs = [*pairs[:m][::-1], *pairs[m : 2 * m][::-1], *pairs[2 * m :]]
        plain = [first.compress(g, Draws(shared=u)) for g, u in pairs[:m] + pairs[2 * m :]]
        decoded = plain[:m]
        for place, (g, u) in enumerate(pairs[m : 2 * m]):
            known = plain[m * (place + 1) : m * (place + 2)] if self.own_side else plain[:m]
            decoded.append(nested.compress(g, Draws(shared=u), np.mean(known, axis=0)))
        return np.asarray(sum(decoded) / (2 * m))

    def enumerated(self, points: int) -> Fraction:
        """Return the mean square of the average over all noises and dithers of a small generator."""
        values = [np.array([-self.noise, self.noise]), grid(points)]
        axes = np.meshgrid(*(values[0],) * self.workers, *(values[1],) * self.workers, indexing="ij")
        rows = [axis.reshape(-1, 1) for axis in axes]
        average = self.average(rows[: self.workers], rows[self.workers :])
        # Dyadic numbers with few digits: squares and their sum are exact in double precision.
        return Fraction(float((average**2).sum())) / len(average)

    def sampled(self, rng: np.random.Generator, size: int, d: int, centre: float = 0.3) -> Array:
        """Return squared errors of the average, averaged over d coordinates, (size,)."""
        shape = (size, d)
        noises = [self.noise * (2.0 * rng.integers(0, 2, shape) - 1) for _ in range(self.workers)]
        dithers = [draw_dither(rng, shape) for _ in range(self.workers)]
        average = self.average([centre + noise for noise in noises], dithers)
        return np.asarray(((average - centre) ** 2).mean(axis=-1))

    @property
    def upper(self) -> float:
        """Return a sure upper bound of the squared error of the average, without overload."""
        a = self.alpha**2
        reach = self.noise + 0.5
        share = (2 - a) * reach + a * self.noise + self.alpha / 2
        # A bound of samples in float64: 1e-9 is far above the round-off of squares of a few steps.
        return (share / 2 if not self.own_side else (reach + share) / 2) ** 2 + 1e-9
