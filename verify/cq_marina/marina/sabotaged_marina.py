"""MARINA with one fault each: what the checks of the rate must notice."""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.optimizers import MarinaEstimator

Array = npt.NDArray[Any]


class PrivateCoin(MarinaEstimator):
    """Each client tosses a coin of its own; one that shows heads sends its full gradient."""

    own: Array | None = None

    def coins(self, replicates: int, clients: int) -> Array:
        return np.asarray(self.rng.random((replicates, clients)) < self.probability)

    def advance(self, full: Array, gradients: Array, decoded: Array) -> Array:
        own = self.previous if self.own is None else self.own
        self.own = np.where(full[..., None], gradients, own + decoded)
        return np.asarray(self.own.mean(axis=-2))


class StaleDifference(MarinaEstimator):
    """The clients compress the difference of the round before; in the first round there is no older one."""

    last: Array | None = None

    def difference(self, gradients: Array) -> Array:
        fresh = super().difference(gradients)
        used = fresh if self.last is None else self.last
        self.last = fresh
        return used.copy()


class RareFullGradient(MarinaEstimator):
    """Full gradients come with a quarter of the probability that the step size was chosen for."""

    def coins(self, replicates: int, clients: int) -> Array:
        return np.asarray(self.rng.random(replicates) < self.probability / 4)[:, None]
