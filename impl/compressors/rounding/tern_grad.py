"""TernGrad: clip at some standard deviations, then stochastic rounding to -kappa, 0 and kappa."""

import itertools
import math
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl.coding import symbol_words
from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.checked_input import (
    as_axes,
    as_vectors,
    lazy_or_uniforms,
    number,
    quadratic_form,
    require_draws_fit,
    require_generator,
)
from impl.compressors.contract import Array, Compressor, Draws, Message, Moments, Size, Tier
from impl.compressors.dithered.dither_blocks import Blocks, literal_scale, sent_scales
from impl.compressors.dithered.dither_input import all_of
from impl.compressors.dithered.dither_law import exact_variance
from impl.compressors.literal_input import (
    exact_weight,
    is_rational,
    map_draws,
    map_vectors,
    nested_uniforms,
)
from impl.compressors.philox_draws import PhiloxSequence, PhiloxUniforms
from impl.compressors.rounding.stochastic_rounding import draw_uniforms, streamed_uniforms
from impl.compressors.rounding.ternary_rounding import round_ternary, ternary_vector
from impl.compressors.rounding.two_point_error import two_point_moments, two_point_variance
from impl.compressors.sparse.entries import norms_from_words, to_words
from impl.compressors.tiled_sums import TILE, tiled_sum
from impl.errors import ArgumentError, Problems
from impl.tiers import chosen, is_known

_ALPHABET, _OFFSET = 3, 1


