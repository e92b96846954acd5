"""One-bit SGD (Seide et al. 2014): the sign of every entry and the means of the two classes."""

import math
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl import tiers
from impl.coding import symbol_words
from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.checked_input import (
    as_axes,
    as_vectors,
    first,
    is_plain_vector,
    number,
    quadratic_form,
    require_finite,
)
from impl.compressors.contract import Array, Compressor, Draws, Message, Moments, Size, Tier
from impl.compressors.dithered.dither_law import exact_variance
from impl.compressors.literal_input import exact_weight, is_rational, map_vectors
from impl.compressors.sparse.entries import from_words, to_words
from impl.compressors.tiled_sums import TILE, tiled_sum
from impl.errors import ArgumentError, Problems, ScaleOverflow

_ALPHABET, _OFFSET = 2, 0
_SAFE_EXPONENT: dict[Any, int] = {
    np.float32: 120,
    np.float64: 1000,
}  # of the largest entry, where no mean overflows
_TINY = {kind: float(np.finfo(kind).tiny) for kind in _SAFE_EXPONENT}


class OneBit(Compressor):
    r"""Send whether $v_j\ge0$ and the means of both classes; each entry is decoded to the mean of its class.

    Deterministic and biased. Meant for error feedback, with v the gradient plus what earlier rounds lost:
    `with_feedback` returns what the caller keeps for the next round. The mean of an empty class is 0.

    A mean too small for its format raises a `ScaleOverflow`: `message` would lose it without a trace. With
    feedback it is sent as 0 and stays in the residual, so that runs which converge to 0 go on.

    Args:
        norm_bits: Bits of each of the two means, 64 or 32 (the published choice), rounded to nearest.
    """

    unbiased = False

    def __init__(self, *, norm_bits: int = 64) -> None:
        problems = Problems("OneBit")
        problems.require(norm_bits in (32, 64), f"norm_bits={norm_bits!r} must be 64 or 32")
        problems.raise_if_any()
        self.norm_bits = int(norm_bits)

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls()
        yield cls(norm_bits=32)

    def __repr__(self) -> str:
        return f"OneBit({'' if self.norm_bits == 64 else 'norm_bits=32'})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.norm_bits,)

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        """Return empty draws: nothing is random."""
        return Draws()

    # ---------------------------------------------------------------- reference

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        return map_vectors(self._literal(x), self._reference_vector)

    def _reference_vector(self, v: list[Any], node: int) -> list[Any]:
        upper = self._reference_mean([item for item in v if item >= 0], v)
        lower = self._reference_mean([item for item in v if item < 0], v)
        return [upper if item >= 0 else lower for item in v]

    def _reference_mean(self, members: list[Any], v: list[Any]) -> Any:
        if not members:
            return v[0] * 0
        if isinstance(v[0], Fraction):
            return sum(members, Fraction(0)) / len(members)
        exponent = math.frexp(max(map(abs, members)))[1]
        total = math.fsum(math.ldexp(item, -exponent) for item in members)
        mean = math.ldexp(total / len(members), exponent)
        return float(self._sent(np.array([mean]), np.dtype(np.float64))[0])

    # ---------------------------------------------------------------- vectorized

    def message(self, x: Any, draws: Draws) -> Message:
        return self._message(self._vectors(x), small_as_zero=False)

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Array:
        if type(self) is not OneBit:  # what a subclass changes must show
            return super().compress(x, draws, side)
        x = self._vectors(x)
        upper = x >= 0
        scales = self._means(x, upper, small_as_zero=False)
        return np.where(upper, scales[..., :1], scales[..., 1:])

    def _message(self, x: Array, *, small_as_zero: bool) -> Message:
        upper = x >= 0
        scales = self._means(x, upper, small_as_zero)
        bits = np.full(x.shape[:-1], self._bits(x.shape[-1]), dtype=np.int64)
        return Message(upper.astype(np.int64), scales, int(bits) if bits.ndim == 0 else bits, x.shape)

    def _means(self, x: Array, upper: Array, small_as_zero: bool) -> Array:
        """Return the means of both classes as they are sent, (..., 2); 0 where one is empty."""
        d = x.shape[-1]
        if d <= TILE:
            found = [_class_means(x, members) for members in (upper, ~upper)]
        else:
            pairs = list(zip(x.reshape(-1, d), upper.reshape(-1, d), strict=True))
            found = [
                np.array([_long_class_mean(row, signs, wanted) for row, signs in pairs], np.float64).reshape(
                    *x.shape[:-1], 1
                )
                for wanted in (True, False)
            ]
        return np.concatenate([self._sent(means, x.dtype, small_as_zero) for means in found], axis=-1)

    def _sent(self, means: Array, dtype: Any, small_as_zero: bool = False) -> Array:
        sent = np.dtype(np.float32) if self.norm_bits == 32 or dtype == np.float32 else np.dtype(np.float64)
        with np.errstate(over="ignore"):
            rounded = means.astype(sent)
        lost = ~np.isfinite(rounded) | ((rounded == 0) & (means != 0) & (not small_as_zero))
        if lost.any():
            remedy = "use norm_bits=64" if sent != dtype else "scale x"
            raise ScaleOverflow(
                f"OneBit: {first(means, lost, 'class mean')} is outside the range of {sent}; {remedy}"
            )
        return np.asarray(rounded.astype(dtype) + dtype.type(0))

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        if message.scales is None:
            raise ArgumentError("OneBit: the message has no class means; it was made by another compressor")
        return np.where(message.symbols == 1, message.scales[..., :1], message.scales[..., 1:])

    def with_feedback(self, x: Any, residual: Any) -> tuple[Message, Array]:
        """Return the message of x + residual and the residual of the next round, (..., d).

        Args:
            x: Gradient, (..., d).
            residual: What earlier rounds lost, of the same shape; zeros at first.

        Raises:
            ArgumentError: As of `message`, for x or the residual, or their shapes differ.
            ScaleOverflow: The sum leaves the range of its format, or a class mean is too large for its own;
                one that is too small is sent as 0.
        """
        given, kept = self._vectors(x), as_vectors(residual, "OneBit", "residual")
        require_finite(kept, "OneBit", "residual")
        if given.shape != kept.shape:
            raise ArgumentError(f"OneBit: residual has shape {kept.shape}, x has shape {given.shape}")
        with np.errstate(over="ignore"):
            total = given + kept
        lost = ~np.isfinite(total)
        if lost.any():
            raise ScaleOverflow(f"OneBit: {first(total, lost, '(x + residual)')}; scale x down")
        message = self._message(total, small_as_zero=True)
        return message, np.asarray(total - self.reconstruct(message))

    def sample(self, x: Any, rng: np.random.Generator, size: Size = None, *, tier: Tier = None) -> Array:
        if size is None and type(self) is OneBit and tiers.is_known(tier):
            sampled = _of_vector(x, self.norm_bits)
            if sampled is not None:
                tiers.chosen(tier, "OneBit")  # numba may be missing
                return sampled
        with tiers.tier(tier, "OneBit"):
            out = self.compress(x, Draws())
        axes = as_axes(size, "size", "OneBit")
        return np.broadcast_to(out, axes + out.shape).copy() if axes else out

    # ---------------------------------------------------------------- exact law

    def variance(self, x: Any, weight: Any = None, node_weight: Any = None) -> Any:
        """Return ||C(x) - x||^2_W, which is not random."""
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                e = [c - xj for c, xj in zip(self._reference_vector(vector, node), vector, strict=True)]
                none = [Fraction(0)] * len(e)
                return exact_variance(e, none, exact_weight(weight, node_weight, node, len(e)))

            return map_vectors(self._literal_weighted(x, weight, node_weight), exact)
        x, w = self._weighted(x, weight, node_weight)
        error = self.compress(x, Draws()).astype(np.float64) - x
        with np.errstate(over="ignore"):
            return number(quadratic_form(error, w, node_weight is not None))

    def moments(self, x: Any, weight: Any = None) -> Moments:
        mean = self.variance(x, weight)
        return Moments(mean, mean * 0, mean)

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        """Yield the only outcome, with probability one."""
        self._literal_vector(x)
        yield Fraction(1) if is_rational(x) else 1.0, Draws()

    def _bits(self, d: int) -> int:
        return 64 * symbol_words.word_count(d, _ALPHABET) + 2 * self.norm_bits

    def expected_bits(self, x: Any) -> Any:
        """Return the length of every message, whole words of 64 signs."""
        if is_rational(x):
            return map_vectors(self._literal(x), lambda vector, node: Fraction(self._bits(len(vector))))
        x = self._vectors(x)
        return number(np.full(x.shape[:-1], float(self._bits(x.shape[-1]))))

    # ---------------------------------------------------------------- payload: two means, then signs

    def _write(self, writer: BitWriter, message: Message) -> None:
        writer.append(to_words(np.asarray(message.scales), self.norm_bits), self.norm_bits)
        writer.append(symbol_words.to_words(message.symbols, _ALPHABET, _OFFSET), 64)

    def _read(self, reader: BitReader, d: int, dtype: Any) -> Message:
        scales = from_words([reader.read(self.norm_bits) for _ in range(2)], self.norm_bits, dtype)
        if scales[0] < 0 or scales[1] > 0:
            raise ValueError(f"class means {scales.tolist()} of the wrong sign")
        words = reader.read_many(symbol_words.word_count(d, _ALPHABET), 64)
        return Message(symbol_words.from_words(words, d, _ALPHABET, _OFFSET), scales, None, (d,))


