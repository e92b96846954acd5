"""Spectral sparsification: singular values kept with the chances of least variance (ATOMO, 1806.04090)."""

import contextlib
import math
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.checked_input import as_axes, as_uniforms, number, quadratic_form, require_generator
from impl.compressors.contract import Array, Compressor, Draws, Message, Moments
from impl.compressors.dithered.dither_input import all_of
from impl.compressors.literal_input import (
    exact_weight,
    is_rational,
    map_draws,
    map_vectors,
    nested_uniforms,
)
from impl.compressors.rounding.stochastic_rounding import draw_uniforms
from impl.compressors.rounding.two_point_error import two_point_moments
from impl.compressors.sparse.coins import coin_outcomes
from impl.compressors.sparse.entries import (
    as_sent,
    as_sent_literally,
    from_words,
    require_positive_size,
    require_value_bits,
    to_words,
)
from impl.compressors.sparse.singular_triples import literal_triples, rational_atoms, singular_triples
from impl.compressors.sparse.water_level import keep_chances, literal_level, water_level
from impl.errors import ArgumentError, Problems

_NAME = "SpectralSparsification"


class SpectralSparsification(Compressor):
    r"""Keep $\sigma_ju_jv_j^\top$ with probability $p_j=\min(1,\sigma_j/\tau)$, divided by it; x is a matrix.

    $\tau$ fills $\sum_jp_j$ up to the budget, or all are kept: no other chances of this sum have a smaller
    variance, $\sum_j\sigma_j^2(1/p_j-1)$ (claim `cat/atoms`). Of each kept one $\max(\sigma_j,\tau)$, $u_j$
    and $v_j$ are sent, behind one bit for each singular value. Rational mode takes rational singular values.

    Args:
        budget: Expected number of kept singular values, a positive number.
        shape: Rows and columns; x of d = rows * columns holds one row after the other.
        value_bits: Bits of a sent number, 64 or 32. With 32, and for x in float32, singular values and
            vectors are rounded before use: C is then unbiased for the matrix of these, and `variance` counts
            the rounding too.
    """

    unbiased = True

    def __init__(self, budget: Any, shape: tuple[int, int], *, value_bits: int = 64) -> None:
        problems = Problems(_NAME)
        require_positive_size(problems, "budget", budget)
        sides: tuple[int, ...] = ()
        with contextlib.suppress(ArgumentError):  # said below, with the remedy
            sides = as_axes(shape, "shape", _NAME)
        fits = len(sides) == 2 and min(sides) > 0
        problems.require(fits, f"shape={shape!r} must be two positive whole numbers, rows and columns")
        require_value_bits(problems, value_bits)
        problems.raise_if_any()
        self.budget, self.shape, self.value_bits = budget, sides, int(value_bits)

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(1, (2, 3))
        yield cls(Fraction(4, 3), (3, 2))
        yield cls(1, (2, 3), value_bits=32)

    def __repr__(self) -> str:
        bits = "" if self.value_bits == 64 else ", value_bits=32"
        return f"{_NAME}({self.budget!r}, {self.shape!r}{bits})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.budget, self.shape, self.value_bits)

    @property
    def dimension(self) -> int:
        return math.prod(self.shape)

    @property
    def atoms(self) -> int:
        """Return how many singular values there are, and uniforms for one x."""
        return min(self.shape)

    # ---------------------------------------------------------------- reference

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        x, uniforms = all_of(_NAME, lambda: self._literal(x), lambda: nested_uniforms(draws, _NAME))
        return map_draws(x, uniforms, self._reference_vector, _NAME, self.atoms)

    def _reference_vector(self, x: list[Any], uniforms: list[Any], node: int) -> list[Any]:
        atoms = self._reference_atoms(x)
        tau = self._reference_level([s for s, _ in atoms], isinstance(x[0], Fraction))
        C = [x[0] * 0] * len(x)
        for (s, atom), u in zip(atoms, uniforms, strict=False):
            if s >= tau or u < s / tau:
                C = [c + max(s, tau) * (a / s) for c, a in zip(C, atom, strict=True)]
        if not all(isinstance(c, Fraction) or math.isfinite(c) for c in C):
            raise ArgumentError(f"{_NAME}: x / p exceeds the range of float64; scale x down")
        return C

    def _reference_atoms(self, x: list[Any]) -> list[tuple[Any, list[Any]]]:
        """Return singular values that are not zero, and with each s the entries of s u v^T, as sent."""
        columns = self.shape[1]
        rows = [x[i : i + columns] for i in range(0, len(x), columns)]
        if isinstance(x[0], Fraction):
            return rational_atoms(rows, _NAME)
        found = []
        for s, u, v in literal_triples(rows):
            s, *w = (as_sent_literally(item, self.value_bits) for item in (s, *u, *v))
            if s:
                found.append((s, [s * (a * b) for a in w[: len(u)] for b in w[len(u) :]]))
        return found

    def _reference_level(self, values: list[Any], exact: bool) -> Any:
        """Return tau as it is sent."""
        T = Fraction(self.budget) if exact else float(self.budget)
        return as_sent_literally(literal_level(values, T), self.value_bits)

    # ---------------------------------------------------------------- vectorized

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        """Return private uniforms in [0, 1), one for each singular value: (..., r) for x (..., d)."""
        problems = Problems(_NAME)
        with problems.collect():
            require_generator(rng, _NAME)
        with problems.collect():
            shape = as_axes(shape, "shape", _NAME)
            problems.require(shape, "shape=() must end with d")
        problems.raise_if_any()
        return Draws(private=draw_uniforms(rng, (*shape[:-1], self.atoms), dtype, _NAME))

    def message(self, x: Any, draws: Draws) -> Message:
        x, uniforms = all_of(_NAME, lambda: self._vectors(x), lambda: as_uniforms(draws, _NAME))
        batch = self._batch(x.shape, uniforms.shape)
        (s, u, v), tau, p = self._law(x)
        kept = uniforms < p
        sent = np.concatenate([np.maximum(s, tau)[..., None], u, v], axis=-1)
        symbols = np.where(kept[..., None], sent, x.dtype.type(0))
        bits = self.atoms + sent.shape[-1] * self.value_bits * np.count_nonzero(kept, axis=-1)
        return Message(symbols, None, int(bits) if np.ndim(bits) == 0 else bits, (*batch, x.shape[-1]))

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        rows, columns = self.shape
        symbols = message.symbols.reshape(*message.shape[:-1], self.atoms, 1 + rows + columns)
        wide = symbols.astype(np.float64)
        left = np.swapaxes(wide[..., :1] * wide[..., 1 : 1 + rows], -1, -2)
        with np.errstate(over="ignore"):
            out = np.matmul(left, wide[..., 1 + rows :]).astype(symbols.dtype) + symbols.dtype.type(0)
        if not np.isfinite(out).all():
            raise ArgumentError(f"{_NAME}: x / p exceeds the range of {out.dtype}; scale x down")
        return np.asarray(out.reshape(message.shape))

    def _batch(self, shape: tuple[int, ...], drawn: tuple[int, ...]) -> tuple[int, ...]:
        """Return the common leading axes of x and its uniforms."""
        if drawn[-1:] == (self.atoms,):
            with contextlib.suppress(ValueError):  # they do not broadcast: said below, with the remedy
                return np.broadcast_shapes(shape[:-1], drawn[:-1])
        raise ArgumentError(
            f"{_NAME}: draws.private has shape {drawn}, x has shape {shape}; take draws from "
            "draw(rng, x.shape)"
        )

    def _law(self, x: Array) -> tuple[tuple[Array, Array, Array], Array, Array]:
        """Return triples and tau as they are sent, in the dtype of x, and p, (..., r)."""
        with np.errstate(over="ignore"):
            found = singular_triples(x.reshape(*x.shape[:-1], *self.shape))
            s, u, v = (as_sent(item.astype(x.dtype), self.value_bits, _NAME) for item in found)
            values = s.astype(np.float64)
            levels = [water_level(row, float(self.budget)) for row in values.reshape(-1, self.atoms)]
            tau = np.array(levels, dtype=np.float64).reshape(*x.shape[:-1], 1)
            tau = as_sent(tau.astype(x.dtype), self.value_bits, _NAME)
        if not (np.isfinite(tau).all() and np.isfinite(s).all()):
            raise ArgumentError(f"{_NAME}: x / p exceeds the range of {x.dtype}; scale x down")
        return (s, u, v), tau, keep_chances(values, tau.astype(np.float64))

    # ---------------------------------------------------------------- exact law

    def variance(self, x: Any, weight: Any = None, node_weight: Any = None) -> Any:
        r"""Return $\sum_j\sigma_j^2(1/p_j-1)\,a_j^\top Wa_j$ with $a_j$ the entries of $u_jv_j^\top$.

        Exact for any weight: the errors of the atoms are independent. What rounding to what is sent loses is
        added, and with it the rounding of the decomposition itself. Arguments as in `Compressor.variance`.
        """
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                w = exact_weight(weight, node_weight, node, len(vector))
                atoms = self._reference_atoms(vector)
                tau = self._reference_level([s for s, _ in atoms], exact=True)
                excess = [max(tau / s - 1, Fraction(0)) for s, _ in atoms]
                return sum((e * _form(a, w) for (_, a), e in zip(atoms, excess, strict=True)), Fraction(0))

            return map_vectors(self._literal_weighted(x, weight, node_weight), exact)
        x, w = self._weighted(x, weight, node_weight)
        up, down, _, atoms, shift = self._errors(x)
        node = node_weight is not None
        with np.errstate(over="ignore"):
            value = quadratic_form(shift, w, node)
            for j in range(self.atoms):
                value = value + up[..., j] * down[..., j] * quadratic_form(atoms[..., j, :], w, node)
        return number(np.asarray(value))

    def _errors(self, x: Array) -> tuple[Array, Array, Array, Array, Array]:
        """Return by how much a kept value is too large and a dropped one too small, p, atoms and rounding.

        The atoms are the entries of u v^T, (..., r, d); all is in float64.
        """
        (s, u, v), tau, p = self._law(x)
        s, tau = s.astype(np.float64), tau.astype(np.float64)
        atoms = u.astype(np.float64)[..., :, None] * v.astype(np.float64)[..., None, :]
        atoms = atoms.reshape(*s.shape, x.shape[-1])
        shift = np.sum(s[..., None] * atoms, axis=-2) - x
        return np.maximum(s, tau) - s, s, p, atoms, shift

    def moments(self, x: Any, weight: Any = None) -> Moments:
        """Return moments of the squared error; the bound is sharp without weight and without rounding."""
        x, w = self._weighted(x, weight)
        up, down, p, atoms, shift = self._errors(x)
        batch, sure = x.shape[:-1], np.ones((*x.shape[:-1], 1))
        # The squared error is a form in the errors of the atoms, with the rounding as one that is sure.
        basis = np.concatenate([atoms, shift[..., None, :]], axis=-2)
        weighted = basis if w is None else basis * w if w.ndim == 1 else basis @ ((w + w.T) / 2)
        gram = weighted @ np.swapaxes(basis, -1, -2)
        up, down = (np.concatenate([part, 0 * sure], axis=-1) for part in (up, down))
        p, last = np.concatenate([p, sure], axis=-1), np.eye(self.atoms + 1)[-1]
        found = [two_point_moments(up[i], down[i], p[i], gram[i], last) for i in np.ndindex(*batch)]
        means, variances, uppers = (
            number(np.array([getattr(item, name) for item in found]).reshape(batch))
            for name in ("mean", "variance", "upper")
        )
        return Moments(means, variances, uppers)

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        """Return (probability, draws) for the 2^m patterns of one x with m chances inside of (0, 1)."""
        exact, vector = is_rational(x), self._literal_vector(x)
        chances = self._exact_chances(vector) if exact else self._law(np.array(vector))[2].tolist()
        return coin_outcomes(chances, exact)

    def _exact_chances(self, x: list[Fraction]) -> list[Fraction]:
        values = [s for s, _ in self._reference_atoms(x)]
        tau = self._reference_level(values, exact=True)
        p = [Fraction(1) if s >= tau else s / tau for s in values]
        return p + [Fraction(0)] * (self.atoms - len(p))

    def expected_bits(self, x: Any) -> Any:
        each = (1 + sum(self.shape)) * self.value_bits
        if is_rational(x):

            def exact(vector: list[Fraction], node: int) -> Fraction:
                return self.atoms + each * sum(self._exact_chances(vector), Fraction(0))

            return map_vectors(self._literal(x), exact)
        p = self._law(self._vectors(x))[2]
        return number(self.atoms + each * p.sum(axis=-1))

    # ---------------------------------------------------------------- payload: which are kept, then these

    def _write(self, writer: BitWriter, message: Message) -> None:
        kept = message.symbols[:, 0] != 0
        writer.append(kept.astype(np.uint64), 1)
        writer.append(to_words(message.symbols[kept].reshape(-1), self.value_bits), self.value_bits)

    def _read(self, reader: BitReader, d: int, dtype: Any) -> Message:
        kept = np.asarray(reader.read_many(self.atoms, 1), dtype=bool)
        symbols = np.zeros((self.atoms, 1 + sum(self.shape)), dtype=dtype)
        words = reader.read_many(int(kept.sum()) * symbols.shape[1], self.value_bits)
        symbols[kept] = from_words(words, self.value_bits, dtype).reshape(-1, symbols.shape[1])
        return Message(symbols, None, None, (d,))


def _form(a: list[Fraction], weight: list[Any]) -> Fraction:
    """Return a^T W a."""
    total = Fraction(0)
    for item, row in zip(a, weight, strict=True):
        along = sum(w * b for w, b in zip(row, a, strict=True)) if isinstance(row, list) else row * item
        total += item * along
    return total
