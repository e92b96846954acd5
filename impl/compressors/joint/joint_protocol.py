"""The protocol of one round: what each client sends, what travels, and what the server makes of it."""

import abc
import math
from collections.abc import Hashable, Iterable
from dataclasses import replace
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
    key_word,
    one_of_each,
    require_client,
    shared_digest,
)
from impl.errors import ArgumentError, MessageError


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
            key_word(key),
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
        """Return the packed message.

        Beside the payload it has at most 8 bytes without a key, 16 with one, for d and rounds below 2**14 and
        15 clients; each of them takes a byte more for a further factor of 128.

        Raises:
            ArgumentError: A message of another compressor.
        """
        if message.compressor != self._digest():
            raise ArgumentError(f"encode: the message was not made by {self!r}")
        keyed = message.iteration != iteration_of(None)
        place = message.clients * (message.clients - 1) // 2 + message.client  # both numbers in one
        address = (place, message.iteration) if keyed else (place,)
        envelope = wire.Envelope((message.d,), np.dtype(np.float64), keyed, address)
        return wire.pack(envelope, self._agreed(message.shared), self.payload(message, shared), message.key)

    def payload(self, message: JointMessage, shared: Any = None) -> BitWriter:
        """Return the payload of a message, which `message_of` reads again."""
        writer = BitWriter()
        self._write(writer, message.client, message.clients, message.symbols, message.scales, shared)
        return writer

    def decode(self, data: bytes, shared: Any = None) -> JointMessage:
        """Return the message that was packed; `aggregate` checks its round.

        Raises:
            ArgumentError: data are no bytes.
            MessageError: Truncated or corrupted data, another compressor, other parameters or shared draws;
                with a key, `aggregate` finds the one in 256 of the latter that is not found here.
        """
        opened, name = wire.unpack(data, wire.JOINT), type(self).__name__
        drawn = shared_digest(shared)
        agreed = self._agreed(drawn)
        opened.compare(agreed, name)
        envelope, reader, key = opened.envelope, opened.reader, opened.remainder(agreed)
        if not envelope.keyed and key != key_word(None):
            raise opened.refused(name)
        if len(envelope.shape) != 1:
            raise MessageError(f"the message has {len(envelope.shape)} axes; a client sends its own vector")
        (d,), (place, *rounds) = envelope.shape, envelope.address
        n = (1 + math.isqrt(1 + 8 * place)) // 2
        client, iteration = place - n * (n - 1) // 2, rounds[0] if rounds else iteration_of(None)
        found = self.message_of(reader, client, n, d, shared)
        return replace(found, iteration=iteration, key=key)

    def message_of(
        self, reader: BitReader, client: int, n: int, d: int, shared: Any = None, key: RoundKey | None = None
    ) -> JointMessage:
        """Return the message of the payload of one of n clients.

        Raises:
            MessageError: The payload is none of such a message.
        """
        try:
            wire.vectors_of((d,), reader)
            symbols, scales = self._read(reader, client, n, d, shared)
            reader.finish()
        except (IndexError, ValueError, OverflowError) as error:
            raise MessageError(f"the payload is no message of {self!r}: {error}") from error
        except MemoryError:
            raise wire.too_large((d,), repr(self)) from None
        own, drawn = self._digest(), shared_digest(shared)
        place = iteration_of(key), key_word(key)
        return JointMessage(client, n, place[0], symbols, scales, reader.bits, d, own, place[1], drawn)

    def _agreed(self, shared: bytes) -> dict[str, bytes]:
        return {"maker": self._digest(), "shared": shared}

    def _digest(self) -> bytes:
        return wire.digest(f"{type(self).__name__}{self._parameters()!r}".encode())
