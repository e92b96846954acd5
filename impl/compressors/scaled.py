"""A joint compressor times a constant: the simplest biased one."""

from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.contract import Array, Compressor, Draws
from impl.compressors.joint.client_weights import as_exact_number
from impl.compressors.joint.independent import Independent
from impl.compressors.joint.joint_contract import JointCompressor
from impl.compressors.joint.joint_message import RoundKey
from impl.compressors.joint.sample_by_clients import Tiles
from impl.compressors.sparse.rand_k import RandK
from impl.errors import ArgumentError


class Scaled(JointCompressor):
    r"""$\sigma C_i(a_i)$ with a joint compressor C; the receiver multiplies. Biased unless $\sigma=1$.

    `variance` is the mean squared error of the estimate, the square of the bias included.

    Args:
        inner: A `JointCompressor`, or a `Compressor` that each client applies on its own.
        factor: $\sigma$, finite.
    """

    def __init__(self, inner: JointCompressor | Compressor, factor: Any) -> None:
        if not isinstance(inner, JointCompressor | Compressor):
            raise ArgumentError(f"Scaled: inner={inner!r} must be a joint or a single compressor")
        factor = as_exact_number(factor, "factor", "Scaled")
        if isinstance(inner, Scaled):  # one factor, so that the bias is known
            factor = inner.factor * factor
            inner = inner.inner
        joint: JointCompressor = Independent(inner) if isinstance(inner, Compressor) else inner
        self.inner: JointCompressor = joint
        self.factor: Any = factor
        self.unbiased = self.inner.unbiased and factor == 1
        self.scale_equivariance = self.inner.scale_equivariance

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(RandK(2), Fraction(1, 2))

    def __repr__(self) -> str:
        return f"Scaled({self.inner!r}, {self.factor})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.inner, Fraction(self.factor))

    def _require_shape(self, shape: tuple[int, ...]) -> None:
        self.inner._require_shape(shape)

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Draws:
        return self.inner.draw(rng, shape)

    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        return self.inner.draw_shared(rng, shape)

    def draw_private(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        return self.inner.draw_private(rng, shape)

    def draw_keyed(self, key: RoundKey, shape: tuple[int, ...]) -> Draws:
        return self.inner.draw_keyed(key, shape)

    def client_draws(self, key: RoundKey, client: int, shape: tuple[int, ...]) -> Draws:
        return self.inner.client_draws(key, client, shape)

    def of_client(self, draws: Draws, client: int) -> Draws:
        return self.inner.of_client(draws, client)

    def _own_private(self, draws: Draws, client: int, n: int, d: int) -> Any:
        return self.inner._own_private(draws, client, n, d)

    def _private_shape(self, n: int, d: int) -> tuple[int, int]:
        return self.inner._private_shape(n, d)

    def _clients_of(self, draws: Draws) -> int | None:
        return self.inner._clients_of(draws)

    def _drawn_batch(self, draws: Draws) -> tuple[int, ...] | None:
        return self.inner._drawn_batch(draws)

    def reference(self, x: Any, draws: Draws) -> Any:
        return [[self._times(item) for item in row] for row in self.inner.reference(x, draws)]

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        return self.inner.outcomes(x)

    def _times(self, item: Any) -> Any:
        return item * (Fraction(self.factor) if isinstance(item, Fraction) else float(self.factor))

    def _encode(self, x: Array, rows: Any, n: int, draws: Draws) -> tuple[Any, Array | None, Array]:
        return self.inner._encode(x, rows, n, draws)

    def _decode(
        self, symbols: Any, scales: Array | None, rows: Any, shape: tuple[int, ...], shared: Any
    ) -> Array:
        return self.inner._decode(symbols, scales, rows, shape, shared) * float(self.factor) + 0.0

    def compress_counted(self, x: Any, draws: Draws) -> tuple[Array, Array]:
        decoded, bits = self.inner.compress_counted(x, draws)
        with np.errstate(over="ignore"):
            scaled = decoded * float(self.factor)
            scaled += 0.0
        self._require_range(scaled)
        return scaled, bits

    def _decoded_tiles(self, x: Array, rng: np.random.Generator) -> Iterator[Tiles] | None:
        clients = self.inner._decoded_tiles(x, rng) if type(self) is Scaled else None
        return None if clients is None else (self._scaled_tiles(tiles) for tiles in clients)

    def _scaled_tiles(self, tiles: Tiles) -> Tiles:
        for at, decoded in tiles:
            decoded *= float(self.factor)
            decoded += 0.0
            yield at, decoded

    def expected_bits(self, x: Any) -> Array:
        return self.inner.expected_bits(x)

    def _coordinate_variances(self, x: Array) -> Array:
        self._require_unbiased_inner()
        factor = float(self.factor)
        return np.asarray(
            factor**2 * self.inner._coordinate_variances(x) + (1 - factor) ** 2 * x.mean(axis=-2) ** 2
        )

    def _exact_coordinate_variances(self, x: list[list[Fraction]]) -> list[Any]:
        self._require_unbiased_inner()
        n, factor = len(x), Fraction(self.factor)
        noise = self.inner._exact_coordinate_variances(x)
        return [
            factor**2 * v + (1 - factor) ** 2 * (sum((row[j] for row in x), Fraction(0)) / n) ** 2
            for j, v in enumerate(noise)
        ]

    def _require_unbiased_inner(self) -> None:
        if not self.inner.unbiased:
            raise ArgumentError(f"{self!r}: the mean of a biased inner compressor is unknown; no exact value")

    def _write(
        self, writer: BitWriter, client: int, n: int, symbols: Any, scales: Array | None, shared: Any
    ) -> None:
        self.inner._write(writer, client, n, symbols, scales, shared)

    def _read(self, reader: BitReader, client: int, n: int, d: int, shared: Any) -> tuple[Any, Array | None]:
        return self.inner._read(reader, client, n, d, shared)
