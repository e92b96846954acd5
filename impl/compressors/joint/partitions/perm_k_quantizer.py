"""PermK with quantization: groups of clients share the coordinates out and quantize their block together."""

import functools
import itertools
import math
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.checked_input import as_uniforms
from impl.compressors.contract import Array, Draws
from impl.compressors.joint.correlated.correlated_quantizer import CorrelatedQuantizer
from impl.compressors.joint.correlated.stratified_thresholds import (
    checked_strata,
    draw_strata,
    strata_type,
)
from impl.compressors.joint.independent_quantizer import IndependentQuantizer
from impl.compressors.joint.joint_contract import JointCompressor
from impl.compressors.joint.sample_by_clients import (
    Tiles,
    next_uniforms,
    tile_slices,
    uniforms_in_turn,
)
from impl.compressors.joint.threshold_quantizer import ThresholdQuantizer
from impl.compressors.philox_draws import PhiloxDraws
from impl.compressors.rounding.stochastic_rounding import draw_uniforms
from impl.compressors.sparse.entries import norms_from_words, to_words
from impl.errors import ArgumentError, Problems

_ENUMERATED = 200_000  # pairs of client and coordinate subsets that an exact variance sums over


class PermKQuantizer(JointCompressor):
    r"""m groups of $q=n/m$ clients, m blocks of $b=d/m$ coordinates: PermK+CQ(m) and PermK+IQ(m).

    From arXiv 2401.05518. A random partition of the clients meets an independent one of the coordinates. The
    group of a block quantizes it on the binary grid at the scale $\|a_{i,block}\|_2$ of each client, with
    thresholds in q strata or independent ones; client i decodes to m times its block. Partitions and strata
    are shared.

    Args:
        groups: m, a divisor of n and of d.
        correlated: Strata within the group, or independent thresholds.
        norm_bits: 64, or 32 to send norms as float32.
    """

    def __init__(self, groups: int, correlated: bool = True, *, norm_bits: int = 64) -> None:
        problems = Problems("PermKQuantizer")
        whole = isinstance(groups, int | np.integer) and not isinstance(groups, bool) and groups >= 1
        problems.require(whole, f"groups={groups!r} must be a whole number of at least 1")
        problems.require(isinstance(correlated, bool), f"correlated={correlated!r} must be True or False")
        problems.require(norm_bits in (32, 64), f"norm_bits={norm_bits!r} must be 64 or 32")
        problems.raise_if_any()
        self.groups, self.correlated = int(groups), correlated
        kind = CorrelatedQuantizer if self.correlated else IndependentQuantizer
        self._inner: ThresholdQuantizer = kind("binary", norm_bits=norm_bits)
        self.norm_bits = self._inner.norm_bits

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(2)
        yield cls(2, correlated=False)
        yield cls(4, norm_bits=32)
        yield cls(1)

    def __repr__(self) -> str:
        more = ("" if self.correlated else ", correlated=False") + (
            "" if self.norm_bits == 64 else ", norm_bits=32"
        )
        return f"PermKQuantizer({self.groups}{more})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.groups, self.correlated, self.norm_bits)

    def _require_shape(self, shape: tuple[int, ...]) -> None:
        n, d = shape[-2:]
        if n % self.groups or d % self.groups:
            raise ArgumentError(f"PermKQuantizer: groups={self.groups} must divide n={n} and d={d}")

    # ---------------------------------------------------------------- draws

    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Array, ...]:
        """Return groups of clients (..., n), blocks of coordinates (..., d) and strata (..., q, d) if any."""
        return self._dealt(rng, shape, np.arange(shape[-1]) % self.groups)

    def _dealt(self, rng: np.random.Generator, shape: tuple[int, ...], blocks: Array) -> tuple[Array, ...]:
        """Return the same with blocks, (d,), that are to be dealt."""
        *batch, n, d = shape
        group = rng.permuted(np.broadcast_to(np.arange(n) % self.groups, (*batch, n)), axis=-1)
        block = rng.permuted(np.broadcast_to(blocks, (*batch, d)), axis=-1)
        if not self.correlated:
            return group, block
        return group, block, draw_strata(rng, (*batch, n // self.groups, d))

    def draw_private(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array | PhiloxDraws:
        return draw_uniforms(rng, shape, np.float64, "PermKQuantizer")

    def _clients_of(self, draws: Draws) -> int | None:
        return len(draws.shared[0]) if isinstance(draws.shared, tuple) else None

    def _parts(self, shared: Any, n: int, d: int) -> tuple[Array, Array | None]:
        """Return who quantizes what (..., n, d), and strata (..., n, d) or None."""
        wanted = 3 if self.correlated else 2
        if not isinstance(shared, tuple) or len(shared) != wanted or np.shape(shared[0])[-1:] != (n,):
            raise ArgumentError(
                f"PermKQuantizer: draws.shared must be {wanted} arrays for {n} clients; take draws from "
                "draw(rng, x.shape)"
            )
        group, block = (self._partition(part, size) for part, size in zip(shared, (n, d), strict=False))
        mask = group[..., :, None] == block[..., None, :]
        if not self.correlated:
            return mask, None
        # Members of a group are numbered in the order of the clients.
        same = group[..., :, None] == group[..., None, :]
        place = (same & np.tri(n, k=-1, dtype=bool)).sum(axis=-1)
        strata = checked_strata(shared[2], n // self.groups, d, "PermKQuantizer")
        index = np.broadcast_to(place[..., None], (*place.shape, d))
        return mask, np.take_along_axis(strata, index, axis=-2)

    def _partition(self, given: Any, size: int) -> Array:
        """Return a shared partition of `size` clients or coordinates, checked for equal parts."""
        part = np.asarray(given)
        fits = part.dtype.kind in "iu" and part.shape[-1:] == (size,)
        if (
            not fits
            or not ((part[..., None] == np.arange(self.groups)).sum(axis=-2) == size // self.groups).all()
        ):
            raise ArgumentError(
                f"PermKQuantizer: draws.shared must deal {size} clients or coordinates into {self.groups} "
                "equal parts; take draws from draw(rng, x.shape)"
            )
        return part

    # ---------------------------------------------------------------- literal

    def reference(self, x: Any, draws: Draws) -> Any:
        rows = self._literal(x)
        n, d = len(rows), len(rows[0])
        self._parts(draws.shared, n, d)
        group, block = (np.asarray(part).tolist() for part in draws.shared[:2])
        private = self._literal_private(draws, n, d)
        decoded = [[0 * item for item in row] for row in rows]
        for g in range(self.groups):
            members = [i for i in range(n) if group[i] == g]
            places = [j for j in range(d) if block[j] == g]
            part = [[rows[i][j] for j in places] for i in members]
            jitter = [[private[i][j] for j in places] for i in members]
            strata = np.asarray(draws.shared[2])[:, places] if self.correlated else None
            for i, row in zip(members, self._inner.reference(part, Draws(strata, jitter)), strict=True):
                for j, value in zip(places, row, strict=True):
                    decoded[i][j] = self.groups * value
        return decoded

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        rows = self._literal(x)
        n, d, m = len(rows), len(rows[0]), self.groups
        one: Any = Fraction(1) if isinstance(rows[0][0], Fraction) else 1.0
        deals = [sorted(set(itertools.permutations([k % m for k in range(size)]))) for size in (n, d)]
        chance = one / (len(deals[0]) * len(deals[1]))
        for group, block in itertools.product(*deals):
            per_block = []
            for g in range(m):
                members = [i for i in range(n) if group[i] == g]
                places = [j for j in range(d) if block[j] == g]
                part = [[rows[i][j] for j in places] for i in members]
                per_block.append([(members, places, item) for item in self._inner.outcomes(part)])
            for chosen in itertools.product(*per_block):
                private = [[one / 2] * d for _ in range(n)]
                strata = np.zeros((n // m, d), dtype=np.int64)
                for members, places, (_, draws) in chosen:
                    for row, i in enumerate(members):
                        for column, j in enumerate(places):
                            private[i][j] = draws.private[row][column]
                    if self.correlated:
                        strata[:, places] = draws.shared
                shared = (np.array(group), np.array(block), *([strata] if self.correlated else []))
                yield chance * math.prod(item[2][0] for item in chosen), Draws(shared, private)

    # ---------------------------------------------------------------- vectorized

    def _encode(self, x: Array, rows: Any, n: int, draws: Draws) -> tuple[Any, Array, Array]:
        uniforms = as_uniforms(draws, "PermKQuantizer")
        mask, strata = self._parts(draws.shared, n, x.shape[-1])
        mask = mask[..., rows, :]
        y, _, scales = self._inner.chances(np.where(mask, x, 0.0))
        if strata is not None:
            uniforms = (uniforms + strata[..., rows, :]) / (n // self.groups)
        levels = np.where(mask, 2 * (uniforms < y).astype(np.int8) - np.int8(1), np.int8(0))
        return levels, scales, np.full(levels.shape[:-1], self._length(x.shape[-1]), dtype=np.int64)

    def _length(self, d: int) -> int:
        return self.norm_bits + d // self.groups

    def _decode(
        self, symbols: Any, scales: Array | None, rows: Any, shape: tuple[int, ...], shared: Any
    ) -> Array:
        return np.asarray(np.multiply(symbols, self.groups * np.asarray(scales)[..., None]) + 0.0)

    def _decoded_tiles(self, x: Array, rng: np.random.Generator) -> Iterator[Tiles] | None:
        if type(self) is not PermKQuantizer:
            return None
        n, d = x.shape
        blocks = np.resize(np.arange(self.groups, dtype=strata_type(self.groups)), d)
        group, block, *strata = self._dealt(rng, x.shape, blocks)
        uniforms = uniforms_in_turn(rng)

        def own_part(i: int, first: int, last: int) -> Array:
            return np.asarray(np.multiply(x[i, first:last], block[first:last] == group[i], dtype=np.float64))

        scales = self._inner._long_scales(d, [functools.partial(own_part, i) for i in range(n)])

        def tiles(i: int) -> Tiles:
            place = int(np.count_nonzero(group[:i] == group[i]))  # within the group, clients in order
            for at in tile_slices(d):
                drawn = next_uniforms(uniforms, at.stop - at.start)
                if strata:
                    drawn += strata[0][place, at]
                    drawn /= n // self.groups
                mine = block[at] == group[i]
                y, _ = self._inner._positions(np.multiply(x[i, at], mine, dtype=np.float64), scales[i])
                np.clip(y, 0.0, 1.0, out=y)
                levels = (drawn < y).view(np.int8)
                levels += levels
                levels -= np.int8(1)
                levels *= mine.view(np.int8)
                decoded = np.multiply(levels, self.groups * scales[i], dtype=np.float64)
                decoded += 0.0  # no negative zeros
                yield at, decoded

        return (tiles(i) for i in range(n))

    def expected_bits(self, x: Any) -> Array:
        shape = self._inputs(x).shape
        return np.full(shape[:-1], float(self._length(shape[-1])))

    # ---------------------------------------------------------------- exact law

    def _coordinate_variances(self, x: Array) -> Array:
        self._require_shape(x.shape)
        if not x.size:
            return np.zeros((*x.shape[:-2], x.shape[-1]))
        flat = x.reshape(-1, *x.shape[-2:])
        return np.stack([np.array(self._variances(item, np.zeros(x.shape[-1]))) for item in flat]).reshape(
            *x.shape[:-2], x.shape[-1]
        )

    def _exact_coordinate_variances(self, x: list[list[Fraction]]) -> list[Any]:
        return list(
            self._variances(np.array(x, dtype=object), np.array([Fraction(0)] * len(x[0]), dtype=object))
        )

    def _variances(self, x: Array, total: Array) -> Array:
        """Return the variances of one input (n, d): of the choice of groups and, on average, within them."""
        n, d = x.shape
        q, b = n // self.groups, d // self.groups
        pairs = math.comb(n, q) * math.comb(d, b)
        if pairs > _ENUMERATED:
            raise ArgumentError(
                f"{self!r}: the exact variance sums over {pairs} pairs of subsets, more than {_ENUMERATED}; "
                "give fewer clients or coordinates, or sample"
            )
        exact = x.dtype == object
        spread = ((x - x.sum(axis=0) / n) ** 2).sum(axis=0) / n
        chosen = spread * (Fraction(n - q, q * (n - 1)) if n > 1 else 0)
        for clients in itertools.combinations(range(n), q):
            for places in itertools.combinations(range(d), b):
                part = x[np.ix_(clients, places)]
                inner = self._inner.coordinate_variances(part.tolist() if exact else part)
                total[list(places)] = total[list(places)] + np.asarray(inner, dtype=total.dtype)
        # A coordinate lies in comb(d-1, b-1) of the blocks.
        share = Fraction(1, math.comb(n, q) * math.comb(d - 1, b - 1))
        return np.asarray(chosen + total * share if exact else chosen.astype(float) + total * float(share))

    # ---------------------------------------------------------------- payload: norm, bits of the block

    def _write(
        self, writer: BitWriter, client: int, n: int, symbols: Any, scales: Array | None, shared: Any
    ) -> None:
        writer.append(to_words(np.asarray(scales).reshape(1), self.norm_bits), self.norm_bits)
        levels = np.asarray(symbols).reshape(-1)
        writer.append(levels[levels != 0] > 0, 1)

    def _read(self, reader: BitReader, client: int, n: int, d: int, shared: Any) -> tuple[Any, Array]:
        scale = norms_from_words([reader.read(self.norm_bits)], self.norm_bits, np.float64)
        mask, _ = self._parts(shared, n, d)
        symbols = np.zeros((1, d), dtype=np.int8)
        symbols[0, mask[client]] = 2 * reader.read_many(d // self.groups, 1).astype(np.int8) - np.int8(1)
        return symbols, scale
