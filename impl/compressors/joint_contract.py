"""What every joint compressor offers: messages of all clients of a round, and the estimate of their mean."""

import abc
import struct
from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors import wire
from impl.compressors.checked_input import as_axes, as_vectors, number, require_finite
from impl.compressors.contract import Array, Draws
from impl.compressors.joint_message import JointMessage, RoundKey, one_of_each, require_client
from impl.compressors.literal_input import as_nested, is_rational, nested_shape
from impl.errors import ArgumentError, MessageError, Problems

_ROUTE = struct.Struct("<QQQ")


class JointCompressor(abc.ABC):
    """Messages of n clients about inputs x (..., n, d), each from its own row and the draws of the round.

    The mean over the clients of what `compress` returns is the estimate of the mean of the rows.
    """

    unbiased: bool = True

    # ---------------------------------------------------------------- what a joint compressor defines

    @classmethod
    @abc.abstractmethod
    def examples(cls) -> Iterable[Self]:
        """Return instances for the battery of tests; each accepts 4 clients and 8 coordinates."""

    @abc.abstractmethod
    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        """Return what all ends know of a round with inputs (..., n, d): array, tuple of arrays, or None."""

    @abc.abstractmethod
    def draw_private(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        """Return what clients keep to themselves, an array with the axes of shape, or None."""

    @abc.abstractmethod
    def reference(self, x: Any, draws: Draws) -> Any:
        """Return the decoded clients of one round literally: nested lists (n, d), Fractions in and out."""

    @abc.abstractmethod
    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        """Yield (probability, draws) over all distinct outcomes of one round, for small (n, d)."""

    @abc.abstractmethod
    def _encode(self, x: Array, rows: Any, n: int, draws: Draws) -> tuple[Any, Array | None]:
        """Return symbols and scales of some clients, from their rows (..., c, d) of x and private draws."""

    @abc.abstractmethod
    def _decode(
        self, symbols: Any, scales: Array | None, rows: Any, shape: tuple[int, ...], shared: Any
    ) -> Array:
        """Return the decoded rows (..., c, d) of some clients of a round with inputs of this shape."""

    @abc.abstractmethod
    def _bits(self, shape: tuple[int, ...], shared: Any, symbols: Any) -> Array:
        """Return payload bits of each client, int64 (..., n)."""

    @abc.abstractmethod
    def expected_bits(self, x: Any) -> Array:
        """Return the exact expectation of the payload bits of each client, (..., n)."""

    @abc.abstractmethod
    def _coordinate_variances(self, x: Array) -> Array:
        """Return the exact variances of the coordinates of the estimate, (..., d), for floats (..., n, d)."""

    @abc.abstractmethod
    def _exact_coordinate_variances(self, x: list[list[Fraction]]) -> list[Any]:
        """Return the same for one input in Fractions, (d,)."""

    @abc.abstractmethod
    def _parameters(self) -> tuple[Hashable, ...]:
        """Return what makes two instances equal."""

    @abc.abstractmethod
    def _write(
        self, writer: BitWriter, client: int, n: int, symbols: Any, scales: Array | None, shared: Any
    ) -> None:
        """Append the payload of one client."""

    @abc.abstractmethod
    def _read(self, reader: BitReader, client: int, n: int, d: int, shared: Any) -> tuple[Any, Array | None]:
        """Read the payload of one client back."""

    def _require_shape(self, shape: tuple[int, ...]) -> None:  # noqa: B027 - every shape is possible by default
        """Raise an ArgumentError unless inputs (..., n, d) of this shape are possible."""

    def _drawn_batch(self, draws: Draws) -> tuple[int, ...] | None:
        """Return the leading axes of the draws, None where they cannot be told."""
        return None if draws.private is None else np.shape(draws.private)[:-2]

    # ---------------------------------------------------------------- draws

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Draws:
        """Return fresh draws for inputs of this shape, (..., n, d), batched."""
        shape = self._checked_shape(shape)
        return Draws(self.draw_shared(rng, shape), self.draw_private(rng, shape))

    def draw_keyed(self, key: RoundKey, shape: tuple[int, ...]) -> Draws:
        """Return the draws of one round (n, d): what is shared, and the private draws of all clients."""
        n, d = self._one_round(shape)
        private = [self.draw_private(key.client(i).generator(), (1, d)) for i in range(n)]
        stacked = None if private[0] is None else np.concatenate(private, axis=0)
        return Draws(self.draw_shared(key.shared().generator(), (n, d)), stacked)

    def client_draws(self, key: RoundKey, client: int, shape: tuple[int, ...]) -> Draws:
        """Return what one client knows of a round: the shared draws and its own, (d,) or None."""
        n, d = self._one_round(shape)
        require_client(client, n)
        private = self.draw_private(key.client(client).generator(), (1, d))
        return Draws(
            self.draw_shared(key.shared().generator(), (n, d)), None if private is None else private[0]
        )

    # ---------------------------------------------------------------- all clients at once

    def compress(self, x: Any, draws: Draws) -> Array:
        """Return what the server decodes from each client, (..., n, d); their mean over n is the estimate."""
        x = self._inputs(x)
        x = self._fitted(x, draws)
        symbols, scales = self._encode(x, slice(None), x.shape[-2], draws)
        return self._decode(symbols, scales, slice(None), x.shape, draws.shared)

    def compress_counted(self, x: Any, draws: Draws) -> tuple[Array, Array]:
        """Return what `compress` and `bits` return, in one pass."""
        x = self._fitted(self._inputs(x), draws)
        symbols, scales = self._encode(x, slice(None), x.shape[-2], draws)
        decoded = self._decode(symbols, scales, slice(None), x.shape, draws.shared)
        return decoded, self._bits(x.shape, draws.shared, symbols)

    def estimate(self, x: Any, draws: Draws) -> Array:
        """Return the server's estimate of the mean of the clients, (..., d)."""
        return np.asarray(self.compress(x, draws).mean(axis=-2))

    def bits(self, x: Any, draws: Draws) -> Array:
        """Return the payload bits of each client, int64 (..., n)."""
        return self.compress_counted(x, draws)[1]

    def sample(self, x: Any, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> Array:
        """Return estimates with fresh draws; size samples are stacked in front, size + (..., d)."""
        x = self._inputs(x)
        shape = as_axes(size, "size", type(self).__name__) + x.shape
        return self.estimate(np.broadcast_to(x, shape), self.draw(rng, shape))

    def sample_chunks(self, x: Any, rng: np.random.Generator, size: int) -> Iterator[Array]:
        """Yield `size` estimates of the mean of one input in chunks of about a megabyte."""
        x = self._inputs(x)
        (size,) = as_axes((size,), "size", type(self).__name__)
        rows = max(1, 2**17 // x.size)
        for start in range(0, size, rows):
            yield self.sample(x, rng, size=min(rows, size - start))

    # ---------------------------------------------------------------- exact law

    def coordinate_variances(self, x: Any) -> Any:
        """Return the variances of the coordinates of the estimate, (..., d), in Fractions for Fractions."""
        if is_rational(x):
            return self._exact_coordinate_variances(self._literal(x))
        return self._coordinate_variances(self._inputs(x).astype(np.float64))

    def variance(self, x: Any, weight: Any = None) -> Any:
        """Return the exact E||g - mean||_W^2 of the estimate g.

        Args:
            x: Inputs, (..., n, d); one input (n, d) with a Fraction selects exact arithmetic.
            weight: W, diagonal (d,); the identity by default.
        """
        by_coordinate = self.coordinate_variances(x)
        d = len(by_coordinate) if isinstance(by_coordinate, list) else by_coordinate.shape[-1]
        if weight is not None and np.shape(weight) != (d,):
            raise ArgumentError(
                f"{type(self).__name__}: weight has shape {np.shape(weight)}; give the ({d},) entries of a "
                "diagonal weight"
            )
        if isinstance(by_coordinate, list):
            ones = [1] * d if weight is None else list(weight)
            return sum((wj * vj for wj, vj in zip(ones, by_coordinate, strict=True)), Fraction(0))
        scale = 1.0 if weight is None else np.asarray(weight, dtype=np.float64)
        return number(np.asarray((scale * by_coordinate).sum(axis=-1)))

    # ---------------------------------------------------------------- the protocol of one round

    def message(
        self, x_i: Any, client: int, draws: Draws, *, n: int, key: RoundKey | None = None
    ) -> JointMessage:
        """Return what one client sends.

        Args:
            x_i: Its own vector, (d,).
            client: Its number, 0 to n - 1.
            draws: What it knows of the round: shared draws, and its own private ones, (d,) or None.
            n: Number of clients.
            key: The round, which the server checks.
        """
        require_client(client, n)
        x = self._inputs(np.asarray(x_i)[None])
        self._require_shape((n, x.shape[-1]))
        private = None if draws.private is None else np.asarray(draws.private)[None]
        rows = slice(client, client + 1)
        symbols, scales = self._encode(x, rows, n, Draws(draws.shared, private))
        iteration = -1 if key is None else key.iteration
        writer = BitWriter()
        self._write(writer, client, n, symbols, scales, draws.shared)
        return JointMessage(client, n, iteration, symbols, scales, writer.bits, x.shape[-1])

    def aggregate(
        self, messages: Sequence[JointMessage], shared: Any, *, key: RoundKey | None = None
    ) -> Array:
        """Return the server's estimate (d,) from the messages of one round, in any order.

        Raises:
            MessageError: A client is missing or sent twice, or a message belongs to another round; the error
                names client and round.
        """
        ordered = one_of_each(messages, -1 if key is None else key.iteration)
        n, d = ordered[0].clients, ordered[0].d
        decoded = [
            self._decode(item.symbols, item.scales, slice(item.client, item.client + 1), (n, d), shared)[0]
            for item in ordered
        ]
        return np.asarray(np.stack(decoded).mean(axis=0))

    def encode(self, message: JointMessage, shared: Any = None) -> bytes:
        """Return the packed message: client, clients, round, then header and payload."""
        writer = BitWriter()
        self._write(writer, message.client, message.clients, message.symbols, message.scales, shared)
        route = _ROUTE.pack(message.client, message.clients, message.iteration % 2**64)
        return route + wire.pack(self._header(message.d, route, shared), writer)

    def decode(self, data: bytes, shared: Any = None) -> JointMessage:
        """Return the message that was packed.

        Raises:
            MessageError: Truncated or corrupted data, another compressor, other parameters or shared draws.
        """
        if len(data) < _ROUTE.size:
            raise MessageError(f"message of {len(data)} bytes is truncated: its address alone is longer")
        route = bytes(data[: _ROUTE.size])
        client, n, iteration = _ROUTE.unpack(route)
        header, reader = wire.unpack(data[_ROUTE.size :])
        (d,) = header.shape
        wire.require_same(header, self._header(d, route, shared), type(self).__name__)
        bits = reader.bits
        try:
            symbols, scales = self._read(reader, client, n, d, shared)
            reader.finish()
        except (IndexError, ValueError, OverflowError) as error:
            raise MessageError(f"the payload is no message of {self!r}: {error}") from error
        return JointMessage(
            client, n, iteration if iteration < 2**63 else iteration - 2**64, symbols, scales, bits, d
        )

    def _header(self, d: int, route: bytes, shared: Any) -> wire.Header:
        parts = [] if shared is None else list(shared) if isinstance(shared, tuple) else [shared]
        known = b"".join(np.ascontiguousarray(part).tobytes() for part in parts if part is not None)
        return wire.Header(
            tag=wire.digest(type(self).__name__.encode()),
            shape=(d,),
            dtype=np.dtype(np.float64),
            parameters=wire.digest(repr(self._parameters()).encode()),
            key=wire.digest(route),
            shared=wire.digest(known) if known else bytes(16),
        )

    # ---------------------------------------------------------------- checks

    def _inputs(self, x: Any) -> Array:
        """Return x as a float array (..., n, d), finite and of a possible shape."""
        array = as_vectors(x, type(self).__name__)
        require_finite(array, type(self).__name__)
        if array.ndim < 2 or array.shape[-2] == 0:
            raise ArgumentError(
                f"{type(self).__name__}: x has shape {array.shape}; give (..., n, d), one row for each client"
            )
        return array

    def _fitted(self, x: Array, draws: Draws) -> Array:
        """Return x repeated along the leading axes that only the draws have."""
        self._require_shape(x.shape)
        batch = self._drawn_batch(draws)
        if batch is None or batch == x.shape[:-2]:
            return x
        lead = len(batch) - (x.ndim - 2)
        if lead < 0 or batch[lead:] != x.shape[:-2]:
            raise ArgumentError(
                f"{type(self).__name__}: draws for leading axes {batch}, but x has shape {x.shape}; "
                "take draws from draw(rng, x.shape)"
            )
        return np.broadcast_to(x, (*batch, *x.shape[-2:]))

    def _literal(self, x: Any) -> list[list[Any]]:
        """Return one input as nested lists (n, d) of floats or Fractions."""
        nested = as_nested(x, type(self).__name__)
        shape = nested_shape(nested)
        if len(shape) != 2:
            raise ArgumentError(f"{type(self).__name__}: x has shape {shape}; give one input (n, d)")
        self._require_shape(shape)
        return nested

    def _checked_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        shape = as_axes(shape, "shape", type(self).__name__)
        problems = Problems(type(self).__name__)
        problems.require(
            len(shape) >= 2 and min(shape[-2:], default=0) >= 1,
            f"shape={shape} must end with (n, d), both at least 1",
        )
        problems.raise_if_any()
        self._require_shape(shape)
        return shape

    def _one_round(self, shape: tuple[int, ...]) -> tuple[int, int]:
        shape = self._checked_shape(shape)
        if len(shape) != 2:
            raise ArgumentError(
                f"{type(self).__name__}: shape={shape} must be (n, d): a key belongs to one round"
            )
        return shape

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JointCompressor):
            return NotImplemented
        return type(self) is type(other) and self._parameters() == other._parameters()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._parameters()))
