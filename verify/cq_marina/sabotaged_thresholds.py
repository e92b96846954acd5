r"""Thresholds of correlated quantization, honest and sabotaged, with exact moments; quantizers with them.

A rule gives $U_i=(\mathrm{stratum}_i+\mathrm{jitter}_i)/n$. Its moments are closed forms of their own, so
that they hold the oracles in `impl` to account as well.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors import CorrelatedQuantizer, Draws
from impl.compressors.stratified_thresholds import (
    bit_outcomes,
    draw_strata,
    independent_outcomes,
    literal_bits,
)

Array = npt.NDArray[Any]
Outcome = tuple[Any, tuple[int, ...], list[Any]]


class Stratified:
    """The thresholds of the paper: a random permutation over the strata and independent jitter."""

    def strata(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        """Return the strata of all clients, integers (..., n, d)."""
        return draw_strata(rng, shape)

    def jitter(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        """Return the places within the strata, (..., n, d) in [0, 1)."""
        return np.asarray(rng.random(shape))

    def bit_outcomes(self, y: Sequence[Any]) -> Iterator[Outcome]:
        """Yield (probability, strata, jitter) over the distinct bits of one coordinate, y (n,)."""
        return bit_outcomes(y)

    def means(self, y: Array) -> Array:
        """Return the chances of the bits, (..., n, d)."""
        return y

    def covariances(self, y: Array) -> Array:
        """Return the covariances of the bits, (..., n, n, d) for y (..., n, d)."""
        n = y.shape[-2]
        alpha = n * y - np.floor(n * y)
        cell = np.floor(n * y)
        same = cell[..., :, None, :] == cell[..., None, :, :]
        pairs = -(_kernel(y) - same * _kernel(alpha) / n) / max(n - 1, 1)
        own = np.eye(n, dtype=bool)[:, :, None]
        return np.where(own, _kernel(y), pairs)

    def mean_squared_errors(self, y: Array, coefficients: Array) -> Array:
        """Return E(sum_i c_i (bit_i - y_i))^2, (..., d), for y and coefficients (..., n, d)."""
        bias = self.means(y) - y
        moments = self.covariances(y) + bias[..., :, None, :] * bias[..., None, :, :]
        return np.asarray(np.einsum("...ij,...ilj,...lj->...j", coefficients, moments, coefficients))


class NoJitter(Stratified):
    """The lower ends of the strata: U_i = pi_i / n."""

    def jitter(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        return np.zeros(shape)

    def bit_outcomes(self, y: Sequence[Any]) -> Iterator[Outcome]:
        for probability, strata, jitter in bit_outcomes([Fraction(1)] * len(y)):
            yield probability, strata, [0 * item for item in jitter]

    def means(self, y: Array) -> Array:
        return np.asarray(np.ceil(y.shape[-2] * y) / y.shape[-2])

    def covariances(self, y: Array) -> Array:
        return super().covariances(self.means(y))


class ShiftedCell(Stratified):
    """A permutation of 1, ..., n: thresholds one cell too high."""

    def strata(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        return super().strata(rng, shape).astype(np.int64) + 1

    def bit_outcomes(self, y: Sequence[Any]) -> Iterator[Outcome]:
        # U < y is the honest comparison with y - 1/n.
        for probability, strata, jitter in bit_outcomes([item - Fraction(1, len(y)) for item in y]):
            yield probability, tuple(stratum + 1 for stratum in strata), jitter

    def means(self, y: Array) -> Array:
        return np.asarray(np.maximum(y - 1 / y.shape[-2], 0.0))

    def covariances(self, y: Array) -> Array:
        return super().covariances(self.means(y))


class Common(Stratified):
    """One seed for permutation and jitter of all clients: all thresholds are equal."""

    def strata(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        n, d = shape[-2:]
        return np.broadcast_to(rng.integers(n, size=(*shape[:-2], 1, d)), shape)

    def jitter(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        return np.broadcast_to(rng.random((*shape[:-2], 1, shape[-1])), shape)

    def bit_outcomes(self, y: Sequence[Any]) -> Iterator[Outcome]:
        n = len(y)
        for low, high in pairwise(sorted({0 * y[0], *y, 0 * y[0] + 1})):
            stratum, jitter = _split(low + (high - low) / 2, n)
            yield high - low, (stratum,) * n, [jitter] * n

    def covariances(self, y: Array) -> Array:
        return _kernel(y)


class Antithetic(Common):
    """Two clients with U_2 = U_1 where an antithetic pair, U_2 = 1 - U_1, is meant."""


class Unshared(Stratified):
    """Independent thresholds, the same law as independent quantization."""

    def strata(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        return rng.integers(shape[-2], size=shape)

    def bit_outcomes(self, y: Sequence[Any]) -> Iterator[Outcome]:
        for probability, uniforms in independent_outcomes(y):
            strata, jitter = zip(*(_split(u, len(y)) for u in uniforms), strict=True)
            yield probability, strata, list(jitter)

    def covariances(self, y: Array) -> Array:
        return np.asarray(np.eye(y.shape[-2])[:, :, None] * _kernel(y))


def bits(strata: Array, jitter: Array, y: Array) -> Array:
    """Return the bits 1[U < y], boolean (..., n, d)."""
    return np.asarray((strata + jitter) / strata.shape[-2] < y)


def enumerated_bits(rule: Stratified, y: Sequence[Any]) -> Iterator[tuple[Any, list[int]]]:
    """Yield (probability, bits (n,)) of one coordinate, exact for Fractions."""
    for probability, strata, jitter in rule.bit_outcomes(y):
        yield probability, literal_bits(y, strata, jitter)


class SabotagedQuantizer(CorrelatedQuantizer):
    """Correlated quantization with another rule for the thresholds; `variance` is the mean squared error.

    Args:
        grid: "binary" or "ternary".
        rule: The thresholds.
        norm_bits: 64 or 32.
    """

    def __init__(self, grid: Any, rule: Stratified | None = None, *, norm_bits: int = 64) -> None:
        super().__init__(grid, norm_bits=norm_bits)
        self.rule = Stratified() if rule is None else rule

    def _parameters(self) -> tuple[Any, ...]:
        return (*super()._parameters(), type(self.rule).__name__)

    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        return self.rule.strata(rng, shape)

    def draw_private(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        return self.rule.jitter(rng, shape)

    def _bit_outcomes(self, y: Sequence[Any]) -> Iterator[Outcome]:
        return self.rule.bit_outcomes(y)

    def _coordinate_variances(self, x: Array) -> Array:
        y, coefficients = self._chances_and_coefficients(x)
        spread = np.broadcast_to(coefficients[..., None], y.shape)
        return np.asarray(self.rule.mean_squared_errors(y, spread) / x.shape[-2] ** 2)

    def _exact_coordinate_variances(self, x: list[list[Fraction]]) -> list[Any]:
        y, c = self._exact_chances(x)
        columns = zip(*y, strict=True)
        return [enumerated_error(self.rule, column, c) / len(x) ** 2 for column in columns]


class SignMagnitude(SabotagedQuantizer):
    """Ternary correlated quantization of |a_j| / r with the sign multiplied afterwards."""

    def __init__(self, grid: Any = "ternary", rule: Stratified | None = None, *, norm_bits: int = 64) -> None:
        super().__init__(grid, rule, norm_bits=norm_bits)

    def reference(self, x: Any, draws: Draws) -> Any:
        decoded = super().reference(_sizes(x), draws)
        return [
            [-item if a < 0 else item for item, a in zip(own, vector, strict=True)]
            for own, vector in zip(decoded, x, strict=True)
        ]

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        return super().outcomes(_sizes(x))

    def compress(self, x: Any, draws: Draws) -> Array:
        x = np.asarray(x, dtype=float)
        return np.asarray(np.sign(x) * super().compress(np.abs(x), draws))

    def _coordinate_variances(self, x: Array) -> Array:
        y, coefficients = self._chances_and_coefficients(np.abs(x))
        errors = self.rule.mean_squared_errors(y, coefficients[..., None] * np.sign(x))
        return np.asarray(errors / x.shape[-2] ** 2)

    def _exact_coordinate_variances(self, x: list[list[Fraction]]) -> list[Any]:
        y, c = self._exact_chances(_sizes(x))
        errors = []
        for column, entries in zip(zip(*y, strict=True), zip(*x, strict=True), strict=True):
            signed = [-ci if a < 0 else ci for ci, a in zip(c, entries, strict=True)]
            errors.append(enumerated_error(self.rule, column, signed) / len(x) ** 2)
        return errors


def enumerated_error(rule: Stratified, y: Sequence[Any], coefficients: Sequence[Any]) -> Any:
    """Return E(sum_i c_i (bit_i - y_i))^2 of one coordinate by enumeration, exact for Fractions."""
    total: Any = 0
    for probability, found in enumerated_bits(rule, y):
        error = sum(c * (bit - chance) for c, bit, chance in zip(coefficients, found, y, strict=True))
        total += probability * error**2
    return total


def _kernel(y: Array) -> Array:
    """Return K(y_i, y_l) = min (1 - max) for all pairs, (..., n, n, d)."""
    first, second = y[..., :, None, :], y[..., None, :, :]
    return np.asarray(np.minimum(first, second) * (1 - np.maximum(first, second)))


def _split(threshold: Any, n: int) -> tuple[int, Any]:
    """Return stratum and jitter of one threshold."""
    stratum = math.floor(n * threshold)
    return stratum, n * threshold - stratum


def _sizes(rows: Any) -> list[list[Any]]:
    return [[abs(item) for item in row] for row in rows]
