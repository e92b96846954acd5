"""Base of compressors that round each coordinate to one of two points, independently."""

import abc
import itertools
import math
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.coding.elias import EliasCode
from impl.coding.fixed_width import FixedWidth
from impl.compressors.checked_input import (
    as_uniforms,
    first,
    number,
    quadratic_form,
    require_draws_fit,
)
from impl.compressors.contract import Array, Compressor, Draws, Message, Moments, ScaleEquivariance
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
from impl.compressors.rounding.block_norms import block_norms, literal_norm, rational_norm
from impl.compressors.rounding.stochastic_rounding import draw_uniforms
from impl.compressors.rounding.two_point_error import two_point_moments, two_point_variance
from impl.compressors.sparse.entries import norms_from_words, to_words
from impl.errors import ArgumentError

# A point that comes back from its symbol otherwise than by rounding is another point.
_ROUNDING = 1e-12
_LARGEST_ELIAS = 2**62


class _Law(NamedTuple):
    """What becomes of each coordinate: `high` with probability p, else `low`; each (..., d), float64.

    Args:
        x: Coordinates, divided by the norm where there is one.
        low: The first point; the second one where p is 1.
        high: The second point; the first one where p is 0.
        p: Probability of the second point.
    """

    x: Array
    low: Array
    high: Array
    p: Array


