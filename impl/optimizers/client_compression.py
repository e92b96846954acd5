"""Compression of the vectors of all clients: independently over clients, or jointly."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from impl.errors import Problems
from impl.optimizers.runs.batched_run import NodeCompressor, require_instance, require_stream

Array = npt.NDArray[Any]


class JointNodeCompressor(Protocol):
    """The part of a joint compressor that the methods use: all clients at once, x is (R, n, d)."""

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], /) -> Any: ...

    def compress_counted(self, x: Any, draws: Any, /) -> tuple[Any, Any]: ...


ClientCompressor = NodeCompressor | JointNodeCompressor


def is_joint(compressor: object) -> bool:
    """Return whether a compressor takes the vectors of all clients at once."""
    return all(hasattr(compressor, name) for name in ("draw", "compress_counted"))


def compress_clients(compressor: ClientCompressor, x: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Compress client vectors (R, n, d) with fresh draws; see `compress_drawn`."""
    return compress_drawn(compressor, x, compressor.draw(rng, x.shape))


def compress_drawn(compressor: ClientCompressor, x: Array, draws: Any) -> tuple[Array, Array]:
    """Return the decoded vectors of the clients (R, n, d), whose mean is the estimate, and bits (R, n)."""
    member: Any = compressor
    if is_joint(compressor):
        decoded, bits = member.compress_counted(x, draws)
        return np.asarray(decoded), np.asarray(bits)
    message = member.message(x, draws)
    return np.asarray(member.reconstruct(message, draws.shared)), np.asarray(message.bits)


class ClientRounds:
    """Compression of client vectors round after round on one random stream, as by `compress_clients`.

    Args:
        compressor: One whose class offers `rounds` is asked once what it can do for this shape.
        rng: The random stream.
        shape: (R, n, d).
    """

    def __init__(
        self, compressor: ClientCompressor, rng: np.random.Generator, shape: tuple[int, ...]
    ) -> None:
        self._compressor, self._rng, self._shape, self._draws = compressor, rng, shape, None
        # Of its class: one that passes calls on may have messages of its own.
        rounds = getattr(type(compressor), "rounds", None)
        self._rounds: Any = None if rounds is None else rounds(compressor, rng, shape)

    def draw(self) -> None:
        """Draw what the next round uses."""
        if self._rounds is None:
            self._draws = self._compressor.draw(self._rng, self._shape)
        else:
            self._rounds.draw()

    def compress(self, x: Array) -> tuple[Array, Array]:
        """Return the decoded vectors (R, n, d), until the next round, and bits (R, n)."""
        if self._rounds is None:
            return compress_drawn(self._compressor, x, self._draws)
        decoded, bits = self._rounds.compress(x)
        return decoded, bits


def require_client_compressor(problems: Problems, compressor: object, rng: object) -> None:
    """Remember a compressor or a random generator of another kind as a problem."""
    if require_instance(problems, compressor):
        one_by_one = all(hasattr(compressor, name) for name in ("draw", "message", "reconstruct"))
        problems.require(
            one_by_one or is_joint(compressor),
            f"compressor={compressor!r} must offer draw, message and reconstruct, or as a joint one draw "
            "and compress_counted, as impl.compressors do",
        )
    require_stream(problems, rng)
