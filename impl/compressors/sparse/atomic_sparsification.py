"""Atomic sparsification: entries kept with the chances of least variance (ATOMO, arXiv 1806.04090)."""

import copy
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
from impl.compressors.dithered.dither_input import all_of
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
from impl.compressors.sample_by_tiles import is_long_vector, sample_by_tiles
from impl.compressors.sparse.coins import coin_outcomes
from impl.compressors.sparse.entries import (
    as_sent,
    as_sent_literally,
    read_present,
    require_positive_size,
    require_value_bits,
    write_present,
)
from impl.compressors.sparse.water_level import keep_chances, level_of_rising, literal_level, water_level
from impl.errors import ArgumentError, Problems

_CODE = SparseCode(GAMMA)


class AtomicSparsification(Compressor):
    r"""C(x)_j = x_j / p_j with probability $p_j=\min(1,|x_j|/\tau)$, else 0, independent over j.

    $\tau$ fills $\sum_jp_j$ up to the budget, or all nonzeros are kept: no other chances of this sum have a
    smaller variance (claim `cat/atoms`). Kept entries, which are $\pm\tau$ where $p_j<1$, are sent with their
    gaps: unlike `BernoulliSparsifier` the receiver does not know $p$. `SpectralSparsification` does the same
    to singular values.

    Args:
        budget: Expected number of kept entries, a positive number.
        value_bits: Bits per entry, 64 or 32. With 32, float64 entries and $\tau$ are rounded before use: C is
            then unbiased for the rounded vector, and `variance` counts the rounding too.
    """

    unbiased = True
    _known_level: Array | None = None  # of the vector that this one compresses a part of
    _by_tiles = True  # said by each class itself: what a subclass changes must show

    def __init__(self, budget: Any, *, value_bits: int = 64) -> None:
        problems = Problems("AtomicSparsification")
        require_positive_size(problems, "budget", budget)
        require_value_bits(problems, value_bits)
        problems.raise_if_any()
        self.budget, self.value_bits = budget, int(value_bits)

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(2)
        yield cls(Fraction(5, 3))
        yield cls(1, value_bits=32)

    def __repr__(self) -> str:
        return f"AtomicSparsification({self.budget!r}{'' if self.value_bits == 64 else ', value_bits=32'})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.budget, self.value_bits)

    # ---------------------------------------------------------------- reference

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        name = type(self).__name__
        x, uniforms = all_of(name, lambda: self._literal(x), lambda: nested_uniforms(draws, name))
        return map_draws(x, uniforms, self._reference_vector, name)

    def _reference_vector(self, x: list[Any], uniforms: list[Any], node: int) -> list[Any]:
        sent = [as_sent_literally(xj, self.value_bits) for xj in x]
        tau = self._reference_level(sent)
        if not isinstance(tau, Fraction) and math.isinf(tau):
            raise ArgumentError(f"{type(self).__name__}: x / p exceeds the range of float64; scale x down")
        C = []
        for xj, u in zip(sent, uniforms, strict=True):
            if abs(xj) >= tau:
                C.append(xj + 0)
            else:
                C.append((tau if xj > 0 else -tau) if u < abs(xj) / tau else xj * 0)
        return C

    def _reference_level(self, sent: list[Any]) -> Any:
        """Return tau as it is sent."""
        T = Fraction(self.budget) if isinstance(sent[0], Fraction) else float(self.budget)
        return as_sent_literally(literal_level([abs(xj) for xj in sent], T), self.value_bits)

    # ---------------------------------------------------------------- vectorized

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        """Return private uniforms in [0, 1) of the shape of x, float64 or float32."""
        return Draws(private=draw_uniforms(rng, shape, dtype, type(self).__name__))

    def message(self, x: Any, draws: Draws) -> Message:
        entries, _ = self._kept(x, draws)
        present = entries != 0
        bits = _CODE.gap_bits(present) + self.value_bits * np.count_nonzero(present, axis=-1)
        return Message(entries, None, int(bits) if bits.ndim == 0 else bits, entries.shape)

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Array:
        return self._kept(x, draws)[0]

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        return message.symbols.copy()

    def sample(self, x: Any, rng: np.random.Generator, size: Size = None, *, tier: Tier = None) -> Array:
        """Compress with fresh draws, as of `Compressor.sample`; a long vector takes little memory."""
        sampled = None
        if size is None and self._is_lean(x) and np.isfinite(x.max()) and np.isfinite(x.min()):
            part = copy.copy(self)
            try:
                part._known_level = self._sent_level(as_sent(x, self.value_bits, type(self).__name__))
                sampled = sample_by_tiles(part, x, rng, tier)
            except ArgumentError:  # told by the general way
                sampled = None
        return super().sample(x, rng, size, tier=tier) if sampled is None else sampled

    def _is_lean(self, x: Any) -> bool:
        """Tell whether x is one long vector, and what is done to it is what this class does."""
        return is_long_vector(x) and "_by_tiles" in vars(type(self))

    def _kept(self, x: Any, draws: Draws) -> tuple[Array, Array]:
        """Return C(x) and tau as it is sent, (..., 1)."""
        name = type(self).__name__
        x, uniforms = all_of(name, lambda: self._vectors(x), lambda: as_uniforms(draws, name))
        require_draws_fit(x.shape, uniforms, name)
        sent, tau, p = self._law(x)
        values = np.where(p < 1, np.copysign(tau, sent), sent)
        zero = x.dtype.type(0)
        return np.asarray(np.where(uniforms < p, values, zero) + zero), tau  # no negative zeros

    def _law(self, x: Array) -> tuple[Array, Array, Array]:
        """Return entries and tau as they are sent, (..., d) and (..., 1), in the dtype of x; and p."""
        sent = as_sent(x, self.value_bits, type(self).__name__)
        tau = self._known_level if self._known_level is not None else self._sent_level(sent)
        return sent, tau, keep_chances(np.abs(sent).astype(np.float64), tau.astype(np.float64))

    def _sent_level(self, sent: Array) -> Array:
        """Return tau, (..., 1), as it is sent, in the dtype of the entries."""
        name, lean = type(self).__name__, self._is_lean(sent)
        with np.errstate(over="ignore"):
            levels = self._level_of_long(sent) if lean else self._levels(np.abs(sent).astype(np.float64))
            tau = as_sent(levels.astype(sent.dtype), self.value_bits, name)
        if not np.isfinite(tau).all():
            raise ArgumentError(f"{name}: x / p exceeds the range of {sent.dtype}; scale x down")
        return tau

    def _levels(self, sizes: Array) -> Array:
        """Return tau for magnitudes, (..., 1), before it is rounded."""
        rows = sizes.reshape(-1, sizes.shape[-1])
        found = [water_level(row, float(self.budget)) for row in rows]
        return np.array(found, dtype=np.float64).reshape(*sizes.shape[:-1], 1)

    def _level_of_long(self, sent: Array) -> Array:
        """Return the same of the entries of one long vector, with one array of their length at most."""
        sizes = np.abs(sent)
        sizes.sort()
        return np.array([level_of_rising(sizes, float(self.budget))])

    # ---------------------------------------------------------------- exact law

    def variance(self, x: Any, weight: Any = None, node_weight: Any = None) -> Any:
        r"""Return sum_j W_jj x_j^2 (1 / p_j - 1), exact for any weight: the errors are independent.

        With value_bits=32 the square of the rounding of x is added. Arguments as in `Compressor.variance`.
        """
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                w = exact_diagonal(exact_weight(weight, node_weight, node, len(vector)))
                tau = self._reference_level(vector)
                excess = [max(tau - abs(xj), Fraction(0)) for xj in vector]  # |x_j| (1 / p_j - 1)
                return sum(
                    (wj * abs(xj) * e for wj, xj, e in zip(w, vector, excess, strict=True)), Fraction(0)
                )

            return map_vectors(self._literal_weighted(x, weight, node_weight), exact)
        x, w = self._weighted(x, weight, node_weight)
        node = node_weight is not None
        up, down, _, shift, _ = self._errors(x)
        with np.errstate(over="ignore"):
            value = np.sum(weight_diagonal(w, node) * (up * down), axis=-1)
            return number(value + quadratic_form(shift, w, node))

    def _exact_chances(self, x: list[Fraction]) -> list[Fraction]:
        tau = self._reference_level(x)
        return [Fraction(int(xj != 0)) if abs(xj) >= tau else abs(xj) / tau for xj in x]

    def _errors(self, x: Array) -> tuple[Array, Array, Array, Array, Array]:
        """Return by how much a kept entry is too large and a dropped one too small, p, rounding and sign."""
        sent, tau, p = self._law(x)
        sent = sent.astype(np.float64)
        sizes = np.abs(sent)
        return np.maximum(tau, sizes) - sizes, sizes, p, sent - x, np.sign(sent)

    def moments(self, x: Any, weight: Any = None) -> Moments:
        x, w = self._weighted(x, weight)
        up, down, p, shift, sign = self._errors(x)
        return two_point_moments(up, down, p, w, shift, sign)

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        """Return (probability, draws) for the 2^m patterns of one vector with m chances inside of (0, 1)."""
        exact, vector = is_rational(x), self._literal_vector(x)
        chances = self._exact_chances(vector) if exact else self._law(np.array(vector))[2].tolist()
        return coin_outcomes(chances, exact)

    def expected_bits(self, x: Any) -> Any:
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                q = self._exact_chances(vector)
                return _CODE.exact_gap_bits(q) + self.value_bits * sum(q, Fraction(0))

            return map_vectors(self._literal(x), exact)
        _, _, p = self._law(self._vectors(x))
        return number(_CODE.expected_gap_bits(p) + self.value_bits * p.sum(axis=-1))

    # ---------------------------------------------------------------- payload: gaps and entries

    def _write(self, writer: BitWriter, message: Message) -> None:
        write_present(writer, _CODE, message.symbols, self.value_bits)

    def _read(self, reader: BitReader, d: int, dtype: Any) -> Message:
        entries = read_present(reader, _CODE, d, self.value_bits, dtype)
        return Message(entries, None, None, (d,))
