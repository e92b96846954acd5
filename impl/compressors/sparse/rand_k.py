"""Rand-k: keep a uniformly random set of k coordinates, times d / k."""

import functools
import itertools
import math
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl import tiers
from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.checked_input import (
    SHORT,
    as_axes,
    is_plain_vector,
    number,
    quadratic_form,
    require_generator,
    weight_diagonal,
)
from impl.compressors.contract import Array, Compressor, Draws, Message, Moments, Size, Tier
from impl.compressors.dithered.dither_input import all_of
from impl.compressors.literal_input import exact_weight, is_rational, map_draws, map_vectors, nested_shape
from impl.compressors.philox_draws import philox_stream
from impl.compressors.sparse.entries import (
    as_sent,
    as_sent_literally,
    from_words,
    require_at_most,
    require_count,
    require_value_bits,
    to_words,
)
from impl.compressors.sparse.set_rounds import SetRounds
from impl.errors import ArgumentError, Problems


class RandK(Compressor):
    """C(x)_j = (d / k) x_j for j in a random set of k coordinates, else 0.

    The set is shared randomness: only the k entries are sent; the receiver draws the same set from the key.

    Args:
        k: Number of kept coordinates, at most d (checked at use).
        value_bits: Bits per entry, 64 or 32. With 32, float64 entries are rounded first: C is then unbiased
            for the rounded vector, and `variance` counts the rounding too.
    """

    unbiased = True

    def __init__(self, k: int, *, value_bits: int = 64) -> None:
        problems = Problems("RandK")
        require_count(problems, k)
        require_value_bits(problems, value_bits)
        problems.raise_if_any()
        self.k, self.value_bits = int(k), int(value_bits)

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(1)
        yield cls(2)
        yield cls(3, value_bits=32)

    def __repr__(self) -> str:
        return f"RandK({self.k}{'' if self.value_bits == 64 else ', value_bits=32'})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.k, self.value_bits)

    def _require_dimension(self, shape: tuple[int, ...]) -> None:
        require_at_most(self.k, shape[-1], "RandK")

    # ---------------------------------------------------------------- reference

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        problems, d = Problems("RandK"), None
        with problems.collect():
            x = self._literal(x)
            *_, d = nested_shape(x)
        with problems.collect():
            sets = self._sets(draws, d).tolist()
        problems.raise_if_any()
        return map_draws(x, sets, self._reference_vector, "RandK", self.k)

    def _reference_vector(self, x: list[Any], chosen: list[int], node: int) -> list[Any]:
        d, k = len(x), self.k
        factor = Fraction(d, k) if isinstance(x[0], Fraction) else d / k
        return [
            as_sent_literally(xj, self.value_bits) * factor if j in chosen else xj * 0
            for j, xj in enumerate(x)
        ]

    # ---------------------------------------------------------------- vectorized

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        """Return shared sorted index sets, int64 (..., k), for x of shape (..., d), no permutation."""
        problems = Problems("RandK")
        with problems.collect():
            require_generator(rng, "RandK")
        with problems.collect():
            shape = as_axes(shape, "shape", "RandK")
            problems.require(shape, "shape=() must end with d")
            self._require_dimension(shape or (self.k,))
        problems.raise_if_any()
        *batch, d = shape
        count = math.prod(batch)
        if tiers.current() == "fused" and d < 2**32:
            return Draws(shared=self._fused_sets(rng, count, d).reshape(*batch, self.k))
        # Floyd's algorithm runs over the batch in k steps; `choice` runs over k, once per set.
        sets = _choices(rng, d, self.k, count) if count <= self.k else _floyd(rng, d, self.k, count)
        return Draws(shared=sets.reshape(*batch, self.k))

    def _fused_sets(self, rng: np.random.Generator, count: int, d: int) -> Array:
        sets = np.empty((count, self.k), np.int64)
        _kernels()[0](d, philox_stream(rng), sets)
        return sets

    def sample(self, x: Any, rng: np.random.Generator, size: Size = None, *, tier: Tier = None) -> Array:
        if size is None and type(self) is RandK and tiers.is_known(tier):
            sampled = self._of_vector(x, rng, tiers.chosen(tier, "RandK"))
            if sampled is not None:
                return sampled
        with tiers.tier(tier, "RandK") as chosen:
            if type(self) is not RandK:
                return super().sample(x, rng, size)
            x, _, axes = all_of(
                "RandK",
                lambda: self._vectors(x),
                lambda: require_generator(rng, "RandK"),
                lambda: as_axes(size, "size", "sample"),
            )
            if chosen == "numpy":
                return self.compress(x, self.draw(rng, axes + x.shape, x.dtype))
            return self._sampled(as_sent(x, self.value_bits, "RandK"), axes + x.shape, rng)

    def _of_vector(self, x: Any, rng: Any, tier: str) -> Array | None:
        """Return a sample of one plain short vector, without detours; None otherwise, with nothing drawn."""
        if not is_plain_vector(x, SHORT) or not isinstance(rng, np.random.Generator) or self.k > len(x):
            return None
        if (self.value_bits == 32 and x.dtype != np.float32) or not math.isfinite(np.vdot(x, x)):
            return None
        if tier == "fused":
            return self._sampled(x, x.shape, rng)
        kept = rng.choice(len(x), self.k, replace=False, shuffle=False)
        values = x[kept] * (len(x) / self.k)  # in range: the squares of x are
        values += 0.0  # no negative zeros
        out: Array = np.zeros(len(x), x.dtype)
        out[kept] = values
        return out

    def _sampled(self, x: Array, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
        """Return what the receiver makes of messages of x with fresh sets, by kernels."""
        d, out = shape[-1], np.zeros(shape, x.dtype)
        if out.size:
            sets = self._fused_sets(rng, out.size // d, d)
            finite = _kernels()[1](x.reshape(-1, d), sets, x.dtype.type(d / self.k), out.reshape(-1, d))
            self._require_range(finite, x.dtype)
        return out

    def rounds(self, rng: np.random.Generator, shape: tuple[int, ...]) -> SetRounds | None:
        """Return rounds of float64 inputs of this shape by kernels, on one stream; None without them."""
        plain = type(self) is RandK and self.value_bits == 64 and tiers.current() == "fused"
        fits = math.prod(shape) > 0 and self.k <= shape[-1] < 2**32
        return SetRounds(self, rng, shape) if plain and fits else None

    def message(self, x: Any, draws: Draws) -> Message:
        problems, d = Problems("RandK"), None
        with problems.collect():
            x = self._vectors(x)
            d = x.shape[-1]
        with problems.collect():
            sets = self._sets(draws, d)
        problems.raise_if_any()
        try:
            batch = np.broadcast_shapes(x.shape[:-1], sets.shape[:-1])
        except ValueError:
            raise ArgumentError(
                f"RandK: draws.shared has shape {sets.shape}, x has shape {x.shape}; take draws from "
                "draw(rng, x.shape)"
            ) from None
        sent = as_sent(x, self.value_bits, "RandK")
        shape = (*batch, x.shape[-1])
        if sent.shape != shape:
            sent = np.broadcast_to(sent, shape)
        bits = np.full(batch, self.k * self.value_bits, dtype=np.int64)
        entries = sent.reshape(-1).take(_places(sets, shape))
        return Message(entries, None, int(bits) if bits.ndim == 0 else bits, shape)

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        d = message.shape[-1]
        sets = self._sets(Draws(shared), d)
        out = np.zeros(message.shape, dtype=message.symbols.dtype)
        with np.errstate(over="ignore"):
            values = message.symbols * (d / self.k) + message.symbols.dtype.type(0)  # no negative zeros
        self._require_range(np.isfinite(values).all(), out.dtype)
        out.reshape(-1)[_places(sets, message.shape)] = values
        return out

    def _require_range(self, finite: Any, dtype: Any) -> None:
        if not finite:
            raise ArgumentError(f"RandK: d / k times an entry exceeds the range of {dtype}; scale x down")

    def _sets(self, draws: Any, d: int | None) -> Array:
        """Return `draws.shared` as checked index sets, int64 (..., k); the upper end needs d."""
        shared = getattr(draws, "shared", None)
        if shared is None:
            raise ArgumentError(
                "RandK: the index sets are shared draws; give draws.shared, or the key to decode"
            )
        try:
            sets = np.asarray(shared)
        except ValueError:
            raise ArgumentError(f"RandK: shared is ragged; give integers (..., {self.k})") from None
        if sets.dtype.kind not in "iu" or sets.shape[-1:] != (self.k,):
            raise ArgumentError(
                f"RandK: shared is {sets.dtype} of shape {sets.shape}; give integers (..., {self.k})"
            )
        increasing = bool((sets[..., 1:] > sets[..., :-1]).all())
        # The ends of increasing sets are their first and last entries.
        inside = sets.size == 0 or (sets[..., 0].min() >= 0 and (d is None or sets[..., -1].max() < d))
        if not inside or not increasing:
            bound = "d" if d is None else d
            raise ArgumentError(f"RandK: shared must hold {self.k} different indices in [0, {bound}), sorted")
        return sets.astype(np.int64, copy=False)

    # ---------------------------------------------------------------- exact law

    def variance(self, x: Any, weight: Any = None, node_weight: Any = None) -> Any:
        """Return the exact E||C(x) - x||^2_W, entries of W off the diagonal included.

        Relative errors have variance d / k - 1 and covariance d (k-1) / (k (d-1)) - 1. With value_bits=32 the
        square of the rounding of x is added. Arguments as in `Compressor.variance`.
        """
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                w = exact_weight(weight, node_weight, node, len(vector))
                return self._exact_variance(vector, w)

            return map_vectors(self._literal_weighted(x, weight, node_weight), exact)
        x, w = self._weighted(x, weight, node_weight)
        d, k, node = x.shape[-1], self.k, node_weight is not None
        sent = as_sent(x, self.value_bits, "RandK").astype(np.float64)
        own = d / k - 1
        with np.errstate(over="ignore", invalid="ignore"):
            diagonal = np.sum(weight_diagonal(w, node) * sent * sent, axis=-1)
            if w is None or w.ndim == (2 if node else 1):
                value = own * diagonal
            else:
                pair = d * (k - 1) / (k * (d - 1)) - 1 if d > 1 else 0.0
                # Rounding may leave a tiny negative number where the exact value is zero.
                value = np.maximum((own - pair) * diagonal + pair * quadratic_form(sent, w, node), 0.0)
            return number(value + quadratic_form(sent - x, w, node))

    def _exact_variance(self, x: list[Fraction], weight: list[Any]) -> Fraction:
        d, k = len(x), self.k
        total = Fraction(0)
        for i, row in enumerate(weight):
            if not isinstance(row, list):
                total += row * x[i] * x[i] * (Fraction(d, k) - 1)
                continue
            for j, w in enumerate(row):
                chance = Fraction(k, d) if i == j else Fraction(k * (k - 1), d * (d - 1))
                total += w * x[i] * x[j] * (chance * Fraction(d, k) ** 2 - 1)
        return total

    def moments(self, x: Any, weight: Any = None) -> Moments:
        """Return the moments; the variance and the bound are known for diagonal weights only."""
        mean = self.variance(x, weight)
        x, w = self._weighted(x, weight)
        d, k = x.shape[-1], self.k
        if w is not None and w.ndim == 2:
            return Moments(mean, None, None)
        sent = as_sent(x, self.value_bits, "RandK").astype(np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            # Z = sum of all w x^2 plus, for a kept coordinate, y: a sum over a simple random sample.
            missed = weight_diagonal(w, False) * np.square(x, dtype=np.float64)
            y = weight_diagonal(w, False) * np.square(sent * (d / k) - x) - missed
            spread = np.sum(np.square(y - y.mean(axis=-1, keepdims=True)), axis=-1)
            variance = k * (d - k) / (d * (d - 1)) * spread if d > 1 else spread * 0.0
            upper = missed.sum(axis=-1) + np.sort(y, axis=-1)[..., d - k :].sum(axis=-1)
        return Moments(mean, number(variance), number(upper))

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        """Yield (probability, draws) for all sets of k coordinates."""
        exact, d = is_rational(x), len(self._literal_vector(x))
        probability = Fraction(1, math.comb(d, self.k))
        for chosen in itertools.combinations(range(d), self.k):
            yield probability if exact else float(probability), Draws(shared=np.array(chosen, dtype=np.int64))

    def expected_bits(self, x: Any) -> Any:
        """Return k value_bits: the index set is shared and costs nothing."""
        bits = self.k * self.value_bits
        if is_rational(x):
            return map_vectors(self._literal(x), lambda vector, node: Fraction(bits))
        return number(np.full(self._vectors(x).shape[:-1], float(bits)))

    # ---------------------------------------------------------------- payload: the entries

    def _write(self, writer: BitWriter, message: Message) -> None:
        writer.append(to_words(message.symbols, self.value_bits), self.value_bits)

    def _read(self, reader: BitReader, d: int, dtype: Any) -> Message:
        words = reader.read_many(self.k, self.value_bits)
        return Message(from_words(words, self.value_bits, dtype), None, None, (d,))


@functools.cache  # an import costs as much as both
def _kernels() -> tuple[Any, Any]:
    from impl.kernels.rand_k import fill_sets, scatter  # numba, where it is asked for

    return fill_sets, scatter


def _places(sets: Array, shape: tuple[int, ...]) -> Array:
    """Return where the entries of the sets lie in an array of this shape, flat, (..., k)."""
    *batch, d = shape
    if sets.shape[:-1] != tuple(batch):
        sets = np.broadcast_to(sets, (*batch, sets.shape[-1]))
    return sets + (d * np.arange(math.prod(batch))).reshape(*batch, 1)


def _choices(rng: np.random.Generator, d: int, k: int, count: int) -> Array:
    sets = np.empty((count, k), dtype=np.int64)
    for index in range(count):
        sets[index] = rng.choice(d, k, replace=False, shuffle=False)
    sets.sort(axis=-1)
    return sets


def _floyd(rng: np.random.Generator, d: int, k: int, count: int) -> Array:
    """Return `count` uniform sets by Floyd's algorithm: draw t <= j, take j where t is already taken."""
    sets = np.empty((count, k), dtype=np.int64)
    for step, j in enumerate(range(d - k, d)):
        t = rng.integers(0, j + 1, size=count)
        taken = (sets[:, :step] == t[:, None]).any(axis=1)
        sets[:, step] = np.where(taken, j, t)
    sets.sort(axis=-1)
    return sets
