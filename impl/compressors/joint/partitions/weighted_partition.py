"""Weighted partition: each coordinate is sent by one client, drawn with given weights."""

import itertools
import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.contract import Array, Draws
from impl.compressors.joint.client_weights import as_client_weights
from impl.compressors.joint.correlated.stratified_thresholds import strata_type
from impl.compressors.joint.joint_contract import JointCompressor
from impl.compressors.joint.sample_by_clients import Tiles, tile_slices
from impl.compressors.sparse.entries import from_words, to_words
from impl.errors import ArgumentError

_BITS = 64


class WeightedPartition(JointCompressor):
    r"""Coordinate j draws one owner $i(j)\sim w$ independently; $\hat g_j=a_{i(j),j}/(nw_{i(j)})$.

    Partition(w) of arXiv 2401.05518. The owners are shared randomness: only entries travel, 64 bits each.

    Args:
        weights: w, positive, one for each client, with sum 1 (1e-12); Fractions stay exact.
    """

    def __init__(self, weights: Sequence[Any]) -> None:
        self.weights = as_client_weights(weights, "WeightedPartition")

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls([Fraction(1, 10), Fraction(1, 5), Fraction(3, 10), Fraction(2, 5)])

    def __repr__(self) -> str:
        return f"WeightedPartition({[str(item) for item in self.weights]})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.weights,)

    def _require_shape(self, shape: tuple[int, ...]) -> None:
        n = len(self.weights)
        if shape[-2] != n:
            raise ArgumentError(
                f"WeightedPartition: inputs of {shape[-2]} clients, but weights of {n}; give (..., n, d)"
            )

    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        """Return the owners, (..., d)."""
        *batch, n, d = shape
        return rng.choice(n, size=(*batch, d), p=np.array([float(w) for w in self.weights]))

    def draw_private(self, rng: np.random.Generator, shape: tuple[int, ...]) -> None:
        return None

    def _drawn_batch(self, draws: Draws) -> tuple[int, ...] | None:
        return tuple(np.shape(draws.shared)[:-1])

    def _clients_of(self, draws: Draws) -> int | None:
        return len(self.weights)

    def _owns(self, shared: Any, d: int) -> Array:
        """Return who owns what, boolean (..., n, d)."""
        owners = None if shared is None else np.asarray(shared)
        n = len(self.weights)
        fits = owners is not None and owners.dtype.kind in "iu" and owners.shape[-1:] == (d,)
        if owners is None or not fits or (owners.size and not 0 <= owners.min() <= owners.max() < n):
            raise ArgumentError(
                f"WeightedPartition: draws.shared must be owners (..., {d}) below {n}; take draws "
                "from draw(rng, x.shape)"
            )
        return np.asarray(owners[..., None, :] == np.arange(n)[:, None])

    def reference(self, x: Any, draws: Draws) -> Any:
        rows = self._literal(x)
        exact = isinstance(rows[0][0], Fraction)
        self._owns(draws.shared, len(rows[0]))
        owners = np.asarray(draws.shared).tolist()
        return [
            [a / (Fraction(w) if exact else float(w)) if owners[j] == i else a * 0 for j, a in enumerate(row)]
            for i, (row, w) in enumerate(zip(rows, self.weights, strict=True))
        ]

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        rows = self._literal(x)
        exact = isinstance(rows[0][0], Fraction)
        w = [Fraction(item) if exact else float(item) for item in self.weights]
        for owners in itertools.product(range(len(rows)), repeat=len(rows[0])):
            yield math.prod(w[i] for i in owners), Draws(np.array(owners))

    def _encode(self, x: Array, rows: Any, n: int, draws: Draws) -> tuple[Any, None, Array]:
        owned = self._owns(draws.shared, x.shape[-1])[..., rows, :]
        return np.where(owned, x, 0.0), None, np.asarray(owned.sum(axis=-1) * _BITS, dtype=np.int64)

    def _decode(
        self, symbols: Any, scales: Array | None, rows: Any, shape: tuple[int, ...], shared: Any
    ) -> Array:
        w = np.array([float(item) for item in self.weights])[rows]
        return np.asarray(symbols / w[:, None] + 0.0)

    def _decoded_tiles(self, x: Array, rng: np.random.Generator) -> Iterator[Tiles] | None:
        if type(self) is not WeightedPartition:
            return None
        n, d = x.shape
        owners = np.empty(d, strata_type(n))
        for at in tile_slices(d):
            owners[at] = self.draw_shared(rng, (n, at.stop - at.start))

        def tiles(i: int) -> Tiles:
            for at in tile_slices(d):
                entries = np.where(owners[at] == i, x[i, at].astype(np.float64, copy=False), 0.0)
                entries /= float(self.weights[i])
                entries += 0.0  # no negative zeros
                yield at, entries

        return (tiles(i) for i in range(n))

    def expected_bits(self, x: Any) -> Array:
        *batch, n, d = self._inputs(x).shape
        return np.broadcast_to(_BITS * d * np.array([float(w) for w in self.weights]), (*batch, n)).copy()

    def _coordinate_variances(self, x: Array) -> Array:
        self._require_shape(x.shape)
        n = x.shape[-2]
        w = np.array([float(item) for item in self.weights])[:, None]
        mean = x.mean(axis=-2, keepdims=True)
        return np.asarray((w * (x / (n * w) - mean) ** 2).sum(axis=-2))

    def _exact_coordinate_variances(self, x: list[list[Fraction]]) -> list[Any]:
        n, w = len(x), [Fraction(item) for item in self.weights]
        values = []
        for j in range(len(x[0])):
            mean = sum((row[j] for row in x), Fraction(0)) / n
            values.append(
                sum((wi * (row[j] / (n * wi) - mean) ** 2 for wi, row in zip(w, x, strict=True)), Fraction(0))
            )
        return values

    def _write(
        self, writer: BitWriter, client: int, n: int, symbols: Any, scales: Array | None, shared: Any
    ) -> None:
        entries = np.asarray(symbols).reshape(-1)
        writer.append(to_words(entries[self._owns(shared, len(entries))[client]], _BITS), _BITS)

    def _read(self, reader: BitReader, client: int, n: int, d: int, shared: Any) -> tuple[Any, None]:
        owned = self._owns(shared, d)[client]
        symbols = np.zeros((1, d))
        symbols[0, owned] = from_words(reader.read_many(int(owned.sum()), _BITS), _BITS, np.float64)
        return symbols, None
