"""Quantization after a random rotation: common signs and a Hadamard matrix spread every vector out."""

import itertools
import math
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.checked_input import as_uniforms
from impl.compressors.contract import Array, Draws
from impl.compressors.joint.correlated.stratified_thresholds import (
    bit_outcomes,
    checked_strata,
    draw_strata,
    independent_outcomes,
)
from impl.compressors.joint.correlated.stratified_variance import (
    stratified_variance,
    stratified_variance_rational,
)
from impl.compressors.joint.joint_contract import JointCompressor
from impl.compressors.joint.sample_by_clients import (
    Tiles,
    next_uniforms,
    tile_slices,
    uniforms_in_turn,
)
from impl.compressors.joint.threshold_quantizer import rounded_up
from impl.compressors.philox_draws import PhiloxDraws
from impl.compressors.rounding.stochastic_rounding import draw_uniforms
from impl.compressors.sparse.entries import norms_from_words, to_words
from impl.errors import ArgumentError, Problems
from impl.hadamard import hadamard, hadamard_in_place

_LARGEST_ENUMERATED = 16  # dimension up to which an exact variance sums over all signs


class RotatedQuantizer(JointCompressor):
    r"""Binary quantization of $z=HDa_i$ at the scale $\|z\|_\infty$, then the inverse.

    From arXiv 2401.05518. D has common random signs, H is the Hadamard matrix of Sylvester; d must be a power
    of two. Thresholds are in strata over the clients, or independent. Signs and strata are shared; the scale
    travels as a norm.

    Args:
        correlated: Strata over the clients, or independent thresholds.
        norm_bits: 64, or 32 to send the scale as a float32, rounded up.
    """

    def __init__(self, correlated: bool, *, norm_bits: int = 64) -> None:
        problems = Problems("RotatedQuantizer")
        problems.require(isinstance(correlated, bool), f"correlated={correlated!r} must be True or False")
        problems.require(norm_bits in (32, 64), f"norm_bits={norm_bits!r} must be 64 or 32")
        problems.raise_if_any()
        self.correlated, self.norm_bits = correlated, int(norm_bits)

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(True)
        yield cls(False)

    def __repr__(self) -> str:
        return f"RotatedQuantizer({self.correlated}{'' if self.norm_bits == 64 else ', norm_bits=32'})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.correlated, self.norm_bits)

    def _require_shape(self, shape: tuple[int, ...]) -> None:
        d = shape[-1]
        if d & (d - 1):
            raise ArgumentError(
                f"RotatedQuantizer: d={d} must be a power of two; fill x up with zeros to "
                f"{2 ** d.bit_length()}"
            )

    # ---------------------------------------------------------------- draws

    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Array, ...]:
        """Return signs (..., d), and strata (..., n, d) if correlated."""
        *batch, _, d = shape
        signs = 2 * rng.integers(0, 2, size=(*batch, d), dtype=np.int8) - np.int8(1)
        return (signs, draw_strata(rng, shape)) if self.correlated else (signs,)

    def draw_private(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array | PhiloxDraws:
        return draw_uniforms(rng, shape, np.float64, "RotatedQuantizer")

    def _signs(self, shared: Any, d: int) -> Array:
        wanted = 2 if self.correlated else 1
        if not isinstance(shared, tuple) or len(shared) != wanted or np.shape(shared[0])[-1:] != (d,):
            raise ArgumentError(
                f"RotatedQuantizer: draws.shared must be {wanted} arrays, the first {d} signs; take draws "
                "from draw(rng, x.shape)"
            )
        signs = np.asarray(shared[0])
        if not (np.abs(signs) == 1).all():
            raise ArgumentError("RotatedQuantizer: the first of draws.shared must be signs, -1 or 1")
        return signs

    def _clients_of(self, draws: Draws) -> int | None:
        known = self.correlated and isinstance(draws.shared, tuple)
        return int(np.shape(draws.shared[1])[-2]) if known else None

    # ---------------------------------------------------------------- literal: without the root of d

    def reference(self, x: Any, draws: Draws) -> Any:
        rows = self._literal(x)
        n, d = len(rows), len(rows[0])
        signs = [int(s) for s in self._signs(draws.shared, d)]
        strata = None
        if self.correlated:
            strata = checked_strata(draws.shared[1], n, d, "RotatedQuantizer").tolist()
        uniforms = self._literal_private(draws, n, d)
        decoded = []
        for i, row in enumerate(rows):
            z = _literal_transform([s * a for s, a in zip(signs, row, strict=True)])
            r = self._literal_scale(z)
            levels = []
            for j, item in enumerate(z):
                u = uniforms[i][j]
                U = u if strata is None else (strata[i][j] + u) / n
                levels.append(r * (2 * int(bool(r) and (1 + item / r) / 2 > U) - 1))
            decoded.append([s * item / d for s, item in zip(signs, _literal_transform(levels), strict=True)])
        return decoded

    def _literal_scale(self, z: list[Any]) -> Any:
        r = max(abs(item) for item in z)
        if isinstance(r, Fraction) or self.norm_bits == 64:
            return r
        return float(rounded_up(np.array([r]), "RotatedQuantizer")[0])

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        rows = self._literal(x)
        d = len(rows[0])
        one: Any = Fraction(1) if isinstance(rows[0][0], Fraction) else 1.0
        for signs in itertools.product((-1, 1), repeat=d):
            y = self._literal_chances(rows, signs)[0]
            columns: list[list[tuple[Any, Any, list[Any]]]] = []
            for j in range(d):
                chances = [row[j] for row in y]
                if self.correlated:
                    columns.append(list(bit_outcomes(chances)))
                else:
                    columns.append([(q, None, u) for q, u in independent_outcomes(chances)])
            for chosen in itertools.product(*columns):
                private = [list(row) for row in zip(*(item[2] for item in chosen), strict=True)]
                strata = (np.array([item[1] for item in chosen]).T,) if self.correlated else ()
                probability = one * math.prod(item[0] for item in chosen) / 2**d
                yield probability, Draws((np.array(signs), *strata), private)

    def _literal_chances(self, rows: list[list[Any]], signs: Any) -> tuple[list[list[Any]], list[Any]]:
        """Return the probabilities of the upper level (n, d) and the scales (n,)."""
        half = Fraction(1, 2) if isinstance(rows[0][0], Fraction) else 0.5
        y, scales = [], []
        for row in rows:
            z = _literal_transform([s * a for s, a in zip(signs, row, strict=True)])
            r = self._literal_scale(z)
            y.append([(1 + item / r) * half if r else half * 0 for item in z])
            scales.append(r)
        return y, scales

    # ---------------------------------------------------------------- vectorized

    def _chances(self, x: Array, signs: Array) -> tuple[Array, Array]:
        z = hadamard(x * signs[..., None, :])
        scales = np.abs(z).max(axis=-1)
        if self.norm_bits == 32:
            scales = rounded_up(scales, "RotatedQuantizer")
        with np.errstate(divide="ignore", invalid="ignore"):
            t = z / scales[..., None]
        t[scales == 0] = 0.0
        return (1 + np.clip(t, -1.0, 1.0)) / 2, scales

    def _encode(self, x: Array, rows: Any, n: int, draws: Draws) -> tuple[Any, Array, Array]:
        y, scales = self._chances(x, self._signs(draws.shared, x.shape[-1]))
        uniforms = as_uniforms(draws, "RotatedQuantizer")
        if self.correlated:
            strata = checked_strata(draws.shared[1], n, x.shape[-1], "RotatedQuantizer")
            uniforms = (uniforms + strata[..., rows, :]) / n
        levels = 2 * (uniforms < y).astype(np.int8) - np.int8(1)
        return levels, scales, np.full(scales.shape, self.norm_bits + x.shape[-1], dtype=np.int64)

    def _decode(
        self, symbols: Any, scales: Array | None, rows: Any, shape: tuple[int, ...], shared: Any
    ) -> Array:
        levels = np.multiply(symbols, np.asarray(scales)[..., None])
        return np.asarray(hadamard(levels) * (self._signs(shared, shape[-1])[..., None, :] / shape[-1]) + 0.0)

    def _decoded_tiles(self, x: Array, rng: np.random.Generator) -> Iterator[Tiles] | None:
        if type(self) is not RotatedQuantizer:
            return None
        n, d = x.shape
        shared = self.draw_shared(rng, x.shape)
        signs, uniforms = shared[0], uniforms_in_turn(rng)
        strata = shared[1] if self.correlated else None

        def tiles(i: int) -> Tiles:
            z = np.multiply(x[i], signs, dtype=np.float64)
            hadamard_in_place(z)
            scale = np.maximum(z.max(), -z.min())
            if self.norm_bits == 32:
                scale = rounded_up(np.array([scale]), "RotatedQuantizer")[0]
            for at in tile_slices(d):
                drawn, y = next_uniforms(uniforms, at.stop - at.start), z[at]
                if strata is not None:
                    drawn += strata[i, at]
                    drawn /= n
                y /= scale if scale else 1.0  # a zero vector has the position 0
                np.clip(y, -1.0, 1.0, out=y)
                y += 1
                y /= 2
                np.multiply(2 * (drawn < y).astype(np.int8) - np.int8(1), scale, out=y)
            hadamard_in_place(z)
            for at in tile_slices(d):
                yield at, z[at] * (signs[at] / d) + 0.0

        return (tiles(i) for i in range(n))

    def expected_bits(self, x: Any) -> Array:
        shape = self._inputs(x).shape
        return np.full(shape[:-1], float(self.norm_bits + shape[-1]))

    # ---------------------------------------------------------------- exact law: all signs

    def _coordinate_variances(self, x: Array) -> Array:
        n, d = x.shape[-2:]
        self._require_shape(x.shape)
        self._require_enumerable(d)
        total = np.zeros(x.shape[:-2])
        for signs in itertools.product((-1, 1), repeat=d - 1):  # a common sign changes nothing
            y, scales = self._chances(x, np.array((1, *signs)))
            if self.correlated:
                by_coordinate = stratified_variance(y, 2 * scales)
            else:
                by_coordinate = ((2 * scales[..., None]) ** 2 * (y * (1 - y))).sum(axis=-2)
            total += by_coordinate.sum(axis=-1)
        # Errors of different coordinates of z are uncorrelated, so the inverse spreads them evenly.
        mean = total / (2 ** (d - 1) * d**2 * n**2)
        return np.repeat(mean[..., None], d, axis=-1)

    def _exact_coordinate_variances(self, x: list[list[Fraction]]) -> list[Any]:
        n, d = len(x), len(x[0])
        self._require_enumerable(d)
        total = Fraction(0)
        for signs in itertools.product((-1, 1), repeat=d):
            y, scales = self._literal_chances(x, signs)
            c = [2 * r for r in scales]
            for j in range(d):
                column = [row[j] for row in y]
                if self.correlated:
                    total += stratified_variance_rational(column, c)
                else:
                    total += sum(
                        (ci**2 * yi * (1 - yi) for ci, yi in zip(c, column, strict=True)), Fraction(0)
                    )
        return [total / (2**d * d**2 * n**2)] * d

    def _require_enumerable(self, d: int) -> None:
        if d > _LARGEST_ENUMERATED:
            raise ArgumentError(
                f"RotatedQuantizer: the exact variance sums over 2^{d} signs; it is offered up to d="
                f"{_LARGEST_ENUMERATED}, sample instead"
            )

    # ---------------------------------------------------------------- payload: the scale, then the bits

    def _write(
        self, writer: BitWriter, client: int, n: int, symbols: Any, scales: Array | None, shared: Any
    ) -> None:
        writer.append(to_words(np.asarray(scales).reshape(1), self.norm_bits), self.norm_bits)
        writer.append(np.asarray(symbols).reshape(-1) > 0, 1)

    def _read(self, reader: BitReader, client: int, n: int, d: int, shared: Any) -> tuple[Any, Array]:
        scale = norms_from_words([reader.read(self.norm_bits)], self.norm_bits, np.float64)
        return 2 * reader.read_many(d, 1).astype(np.int8)[None] - np.int8(1), scale


def _literal_transform(x: list[Any]) -> list[Any]:
    """Return H x entry by entry: the sign of H_jk is the parity of the common ones of j and k."""
    d = len(x)
    return [sum((-1) ** (j & k).bit_count() * x[k] for k in range(d)) for j in range(d)]
