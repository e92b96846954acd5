"""One-bit and ternary quantization of a vector by thresholds, at the scale of its Euclidean norm."""

import abc
import functools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Literal, Self

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.checked_input import as_private_floats, require_unit_interval
from impl.compressors.contract import Array, Draws
from impl.compressors.joint.joint_contract import JointCompressor
from impl.compressors.joint.sample_by_clients import (
    Tiles,
    next_uniforms,
    tile_slices,
    uniforms_in_turn,
)
from impl.compressors.rounding.block_norms import block_norms, literal_norm, long_norm, rational_norm
from impl.compressors.sparse.entries import norms_from_words, to_words
from impl.errors import ArgumentError, Problems

Grid = Literal["binary", "ternary"]
_GRIDS = ("binary", "ternary")
TINY = 2.0**-1000  # scales below it have no reciprocal
BUFFER = 2**17  # numbers of one block: with its copies it stays in the second-level cache


class ThresholdQuantizer(JointCompressor):
    r"""Levels of $a_j/r$ with $r=\|a\|_2$: below or above a random point between two neighbours of a grid.

    The binary grid is $\{-r,r\}$: $+r$ if $U_j<(1+a_j/r)/2$. The ternary grid is $\{-r,0,r\}$:
    $r(\lfloor t\rfloor+1[U_j<\{t\}])$ with $t=a_j/r$. A zero vector is sent as zeros with norm 0. How the
    thresholds U depend on each other is up to the subclass.

    Args:
        grid: "binary", d bits a message, or "ternary", 2 d bits; the norm comes to that.
        norm_bits: 64, or 32 to send the norm as a float32, rounded up so that no level leaves the grid.
    """

    def __init__(self, grid: Grid, *, norm_bits: int = 64) -> None:
        problems = Problems(type(self).__name__)
        problems.require(grid in _GRIDS, f"grid={grid!r} must be one of {list(_GRIDS)}")
        problems.require(norm_bits in (32, 64), f"norm_bits={norm_bits!r} must be 64 or 32")
        problems.raise_if_any()
        self.grid, self.norm_bits = grid, int(norm_bits)

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls("binary")
        yield cls("ternary")
        yield cls("binary", norm_bits=32)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.grid!r}{'' if self.norm_bits == 64 else ', norm_bits=32'})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.grid, self.norm_bits)

    # ---------------------------------------------------------------- what a subclass defines

    @abc.abstractmethod
    def _below(self, y: Array, uniforms: Array, shared: Array | None, n: int) -> Array:
        """Return which thresholds lie below the probabilities y, boolean; y may be overwritten."""

    def _checked_shared(self, draws: Draws, n: int, d: int) -> Array | None:
        """Return the shared draws, checked for their shape (..., n, d); None where nothing is shared."""
        return None

    @abc.abstractmethod
    def _bit_outcomes(self, y: Sequence[Any]) -> Iterator[tuple[Any, Any, list[Any]]]:
        """Yield (probability, shared, private) over the distinct bits of one coordinate of all clients."""

    @abc.abstractmethod
    def _literal_thresholds(self, draws: Draws, n: int, d: int) -> list[list[Any]]:
        """Return the thresholds as nested lists (n, d), exact where the private draws are Fractions."""

    # ---------------------------------------------------------------- literal

    def reference(self, x: Any, draws: Draws) -> Any:
        rows = self._literal(x)
        thresholds = self._literal_thresholds(draws, len(rows), len(rows[0]))
        decoded = []
        for vector, U in zip(rows, thresholds, strict=True):
            r = self._literal_scale(vector)
            if r == 0:
                decoded.append([0 * item for item in vector])
                continue
            levels = [self._literal_chance(item, r) for item in vector]
            decoded.append(
                [r * (low + step * int(u < y)) for (low, step, y), u in zip(levels, U, strict=True)]
            )
        return decoded

    def _literal_scale(self, vector: list[Any]) -> Any:
        name = type(self).__name__
        if isinstance(vector[0], Fraction):
            return rational_norm(vector, name)
        r = literal_norm(vector, 64, name)
        return r if self.norm_bits == 64 else float(rounded_up(np.array([r]), name)[0])

    def _literal_chance(self, a: Any, r: Any) -> tuple[Any, int, Any]:
        """Return the lower level, the step to the upper one and the probability of the upper one."""
        t = min(max(a / r, -1), 1)
        if self.grid == "binary":
            return -1, 2, (1 + t) / 2
        low = math.floor(t)
        return low, 1, t - low

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        rows = self._literal(x)
        scales = [self._literal_scale(vector) for vector in rows]
        half = Fraction(1, 2) if isinstance(rows[0][0], Fraction) else 0.5
        columns = []
        for j in range(len(rows[0])):
            y = [
                self._literal_chance(v[j], r)[2] if r else half * 0 for v, r in zip(rows, scales, strict=True)
            ]
            columns.append(list(self._bit_outcomes(y)))
        yield from self._combined(columns)

    def _combined(self, columns: list[list[tuple[Any, Any, list[Any]]]]) -> Iterator[tuple[Any, Draws]]:
        """Yield all combinations of the outcomes of independent coordinates."""
        import itertools

        for chosen in itertools.product(*columns):
            probability = math.prod(item[0] for item in chosen)
            private = [list(row) for row in zip(*(item[2] for item in chosen), strict=True)]
            shared = None
            if chosen[0][1] is not None:
                shared = np.array([item[1] for item in chosen]).T
            yield probability, Draws(shared, private)

    # ---------------------------------------------------------------- vectorized

    def _scales(self, x: Array) -> Array:
        """Return the norms that are sent, float64 (..., c)."""
        name = type(self).__name__
        norms = block_norms(x.astype(np.float64, copy=False), (x.shape[-1],), 64, name)[..., 0]
        return norms if self.norm_bits == 64 else rounded_up(norms, name)

    def chances(self, x: Array) -> tuple[Array, Array, Array]:
        """Return probabilities y of the upper level (..., n, d), lower levels, and the scales (..., n).

        For the binary grid the lower level is -1 everywhere and the step to the upper one 2.
        """
        scales = self._scales(x)
        y, low = self._positions(x, scales)
        return np.clip(y, 0.0, 1.0, out=y), low, scales

    def _positions(self, x: Array, scales: Array) -> tuple[Array, Array]:
        """Return the probabilities of the upper level, up to rounding, and the lower levels."""
        # A zero vector has the position 0 whatever it is divided by.
        divisors = np.where(scales == 0, 1.0, scales)[..., None]
        if self.grid == "binary":  # no threshold lies below 0 or above 1, where rounding may lead
            if x.size and divisors.min() > TINY:
                y = np.multiply(x, 0.5 / divisors, dtype=np.float64)
            else:
                y = np.divide(x, divisors, dtype=np.float64) * 0.5
            y += 0.5
            return y, np.array(-1.0)
        t = np.divide(x, divisors, dtype=np.float64)
        np.clip(t, -1.0, 1.0, out=t)
        low = np.floor(t)
        t -= low
        return t, low

    def _encode(self, x: Array, rows: Any, n: int, draws: Draws) -> tuple[Array, Array, Array]:
        scales = self._scales(x)
        levels = np.empty(x.shape, dtype=np.int8)
        for part, found in self._levels(x, scales, rows, n, draws):
            levels[part] = found
        return levels, scales, self._lengths(x.shape)

    def compress_counted(self, x: Any, draws: Draws) -> tuple[Array, Array]:
        x = self._fitted(self._inputs(x, finite=False), draws)
        scales = self._scales(x)  # refuses what is not finite
        decoded = np.empty(x.shape)
        for part, found in self._levels(x, scales, slice(None), x.shape[-2], draws):
            np.multiply(found, scales[..., None], out=decoded[part])
        if not np.all(scales):
            decoded += 0.0  # no negative zeros
        return decoded, self._lengths(x.shape)

    def _levels(
        self, x: Array, scales: Array, rows: Any, n: int, draws: Draws
    ) -> Iterator[tuple[Any, Array]]:
        """Yield levels of a block of coordinates at a time, whose passes then stay in the cache."""
        name = type(self).__name__
        uniforms = as_private_floats(draws, name)
        shared = self._checked_shared(draws, n, x.shape[-1])
        if shared is not None and shared.ndim > uniforms.ndim:
            raise ArgumentError(
                f"{name}: draws.shared has shape {shared.shape}, draws.private {uniforms.shape}; take both "
                "from one call of draw(rng, x.shape)"
            )
        width = max(1, BUFFER * x.shape[-1] // max(1, x.size))
        for start in range(0, x.shape[-1], width):
            part = (..., slice(start, start + width))
            require_unit_interval(uniforms[part], name)
            y, low = self._positions(x[part], scales)
            own = None if shared is None else shared[part][..., rows, :]
            yield part, self._signed(self._below(y, uniforms[part], own, n), low)

    def _tiles_of_clients(self, x: Array, shared: Array | None, rng: np.random.Generator) -> Iterator[Tiles]:
        """Yield what `_decoded_tiles` does, with the private draws still to come."""
        n, d = x.shape
        scales = self._long_scales(d, [functools.partial(_part, row) for row in x])
        uniforms = uniforms_in_turn(rng)

        def tiles(i: int) -> Tiles:
            for at in tile_slices(d):
                drawn = next_uniforms(uniforms, at.stop - at.start)
                own = None if shared is None else shared[i, at]
                y, low = self._positions(x[i, at], scales[i])
                levels = self._signed(self._below(y, drawn, own, n), low)
                decoded = np.multiply(levels, scales[i], dtype=np.float64)
                if not scales[i]:
                    decoded += 0.0  # no negative zeros
                yield at, decoded

        return (tiles(i) for i in range(n))

    def _long_scales(self, d: int, parts: Sequence[Callable[[int, int], Array]]) -> Array:
        """Return the norms that are sent, of vectors given by their parts; raise if one is not ordinary."""
        found = [long_norm(d, part_of) for part_of in parts]
        norms = np.array([-1.0 if norm is None else norm for norm in found])
        # The way of `_positions` hangs on all of the scales.
        if (norms < 0).any() or ((norms > 0) & (norms <= TINY)).any():
            raise ArgumentError(f"{type(self).__name__}: a norm is not ordinary")
        return norms if self.norm_bits == 64 else rounded_up(norms, type(self).__name__)

    def _signed(self, below: Array, low: Array) -> Array:
        """Return the levels, int8, in the memory of what tells which thresholds lie below."""
        up = below.view(np.int8)
        if self.grid == "binary":
            up += up
            up -= np.int8(1)
        else:
            up += low.astype(np.int8)
        return up

    def _decode(
        self, symbols: Any, scales: Array | None, rows: Any, shape: tuple[int, ...], shared: Any
    ) -> Array:
        decoded = np.multiply(symbols, np.asarray(scales)[..., None], dtype=np.float64)
        if not np.all(scales):
            decoded += 0.0  # no negative zeros
        return np.asarray(decoded)

    def _lengths(self, shape: tuple[int, ...]) -> Array:
        return np.full(shape[:-1], self._length(shape[-1]), dtype=np.int64)

    def _length(self, d: int) -> int:
        return self.norm_bits + (d if self.grid == "binary" else 2 * d)

    def expected_bits(self, x: Any) -> Array:
        shape = self._inputs(x).shape
        return np.full(shape[:-1], float(self._length(shape[-1])))

    # ---------------------------------------------------------------- exact law

    def _exact_chances(self, x: list[list[Fraction]]) -> tuple[list[list[Fraction]], list[Fraction]]:
        """Return probabilities (n, d) and the coefficients of the bits (n,) in Fractions."""
        scales = [self._literal_scale(vector) for vector in x]
        y = [
            [self._literal_chance(item, r)[2] if r else Fraction(0) for item in vector]
            for vector, r in zip(x, scales, strict=True)
        ]
        return y, [r * (2 if self.grid == "binary" else 1) for r in scales]

    def _chances_and_coefficients(self, x: Array) -> tuple[Array, Array]:
        y, _, scales = self.chances(x)
        return y, scales * (2.0 if self.grid == "binary" else 1.0)

    # ---------------------------------------------------------------- payload: the norm, then the levels

    def _write(
        self, writer: BitWriter, client: int, n: int, symbols: Any, scales: Array | None, shared: Any
    ) -> None:
        writer.append(to_words(np.asarray(scales).reshape(1), self.norm_bits), self.norm_bits)
        levels = np.asarray(symbols).reshape(-1)
        if self.grid == "binary":
            writer.append(levels > 0, 1)
        else:
            writer.append(levels != 0, 1)
            writer.append(levels < 0, 1)

    def _read(self, reader: BitReader, client: int, n: int, d: int, shared: Any) -> tuple[Array, Array]:
        scale = norms_from_words([reader.read(self.norm_bits)], self.norm_bits, np.float64)
        first = reader.read_many(d, 1).astype(np.int8)
        if self.grid == "binary":
            return (2 * first - 1)[None], scale
        negative = reader.read_many(d, 1).astype(np.int8)
        if (negative > first).any():
            raise ValueError("a zero has a sign")
        return (first - 2 * negative)[None], scale


def rounded_up(norms: Array, where: str) -> Array:
    """Return float32 numbers at least as large as the norms, as float64."""
    with np.errstate(over="ignore"):
        near = norms.astype(np.float32)
        up = np.where(near < norms, np.nextafter(near, np.float32(np.inf)), near)
    problems = Problems(where)
    problems.require(
        np.isfinite(up).all(),
        f"a norm of {norms.max(initial=0)} is outside the range of float32; use norm_bits=64",
    )
    problems.raise_if_any()
    return np.asarray(up, dtype=np.float64)


def _part(row: Array, first: int, last: int) -> Array:
    return row[first:last].astype(np.float64, copy=False)
