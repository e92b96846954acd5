"""Independent quantization: every client draws its own thresholds."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from impl.compressors.contract import Array, Draws
from impl.compressors.joint.correlated.stratified_thresholds import independent_outcomes
from impl.compressors.joint.sample_by_clients import Tiles
from impl.compressors.joint.threshold_quantizer import ThresholdQuantizer
from impl.compressors.philox_draws import PhiloxDraws
from impl.compressors.rounding.stochastic_rounding import draw_uniforms


class IndependentQuantizer(ThresholdQuantizer):
    r"""Q(a)_j with thresholds $U_{ij}$ independent and uniform on [0, 1) (arXiv 2401.05518, IQ)."""

    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> None:
        return None

    def draw_private(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array | PhiloxDraws:
        return draw_uniforms(rng, shape, np.float64, "IndependentQuantizer")

    def _decoded_tiles(self, x: Array, rng: np.random.Generator) -> Iterator[Tiles] | None:
        return self._tiles_of_clients(x, None, rng) if type(self) is IndependentQuantizer else None

    def _below(self, y: Array, uniforms: Array, shared: Array | None, n: int) -> Array:
        return np.asarray(uniforms < y)

    def _literal_thresholds(self, draws: Draws, n: int, d: int) -> list[list[Any]]:
        return self._literal_private(draws, n, d)

    def _bit_outcomes(self, y: Sequence[Any]) -> Iterator[tuple[Any, None, list[Any]]]:
        for probability, uniforms in independent_outcomes(y):
            yield probability, None, uniforms

    def _coordinate_variances(self, x: Array) -> Array:
        y, coefficients = self._chances_and_coefficients(x)
        n = x.shape[-2]
        return np.asarray(((coefficients[..., None] / n) ** 2 * (y * (1 - y))).sum(axis=-2))

    def _exact_coordinate_variances(self, x: list[list[Fraction]]) -> list[Any]:
        y, c = self._exact_chances(x)
        n = len(x)
        return [
            sum(((c[i] / n) ** 2 * y[i][j] * (1 - y[i][j]) for i in range(n)), Fraction(0))
            for j in range(len(x[0]))
        ]
