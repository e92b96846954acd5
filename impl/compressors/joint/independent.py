"""Any compressor, applied by every client on its own, as a joint one."""

from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, Self

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.contract import Array, Compressor, Draws, Message
from impl.compressors.dithered.dithered_quantizer import DitheredQuantizer
from impl.compressors.joint.joint_contract import JointCompressor
from impl.compressors.joint.sample_by_clients import Tiles
from impl.compressors.one_bit import OneBit
from impl.compressors.rounding.natural_compression import NaturalCompression
from impl.compressors.rounding.stochastic_quantizer import StochasticQuantizer
from impl.compressors.rounding.tern_grad import TernGrad
from impl.compressors.sparse.bernoulli_sparsifier import BernoulliSparsifier
from impl.compressors.sparse.rand_k import RandK
from impl.compressors.sparse.top_k import TopK
from impl.errors import ArgumentError
from impl.tiers import current

# The draws of a batch are those of one row after the other.
_IN_TURN = (
    StochasticQuantizer,
    TernGrad,
    DitheredQuantizer,
    NaturalCompression,
    OneBit,
    BernoulliSparsifier,
    RandK,
    TopK,
)


class Independent(JointCompressor):
    """The compressor at each client, with draws of its own.

    Args:
        compressor: Any `Compressor`, such as `RandK(2)`.
    """

    def __init__(self, compressor: Compressor) -> None:
        if not isinstance(compressor, Compressor):
            raise ArgumentError(
                f"Independent: compressor={compressor!r} must be a Compressor, such as RandK(2)"
            )
        self.compressor = compressor
        self.unbiased = compressor.unbiased
        self.scale_equivariance = compressor.scale_equivariance

    @classmethod
    def examples(cls) -> Iterable[Self]:
        yield cls(RandK(2))

    def __repr__(self) -> str:
        return f"Independent({self.compressor!r})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.compressor,)

    def _require_shape(self, shape: tuple[int, ...]) -> None:
        self.compressor._require_dimension(shape)

    # What the compressor shares with its receiver is shared by all: both kinds of draws come from one stream.
    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Draws:
        return self.compressor.draw(rng, self._drawable(rng, shape))

    def rounds(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        """Return rounds of inputs of this shape on one stream, where the compressor has some, or None."""
        own = getattr(type(self.compressor), "rounds", None) if type(self) is Independent else None
        return None if own is None or len(shape) < 2 else own(self.compressor, rng, shape)

    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        return self.compressor.draw(rng, shape).shared

    def draw_private(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        return self.compressor.draw(rng, shape).private

    def _clients_of(self, draws: Draws) -> int | None:
        return None if draws.shared is None else len(draws.shared)

    def _drawn_batch(self, draws: Draws) -> tuple[int, ...] | None:
        part = draws.private if draws.private is not None else draws.shared
        return None if part is None else np.shape(part)[:-2]

    def reference(self, x: Any, draws: Draws) -> Any:
        return self.compressor.reference(self._literal(x), draws)

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        per_client = [list(self.compressor.outcomes(row)) for row in self._literal(x)]
        for chosen in product(*per_client):
            parts = {
                name: None
                if getattr(chosen[0][1], name) is None
                else [getattr(draws, name) for _, draws in chosen]
                for name in ("shared", "private")
            }
            shared = None if parts["shared"] is None else np.array(parts["shared"])
            yield prod(q for q, _ in chosen), Draws(shared, parts["private"])

    def _encode(self, x: Array, rows: Any, n: int, draws: Draws) -> tuple[Any, Array | None, Array]:
        shared = None if draws.shared is None else np.asarray(draws.shared)[..., rows, :]
        message = self.compressor.message(x, Draws(shared, draws.private))
        return message.symbols, message.scales, np.asarray(message.bits)

    def _decode(
        self, symbols: Any, scales: Array | None, rows: Any, shape: tuple[int, ...], shared: Any
    ) -> Array:
        own = None if shared is None else np.asarray(shared)[..., rows, :]
        batch = np.shape(symbols)[:-1]
        return self.compressor.reconstruct(Message(symbols, scales, None, (*batch, shape[-1])), own)

    def _decoded_tiles(self, x: Array, rng: np.random.Generator) -> Iterator[Tiles] | None:
        known = type(self) is Independent and type(self.compressor) in _IN_TURN
        if not known or current() != "numpy":  # kernels draw for all clients at once
            return None
        if isinstance(self.compressor, RandK) and self.compressor.k < len(
            x
        ):  # as are sets fewer than their size
            return None
        self.compressor._require_dimension(x.shape[1:])  # nothing may differ between the clients
        whole = slice(0, x.shape[1])

        def tiles(row: Array) -> Tiles:
            yield whole, self.compressor.sample(row.astype(np.float64, copy=False), rng)

        return (tiles(row) for row in x)

    def expected_bits(self, x: Any) -> Array:
        return np.asarray(self.compressor.expected_bits(self._inputs(x)))

    def variance(self, x: Any, weight: Any = None) -> Any:
        """Return the exact E||g - mean||_W^2; the weight may be a full matrix (d, d).

        Raises:
            ArgumentError: The compressor is biased, so that errors do not average out.
        """
        if not self.unbiased:
            raise ArgumentError(
                f"{self!r}: the error of a biased compressor does not average out; no exact value"
            )
        values = self.compressor.variance(x, weight)  # which refuses what is no array of numbers
        if np.ndim(x) < 2:
            raise ArgumentError(f"{self!r}: x has shape {np.shape(x)}; give (..., n, d), one row per client")
        n = np.shape(x)[-2]
        if isinstance(values, list):
            return sum(values, Fraction(0)) / n**2
        total = np.asarray(values).sum(axis=-1) / n**2
        return float(total) if total.ndim == 0 else total

    def _coordinate_variances(self, x: Array) -> Array:
        units = np.eye(x.shape[-1])
        return np.stack([np.asarray(self.variance(x, unit)) for unit in units], axis=-1)

    def _exact_coordinate_variances(self, x: list[list[Fraction]]) -> list[Any]:
        d = len(x[0])
        return [self.variance(x, [int(k == j) for k in range(d)]) for j in range(d)]

    def _write(
        self, writer: BitWriter, client: int, n: int, symbols: Any, scales: Array | None, shared: Any
    ) -> None:
        own = None if scales is None else np.asarray(scales)[0]
        self.compressor._write(writer, Message(np.asarray(symbols)[0], own, None, (1,)))

    def _read(self, reader: BitReader, client: int, n: int, d: int, shared: Any) -> tuple[Any, Array | None]:
        message = self.compressor._read(reader, d, np.float64)
        return message.symbols[None], None if message.scales is None else message.scales[None]
