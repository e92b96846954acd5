"""Messages of the clients of one round, and the keys from which each end derives what it may know."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from impl.compressors.contract import Array, Key
from impl.errors import ArgumentError, MessageError

_SHARED = 2**64 - 1  # the worker under which a round keeps what all ends know


@dataclass(frozen=True)
class RoundKey:
    """Public state of a round, from which each end derives what it may know.

    Args:
        seed: Two words below 2**64, agreed once.
        iteration: Round of the method.
        tensor: Which of the tensors.
    """

    seed: tuple[int, int]
    iteration: int
    tensor: int = 0

    def __post_init__(self) -> None:
        self.shared()

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
    """

    client: int
    clients: int
    iteration: int
    symbols: Array
    scales: Array | None
    bits: int
    d: int


def require_client(client: Any, n: Any) -> None:
    """Raise unless client is a whole number from 0 to n - 1."""
    whole = isinstance(client, int | np.integer) and isinstance(n, int | np.integer)
    if not whole or not 0 <= client < n:
        raise ArgumentError(f"client={client!r} must be a whole number from 0 to n - 1, with n={n!r} clients")


def one_of_each(messages: Sequence[JointMessage], iteration: int) -> list[JointMessage]:
    """Return the messages in the order of the clients, all of them, all of one round.

    Raises:
        MessageError: A client is missing, sent twice, or sent a message of another round.
    """
    if not messages:
        raise MessageError(f"no message of round {iteration} has arrived; the mean of no client is undefined")
    n, d = messages[0].clients, messages[0].d
    problems = []
    seen: dict[int, JointMessage] = {}
    for item in messages:
        if item.iteration != iteration:
            problems.append(f"client {item.client} sent a message of round {item.iteration}, not {iteration}")
        if (item.clients, item.d) != (n, d):
            problems.append(
                f"client {item.client} knows {item.clients} clients and d={item.d}, not {n} and {d}"
            )
        if item.client in seen:
            problems.append(f"client {item.client} sent two messages in round {iteration}")
        seen[item.client] = item
    missing = [str(i) for i in range(n) if i not in seen]
    if missing:
        problems.append(f"no message of client {', '.join(missing)} in round {iteration}")
    if problems:
        raise MessageError("; ".join(problems) + ". Ask for what is missing: a mean of the others is biased")
    return [seen[i] for i in range(n)]
