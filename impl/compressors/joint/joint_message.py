"""Messages of the clients of one round, and the keys from which each end derives what it may know."""

import struct
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from impl.compressors import wire
from impl.compressors.contract import Array, Key
from impl.errors import ArgumentError, MessageError, Problems

_SHARED = 2**64 - 1  # the worker under which a round keeps what all ends know
_NO_ROUND = -1
_NAMED = 20  # missing clients that an error names


@dataclass(frozen=True)
class RoundKey:
    """Public state of a round, from which each end derives what it may know.

    Args:
        seed: Two words below 2**64, agreed once.
        iteration: Round of the method, below 2**63.
        tensor: Which of the tensors.

    Raises:
        ArgumentError: Not whole numbers in these ranges.
    """

    seed: tuple[int, int]
    iteration: int
    tensor: int = 0

    def __post_init__(self) -> None:
        problems = Problems("RoundKey")
        with problems.collect():
            self.shared()
        for name in ("iteration", "tensor"):
            value = getattr(self, name)
            problems.require(type(value) is not bool, f"{name}={value!r} must be a whole number")
        whole = isinstance(self.iteration, int | np.integer)
        problems.require(
            not whole or self.iteration < 2**63, f"iteration={self.iteration} must be below 2**63"
        )
        problems.raise_if_any()
        object.__setattr__(self, "seed", (int(self.seed[0]), int(self.seed[1])))
        object.__setattr__(self, "iteration", int(self.iteration))
        object.__setattr__(self, "tensor", int(self.tensor))

    def shared(self) -> Key:
        """Return the key of what all clients and the server know."""
        return Key(self.seed, _SHARED, self.iteration, self.tensor)

    def client(self, i: int) -> Key:
        """Return the key of what client i alone draws."""
        return Key(self.seed, i, self.iteration, self.tensor)


@dataclass(frozen=True)
class JointMessage:
    """What one client sends in one round.

    Args:
        client: Its number.
        clients: Number of clients of the round.
        iteration: The round; -1 without a key.
        symbols: Levels or entries.
        scales: Norms, or None.
        bits: Exact payload length, header apart.
        d: Dimension.
        compressor: Digest of class and parameters.
        key: Word of seed, round and tensor, zero without a key.
        shared: Digest of the shared draws, zero where nothing is shared.
    """

    client: int
    clients: int
    iteration: int
    symbols: Any
    scales: Array | None
    bits: int
    d: int
    compressor: bytes
    key: bytes
    shared: bytes


def key_word(key: RoundKey | None) -> bytes:
    """Return four bytes that tell a round from every other, zero for None.

    Raises:
        ArgumentError: key is no RoundKey.
    """
    if key is None:
        return bytes(wire.WORD)
    require_round(key)
    return wire.digest(struct.pack("<4Q", *key.seed, key.iteration, key.tensor))[: wire.WORD]


def iteration_of(key: RoundKey | None) -> int:
    """Return the number of the round, -1 without a key."""
    return _NO_ROUND if key is None else key.iteration


def require_round(key: Any) -> None:
    """Raise unless key is a RoundKey."""
    if not isinstance(key, RoundKey):
        raise ArgumentError(f"key={key!r} must be a RoundKey, such as RoundKey(seed=(1, 2), iteration=0)")


def shared_digest(shared: Any) -> bytes:
    """Return 16 bytes that tell shared draws (arrays, nested tuples of them, None) from others."""
    parts: list[bytes] = []

    def collect(part: Any) -> None:
        if isinstance(part, tuple):
            parts.append(b"(%d" % len(part))
            for item in part:
                collect(item)
        elif part is not None:
            array = np.asarray(part)
            # The same numbers are the same draws, whatever type holds them.
            plain = np.ascontiguousarray(array, dtype="<f8" if array.dtype.kind == "f" else "<i8")
            parts.append(repr(array.shape).encode() + plain.tobytes())

    collect(shared)
    return wire.digest(b"|".join(parts)) if parts else bytes(16)


def require_client(client: Any, n: Any) -> None:
    """Raise unless client is a whole number from 0 to n - 1."""
    whole = all(isinstance(item, int | np.integer) and not isinstance(item, bool) for item in (client, n))
    if not whole or not 0 <= client < n:
        raise ArgumentError(f"client={client!r} must be a whole number from 0 to n - 1, with n={n!r} clients")


def one_of_each(
    messages: Iterable[JointMessage], key: RoundKey | None, compressor: bytes, shared: bytes
) -> list[JointMessage]:
    """Return the messages in the order of the clients, all of them, all of this round and compressor.

    Raises:
        ArgumentError: Something else than messages.
        MessageError: A client is missing, unknown or sent twice, or a message belongs to another round,
            compressor or shared draws; each problem names client and round.
    """
    given = list(messages)
    for item in given:
        if not isinstance(item, JointMessage):
            raise ArgumentError(f"messages hold {item!r}; give the results of message or decode")
    iteration, own_key = iteration_of(key), key_word(key)
    where = f"round {iteration}" if key is not None else "a round without key"
    if not given:
        raise MessageError(f"no message of {where} has arrived; the mean of no client is undefined")
    ((n, d), _), *_ = Counter((item.clients, item.d) for item in given).most_common(1)
    problems = []
    seen: dict[int, JointMessage] = {}
    for item in given:
        sent = f"client {item.client} sent a message of"
        if item.iteration != iteration:
            hint = "; give key=" if key is None else ""
            problems.append(f"{sent} round {item.iteration}, not {where.removeprefix('round ')}{hint}")
        elif item.key != own_key:
            problems.append(f"{sent} another seed or tensor in {where}")
        if item.compressor != compressor:
            problems.append(f"{sent} another compressor or other parameters in {where}")
        elif item.shared != shared:
            problems.append(f"{sent} other shared draws in {where}")
        if (item.clients, item.d) != (n, d):
            problems.append(
                f"client {item.client} knows {item.clients} clients and d={item.d}, not {n} and {d}, "
                f"in {where}"
            )
        elif not 0 <= item.client < n:
            problems.append(f"client {item.client} is none of the {n} clients of {where}")
        if item.client in seen:
            problems.append(f"client {item.client} sent two messages in {where}")
        seen[item.client] = item
    missing = n - sum(0 <= i < n for i in seen)
    if missing:
        # As many as were told, which may be more than there are.
        first = [str(i) for i in islice((i for i in range(n) if i not in seen), _NAMED)]
        others = f" and {missing - _NAMED} others" if missing > _NAMED else ""
        problems.append(f"no message of client {', '.join(first)}{others} in {where}")
    if problems:
        raise MessageError("; ".join(problems) + ". Ask for what is missing: a mean of the others is biased")
    return [seen[i] for i in range(n)]
