"""Mutants of the dithered quantizer: the honest one with another rule for indices, decoding or dither."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer, Draws
from verify.squant.fixtures.sabotaged_quantizers import rational_norm


def _floor(v: Any) -> Any:
    return np.floor(v) if isinstance(v, np.ndarray) else math.floor(v)


def nearest(v: Any) -> Any:
    """Return floor(v + 1/2), for an array or an exact number."""
    return _floor(v + (0.5 if isinstance(v, np.ndarray) else Fraction(1, 2)))


class RuledQuantizer(DitheredQuantizer):
    """A quantizer by two rules for one coordinate, for arrays and exact numbers alike; unclipped.

    `reference`, `reference_symbols`, `indices` and `compress` follow the rules; messages, bits and closed
    forms remain those of the honest quantizer.
    """

    def index(self, x: Any, kappa: Any, u: Any) -> Any:
        """Return the index of a coordinate with the scale kappa > 0."""
        return nearest(self.levels * (x / kappa) + u)

    def decoded(self, x: Any, kappa: Any, u: Any) -> Any:
        """Return what the receiver makes of it."""
        return kappa * ((self.index(x, kappa, u) - u) / self.levels)

    def _reference_symbols(self, x: list[Any], u: list[Any], node: int) -> list[int]:
        scales = self._reference_scales(x)
        return [self.index(a, k or k + 1, v) for a, k, v in zip(x, scales, u, strict=True)]

    def _reference_vector(self, x: list[Any], u: list[Any], node: int) -> list[Any]:
        scales = self._reference_scales(x)
        return [self.decoded(a, k, v) if k else k for a, k, v in zip(x, scales, u, strict=True)]

    def indices(self, x: Any, draws: Draws) -> Any:
        x = np.asarray(x, dtype=float)
        kappa = self._blocks.spread(self.scales(x), x.shape[-1])
        return self.index(x, np.where(kappa == 0, 1.0, kappa), np.asarray(draws.shared, dtype=float))

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Any:
        x = np.asarray(x, dtype=float)
        kappa = self._blocks.spread(self.scales(x), x.shape[-1])
        u = np.asarray(draws.shared, dtype=float)
        return np.where(kappa == 0, 0.0, self.decoded(x, np.where(kappa == 0, 1.0, kappa), u))


class StochasticRounding(RuledQuantizer):
    """The dither is not subtracted: unbiased two-point rounding."""

    def decoded(self, x: Any, kappa: Any, u: Any) -> Any:
        return kappa * self.index(x, kappa, u) / self.levels


class NarrowDither(RuledQuantizer):
    """A dither of less than the full width, at both ends."""

    width: Fraction

    def _narrowed(self, u: Any) -> Any:
        return float(self.width) * u if isinstance(u, np.ndarray) else self.width * u

    def index(self, x: Any, kappa: Any, u: Any) -> Any:
        return nearest(self.levels * (x / kappa) + self._narrowed(u))

    def decoded(self, x: Any, kappa: Any, u: Any) -> Any:
        return kappa * ((self.index(x, kappa, u) - self._narrowed(u)) / self.levels)


class HalfWidth(NarrowDither):
    """Half the width."""

    width = Fraction(1, 2)


class NineTenthsWidth(NarrowDither):
    """Nine tenths of the width."""

    width = Fraction(9, 10)


class WidthTwo(NarrowDither):
    """Twice the width, on a grid of the same spacing: the law of the error does not change."""

    width = Fraction(2)

    def __init__(self, levels: int, blocks: Any = None, **options: Any) -> None:
        options["points"] = min(2 * options.get("points", 2**24), 2**24)
        super().__init__(levels, blocks, **options)


class WrongSign(RuledQuantizer):
    """The receiver adds the dither."""

    def decoded(self, x: Any, kappa: Any, u: Any) -> Any:
        return kappa * ((self.index(x, kappa, u) + u) / self.levels)


class FloorIndex(RuledQuantizer):
    """Round down instead of to the nearest integer."""

    def index(self, x: Any, kappa: Any, u: Any) -> Any:
        return _floor(self.levels * (x / kappa) + u)


class NarrowStep(RuledQuantizer):
    """The step 2 kappa / (2 M + 1) for the same range: indices beyond M are clipped."""

    def index(self, x: Any, kappa: Any, u: Any) -> Any:
        q = self.unclipped(x, kappa, u)
        M = self.levels
        return np.clip(q, -M, M) if isinstance(q, np.ndarray) else max(-M, min(M, q))

    def unclipped(self, x: Any, kappa: Any, u: Any) -> Any:
        """Return the index before it is clipped."""
        return nearest((2 * self.levels + 1) * (x / kappa) / 2 + u)

    def decoded(self, x: Any, kappa: Any, u: Any) -> Any:
        return 2 * kappa * (self.index(x, kappa, u) - u) / (2 * self.levels + 1)


class ClippedValue(RuledQuantizer):
    """The decoded value is clipped to the range of the gradient."""

    def decoded(self, x: Any, kappa: Any, u: Any) -> Any:
        value = super().decoded(x, kappa, u)
        return (
            np.clip(value, -kappa, kappa) if isinstance(value, np.ndarray) else max(-kappa, min(kappa, value))
        )


class EuclideanScale(RuledQuantizer):
    """Scale by the Euclidean norm of the vector, in one block; a rational input needs a rational norm."""

    def _reference_scales(self, x: list[Any]) -> list[Any]:
        exact = isinstance(x[0], Fraction)
        return [rational_norm(x) if exact else math.hypot(*x)] * len(x)

    def scales(self, x: Any) -> Any:
        return np.linalg.norm(np.asarray(x, dtype=float), axis=-1, keepdims=True)


class LeftAligned(DitheredQuantizer):
    """The points j/N - 1/2 instead of the symmetric ones."""

    def draw(self, rng: Any, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        return Draws(shared=super().draw(rng, shape, dtype).shared - 1 / (2 * self.points))

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        shift = Fraction(1, 2 * self.points)
        for chance, draws in super().outcomes(x):
            yield chance, Draws(shared=[u - shift for u in draws.shared])


class FewPoints(DitheredQuantizer):
    """Fewer points than asked for."""

    kept: int

    def __init__(self, levels: int, blocks: Any = None, **options: Any) -> None:
        super().__init__(levels, blocks, **{**options, "points": self.kept})


class OnePoint(FewPoints):
    """Plain rounding."""

    kept = 1


class FourBits(FewPoints):
    """Sixteen points."""

    kept = 16


class SharedCoordinates(DitheredQuantizer):
    """One dither for all coordinates of a vector."""

    def draw(self, rng: Any, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        one = super().draw(rng, (*shape[:-1], 1), dtype).shared
        return Draws(shared=np.ascontiguousarray(np.broadcast_to(one, shape)))

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        for chance, draws in super().outcomes(x[:1]):
            yield chance, Draws(shared=list(draws.shared) * len(x))


class Desynchronised(DitheredQuantizer):
    """The receiver's dither, `draws.private`, is another one than the sender's, `draws.shared`."""

    def draw(self, rng: Any, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        sender = super().draw(rng, shape, dtype).shared
        return Draws(shared=sender, private=super().draw(rng, shape, dtype).shared)

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Any:
        return self.reconstruct(self.message(x, draws), draws.private)

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        symbols = self.reference_symbols(x, draws)
        scales = self._reference_scales(list(x))
        rows = zip(symbols, draws.private, scales, strict=True)
        return [kappa * ((q - v) / self.levels) for q, v, kappa in rows]

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        for chance, sender in super().outcomes(x):
            for other, receiver in super().outcomes(x):
                yield chance * other, Draws(shared=sender.shared, private=receiver.shared)
