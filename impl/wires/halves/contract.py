"""What a half offers, and what all workers and all servers do."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.bit_stream import BitReader, BitWriter
from impl.problems.contract import Problem
from impl.wires.numbers import rounded

Array = npt.NDArray[Any]


class Worker(ABC):
    """One worker: its own part of the problem, a problem of one node.

    Attributes:
        part: That part.
        gradient_seconds: Time spent in gradients.
    """

    def __init__(self, part: Problem) -> None:
        self.part = part
        self.gradient_seconds = 0.0

    @abstractmethod
    def answer(self, k: int, x: Array) -> BitWriter:
        """Return the payload of round k, at the point x (d,) of the server."""

    def gradient(self, x: Array) -> Array:
        """Return the gradient of the own function, (d,)."""
        start = perf_counter()
        found = np.asarray(self.part.gradients(x)[0])
        self.gradient_seconds += perf_counter() - start
        return found


class Server(ABC):
    """The server: a point, and no data.

    Args:
        start: x^0, (d,).
        step_size: gamma.
        point_bits: Bits of a number of the point that is sent; the server rounds its own point likewise.
    """

    def __init__(self, start: Array, *, step_size: float, point_bits: int) -> None:
        self.x = rounded(np.asarray(start, dtype=np.float64), point_bits)
        self.step_size, self.point_bits = step_size, point_bits

    @abstractmethod
    def direction(self, k: int, payloads: Sequence[BitReader]) -> Array:
        """Return the direction of round k, (d,), from the payloads of all workers in their order."""

    def step(self, k: int, payloads: Sequence[BitReader]) -> None:
        """Move the point."""
        with np.errstate(over="ignore", invalid="ignore"):  # the session tells where a run diverges
            self.x = rounded(self.x - self.step_size * self.direction(k, payloads), self.point_bits)
