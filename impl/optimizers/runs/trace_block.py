"""What a run writes of its rounds, a block of rounds at a time: a call of numpy for each round costs more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.optimizers.runs.overflow import squared_length
from impl.optimizers.runs.run_result import RunResult

Array = npt.NDArray[Any]

RECORDED = 1e300  # what an overflowed replicate enters in its traces (evidence E5)

_ROUNDS = 64  # of one block
_ENTRIES = 2**16  # of one of its buffers at most: it stays in the second-level cache


class Kept:
    """Sets overflowed replicates aside; where there is none, which is usual, nothing is done.

    Args:
        alive: Which replicates have not overflowed, (R,).
    """

    def __init__(self, alive: Array) -> None:
        self.alive = alive
        count = np.count_nonzero(alive)
        self.all, self.none = count == len(alive), count == 0

    def __call__(self, values: Array, other: float) -> Array:
        """Return the values with another one for overflowed replicates, (R, ...)."""
        if self.all:
            return values
        return np.where(self.alive.reshape(-1, *(1,) * (values.ndim - 1)), values, other)

    def clear(self, vectors: Array) -> None:
        """Set the vectors of overflowed replicates to zero, (R, ...)."""
        if not self.all:
            vectors[~self.alive] = 0.0


class TraceBlock:
    """Gradient norms, distances and bits of the rounds since the last `write`.

    Args:
        result: Whose columns are filled.
        chunk: Its rows.
        n: Number of nodes.
        solution: x*, (d,), or None.
        cost: What messages cost by their bits, or None.
    """

    def __init__(
        self,
        result: RunResult,
        chunk: slice,
        n: int,
        solution: Array | None,
        cost: Callable[[Array], Array] | None,
    ) -> None:
        self._result, self._chunk, self._n, self._solution, self._cost = result, chunk, n, solution, cost
        replicates, d = result.x[chunk].shape
        size = max(1, min(_ROUNDS, _ENTRIES // (replicates * max(n, d))))
        self._sums = np.empty((size, replicates, d))  # of the gradients, over the nodes
        self._offsets = None if solution is None else np.empty((size, replicates, d))
        self._bits = np.empty((size, replicates, n))
        self._overflowed: list[tuple[int, Array]] = []
        self._points = self._written = self._messages = self._sent = 0

    def point(self, x: Array, gradients: Array, kept: Kept) -> None:
        """Keep what is to be written of the next iterates, (R, d), and gradients there, (R, n, d)."""
        if self._points == len(self._sums):
            self.write()
        np.add.reduce(gradients, axis=-2, out=self._sums[self._points])
        if self._offsets is not None and self._solution is not None:
            np.subtract(x, self._solution, out=self._offsets[self._points])
        if not kept.all:
            self._overflowed.append((self._points, ~kept.alive))
        self._points += 1

    def sent(self, bits: Array, kept: Kept) -> None:
        """Keep the bits of the messages that these iterates led to, (R, n)."""
        if self._messages == len(self._bits):  # a `write` between point and message puts these one ahead
            self._write_messages()
        self._bits[self._messages] = kept(bits, 0)
        self._messages += 1

    def write(self) -> None:
        """Write what is kept."""
        self._write_points()
        self._write_messages()

    def _write_points(self) -> None:
        count, first = self._points, self._written
        columns = slice(first, first + count)
        means = self._sums[:count]
        means /= self._n
        self._write_lengths(self._result.gradient_norm_sq, columns, means)
        if self._offsets is not None and self._result.distance_sq is not None:
            self._write_lengths(self._result.distance_sq, columns, self._offsets[:count])
        self._points, self._written, self._overflowed = 0, first + count, []

    def _write_lengths(self, trace: Array, columns: slice, vectors: Array) -> None:
        """Write the squared lengths of vectors, (rounds, R, d), into columns of a trace."""
        lengths = squared_length(vectors)
        for i, overflowed in self._overflowed:
            lengths[i, overflowed] = RECORDED
        trace[self._chunk, columns] = lengths.T

    def _write_messages(self) -> None:
        count, first, bits = self._messages, self._sent, self._bits[: self._messages]
        if not count:
            return
        result = self._result
        self._add(result.bits, bits.mean(axis=-1))
        self._add(result.bits_slowest, bits.max(axis=-1))
        if self._cost is not None and result.cost is not None:
            # Without a message no cost.
            spent = [np.where(own > 0, self._cost(own), 0.0).mean(axis=-1) for own in bits]
            self._add(result.cost, np.stack(spent))
        self._messages, self._sent = 0, first + count

    def _add(self, trace: Array, sent: Array) -> None:
        """Write the sums up to each of these rounds, of numbers (rounds, R)."""
        columns = trace[self._chunk, self._sent : self._sent + len(sent) + 1]
        columns[:, 1:] = sent.T
        np.cumsum(columns, axis=1, out=columns)
