"""Error feedback around a deterministic codec (Stich et al. 2018): what is lost is sent later."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.contract import Draws, Message
from impl.errors import Problems

Array = npt.NDArray[Any]


class Memory:
    """A codec whose worker keeps what its messages lost; `OneBit` has that of its own.

    Args:
        codec: Deterministic, such as `TopK`: its draws are empty.

    Raises:
        ArgumentError: No codec.
    """

    def __init__(self, codec: Any) -> None:
        problems = Problems("Memory")
        problems.require(
            all(hasattr(codec, name) for name in ("draw", "message", "reconstruct")),
            f"codec={codec!r} must offer draw, message and reconstruct, such as TopK(10)",
        )
        problems.raise_if_any()
        self.codec = codec
        self.norm_bits = getattr(codec, "norm_bits", getattr(codec, "value_bits", 64))

    def __repr__(self) -> str:
        return f"Memory({self.codec!r})"

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Draws:
        """Return the draws of the codec, which are empty."""
        drawn: Draws = self.codec.draw(rng, shape)
        return drawn

    def message(self, x: Any, draws: Draws) -> Message:
        """Return a message without feedback."""
        sent: Message = self.codec.message(x, draws)
        return sent

    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        """Return what a receiver makes of a message."""
        return np.asarray(self.codec.reconstruct(message, shared, side))

    def with_feedback(self, x: Array, residual: Array) -> tuple[Message, Array]:
        """Return the message of x + residual, (..., d), and the residual of the next round."""
        total = x + residual
        sent = self.message(total, Draws())
        return sent, total - self.reconstruct(sent)
