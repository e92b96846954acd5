"""Correlated quantization: the thresholds of the clients are spread over [0, 1) by shared permutations."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from impl.compressors.contract import Array, Draws
from impl.compressors.joint.correlated.stratified_rounds import LONGEST, StratifiedRounds
from impl.compressors.joint.correlated.stratified_thresholds import (
    PhiloxStrata,
    bit_outcomes,
    checked_strata,
    last_bits,
    lazy_strata,
    network,
)
from impl.compressors.joint.correlated.stratified_variance import (
    stratified_variance,
    stratified_variance_rational,
)
from impl.compressors.joint.sample_by_clients import Tiles
from impl.compressors.joint.threshold_quantizer import BUFFER, TINY, ThresholdQuantizer
from impl.compressors.philox_draws import PhiloxDraws, PhiloxUniforms
from impl.compressors.rounding.stochastic_rounding import draw_uniforms
from impl.tiers import current


class CorrelatedQuantizer(ThresholdQuantizer):
    r"""Q(a)_j with $U_{ij}=(\pi^{(j)}_i+u_{ij})/n$ (arXiv 2401.05518, CQ).

    Per coordinate one uniformly random permutation $\pi^{(j)}$ of {0, ..., n-1} is shared; the jitter
    $u_{ij}\in[0,1)$ is private. The receiver needs neither.
    """

    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array | PhiloxDraws:
        """Return the strata, unsigned (..., n, d)."""
        return lazy_strata(rng, shape)

    def _clients_of(self, draws: Draws) -> int | None:
        return None if np.ndim(draws.shared) < 2 else int(np.shape(draws.shared)[-2])

    def draw_private(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array | PhiloxDraws:
        """Return the jitter, (..., n, d)."""
        return draw_uniforms(rng, shape, np.float64, "CorrelatedQuantizer")

    def compress_counted(self, x: Any, draws: Draws) -> tuple[Array, Array]:
        shared, private = getattr(draws, "shared", None), getattr(draws, "private", None)
        if not isinstance(shared, PhiloxStrata) or not isinstance(private, PhiloxUniforms):
            return super().compress_counted(x, draws)
        if shared.shape != private.shape or type(self) is not CorrelatedQuantizer:
            return super().compress_counted(x, draws)
        from impl.kernels.correlated_quantizer import quantize_clients  # numba, where its draws are used

        if isinstance(x, np.ndarray) and x.size and x.shape == private.shape:
            while x.ndim > 2 and x.strides[0] == 0:  # repeated for the draws, which the kernel does not need
                x = x[0]
        x = self._inputs(x, finite=False)
        shape = self._fitted(x, draws).shape
        decoded, (n, d) = np.empty(shape), shape[-2:]
        if decoded.size:
            inputs = self._for_kernel(x, shared, private)
            quantize_clients(*inputs, decoded.reshape(-1, n, d))
        return decoded, self._lengths(shape)

    def _decoded_tiles(self, x: Array, rng: np.random.Generator) -> Iterator[Tiles] | None:
        if type(self) is not CorrelatedQuantizer:
            return None
        strata = self.draw_shared(rng, x.shape)
        return (
            self._tiles_of_clients(x, strata, rng) if isinstance(strata, np.ndarray) else None
        )  # else a kernel

    def rounds(self, rng: np.random.Generator, shape: tuple[int, ...]) -> StratifiedRounds | None:
        """Return rounds of float64 inputs of this shape, on one stream; None where they are not simple."""
        simple = type(self) is CorrelatedQuantizer and self.grid == "binary" and self.norm_bits == 64
        if not simple or current() != "numpy" or len(shape) < 2 or shape[-2] < 2:
            return None
        # Larger ones go block by block; those of no numbers have nothing to go round.
        fits = 0 < math.prod(shape) <= BUFFER and shape[-1] <= LONGEST
        return StratifiedRounds(self, rng, shape) if fits else None

    def _for_kernel(self, x: Array, shared: PhiloxStrata, private: PhiloxUniforms) -> tuple[Any, ...]:
        """Return what the kernels take of inputs, float64 (..., n, d), which are refused where not finite."""
        n, d = x.shape[-2:]
        scales, rows = self._scales(x), x.reshape(-1, n, d).view()
        rows.flags.writeable = False  # always: kernels are compiled once for each kind of array
        return (
            rows,
            scales.reshape(-1, n),
            self.grid == "binary",
            bool(scales.min(where=scales > 0, initial=1.0) > TINY),
            last_bits(n),
            shared.stream,
            private.stream,
            network(n),
        )

    def squared_errors_by_kernel(
        self, x: Array, rng: np.random.Generator, size: int, w: Array
    ) -> Array | None:
        """Return values of `impl.compressors.error_sums` for one input; None where numpy draws the strata."""
        draws = self.draw(rng, (size, *x.shape))
        if not isinstance(draws.shared, PhiloxStrata) or not isinstance(draws.private, PhiloxUniforms):
            return None
        from impl.kernels.error_sums import stratified_sums  # numba, where its draws are used

        sums = np.empty(size)
        stratified_sums(*self._for_kernel(x, draws.shared, draws.private), x.mean(axis=0), w, sums)
        return sums

    def _below(self, y: Array, uniforms: Array, shared: Array | None, n: int) -> Array:
        # U < y without the division of U: stratum < n y - jitter.
        y *= n
        y -= uniforms
        return np.asarray(np.greater(y, np.asarray(shared)))

    def _checked_shared(self, draws: Draws, n: int, d: int) -> Array:
        return checked_strata(draws.shared, n, d, "CorrelatedQuantizer")

    def _literal_thresholds(self, draws: Draws, n: int, d: int) -> list[list[Any]]:
        strata = checked_strata(draws.shared, n, d, "CorrelatedQuantizer").tolist()
        jitter = self._literal_private(draws, n, d)
        return [
            [(int(stratum) + u) / n for stratum, u in zip(own, drawn, strict=True)]
            for own, drawn in zip(strata, jitter, strict=True)
        ]

    def _bit_outcomes(self, y: Sequence[Any]) -> Iterator[tuple[Any, Any, list[Any]]]:
        return bit_outcomes(y)

    def _coordinate_variances(self, x: Array) -> Array:
        y, coefficients = self._chances_and_coefficients(x)
        return np.asarray(stratified_variance(y, coefficients) / x.shape[-2] ** 2)

    def _exact_coordinate_variances(self, x: list[list[Fraction]]) -> list[Any]:
        y, c = self._exact_chances(x)
        n = len(x)
        return [stratified_variance_rational([row[j] for row in y], c) / n**2 for j in range(len(x[0]))]