class TwoPointRounding(Compressor):
    """C(x)_j = high(x_j) with probability p(x_j), else low(x_j), independent over j.

    An author writes `low`, `high`, `code`, `symbols` and `points`; the rest follows: draws, messages,
    payload, literal form, enumeration, exact variance and moments, expected bits, and rational mode.

    `low`, `high` and `chance` are called with float64 arrays (..., d) by the fast form, and with one float
    or one Fraction by the literal one: written with +, -, *, /, abs, `numpy.floor`, `numpy.sign` and the
    helpers of `powers_of_two` they serve both. In rational mode a float among the results is an error.

    Set as attributes of the class or in the constructor:

    * `code`: Code of the symbols: `FixedWidth(count)` for 0 to count - 1, or an Elias code from 1 on.
    * `norm`: "euclidean" or "max": each vector is divided by its norm as it is sent, which is not below the
      largest entry, and the receiver multiplies by it; so `low` and `high` see numbers in [-1, 1]. None for
      no norm.
    * `norm_bits`: Bits of that norm, 64 or 32.
    * `scale_equivariance`: "none" unless the author knows better; with a norm it is "all".
    * `unbiased`: True, as the mean is x with the default `chance`; False where another one changes that.

    Example:
        Round to whole numbers below 2**15::

            class Whole(TwoPointRounding):
                code = FixedWidth(2**16)

                def low(self, x): return np.floor(x)
                def high(self, x): return np.floor(x) + 1
                def symbols(self, points): return points + 2**15
                def points(self, symbols): return symbols - 2**15
    """

    unbiased = True
    scale_equivariance: ScaleEquivariance = "none"
    code: FixedWidth | EliasCode
    norm: Literal["euclidean", "max"] | None = None
    norm_bits: int = 64

    # ---------------------------------------------------------------- what an author defines

    @abc.abstractmethod
    def low(self, x: Any) -> Any:
        """Return one of the two points around each coordinate."""

    @abc.abstractmethod
    def high(self, x: Any) -> Any:
        """Return the other one, on the other side; where `low` is x itself it may be anything."""

    @abc.abstractmethod
    def symbols(self, points: Array) -> Any:
        """Return the whole numbers that stand for an array of points."""

    @abc.abstractmethod
    def points(self, symbols: Array) -> Any:
        """Return the points for which an array of symbols stands, exactly those of `low` and `high`."""

    def chance(self, x: Any, low: Any, high: Any) -> Any:
        """Return the probability of `high`; by default the one for which the mean is x."""
        if not isinstance(x, np.ndarray):
            return x * 0 if low == x else (x - low) / (high - low)
        with np.errstate(all="ignore"):
            return np.where(low == x, 0.0, (x - low) / (high - low))

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls()

    def _parameters(self) -> tuple[Hashable, ...]:
        """Return the attributes of the instance; an author overrides it where one cannot be hashed."""
        return tuple(sorted(vars(self).items()))

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in vars(self).items() if name != "code")
        return f"{type(self).__name__}({given})"

    # ---------------------------------------------------------------- reference

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        name = type(self).__name__
        x, uniforms = all_of(name, lambda: self._literal(x), lambda: nested_uniforms(draws, name))
        return map_draws(x, uniforms, self._reference_vector, name)

    def _reference_vector(self, x: list[Any], uniforms: list[Any], node: int) -> list[Any]:
        N = self._reference_norm(x)
        C = []
        for j, (xj, u) in enumerate(zip(x, uniforms, strict=True)):
            low, high, p = self._reference_points(xj / N if N else xj * 0, j)
            C.append(N * (high if u < p else low) + 0)  # no negative zeros
        return C

    def _reference_norm(self, x: list[Any]) -> Any:
        """Return the norm of one vector as it is sent, 1 without one; an irrational one raises."""
        if self.norm is None:
            return x[0] * 0 + 1
        name = type(self).__name__
        largest = literal_scale(x, self.norm_bits, None, name)
        if self.norm == "max":
            return largest
        if isinstance(x[0], Fraction):
            return rational_norm(x, name)
        return max(literal_norm(x, self.norm_bits, name), largest)

    def _reference_points(self, x: Any, j: int) -> tuple[Any, Any, Any]:
        """Return low, high and the probability of high for x, the entry j of a vector over its norm.

        A point of probability 0 is replaced by the other one.
        """
        name = type(self).__name__
        low, high = self._plain("low", self.low(x), x), self._plain("high", self.high(x), x)
        p = self._plain("chance", self.chance(x, low, high), x)
        if not 0 <= p <= 1:
            raise ArgumentError(f"{name}: the chance of x[{j}] = {x} is {p}; keep it in [0, 1]")
        if p == 0 and low == x:
            return low, low, p
        if p == 1 and high == x:
            return high, high, p
        if not isinstance(x, Fraction) and not math.isfinite(high - low):
            raise ArgumentError(
                f"{name}: x[{j}] = {x} lies between the points {low} and {high}, which cannot be sent; "
                "scale x down"
            )
        return low, high, p

    def _plain(self, what: str, value: Any, x: Any) -> Any:
        """Return a result of the author for one coordinate, as a number of the kind of x."""
        if isinstance(value, np.ndarray | np.generic):
            value = value.item()
        if not isinstance(x, Fraction):
            return float(value)
        if not isinstance(value, int | Fraction):
            raise ArgumentError(
                f"{type(self).__name__}: {what} of the Fraction {x} is {value!r}; write it without floats, "
                "such as 2 for 2.0"
            )
        return Fraction(value)

    # ---------------------------------------------------------------- vectorized

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        """Return private uniforms in [0, 1) of the shape of x."""
        return Draws(private=draw_uniforms(rng, shape, dtype, type(self).__name__))

    def message(self, x: Any, draws: Draws) -> Message:
        chosen, norms, low, high = self._chosen(x, draws)
        symbols = np.where(chosen, high, low)
        bits = np.asarray(self.code.lengths(symbols).sum(axis=-1, dtype=np.int64))
        bits = bits + self.norm_bits * norms.shape[-1]
        norms = np.broadcast_to(norms, (*symbols.shape[:-1], norms.shape[-1]))
        return Message(symbols, norms, int(bits) if bits.ndim == 0 else bits, symbols.shape)

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        if message.scales is None:  # of an empty batch
            return np.zeros(message.shape, message.symbols.dtype)
        return self._restored(message.symbols, message.scales)

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Array:
        chosen, norms, low, high = self._chosen(x, draws)
        # The receiver's arithmetic, once for both points instead of once for each sample.
        return np.where(chosen, self._restored(high, norms), self._restored(low, norms))

    def _chosen(self, x: Any, draws: Draws) -> tuple[Array, Array, Array, Array]:
        """Return where `high` is chosen, (S, ..., d), the norms, and the symbols of both points, (..., d)."""
        name = type(self).__name__
        x, uniforms = all_of(name, lambda: self._vectors(x), lambda: as_uniforms(draws, name))
        require_draws_fit(x.shape, uniforms, name)
        norms = self._norms(x)
        law = self._law(x, norms)
        low, high = self._symbols(law.low, x), self._symbols(law.high, x)
        restored = np.stack([self._restored(low, norms), self._restored(high, norms)])
        if not np.isfinite(restored).all():
            bad = first(x, ~np.isfinite(restored).all(axis=0), "x")
            raise ArgumentError(f"{name}: {bad} is rounded beyond the range of {x.dtype}; scale x down")
        return uniforms < law.p, norms, low, high

    def _norms(self, x: Array) -> Array:
        """Return the norm of each vector as it is sent, (..., 1), or (..., 0) without one; the dtype of x."""
        if self.norm is None:
            return np.empty((*x.shape[:-1], 0), x.dtype)
        name = type(self).__name__
        largest = sent_scales(x, Blocks(None, name), self.norm_bits, None, name)
        if self.norm == "max":
            return largest
        # Rounded to nearest a norm may be below the largest entry: no quotient exceeds 1.
        return np.maximum(block_norms(x, (x.shape[-1],), self.norm_bits, name), largest)

    def _law(self, x: Array, norms: Array) -> _Law:
        name, v = type(self).__name__, x.astype(np.float64)
        if norms.shape[-1]:
            v = v / np.where(norms == 0, 1.0, norms)
        low, high = (np.broadcast_to(np.asarray(f(v), np.float64), v.shape) for f in (self.low, self.high))
        p = np.broadcast_to(np.asarray(self.chance(v, low, high), np.float64), v.shape)
        kept, moved = (p == 0) & (low == v), (p == 1) & (high == v)
        with np.errstate(over="ignore", invalid="ignore"):
            far = ~np.isfinite(high - low) & ~kept & ~moved
        if far.any():
            raise ArgumentError(
                f"{name}: {first(x, far, 'x')} lies between the points {low[far][0]} and {high[far][0]}, "
                "which cannot be sent; scale x down"
            )
        wrong = ~((p >= 0) & (p <= 1))
        if wrong.any():
            raise ArgumentError(
                f"{name}: the chance of {first(x, wrong, 'x')} is {p[wrong][0]}; keep it in [0, 1]"
            )
        return _Law(v, np.where(p == 1, high, low), np.where(p == 0, low, high), p)

    def _symbols(self, points: Array, x: Array) -> Array:
        """Return the symbols of the points of x, int64; raise where one has none, or stands for another."""
        least, most = (0, self.code.count - 1) if isinstance(self.code, FixedWidth) else (1, _LARGEST_ELIAS)
        with np.errstate(all="ignore"):
            found = np.asarray(self.symbols(points))
            bad = ~((found >= least) & (found <= most))
            symbols = np.where(bad, least, found).astype(np.int64)
            bad |= symbols != found
            bad |= ~(np.abs(np.asarray(self.points(symbols)) - points) <= _ROUNDING * np.abs(points))
        if bad.any():
            raise ArgumentError(
                f"{type(self).__name__}: the point {points[bad][0]} of {first(x, bad, 'x')} cannot be sent: "
                f"no symbol from {least} to {most} stands for it; scale x, or give the code more symbols"
            )
        return symbols

    def _restored(self, symbols: Array, norms: Array) -> Array:
        """Return the points of the symbols times the norms, in the dtype of the norms."""
        points = np.asarray(self.points(symbols), np.float64)
        with np.errstate(over="ignore"):
            scaled = points * norms if norms.shape[-1] else points
            return np.asarray(scaled.astype(norms.dtype) + norms.dtype.type(0))  # no negative zeros

    # ---------------------------------------------------------------- exact law

    def variance(self, x: Any, weight: Any = None, node_weight: Any = None) -> Any:
        """Return sum_j W_jj (high - low)^2 p (1 - p) and the square of the bias, the exact E||C(x) - x||^2_W.

        Arguments as in `Compressor.variance`; infinite where it exceeds the range of float64.
        """
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                N, law = self._exact_law(vector)
                mean = [N * (low + p * (high - low)) for low, high, p in law]
                bias = [mj - xj for mj, xj in zip(mean, vector, strict=True)]
                second = [(N * (high - low)) ** 2 * p * (1 - p) for low, high, p in law]
                return exact_variance(bias, second, exact_weight(weight, node_weight, node, len(vector)))

            return map_vectors(self._literal_weighted(x, weight, node_weight), exact)
        x, w = self._weighted(x, weight, node_weight)
        gap, bias, p = self._errors(x)
        with np.errstate(over="ignore"):
            own = two_point_variance(gap, p, w, node_weight is not None)
            return number(own + quadratic_form(bias, w, node_weight is not None))

    def _errors(self, x: Array) -> tuple[Array, Array, Array]:
        """Return high - low and the bias, both at the scale of x, and p, each (..., d)."""
        norms = self._norms(x)
        v, low, high, p = self._law(x, norms)
        scale = norms.astype(np.float64) if norms.shape[-1] else np.float64(1)
        gap = high - low
        return scale * gap, scale * (low - v + p * gap), p

    def _exact_law(self, x: list[Fraction]) -> tuple[Fraction, list[tuple[Fraction, Fraction, Fraction]]]:
        """Return the norm, and low, high and the probability of high of each coordinate."""
        N = self._reference_norm(x)
        return N, [self._reference_points(xj / N if N else xj * 0, j) for j, xj in enumerate(x)]

    def moments(self, x: Any, weight: Any = None) -> Moments:
        x, w = self._weighted(x, weight)
        gap, bias, p = self._errors(x)
        size = np.abs(gap)
        return two_point_moments(size * (1 - p), size * p, p, w, bias, np.where(gap < 0, -1.0, 1.0))

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        """Yield (probability, draws) for the 2^m patterns of one vector with m chances inside of (0, 1)."""
        exact, vector = is_rational(x), self._literal_vector(x)
        if exact:
            chances: list[Any] = [p for _, _, p in self._exact_law(vector)[1]]
        else:
            array = np.array(vector)
            chances = self._law(array, self._norms(array)).p.tolist()
        one = Fraction(1) if exact else 1.0
        choices = []
        for p in chances:
            above = (p, p / 2)
            below = (1 - p, p + (1 - p) / 2 if exact else min(p + (1 - p) / 2, 1 - 2.0**-53))
            choices.append([below, above] if 0 < p < 1 else [(one, one / 2)])
        for pattern in itertools.product(*choices):
            uniforms: Any = [u for _, u in pattern]
            probability = math.prod((q for q, _ in pattern), start=one)
            yield probability, Draws(private=uniforms if exact else np.array(uniforms))

    def expected_bits(self, x: Any) -> Any:
        if is_rational(x):
            return map_vectors(self._literal(x), self._exact_bits)
        x = self._vectors(x)
        norms = self._norms(x)
        law = self._law(x, norms)
        low, high = (self.code.lengths(self._symbols(points, x)) for points in (law.low, law.high))
        return number(np.sum(low + law.p * (high - low), axis=-1) + float(self.norm_bits * norms.shape[-1]))

    def _exact_bits(self, x: list[Fraction], node: int) -> Fraction:
        _, law = self._exact_law(x)
        total = Fraction(self.norm_bits if self.norm else 0)
        for xj, (low, high, p) in zip(x, law, strict=True):
            for point, chance in ((low, 1 - p), (high, p)):
                if chance:
                    symbol = self._symbols(np.array([float(point)]), np.array([float(xj)]))
                    total += chance * int(self.code.lengths(symbol)[0])
        return total

    # ---------------------------------------------------------------- payload: the norm, then symbols

    def _write(self, writer: BitWriter, message: Message) -> None:
        writer.append(to_words(np.asarray(message.scales), self.norm_bits), self.norm_bits)
        writer.append(*self.code.fields(message.symbols))

    def _read(self, reader: BitReader, d: int, dtype: Any) -> Message:
        words = [reader.read(self.norm_bits)] if self.norm else []
        norms = norms_from_words(words, self.norm_bits, dtype)
        return Message(self.code.read_many(reader, d), norms, None, (d,))