def _of_vector(x: Any, norm_bits: int) -> Array | None:
    """Return the sample of one plain short vector: the operations of `_means`, without axes and masks.

    None where it is not plain, not finite, or near the ends of the range of what is sent.
    """
    if not is_plain_vector(x, TILE):
        return None
    sent: Any = np.float32 if norm_bits == 32 or x.dtype == np.float32 else np.float64
    upper = x >= 0
    count = int(np.count_nonzero(upper))
    means: list[float] = []
    for members, many in ((np.minimum(x, 0), len(x) - count), (np.maximum(x, 0), count)):
        largest = abs(float(members.max() if means else members.min()))
        exponent = math.frexp(largest)[1]  # 0 of what is not finite
        if not (largest < math.inf and abs(exponent) < _SAFE_EXPONENT[sent]):
            return None
        wide = members.astype(np.float64)
        wide *= 2.0**-exponent
        total = np.add.reduce(wide)
        mean = float(sent(math.ldexp(float(total) / max(many, 1), exponent)))
        if total != 0 and abs(mean) < _TINY[sent]:
            return None
        means.append(mean + 0.0)  # no negative zeros
    decoded: Array = np.array(means, x.dtype).take(upper)
    return decoded


def _class_means(x: Array, members: Array) -> Array:
    """Return the means over the members, float64 (..., 1); 0 where there is none."""
    kept = np.where(members, x, 0.0).astype(np.float64)
    exponent = np.frexp(np.abs(kept).max(axis=-1, keepdims=True))[1]
    count = np.maximum(np.count_nonzero(members, axis=-1, keepdims=True), 1)
    total = np.ldexp(kept, -exponent).sum(axis=-1, keepdims=True)  # a sum of sizes below one each
    return np.asarray(np.ldexp(total / count, exponent))


def _long_class_mean(x: Array, upper: Array, wanted: bool) -> Any:
    """Return that of one long vector, to the last bit, in little memory: of the entries marked as wanted."""
    largest = max(float(x.max() if wanted else -x.min()), 0.0)
    exponent = math.frexp(largest)[1]
    members = int(np.count_nonzero(upper))

    def terms(first: int, last: int) -> Array:
        part, zero = x[first:last], x.dtype.type(0)
        kept = np.where(upper[first:last], part, zero) if wanted else np.where(upper[first:last], zero, part)
        return np.asarray(np.ldexp(kept.astype(np.float64), -exponent))

    count = max(members if wanted else len(x) - members, 1)
    return np.ldexp(tiled_sum(len(x), terms) / count, exponent)