class TernGrad(Compressor):
    r"""Send $\kappa\,\mathrm{sign}(c_j)$ with probability $|c_j|/\kappa$, else 0; c is x after clipping.

    Clipping to plus or minus `clip` standard deviations (of the entries about their mean, divisor d) comes
    first, $\kappa$ is the largest magnitude behind it, rounded up to what is sent before it is used. Without
    clipping the result is unbiased; with it `unbiased` is False, and `variance` counts the squared error of
    clipping (Wen et al., arXiv 1705.07878).

    Args:
        clip: Standard deviations, a positive number (the published choice is 2.5); None for no clipping.
        norm_bits: Bits of a scale, 64 or 32.
        blocks: Block size (the last block may be shorter), block lengths that sum to d, such as the sizes of
            a network's layers, or None for one block. Each is clipped and scaled on its own.
    """

    unbiased: bool  # type: ignore[misc]  # clipping decides, so it is the instance's

    def __init__(self, clip: Any = None, *, norm_bits: int = 64, blocks: Any = None) -> None:
        problems = Problems("TernGrad")
        real = isinstance(clip, int | float | Fraction | np.floating) and not isinstance(clip, bool)
        fits = clip is None or (real and math.isfinite(clip) and clip > 0)
        problems.require(fits, f"clip={clip!r} must be a positive number of standard deviations, or None")
        problems.require(norm_bits in (32, 64), f"norm_bits={norm_bits!r} must be 64 or 32")
        with problems.collect():
            self._blocks = Blocks(blocks, "TernGrad")
        problems.raise_if_any()
        self.blocks = blocks
        self.clip, self.norm_bits = clip, int(norm_bits)
        self.unbiased = clip is None

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls()
        yield cls(Fraction(1, 2))
        yield cls(norm_bits=32)
        yield cls(blocks=[2, 3, 1])
        yield cls(Fraction(1, 2), norm_bits=32, blocks=2)

    def __repr__(self) -> str:
        options = [] if self.clip is None else [repr(self.clip)]
        options += ["norm_bits=32"] * (self.norm_bits == 32)
        options += [] if self.blocks is None else [f"blocks={self.blocks!r}"]
        return f"TernGrad({', '.join(options)})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.clip, self.norm_bits, self._blocks.key)

    @property
    def dimension(self) -> int | None:
        return self._blocks.dimension

    # ---------------------------------------------------------------- reference

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        x, uniforms = all_of("TernGrad", lambda: self._literal(x), lambda: nested_uniforms(draws, "TernGrad"))
        return map_draws(x, uniforms, self._reference_vector, "TernGrad")

    def _reference_vector(self, x: list[Any], uniforms: list[Any], node: int) -> list[Any]:
        out = []
        for first, last in self._ends(len(x)):
            clipped = self._reference_clipped(x[first:last])
            kappa = literal_scale(clipped, self.norm_bits, None, "TernGrad")
            for c, u in zip(clipped, uniforms[first:last], strict=True):
                kept = kappa != 0 and u < abs(c) / kappa
                out.append((kappa if c > 0 else -kappa) if kept else kappa * 0)
        return out

    def _ends(self, d: int) -> Iterator[tuple[int, int]]:
        """Yield where each block begins and ends."""
        last = 0
        for length in self._blocks.lengths(d):
            yield last, last + length
            last += length

    def _alike(self, shape: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        """Yield the first and the number of blocks of one length: a tile of entries, or one block."""
        first, rows = 0, math.prod(shape[:-1])
        for length, alike in itertools.groupby(self._blocks.lengths(shape[-1])):
            last = first + sum(1 for _ in alike)
            while first < last:
                several = min(last - first, max(1, TILE // max(1, length * rows)))
                yield first, several
                first += several

    def _reference_clipped(self, x: list[Any]) -> list[Any]:
        """Return a block after clipping; an irrational bound that is needed raises in exact arithmetic."""
        if self.clip is None:
            return x
        d = len(x)
        if isinstance(x[0], Fraction):
            mean = sum(x, Fraction(0)) / d
            square = Fraction(self.clip) ** 2 * sum((xj - mean) ** 2 for xj in x) / d
            if all(xj * xj <= square for xj in x):
                return x
            bound: Any = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
            if bound * bound != square:
                raise ArgumentError(
                    "TernGrad: the standard deviation of x is irrational; in rational mode give a vector of "
                    "rational standard deviation, such as (1, -1)"
                )
        else:
            largest = max(abs(xj) for xj in x)
            exponent = math.frexp(largest)[1]
            scaled = [math.ldexp(xj, -exponent) - math.ldexp(x[0], -exponent) for xj in x]
            centre = math.fsum(scaled) / d
            deviation = math.sqrt(math.fsum((item - centre) ** 2 for item in scaled) / d)
            bound = min(math.ldexp(min(float(self.clip) * deviation, 1.0), exponent), largest)
        return [max(-bound, min(bound, xj)) for xj in x]

    # ---------------------------------------------------------------- vectorized

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        """Return private uniforms in [0, 1) of the shape of x."""
        return Draws(private=draw_uniforms(rng, shape, dtype, "TernGrad"))

    def message(self, x: Any, draws: Draws) -> Message:
        (x, scales), uniforms = all_of(
            "TernGrad", lambda: self._clipped(x), lambda: lazy_or_uniforms(draws, "TernGrad")
        )
        shape = require_draws_fit(x.shape, uniforms, "TernGrad")
        symbols = np.sign(x) * (uniforms < self._chances(x, scales))
        symbols = np.broadcast_to(symbols, shape).astype(np.int64)
        scales = np.broadcast_to(scales, (*shape[:-1], scales.shape[-1]))
        bits = np.full(shape[:-1], self._bits(shape[-1]), dtype=np.int64)
        return Message(symbols, scales, int(bits) if bits.ndim == 0 else bits, symbols.shape)

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Array:
        if self._is_general:
            return super().compress(x, draws, side)
        (x, scales), uniforms = all_of(
            "TernGrad", lambda: self._clipped(x), lambda: lazy_or_uniforms(draws, "TernGrad")
        )
        shape = require_draws_fit(x.shape, uniforms, "TernGrad")
        if uniforms.shape[-x.ndim :] != x.shape:
            uniforms = np.broadcast_to(uniforms, shape)
            x, scales = np.broadcast_to(x, shape), np.broadcast_to(scales, (*shape[:-1], scales.shape[-1]))
        if not isinstance(uniforms, PhiloxUniforms) and uniforms.size:
            uniforms = uniforms.reshape(-1, *_rows(x).shape)
        return self._rounded(x, scales, uniforms, shape)

    def sample(self, x: Any, rng: np.random.Generator, size: Size = None, *, tier: Tier = None) -> Array:
        """Compress with fresh draws, those of `draw(rng, size + x.shape, x.dtype)`, without storing them."""
        if self._is_general:
            return super().sample(x, rng, size, tier=tier)
        if size is None and self.blocks is None and is_known(tier):
            sampled = ternary_vector(x, rng, self.clip, self.norm_bits, tier)
            if sampled is not None:
                return sampled
        axes, _, (x, scales), tier = all_of(
            "TernGrad",
            lambda: as_axes(size, "size", "TernGrad"),
            lambda: require_generator(rng, "TernGrad"),
            lambda: self._clipped(x),
            lambda: chosen(tier, "TernGrad"),
        )
        shape = axes + x.shape
        several = tier == "fused" and scales.shape[-1] > 1  # kernels know one scale
        uniforms = PhiloxSequence(rng) if several else streamed_uniforms(rng, shape, x.dtype, tier)
        return self._rounded(x, scales, uniforms, shape)

    @property
    def _is_general(self) -> bool:
        """Tell whether messages are the way: a subclass must show its changes."""
        return type(self) is not TernGrad

    def _rounded(self, x: Array, scales: Array, uniforms: Any, shape: tuple[int, ...]) -> Array:
        out = np.empty(shape, dtype=x.dtype)
        if not out.size:
            return out
        rows = _rows(x)
        scales = scales.reshape(-1, scales.shape[-1])
        round_ternary(rows, scales, uniforms, out.reshape(-1, *rows.shape), self._blocks)
        return out

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        if message.scales is None:
            raise ArgumentError("TernGrad: the message has no scale; it was made by another compressor")
        scales = self._blocks.spread(message.scales, message.shape[-1])
        return np.asarray(message.symbols.astype(scales.dtype) * scales)

    def _clipped(self, x: Any) -> tuple[Array, Array]:
        """Return x after clipping and its scales as they are sent, (..., B)."""
        x = as_vectors(x, "TernGrad")
        self._require_dimension(x.shape)
        scales = sent_scales(x, self._blocks, 64, None, "TernGrad")  # finds what is not finite
        if self.clip is not None:
            clipped = np.empty_like(x)
            ends = list(self._ends(x.shape[-1]))
            for j, several in self._alike(x.shape):
                first, last = ends[j][0], ends[j + several - 1][1]
                blocks = x[..., first:last].reshape(*x.shape[:-1], several, (last - first) // several)
                bound = self._bound(blocks, scales[..., j : j + several, None])
                clipped[..., first:last] = np.clip(blocks, -bound, bound).reshape(*x.shape[:-1], last - first)
            x = clipped
        elif self.norm_bits == 64:
            return x, scales
        return x, sent_scales(x, self._blocks, self.norm_bits, None, "TernGrad")

    def _bound(self, x: Array, scales: Array) -> Array:
        """Return what a block is clipped to, (..., 1), from its largest magnitudes."""
        exponent = np.frexp(scales)[1]
        if x.shape[-1] <= TILE:
            # Its squares stay within the range.
            deviation = _from_first(x, x, exponent).std(axis=-1, keepdims=True)
        else:
            rows, exponents = x.reshape(-1, x.shape[-1]), exponent.reshape(-1)
            found = [_deviation(row, own) for row, own in zip(rows, exponents, strict=True)]
            deviation = np.array(found, np.float64).reshape(scales.shape)
        bound = np.ldexp(np.minimum(float(self.clip) * deviation, 1.0), exponent)
        return np.asarray(np.minimum(bound.astype(x.dtype), scales))

    def _chances(self, clipped: Array, scales: Array) -> Array:
        scales = self._blocks.spread(scales, clipped.shape[-1]).astype(np.float64)
        return np.asarray(np.abs(clipped) / np.where(scales == 0, 1.0, scales))

    # ---------------------------------------------------------------- exact law

    def variance(self, x: Any, weight: Any = None, node_weight: Any = None) -> Any:
        """Return the exact E||C(x) - x||^2_W, what clipping takes away included."""
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                clipped, kappas = self._exact_law(vector)
                mean = [c - xj for c, xj in zip(clipped, vector, strict=True)]
                second = [abs(c) * (kappa - abs(c)) for c, kappa in zip(clipped, kappas, strict=True)]
                return exact_variance(mean, second, exact_weight(weight, node_weight, node, len(vector)))

            return map_vectors(self._literal_weighted(x, weight, node_weight), exact)
        x, w = self._weighted(x, weight, node_weight)
        clipped, scales, p = self._law(x)
        with np.errstate(over="ignore"):
            own = two_point_variance(scales, p, w, node_weight is not None)
            return number(own + quadratic_form(clipped - x, w, node_weight is not None))

    def _law(self, x: Array) -> tuple[Array, Array, Array]:
        """Return x after clipping, scales that fit it and chances, in float64."""
        clipped, scales = self._clipped(x)
        clipped, scales = clipped.astype(np.float64), scales.astype(np.float64)
        return clipped, self._blocks.spread(scales, x.shape[-1]), self._chances(clipped, scales)

    def _exact_law(self, x: list[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
        """Return one vector after clipping, and the scale of each coordinate."""
        clipped, scales = [], []
        for first, last in self._ends(len(x)):
            block = self._reference_clipped(x[first:last])
            clipped += block
            scales += [max(abs(c) for c in block)] * len(block)
        return clipped, scales

    def moments(self, x: Any, weight: Any = None) -> Moments:
        x, w = self._weighted(x, weight)
        clipped, scales, p = self._law(x)
        sign = np.where(clipped < 0, -1.0, 1.0)
        return two_point_moments(scales * (1 - p), scales * p, p, w, clipped - x, sign)

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        """Yield (probability, draws) for the 2^m patterns of one vector with m chances inside of (0, 1)."""
        exact, vector = is_rational(x), self._literal_vector(x)
        if exact:
            law = zip(*self._exact_law(vector), strict=True)
            chances: list[Any] = [abs(c) / kappa if kappa else kappa for c, kappa in law]
        else:
            chances = self._law(np.array(vector))[2].tolist()
        choices = []
        for p in chances:
            none, kept = (1 - p, p + (1 - p) / 2 if exact else min(p + (1 - p) / 2, 1 - 2.0**-53)), (p, p / 2)
            choices.append([kept] if p == 1 else [none] if p == 0 else [none, kept])
        for pattern in itertools.product(*choices):
            uniforms: Any = [u for _, u in pattern]
            chance = math.prod((q for q, _ in pattern), start=Fraction(1) if exact else 1.0)
            yield chance, Draws(private=uniforms if exact else np.array(uniforms))

    def _bits(self, d: int) -> int:
        return 64 * symbol_words.word_count(d, _ALPHABET) + self.norm_bits * self._blocks.count(d)

    def expected_bits(self, x: Any) -> Any:
        """Return the length of every message: it does not depend on the draws."""
        if is_rational(x):
            return map_vectors(self._literal(x), lambda vector, node: Fraction(self._bits(len(vector))))
        x = self._clipped(x)[0]
        return number(np.full(x.shape[:-1], float(self._bits(x.shape[-1]))))

    # ---------------------------------------------------------------- payload: the scales, then symbols

    def _write(self, writer: BitWriter, message: Message) -> None:
        writer.append(to_words(np.asarray(message.scales), self.norm_bits), self.norm_bits)
        writer.append(symbol_words.to_words(message.symbols, _ALPHABET, _OFFSET), 64)

    def _read(self, reader: BitReader, d: int, dtype: Any) -> Message:
        words = reader.read_many(self._blocks.count(d), self.norm_bits)
        scales = norms_from_words(words, self.norm_bits, dtype)
        words = reader.read_many(symbol_words.word_count(d, _ALPHABET), 64)
        return Message(symbol_words.from_words(words, d, _ALPHABET, _OFFSET), scales, None, (d,))


def _rows(x: Array) -> Array:
    return np.ascontiguousarray(x).reshape(-1, x.shape[-1])


def _from_first(part: Array, x: Array, exponent: Any) -> Array:
    """Return part of x times 2^-exponent, seen from the first entry of x: equal entries have deviation 0."""
    scaled: Array = np.ldexp(part.astype(np.float64), -exponent)
    scaled -= np.ldexp(x[..., :1].astype(np.float64), -exponent)
    return scaled


def _deviation(x: Array, exponent: Any) -> Any:
    """Return the standard deviation of 2^-exponent x, to the last bit that of `np.std`, in little memory."""
    d = len(x)
    mean = tiled_sum(d, lambda first, last: _from_first(x[first:last], x, exponent)) / d

    def squares(first: int, last: int) -> Array:
        away = _from_first(x[first:last], x, exponent)
        away -= mean
        return np.square(away, out=away)

    return np.sqrt(tiled_sum(d, squares) / d)
