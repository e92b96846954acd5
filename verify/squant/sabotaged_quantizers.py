"""Mutants of the stochastic quantizer: the honest one with sabotaged draws or a wrong norm."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import Any

from impl.compressors import StochasticQuantizer
from impl.compressors.contract import Draws


class SabotagedDraws(StochasticQuantizer):
    """The honest quantizer with other draws, from which its samples are made."""

    def sample_chunks(self, x: Any, rng: Any, size: int) -> Iterator[Any]:
        rows = max(1, 2**17 // len(x))
        for start in range(0, size, rows):
            yield self.compress(x, self.draw(rng, (min(rows, size - start), len(x))))


class SharedUniform(SabotagedDraws):
    """One uniform number for all coordinates instead of independent ones."""

    def draw(self, rng: Any, shape: tuple[int, ...], dtype: Any = float) -> Draws:
        import numpy as np

        one = rng.random((*shape[:-1], 1))
        return Draws(private=np.broadcast_to(one, shape).astype(dtype))

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        # The roundings change at the fractions only, so one point in each gap stands for the whole gap.
        ends = sorted({Fraction(0), Fraction(1), *fractions_of(self, x)})
        for low, high in pairwise(ends):
            yield high - low, Draws(private=[(low + high) / 2] * len(x))


class FixedUniform(SabotagedDraws):
    """The same number u for every coordinate and every draw: 1/2 rounds to nearest, 1 rounds down."""

    uniform: Any = Fraction(1, 2)

    def draw(self, rng: Any, shape: tuple[int, ...], dtype: Any = float) -> Draws:
        import numpy as np

        return Draws(private=np.full(shape, float(self.uniform), dtype=dtype))

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        yield Fraction(1), Draws(private=[self.uniform] * len(x))


class NearestRounding(FixedUniform):
    """Round to the nearest level."""


class FloorRounding(FixedUniform):
    """Round down always."""

    # Just below 1, so that it is a legal draw and above each fraction that occurs here.
    uniform = 1 - Fraction(1, 2**40)


class SwappedProbability(StochasticQuantizer):
    """Round up with probability 1 - p instead of p; a coordinate on the grid (p = 0) stays where it is."""

    def sample_chunks(self, x: Any, rng: Any, size: int) -> Iterator[Any]:
        import numpy as np

        p = np.array([float(item) for item in fractions_of(self, x)])
        rows = max(1, 2**17 // len(p))
        for start in range(0, size, rows):
            up = rng.random((min(rows, size - start), len(p))) >= p
            yield self.compress(x, Draws(private=np.where(up, 0.0, float(FloorRounding.uniform))))

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        p = fractions_of(self, x)
        for _, draws in super().outcomes(x):
            # Where the honest quantizer rounds up (chance p_j), this one has chance 1 - p_j, and the reverse.
            honest = [p_j if u < p_j else 1 - p_j for u, p_j in zip(draws.private, p, strict=True)]
            swapped = (1 - chance if p_j else chance for chance, p_j in zip(honest, p, strict=True))
            yield prod(swapped, start=Fraction(1)), draws


def fractions_of(quantizer: StochasticQuantizer, x: Any) -> list[Any]:
    """Return the fractions {u_j}, exact for a list of Fractions with rational block norms."""
    levels = scaled_levels(quantizer, x)
    return [u - u // 1 for u in levels]


def scaled_levels(quantizer: StochasticQuantizer, x: Any) -> list[Any]:
    """Return u_j = |x_j| / (h_j N_l(j)) literally."""
    d = len(x)
    lengths = quantizer.blocks or [d]
    h = expand_steps(quantizer.steps, lengths, d)
    exact = any(isinstance(item, Fraction) for item in x)
    levels: list[Any] = []
    start = 0
    for length in lengths:
        block = list(x[start : start + length])
        norm = rational_norm(block) if exact else sum(float(item) ** 2 for item in block) ** 0.5
        levels += [abs(x[start + j]) / (h[start + j] * norm) if norm else 0 * h[0] for j in range(length)]
        start += length
    return levels


def expand_steps(steps: Any, lengths: Any, d: int) -> list[Any]:
    """Return one step per coordinate from a scalar, per-block or per-coordinate steps."""
    if not hasattr(steps, "__len__"):
        return [steps] * d
    if len(steps) == d:
        return list(steps)
    return [step for step, length in zip(steps, lengths, strict=True) for _ in range(length)]


def rational_norm(block: Any) -> Fraction:
    """Return the Euclidean norm of a rational vector whose norm is rational.

    Raises:
        ValueError: The norm is irrational.
    """
    from math import isqrt

    square = sum((Fraction(item) ** 2 for item in block), start=Fraction(0))
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    if root * root != square:
        raise ValueError(f"x={list(map(str, block))} has an irrational norm; choose a Pythagorean vector")
    return root
