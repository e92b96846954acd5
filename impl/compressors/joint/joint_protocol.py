"""The protocol of one round: what each client sends, what travels, and what the server makes of it."""

import abc
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors import wire
from impl.compressors.checked_input import as_vectors, require_finite
from impl.compressors.contract import Array, Draws
from impl.compressors.joint.joint_message import (
    JointMessage,
    RoundKey,
    iteration_of,
    key_digest,
    one_of_each,
    require_client,
    shared_digest,
)
from impl.errors import ArgumentError, MessageError

_ADDRESS = (64, 64, 64)  # client, clients, round + 1: before the payload, so that the checksum covers them


class RoundProtocol(abc.ABC):
    """Messages of single clients, real bytes, and their aggregation."""

    @abc.abstractmethod
    def _encode(self, x: Array, rows: Any, n: int, draws: Draws) -> tuple[Any, Array | None, Array]:
        """Return symbols, scales and payload bits (..., c) of some clients, from their rows (..., c, d)."""

    @abc.abstractmethod
    def _decode(
        self, symbols: Any, scales: Array | None, rows: Any, shape: tuple[int, ...], shared: Any
    ) -> Array:
        """Return the decoded rows (..., c, d) of some clients of a round with inputs of this shape."""

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

    @abc.abstractmethod
    def _require_shape(self, shape: tuple[int, ...]) -> None:
        """Raise an ArgumentError unless inputs (..., n, d) of this shape are possible."""

    def _clients_of(self, draws: Draws) -> int | None:
        """Return the number of clients that the shared draws tell, None where they do not."""
        return None

    def of_client(self, draws: Draws, client: int) -> Draws:
        """Return what one client knows of the draws of one round (n, d): its own private row."""
        return draws if draws.private is None else Draws(draws.shared, draws.private[client])

    def _own_private(self, draws: Draws, client: int, n: int, d: int) -> Any:
        """Return the private draws of one client as one row (1, d), from its own or those of the round."""
        if draws.private is None:
            return None
        shape = np.shape(draws.private)
        if shape == (d,):
            return np.asarray(draws.private)[None]
        if shape == (n, d):
            return np.asarray(draws.private)[client : client + 1]
        raise ArgumentError(
            f"{type(self).__name__}: draws.private has shape {shape}; client {client} needs its own ({d},), "
            f"or those of the round ({n}, {d})"
        )

    def message(
        self, x_i: Any, client: int, draws: Draws, *, n: int | None = None, key: RoundKey | None = None
    ) -> JointMessage:
        """Return what one client sends.

        Args:
            x_i: Its own vector, (d,).
            client: Its number, 0 to n - 1.
            draws: What it knows of the round: shared draws, and its own private ones, (d,) or None. Those of
                the whole round, (n, d), do as well: it takes its row.
            n: Number of clients; may be left out where the draws tell it.
            key: The round, which the server checks.

        Raises:
            ArgumentError: x_i is no finite vector, an unknown client, draws that do not fit.
        """
        name = type(self).__name__
        vector = as_vectors(x_i, name).astype(np.float64)
        require_finite(vector, name)
        if vector.ndim != 1:
            raise ArgumentError(f"{name}: x_i has shape {vector.shape}; a client sends its own vector, (d,)")
        d = len(vector)
        n = self._number_of_clients(draws, n)
        require_client(client, n)
        self._require_shape((n, d))
        own = Draws(draws.shared, self._own_private(draws, int(client), n, d))
        symbols, scales, bits = self._encode(vector[None], slice(int(client), int(client) + 1), n, own)
        return JointMessage(
            int(client),
            n,
            iteration_of(key),
            symbols,
            scales,
            int(bits[0]),
            d,
            self._digest(),
            key_digest(key),
            shared_digest(draws.shared),
        )

    def _number_of_clients(self, draws: Draws, n: int | None) -> int:
        known = self._clients_of(draws) if n is None else n
        if known is None and np.ndim(draws.private) == 2:
            known = len(draws.private)
        if known is None:
            raise ArgumentError(
                f"{type(self).__name__}: n=None cannot be told from these draws; give the number of clients"
            )
        return int(known)

    def aggregate(
        self, messages: Iterable[JointMessage], shared: Any, *, key: RoundKey | None = None
    ) -> Array:
        """Return the server's estimate (d,) from the messages of one round, in any order.

        Args:
            messages: One of each client.
            shared: Shared draws of the round.
            key: The round, if the messages were made with one.

        Raises:
            MessageError: A client is missing, unknown or sent twice, or a message belongs to another round,
                compressor or shared draws; the error names client and round.
        """
        ordered = one_of_each(messages, key, self._digest(), shared_digest(shared))
        n, d = ordered[0].clients, ordered[0].d
        decoded = [
            self._decode(item.symbols, item.scales, slice(item.client, item.client + 1), (n, d), shared)[0]
            for item in ordered
        ]
        return self._mean(np.stack(decoded))

    def _mean(self, decoded: Array) -> Array:
        """Return the mean over the clients, (..., d), also where the sum leaves the range of float64."""
        with np.errstate(over="ignore", invalid="ignore"):
            mean = np.asarray(decoded.mean(axis=-2))
            if not np.isfinite(mean).all():
                mean = np.asarray((decoded / decoded.shape[-2]).sum(axis=-2))
        return mean

    def encode(self, message: JointMessage, shared: Any = None) -> bytes:
        """Return the packed message: header, address (client, clients, round), payload, checksum.

        Raises:
            ArgumentError: A message of another compressor.
        """
        if message.compressor != self._digest():
            raise ArgumentError(f"encode: the message was not made by {self!r}")
        writer = BitWriter()
        writer.append([message.client, message.clients, message.iteration + 1], _ADDRESS)
        self._write(writer, message.client, message.clients, message.symbols, message.scales, shared)
        header = wire.Header(
            tag=wire.digest(type(self).__name__.encode()),
            shape=(message.d,),
            dtype=np.dtype(np.float64),
            parameters=message.compressor,
            key=message.key,
            shared=message.shared,
        )
        return wire.pack(header, writer)

    def decode(self, data: bytes, shared: Any = None) -> JointMessage:
        """Return the message that was packed; `aggregate` checks its round.

        Raises:
            ArgumentError: data are no bytes.
            MessageError: Truncated or corrupted data, another compressor, other parameters or shared draws.
        """
        header, reader = wire.unpack(data)
        own = wire.Header(
            tag=wire.digest(type(self).__name__.encode()),
            shape=header.shape,
            dtype=header.dtype,
            parameters=self._digest(),
            key=header.key,
            shared=shared_digest(shared),
        )
        wire.require_same(header, own, type(self).__name__)
        (d,) = header.shape
        try:
            client, n, iteration = (reader.read(width) for width in _ADDRESS)
            if client >= n:
                raise ValueError(f"client {client} is none of {n} clients")
            symbols, scales = self._read(reader, client, n, d, shared)
            reader.finish()
        except (IndexError, ValueError, OverflowError) as error:
            raise MessageError(f"the payload is no message of {self!r}: {error}") from error
        bits = reader.bits - sum(_ADDRESS)
        return JointMessage(
            client, n, iteration - 1, symbols, scales, bits, d, self._digest(), header.key, header.shared
        )

    def _digest(self) -> bytes:
        return wire.digest(f"{type(self).__name__}{self._parameters()!r}".encode())
