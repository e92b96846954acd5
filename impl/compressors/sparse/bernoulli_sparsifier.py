"""Bernoulli sparsifier: keep coordinate j with probability p_j (arXiv 2106.03524, squant/sparse)."""

import copy
import itertools
import math
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.coding.elias import GAMMA
from impl.coding.sparse_code import SparseCode
from impl.compressors.checked_input import (
    as_uniforms,
    number,
    quadratic_form,
    require_draws_fit,
    weight_diagonal,
)
from impl.compressors.contract import Array, Compressor, Draws, Message, Moments, Size, Tier
from impl.compressors.literal_input import (
    exact_diagonal,
    exact_weight,
    is_rational,
    map_draws,
    map_vectors,
    nested_uniforms,
)
from impl.compressors.rounding.stochastic_rounding import draw_uniforms
from impl.compressors.rounding.two_point_error import two_point_moments
from impl.compressors.sample_by_tiles import sample_by_tiles
from impl.compressors.sparse.entries import (
    as_sent,
    as_sent_literally,
    read_present,
    require_value_bits,
    write_present,
)
from impl.errors import ArgumentError, Problems

_CODE = SparseCode(GAMMA)


class BernoulliSparsifier(Compressor):
    """C(x)_j = x_j / p_j with probability p_j, else 0, independent over j.

    The entries x_j themselves are sent, with their gaps; the receiver divides by p_j. A zero is not sent.

    Args:
        probabilities: p in (0, 1]: a number, (d,), or (n, d) for one row per node. Fractions are kept.
        value_bits: Bits per entry, 64 or 32. With 32, float64 entries are rounded first: C is then unbiased
            for the rounded vector, and `variance` counts the rounding too.
    """

    unbiased = True

    def __init__(self, probabilities: Any, *, value_bits: int = 64) -> None:
        problems = Problems("BernoulliSparsifier")
        require_value_bits(problems, value_bits)
        try:
            given = (
                probabilities
                if isinstance(probabilities, np.ndarray)
                else np.array(probabilities, dtype=object)
            )
            p = given.astype(np.float64)
        except (TypeError, ValueError, OverflowError):
            problems.require(
                False, f"probabilities={probabilities!r} must be numbers of shape (), (d,) or (n, d)"
            )
            problems.raise_if_any()
        problems.require(
            p.ndim <= 2 and p.size, f"probabilities has shape {p.shape}; give (), (d,) or (n, d)"
        )
        for index in np.argwhere(~((p > 0) & (p <= 1)))[:1]:
            place = "".join(f"[{i}]" for i in index)
            problems.require(False, f"probabilities{place}={p[tuple(index)]} must be in (0, 1]")
        problems.raise_if_any()
        self.probabilities, self.value_bits = probabilities, int(value_bits)
        self._p, self._given = p, given

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(Fraction(1, 2))
        yield cls([Fraction(1, 2), Fraction(1, 3), 1, Fraction(1, 4), Fraction(2, 3), Fraction(1, 5)])
        yield cls(Fraction(1, 3), value_bits=32)

    def __repr__(self) -> str:
        p = np.array2string(self._p, threshold=8, separator=", ")
        return f"BernoulliSparsifier({p}{'' if self.value_bits == 64 else ', value_bits=32'})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self._p.tobytes(), self._p.shape, self.value_bits)

    @property
    def dimension(self) -> int | None:
        return int(self._p.shape[-1]) if self._p.ndim else None

    # ---------------------------------------------------------------- reference

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        problems = Problems("BernoulliSparsifier")
        with problems.collect():
            x = self._literal(x)
        with problems.collect():
            uniforms = nested_uniforms(draws, "BernoulliSparsifier")
        problems.raise_if_any()
        return map_draws(x, uniforms, self._reference_vector, "BernoulliSparsifier")

    def _reference_vector(self, x: list[Any], uniforms: list[Any], node: int) -> list[Any]:
        C = []
        for j, (xj, uj) in enumerate(zip(x, uniforms, strict=True)):
            exact = self._probability(node, j)
            p = exact if isinstance(xj, Fraction) else float(exact)
            C.append(as_sent_literally(xj, self.value_bits) / p if uj < p else xj * 0)
        return C

    def _probability(self, node: int, j: int) -> Fraction:
        if self._p.ndim == 0:
            return Fraction(self._given.item())
        value = self._given[j] if self._p.ndim == 1 else self._given[node, j]
        return Fraction(value.item() if isinstance(value, np.generic) else value)

    # ---------------------------------------------------------------- vectorized

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        """Return private uniforms in [0, 1) of the shape of x, float64 or float32."""
        return Draws(private=draw_uniforms(rng, shape, dtype, "BernoulliSparsifier"))

    def message(self, x: Any, draws: Draws) -> Message:
        entries = self._entries(x, draws)
        present = entries != 0
        bits = _CODE.gap_bits(present) + self.value_bits * np.count_nonzero(present, axis=-1)
        return Message(entries, None, int(bits) if bits.ndim == 0 else bits, entries.shape)

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Array:
        return self._divide(self._entries(x, draws))

    def sample(self, x: Any, rng: np.random.Generator, size: Size = None, *, tier: Tier = None) -> Array:
        """Compress with fresh draws, as of `Compressor.sample`; a long vector takes little memory."""
        own = size is None and type(self) is BernoulliSparsifier
        if not own or (self._p.ndim and self._p.shape != np.shape(x)):
            return super().sample(x, rng, size, tier=tier)
        sampled = sample_by_tiles(self, x, rng, tier, self._of if self._p.ndim else None)
        return super().sample(x, rng, size, tier=tier) if sampled is None else sampled

    def _of(self, coordinates: slice) -> Self:
        """Return the sparsifier of some coordinates of a vector."""
        part = copy.copy(self)
        part._p = self._p[coordinates]
        return part

    def _entries(self, x: Any, draws: Draws) -> Array:
        problems = Problems("BernoulliSparsifier")
        with problems.collect():
            x = self._vectors(x)
        with problems.collect():
            uniforms = as_uniforms(draws, "BernoulliSparsifier")
        problems.raise_if_any()
        require_draws_fit(x.shape, uniforms, "BernoulliSparsifier")
        sent = as_sent(x, self.value_bits, "BernoulliSparsifier")
        zero = x.dtype.type(0)
        return np.asarray(np.where(uniforms < self._p, sent, zero) + zero)  # no negative zeros

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        return self._divide(message.symbols)

    def _divide(self, entries: Array) -> Array:
        with np.errstate(over="ignore"):
            out = (entries / self._p).astype(entries.dtype, copy=False)
        if not np.isfinite(out).all():
            raise ArgumentError(f"BernoulliSparsifier: x / p exceeds the range of {out.dtype}; scale x down")
        return np.asarray(out)

    def _require_dimension(self, shape: tuple[int, ...]) -> None:
        problems, d = Problems("BernoulliSparsifier"), self.dimension
        problems.require(
            d in (None, shape[-1]),
            f"x has d={shape[-1]} coordinates, probabilities has {d}; give one per coordinate",
        )
        nodes = len(self._p) if self._p.ndim == 2 else None
        problems.require(
            nodes is None or (len(shape) > 1 and shape[-2] == nodes),
            f"x has shape {shape}, probabilities are given for n={nodes} nodes; give x (..., n, d)",
        )
        problems.raise_if_any()

    # ---------------------------------------------------------------- exact law

    def variance(self, x: Any, weight: Any = None, node_weight: Any = None) -> Any:
        """Return sum_j W_jj x_j^2 (1 / p_j - 1), exact for any weight: the errors are independent.

        With value_bits=32 the square of the rounding of x is added. Arguments as in `Compressor.variance`.
        """
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                w = exact_diagonal(exact_weight(weight, node_weight, node, len(vector)))
                p = [self._probability(node, j) for j in range(len(vector))]
                triples = zip(w, vector, p, strict=True)
                return sum((wj * xj * xj * (1 / pj - 1) for wj, xj, pj in triples), Fraction(0))

            return map_vectors(self._literal_weighted(x, weight, node_weight), exact)
        x, w = self._weighted(x, weight, node_weight)
        node = node_weight is not None
        wide = as_sent(x, self.value_bits, "BernoulliSparsifier").astype(np.float64)
        with np.errstate(over="ignore"):
            value = np.sum(weight_diagonal(w, node) * (wide * wide) * (1 / self._p - 1), axis=-1)
            return number(value + quadratic_form(wide - x, w, node))

    def moments(self, x: Any, weight: Any = None) -> Moments:
        x, w = self._weighted(x, weight)
        sent = as_sent(x, self.value_bits, "BernoulliSparsifier").astype(np.float64)
        p = np.broadcast_to(self._p, x.shape)
        size = np.abs(sent)
        with np.errstate(over="ignore"):
            up = size * (1 / p - 1)
        return two_point_moments(up, size, p, w, sent - x, np.sign(sent))

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        """Yield (probability, draws) for all sets of coordinates with x_j != 0, p_j < 1 of one vector."""
        exact, vector = is_rational(x), self._literal_vector(x)
        one = Fraction(1) if exact else 1.0
        choices = []
        for j, xj in enumerate(vector):
            p = self._probability(0, j) if exact else float(self._probability(0, j))
            kept, dropped = (p, p / 2), (1 - p, p)
            choices.append([dropped, kept] if xj and p < 1 else [(one, p / 2)])
        for pattern in itertools.product(*choices):
            uniforms: Any = [u for _, u in pattern]
            probability = math.prod((q for q, _ in pattern), start=one)
            yield probability, Draws(private=uniforms if exact else np.array(uniforms))

    def expected_bits(self, x: Any) -> Any:
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                q = [self._probability(node, j) if xj else Fraction(0) for j, xj in enumerate(vector)]
                return _CODE.exact_gap_bits(q) + self.value_bits * sum(q, Fraction(0))

            return map_vectors(self._literal(x), exact)
        x = self._vectors(x)
        q = np.where(as_sent(x, self.value_bits, "BernoulliSparsifier") != 0, self._p, 0.0)
        return number(_CODE.expected_gap_bits(q) + self.value_bits * q.sum(axis=-1))

    # ---------------------------------------------------------------- payload: gaps and entries

    def _write(self, writer: BitWriter, message: Message) -> None:
        write_present(writer, _CODE, message.symbols, self.value_bits)

    def _read(self, reader: BitReader, d: int, dtype: Any) -> Message:
        entries = read_present(reader, _CODE, d, self.value_bits, dtype)
        return Message(entries, None, None, (d,))
