"""Importance sampling of clients: a few of them, drawn with given weights, send for all."""

import itertools
import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl import tiers
from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors.contract import Array, Compressor, Draws
from impl.compressors.joint.client_weights import as_client_weights
from impl.compressors.joint.correlated.correlated_quantizer import CorrelatedQuantizer
from impl.compressors.joint.independent import Independent
from impl.compressors.joint.joint_contract import JointCompressor
from impl.compressors.joint.joint_message import RoundKey, require_client
from impl.compressors.sparse.rand_k import RandK
from impl.errors import ArgumentError, Problems

_ENUMERATED = 200_000  # sequences of sampled clients that an exact variance sums over


class ImportanceSampling(JointCompressor):
    r"""Draw $\xi_1..\xi_\tau$ from w; estimate $\frac1\tau\sum_tQ^{(t)}(a_{\xi_t}/(nw_{\xi_t}))$.

    IS(tau, w) of arXiv 2401.05518. The sampled clients are shared randomness. A client drawn twice sends two
    messages; strata and jitter of a correlated inner quantizer belong to the slot t.

    Args:
        draws: $\tau$, number of sampled clients.
        weights: w, positive, one for each client, with sum 1 (1e-12); Fractions stay exact.
        inner: A joint compressor over the $\tau$ slots, or a `Compressor` that each slot applies on its own.
    """

    def __init__(self, draws: int, weights: Sequence[Any], inner: JointCompressor | Compressor) -> None:
        problems = Problems("ImportanceSampling")
        whole = isinstance(draws, int | np.integer) and not isinstance(draws, bool)
        problems.require(whole and draws >= 1, f"draws={draws!r} must be a whole number of at least 1")
        with problems.collect():
            self.weights = as_client_weights(weights, "ImportanceSampling")
        fits = isinstance(inner, JointCompressor | Compressor)
        problems.require(fits, f"inner={inner!r} must be a joint or a single compressor, such as RandK(2)")
        nested = isinstance(inner, ImportanceSampling) or isinstance(
            getattr(inner, "inner", None), ImportanceSampling
        )
        problems.require(not nested, f"inner={inner!r} must not sample clients itself; multiply the weights")
        problems.raise_if_any()
        self.draws = int(draws)
        self.inner = Independent(inner) if isinstance(inner, Compressor) else inner
        self.unbiased = self.inner.unbiased

    @classmethod
    def examples(cls) -> Iterable[Self]:
        weights = [Fraction(1, 10), Fraction(1, 5), Fraction(3, 10), Fraction(2, 5)]
        yield cls(2, weights, CorrelatedQuantizer("binary"))
        yield cls(2, weights, RandK(2))

    def __repr__(self) -> str:
        return f"ImportanceSampling({self.draws}, {[str(item) for item in self.weights]}, {self.inner!r})"

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.draws, self.weights, self.inner)

    def _require_shape(self, shape: tuple[int, ...]) -> None:
        n = len(self.weights)
        if shape[-2] != n:
            raise ArgumentError(f"ImportanceSampling: inputs of {shape[-2]} clients, but weights of {n}")
        self.inner._require_shape((*shape[:-2], self.draws, shape[-1]))

    @property
    def _w(self) -> Array:
        return np.array([float(item) for item in self.weights])

    # ---------------------------------------------------------------- draws: of the slots

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Draws:
        *batch, n, d = self._drawable(rng, shape)
        sampled = rng.choice(n, size=(*batch, self.draws), p=self._w)
        inner = self.inner.draw(rng, (*batch, self.draws, d))
        return Draws((sampled, inner.shared), inner.private)

    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        """Return the sampled clients, (..., tau), and what the slots share."""
        *batch, n, d = shape
        sampled = rng.choice(n, size=(*batch, self.draws), p=self._w)
        return sampled, self.inner.draw_shared(rng, (*batch, self.draws, d))

    def draw_private(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        """Return private draws of all slots: a client uses those of the slots that it fills."""
        return self.inner.draw_private(rng, (*shape[:-2], self.draws, shape[-1]))

    def draw_keyed(self, key: RoundKey, shape: tuple[int, ...]) -> Draws:
        n, d = self._one_round(key, shape)
        with tiers.tier("numpy"):
            shared = self.draw_shared(key.shared().generator(), (n, d))
        rows = [self.client_draws(key, int(i), (n, d)).private for i in shared[0]]
        private = None if rows[0] is None else np.stack([row[t] for t, row in enumerate(rows)])
        return Draws(shared, private)

    def client_draws(self, key: RoundKey, client: int, shape: tuple[int, ...]) -> Draws:
        n, d = self._one_round(key, shape)
        require_client(client, n)
        with tiers.tier("numpy"):  # the same at all ends
            shared = self.draw_shared(key.shared().generator(), (n, d))
            return Draws(shared, self.draw_private(key.client(client).generator(), (n, d)))

    def of_client(self, draws: Draws, client: int) -> Draws:
        return draws  # private draws belong to the slots

    def _own_private(self, draws: Draws, client: int, n: int, d: int) -> Any:
        if draws.private is None:
            return None
        if np.shape(draws.private) != (self.draws, d):
            raise ArgumentError(
                f"ImportanceSampling: draws.private has shape {np.shape(draws.private)}; client {client} "
                f"needs one row for each slot, ({self.draws}, {d})"
            )
        return np.asarray(draws.private)[None]

    def _private_shape(self, n: int, d: int) -> tuple[int, int]:
        return self.inner._private_shape(self.draws, d)

    def _clients_of(self, draws: Draws) -> int | None:
        return len(self.weights)

    def _drawn_batch(self, draws: Draws) -> tuple[int, ...] | None:
        return np.shape(self._sampled(draws.shared))[:-1]

    def _sampled(self, shared: Any) -> Array:
        if not isinstance(shared, tuple) or len(shared) != 2 or np.shape(shared[0])[-1:] != (self.draws,):
            raise ArgumentError(
                f"ImportanceSampling: draws.shared must hold {self.draws} sampled clients and what the slots "
                "share; take draws from draw(rng, x.shape)"
            )
        sampled = np.asarray(shared[0])
        n = len(self.weights)
        if sampled.dtype.kind not in "iu" or (sampled.size and not 0 <= sampled.min() <= sampled.max() < n):
            raise ArgumentError(f"ImportanceSampling: the sampled clients must be whole numbers below {n}")
        return sampled

    # ---------------------------------------------------------------- literal

    def _slots(self, rows: list[list[Any]], sampled: Sequence[int]) -> list[list[Any]]:
        n, exact = len(rows), isinstance(rows[0][0], Fraction)
        w = [Fraction(item) if exact else float(item) for item in self.weights]
        return [[a / (n * w[i]) for a in rows[i]] for i in sampled]

    def reference(self, x: Any, draws: Draws) -> Any:
        rows = self._literal(x)
        n, sampled = len(rows), self._sampled(draws.shared).tolist()
        received = self.inner.reference(self._slots(rows, sampled), Draws(draws.shared[1], draws.private))
        decoded = [[0 * item for item in row] for row in rows]
        for i, values in zip(sampled, received, strict=True):
            share = Fraction(n, self.draws) if isinstance(rows[0][0], Fraction) else n / self.draws
            decoded[i] = [old + share * new for old, new in zip(decoded[i], values, strict=True)]
        return decoded

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        rows = self._literal(x)
        w = [Fraction(item) if isinstance(rows[0][0], Fraction) else float(item) for item in self.weights]
        for sampled in itertools.product(range(len(rows)), repeat=self.draws):
            chance = math.prod(w[i] for i in sampled)
            for inner, draws in self.inner.outcomes(self._slots(rows, sampled)):
                yield chance * inner, Draws((np.array(sampled), draws.shared), draws.private)

    # ---------------------------------------------------------------- vectorized

    def _gathered(self, x: Array, sampled: Array) -> Array:
        """Return what the slots compress, (..., tau, d)."""
        scaled = x / (x.shape[-2] * self._w[:, None])
        return np.take_along_axis(scaled, sampled[..., None], axis=-2)

    def compress_counted(self, x: Any, draws: Draws) -> tuple[Array, Array]:
        x = self._fitted(self._inputs(x), draws)
        n, sampled = x.shape[-2], self._sampled(draws.shared)
        received, bits = self.inner.compress_counted(
            self._gathered(x, sampled), Draws(draws.shared[1], draws.private)
        )
        fills = sampled[..., None, :] == np.arange(n)[:, None]
        return np.asarray(fills @ received * (n / self.draws)), np.asarray(
            (fills * bits[..., None, :]).sum(axis=-1)
        )

    def compress(self, x: Any, draws: Draws) -> Array:
        return self.compress_counted(x, draws)[0]

    def _encode(self, x: Array, rows: Any, n: int, draws: Draws) -> tuple[Any, Array | None, Array]:
        """Return symbols, scales and bits of the slots that one client fills."""
        slots = np.flatnonzero(self._sampled(draws.shared) == rows.start)
        w = float(self.weights[rows.start])
        private = None if draws.private is None else np.asarray(draws.private)[0][slots]
        repeated = np.repeat(x / (n * w), len(slots), axis=0)
        symbols, scales, bits = self.inner._encode(
            repeated, slots, self.draws, Draws(draws.shared[1], private)
        )
        return symbols, scales, bits.sum(axis=-1, keepdims=True)

    def _decode(
        self, symbols: Any, scales: Array | None, rows: Any, shape: tuple[int, ...], shared: Any
    ) -> Array:
        slots = np.flatnonzero(self._sampled(shared) == rows.start)
        if not len(slots):
            return np.zeros((1, shape[-1]))
        values = self.inner._decode(symbols, scales, slots, (self.draws, shape[-1]), shared[1])
        return np.asarray(values.sum(axis=0, keepdims=True) * (shape[-2] / self.draws))

    def expected_bits(self, x: Any) -> Array:
        x = self._inputs(x)
        scaled = x / (x.shape[-2] * self._w[:, None])
        # The length of a message depends on its own vector: fill all slots by one client after another.
        alike = np.broadcast_to(scaled[..., None, :], (*x.shape[:-1], self.draws, x.shape[-1]))
        return np.asarray(self.inner.expected_bits(alike).mean(axis=-1) * self.draws * self._w)

    # ---------------------------------------------------------------- exact law

    def _coordinate_variances(self, x: Array) -> Array:
        self._require_unbiased_inner()
        n, tau, w = x.shape[-2], self.draws, self._w
        scaled = x / (n * w[:, None])
        mean = x.mean(axis=-2)
        if isinstance(self.inner, Independent):
            # Slots are independent of each other: one of them, and the average over tau.
            alone = self.inner._coordinate_variances(scaled[..., None, :])
            return np.asarray((w[:, None] * (alone + (scaled - mean[..., None, :]) ** 2)).sum(axis=-2) / tau)
        self._require_few(n)
        total: Array = np.zeros_like(mean)
        for sampled in itertools.product(range(n), repeat=tau):
            slots = scaled[..., list(sampled), :]
            error = self.inner._coordinate_variances(slots) + (slots.mean(axis=-2) - mean) ** 2
            total += math.prod(w[i] for i in sampled) * error
        return total

    def _exact_coordinate_variances(self, x: list[list[Fraction]]) -> list[Any]:
        self._require_unbiased_inner()
        n, d = len(x), len(x[0])
        self._require_few(n)
        mean = [sum((row[j] for row in x), Fraction(0)) / n for j in range(d)]
        total = [Fraction(0)] * d
        for sampled in itertools.product(range(n), repeat=self.draws):
            slots = self._slots(x, sampled)
            chance = math.prod((Fraction(self.weights[i]) for i in sampled), start=Fraction(1))
            for j, noise in enumerate(self.inner._exact_coordinate_variances(slots)):
                offset = sum((row[j] for row in slots), Fraction(0)) / self.draws - mean[j]
                total[j] += chance * (noise + offset**2)
        return total

    def _require_unbiased_inner(self) -> None:
        if not self.inner.unbiased:
            raise ArgumentError(
                f"{self!r}: the mean of a biased inner compressor is not known; no exact value"
            )

    def _require_few(self, n: int) -> None:
        if n**self.draws > _ENUMERATED:
            raise ArgumentError(
                f"{self!r}: the exact variance sums over {n}^{self.draws} samples of clients, more than "
                f"{_ENUMERATED}; give fewer clients or draws, or sample"
            )

    # ---------------------------------------------------------------- payload: the messages of the slots

    def _write(
        self, writer: BitWriter, client: int, n: int, symbols: Any, scales: Array | None, shared: Any
    ) -> None:
        slots = np.flatnonzero(self._sampled(shared) == client)
        for place, t in enumerate(slots):
            own = None if scales is None else np.asarray(scales)[place : place + 1]
            self.inner._write(writer, int(t), self.draws, symbols[place : place + 1], own, shared[1])

    def _read(self, reader: BitReader, client: int, n: int, d: int, shared: Any) -> tuple[Any, Array | None]:
        slots = np.flatnonzero(self._sampled(shared) == client)
        parts = [self.inner._read(reader, int(t), self.draws, d, shared[1]) for t in slots]
        if not parts:
            return np.zeros((0, d)), np.zeros(0)
        scales = [part[1] for part in parts if part[1] is not None]
        return np.concatenate([part[0] for part in parts]), np.concatenate(scales) if scales else None
