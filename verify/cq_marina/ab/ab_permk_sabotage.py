"""PermK with one fault each, and the variant with idle clients."""

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import Draws, PermK

Array = npt.NDArray[Any]


class MissingScale(PermK):
    """The owners send their entries as they are: the mean over the clients is too small."""

    def reference(self, x: Any, draws: Draws) -> Any:
        held = super().reference([[Fraction(1)] * len(x[0]) for _ in x], draws)
        return [
            [item * (1 if share else 0) for item, share in zip(row, shares, strict=True)]
            for row, shares in zip(x, held, strict=True)
        ]

    def _factors(self, n: int, d: int, shared: Any) -> Array:
        return (super()._factors(n, d, shared) > 0).astype(float)


class IdleClients(PermK):
    """Fewer coordinates than clients: each has one owner, and the other clients send nothing.

    The shared draw is (..., n): the coordinate of each client, or d for an idle one.
    """

    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        *batch, n, d = shape
        return rng.permuted(np.broadcast_to(np.minimum(np.arange(n), d), (*batch, n)), axis=-1)

    def reference(self, x: Any, draws: Draws) -> Any:
        n, dealt = len(x), np.asarray(draws.shared).tolist()
        return [[n * a if dealt[i] == j else 0 * a for j, a in enumerate(row)] for i, row in enumerate(x)]

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        n, d = len(x), len(x[0])
        for owners in itertools.permutations(range(n), d):
            dealt = [owners.index(i) if i in owners else d for i in range(n)]
            yield Fraction(1, math.perm(n, d)), Draws(np.array(dealt))

    def _factors(self, n: int, d: int, shared: Any) -> Array:
        return np.where(np.asarray(shared)[..., :, None] == np.arange(d), float(n), 0.0)
