"""Nested dithered quantizer NDQSG (arXiv 1904.01197): indices modulo k, decoded beside side information."""

import math
import reprlib
from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl import tiers
from impl.compressors.checked_input import as_axes, as_float64, first, require_generator
from impl.compressors.contract import Array, Draws, Message, Moments, Size, Tier
from impl.compressors.dithered.dither_cosets import CosetDecoder
from impl.compressors.dithered.dither_input import all_of, as_dither, common_shape, dither_rows, rows_of
from impl.compressors.dithered.dither_law import ErrorLaw, exact_variance
from impl.compressors.dithered.dither_nested_law import LiteralSegments, law_of_segments, segments
from impl.compressors.dithered.dither_passes import decode_all
from impl.compressors.dithered.dither_stream import POINTS, dither_point, streamed_dither
from impl.compressors.dithered.dither_tiles import require_indices_in_range
from impl.compressors.dithered.dithered_quantizer import DitheredQuantizer
from impl.compressors.dithered.one_vector import nested_vector
from impl.compressors.literal_input import as_nested, exact_weight, is_rational, nested_shape
from impl.errors import ArgumentError, MissingSideInfo, NonFiniteError, Problems


class NestedDitheredQuantizer(DitheredQuantizer):
    r"""Send only $s_j=i_j\bmod k$ of $i_j=\lfloor\alpha Mx_j/\kappa+u_j+\frac12\rfloor$.

    The receiver takes the index of that coset which its side information y predicts, see `CosetDecoder`. With
    $\alpha=1$ the error is that of `DitheredQuantizer` with the same M wherever
    $|x_j-y_j|<\frac{k-1}2\frac\kappa M$; beyond, an index may be off by a multiple of k. With $\alpha<1$ the
    error depends on x - y, and its mean is not zero. `side` is y, (..., d): every method that decodes needs
    it, also `sample`, `variance` and `moments`.

    Args:
        levels: M, from 1 to 2**24.
        ratio: k, from 2 to 2**32 - 1, even or odd: the size of the alphabet.
        alpha: Gain of both ends, from 0 to 1.
        blocks: As of `DitheredQuantizer`.
        norm_bits: Bits per scale, 64 or 32.
        scale: A fixed kappa; indices are then not clipped.
        range_aware: Decode to an index within -M..M (alpha 1, no fixed scale): with k of at least 2M + 1 the
            result does not depend on y.
        points: Size of the grid of dithers.

    Raises:
        ArgumentError: Parameters outside of these ranges.
    """

    unbiased = False  # it is for alpha 1 and side information near enough

    def __init__(
        self,
        levels: int,
        ratio: int,
        alpha: Any = 1.0,
        blocks: Any = None,
        *,
        norm_bits: int = 64,
        scale: Any = None,
        range_aware: bool = False,
        points: int = POINTS,
    ) -> None:
        problems = Problems(type(self).__name__)
        with problems.collect():
            super().__init__(levels, blocks, norm_bits=norm_bits, scale=scale, points=points)
        whole = isinstance(ratio, int | np.integer) and not isinstance(ratio, bool)
        problems.require(
            whole and 2 <= ratio < 2**32, f"ratio={ratio!r} must be an integer from 2 to 2**32 - 1"
        )
        real = isinstance(alpha, int | float | Fraction | np.floating) and not isinstance(alpha, bool)
        problems.require(real and 0 <= alpha <= 1, f"alpha={alpha!r} must be a number from 0 to 1")
        if range_aware:
            problems.require(alpha == 1, f"alpha={alpha!r} must be 1 where range_aware is set")
            problems.require(scale is None, f"scale={scale!r} has no range to be aware of; leave range_aware")
        problems.raise_if_any()
        self.ratio, self.alpha, self.range_aware = int(ratio), alpha, bool(range_aware)
        self._decoder = CosetDecoder(self.levels, self.ratio, float(alpha), self.range_aware)
        self._exact_decoder = CosetDecoder(self.levels, self.ratio, alpha, self.range_aware)

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(3, 3)
        yield cls(2, 6, points=2)
        yield cls(1, 3, range_aware=True, points=2)

    def __repr__(self) -> str:
        alpha = "" if self.alpha == 1 else f", {self.alpha!r}"
        aware = ", range_aware=True" if self.range_aware else ""
        return f"{type(self).__name__}({self.levels}, {self.ratio}{alpha}{self._options()}{aware})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (*super()._parameters(), self.ratio, self.alpha, self.range_aware)

    @property
    def alphabet(self) -> int:
        """Return the number of symbols, k."""
        return self.ratio

    @property
    def offset(self) -> int:
        """Return what is added to a symbol to give its digit, from 0."""
        return self.ratio // 2

    def _gain(self) -> float:
        return float(self.alpha) * self.levels

    # ---------------------------------------------------------------- reference

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        name = type(self).__name__
        (x, u), y = all_of(
            name, lambda: self._literal_pair(x, draws), lambda: self._literal_side(side, is_rational(x))
        )
        shape = common_shape(nested_shape(x), nested_shape(u), name)
        vectors = [np.broadcast_to(np.array(part, dtype=object), shape) for part in (x, u)]
        vectors.append(self._fitting(y, shape))
        out = np.empty(shape, dtype=object)
        for index in np.ndindex(*shape[:-1]):
            out[index] = self._reference_decoded(*(list(part[index]) for part in vectors))
        return out.tolist()

    def _literal_side(self, side: Any, exact: bool) -> Array:
        if side is None:
            raise self._missing()
        nested = as_nested([side] if np.ndim(side) == 0 else side, type(self).__name__, "side")
        items = np.array(nested, dtype=object)
        converted = [Fraction(item) if exact else float(item) for item in items.flat]
        return np.array(converted, dtype=object).reshape(items.shape)

    def _fitting(self, side: Array, shape: tuple[int, ...]) -> Array:
        if side.shape == shape:
            return side
        try:
            return np.broadcast_to(side, shape)
        except ValueError:
            name = type(self).__name__
            raise ArgumentError(f"{name}: side has shape {side.shape}; give that of x, {shape}") from None

    def _reference_symbols(self, x: list[Any], u: list[Any], node: int) -> list[int]:
        alpha = Fraction(self.alpha) if isinstance(x[0], Fraction) else float(self.alpha)
        return [self._coset(i) for i in self._reference_indices(x, u, alpha * self.levels)]

    def _coset(self, i: Any) -> Any:
        """Return the symbol of an index: a number or an array of numbers."""
        return i - self.ratio * ((i + self.ratio // 2) // self.ratio)  # numpy divides faster than it takes %

    def _reference_decoded(self, x: list[Any], u: list[Any], y: list[Any]) -> list[Any]:
        decoder = self._exact_decoder if isinstance(x[0], Fraction) else self._decoder
        parts = zip(self._reference_symbols(x, u, 0), u, y, self._reference_scales(x), strict=True)
        return [decoder.literal(*part)[1] for part in parts]

    # ---------------------------------------------------------------- vectorized

    def symbols(self, indices: Array) -> Array:
        """Return the coset symbols of fine indices."""
        return np.asarray(self._coset(indices))

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        return self._decoded(message, shared, side, None)[0]

    def reconstruct_counted(self, message: Message, shared: Any, side: Any) -> tuple[Array, Array, int]:
        """Return estimates, decoded fine indices int64, and the number of unreliable coordinates.

        Where the side information is of no use (see `unreliable`) the index is the symbol; it is 0 where the
        scale is 0.
        """
        indices = np.empty(message.shape, dtype=np.int64)
        estimates, lost = self._decoded(message, shared, side, indices)
        return estimates, indices, lost

    def _decoded(self, message: Message, shared: Any, side: Any, indices: Array | None) -> tuple[Array, int]:
        name = type(self).__name__
        (scales, dither), y = all_of(
            name, lambda: self._received(message, shared), lambda: self._side(side, message.shape)
        )
        out = np.empty(message.shape, dtype=scales.dtype)
        if not out.size:
            return out, 0
        d = message.shape[-1]
        lost = self._decoder.write(
            rows_of(message.symbols, message.shape),
            dither_rows(dither, message.shape),
            rows_of(y, message.shape),
            rows_of(self._blocks.spread(scales, d), message.shape),
            out.reshape(-1, d),
            None if indices is None else indices.reshape(-1, d),
        )
        return out, lost

    def unreliable(self, message: Message, side: Any) -> Array:
        """Tell where y is 2**52 steps or more, or the step underflows: y itself is returned there."""
        if message.scales is None:
            raise ArgumentError(f"{type(self).__name__}: the message has no scales")
        y, kappa = self._side(side, message.shape), self._kappa(message.scales, message.shape)
        return self._decoder.unreliable(y, kappa)

    def overloads(self, x: Any, draws: Draws, side: Any) -> Array:
        """Tell which coordinates are decoded to another index than the sender's, bool (..., d)."""
        indices, scales, _ = self.fine_indices(x, draws)
        message = self._message(self.symbols(indices), scales)
        wrong = self.reconstruct_counted(message, draws.shared, side)[1] != indices
        lost = self.unreliable(message, side)
        return np.asarray(wrong | lost)  # neither where the scale is 0

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Array:
        if side is None:
            raise self._missing()
        if type(self) is not NestedDitheredQuantizer:  # what a subclass changes must show
            return super().compress(x, draws, side)
        return self._decoded_at_once(x, draws, side)

    def _decoded_at_once(self, x: Any, draws: Draws, side: Any) -> Array:
        """Return what the receiver makes of the message, in one pass."""
        name = type(self).__name__
        (x, scales), dither = all_of(name, lambda: self._with_scales(x), lambda: as_dither(draws, name))
        shape = common_shape(x.shape, dither.shape, name)
        y = self._finite_side(side)
        self._fitting(y, shape)
        out = np.empty(shape, dtype=x.dtype)
        if out.size:
            if self.scale is not None:
                require_indices_in_range(x, scales, self.levels, name)
            spread, limit = (
                self._blocks.spread(scales, shape[-1]),
                self.levels if self.scale is None else None,
            )
            decode_all(self._decoder, x, spread, dither, y, shape, limit, out)
        return out

    def message_and_estimate(self, x: Any, draws: Draws, side: Any = None) -> tuple[Message, Array]:
        message = self.message(x, draws)
        return message, self.reconstruct(message, draws.shared, side)

    def sample(
        self, x: Any, rng: np.random.Generator, size: Size = None, side: Any = None, *, tier: Tier = None
    ) -> Array:
        """Compress with fresh draws; size samples are stacked in front, side (..., d) is broadcast."""
        own = size is None and type(self) is NestedDitheredQuantizer and tiers.is_known(tier)
        if own and self.blocks is None and self.scale is None and self.norm_bits == 64:
            chosen = tiers.chosen(tier, "NestedDitheredQuantizer")
            sampled = nested_vector(x, rng, side, self._decoder, self.points, chosen)
            if sampled is not None:
                return sampled
        with tiers.tier(tier, type(self).__name__):
            x = self._vectors(x)
            shape = as_axes(size, "size", type(self).__name__) + x.shape
            if type(self) is not NestedDitheredQuantizer:
                return self.compress(x, self.draw(rng, shape, x.dtype), side)
            require_generator(rng, type(self).__name__)
            return self.compress(x, Draws(shared=streamed_dither(rng, shape, self.points)), side)

    def _missing(self) -> MissingSideInfo:
        name = type(self).__name__
        return MissingSideInfo(f"{name}: side is missing; give what the receiver already knows, (..., d)")

    def _side(self, side: Any, shape: tuple[int, ...]) -> Array:
        """Return side information as float64 of this shape, finite."""
        return self._fitting(self._finite_side(side), shape)

    def _finite_side(self, side: Any) -> Array:
        name = type(self).__name__
        if side is None:
            raise self._missing()
        try:
            y = as_float64(side)
        except (TypeError, ValueError, OverflowError):
            raise ArgumentError(
                f"{name}: side={reprlib.repr(side)} must hold real numbers, (..., d); give decoded gradients"
            ) from None
        if not np.isfinite(y).all():
            raise NonFiniteError(f"{name}: {first(y, ~np.isfinite(y), 'side')} must be finite")
        return y

    def _kappa(self, scales: Array, shape: tuple[int, ...]) -> Array:
        return np.broadcast_to(self._blocks.spread(scales, shape[-1]).astype(np.float64), shape)

    # ---------------------------------------------------------------- exact law

    def variance(self, x: Any, weight: Any = None, node_weight: Any = None, side: Any = None) -> Any:
        """Return the exact E||C(x) - x||^2_W for given side information, overload included.

        Args:
            x: Input, (..., d); any Fraction in a nested list selects exact arithmetic.
            weight: As in `Compressor.variance`.
            node_weight: As there.
            side: y, of the shape of x or broadcast to it.
        """
        if not is_rational(x):
            x, w = self._weighted(x, weight, node_weight)
            return self._nested_law(x, side).variance(w, node_weight is not None)
        nested = self._literal_weighted(x, weight, node_weight)
        shape = nested_shape(nested)
        X, Y = np.array(nested, dtype=object), self._fitting(self._literal_side(side, True), shape)
        out = np.empty(shape[:-1], dtype=object)
        for index in np.ndindex(*shape[:-1]):
            chosen = exact_weight(weight, node_weight, index[-1] if index else 0, shape[-1])
            out[index] = exact_variance(*self._exact_nested_law(list(X[index]), list(Y[index])), chosen)
        return out.tolist() if out.ndim else out[()]

    def moments(self, x: Any, weight: Any = None, side: Any = None) -> Moments:
        x, w = self._weighted(x, weight)
        return self._nested_law(x, side).moments(w)

    def _nested_law(self, x: Array, side: Any) -> ErrorLaw:
        y, scales = self._side(side, x.shape), self.scales(x)
        kappa, N = self._kappa(scales, x.shape), self.points
        v = self._gain() * (x / np.where(kappa == 0, 1.0, kappa))
        limit = np.inf if self.scale is not None else float(self.levels)
        d = x.shape[-1]

        def dither(j: Array) -> Array:
            return np.asarray((2 * j + 1 - N) / (2 * N))

        def index(j: Array) -> Array:
            return np.clip(np.floor((v + dither(j)) + 0.5), -limit, limit)

        def decoded(j: Array) -> Array:
            s, u, near, widths = (
                part.reshape(-1, d) for part in (self._coset(index(j)), dither(j), y, kappa)
            )
            found = np.where(kappa > 0, self._decoder.decode(s, u, near, widths)[0].reshape(x.shape), 0.0)
            return np.where(lost, 0.0, found)

        lost = self._decoder.unreliable(y, kappa)
        parts = segments(index, decoded, N, x.shape)
        with np.errstate(over="ignore"):
            step = np.where(lost, 0.0, float(self.alpha) * (kappa / self.levels))
            pull = np.where(lost, 1.0, 1.0 - float(self.alpha) ** 2)
            offset = np.where(kappa > 0, pull * y - x, 0.0)
            return law_of_segments(parts, offset, step, N)

    def _exact_nested_law(self, x: list[Any], y: list[Any]) -> tuple[list[Fraction], list[Fraction]]:
        means, seconds = [], []
        gain = Fraction(self.alpha) * self.levels
        for xj, yj, kappa in zip(x, y, self._reference_scales(x), strict=True):
            law = self._literal_law(xj, yj, kappa, gain)
            mean, second = law.mean_and_second() if kappa else (Fraction(0), Fraction(0))
            means.append(mean)
            seconds.append(second)
        return means, seconds

    def _literal_law(self, x: Fraction, y: Fraction, kappa: Fraction, gain: Fraction) -> LiteralSegments:
        def index(j: int) -> int:
            return math.floor(gain * x / kappa + dither_point(j, self.points) + Fraction(1, 2))

        def error(j: int) -> tuple[Any, Fraction]:
            s, u = self._coset(index(j)), dither_point(j, self.points)
            c, estimate = self._exact_decoder.literal(s, u, y, kappa)
            return c, estimate - x

        return LiteralSegments(index, error, self.points)
