"""What every method returns."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class RunResult:
    """Traces of R independent replicates over K rounds; column 0 is the start.

    A replicate that overflowed has 1e300 in its traces from then on, sends nothing more, and ends at
    infinity.

    Attributes:
        x: last iterates, (R, d).
        objective: f at the iterates, (R, K + 1).
        gradient_norm_sq: squared norm of the gradient of f, (R, K + 1).
        distance_sq: squared distance to the solution, (R, K + 1); None if the problem certifies no solution
            (mu = 0).
        bits: bits sent by a node to the server so far, mean over the nodes, payloads without headers, (R, K +
            1).
        bits_slowest: the same for the longest message of each round, for which the server waits.
        cost: cost of the messages so far, mean over the nodes, (R, K + 1), if the run was told what messages
            cost; without bits there is no message and no cost.
        iterates: all iterates, (R, K + 1, d), if the run was asked for a trace.
        shift_distance_sq: squared distances of the shifts to what they learn, per node and in the norm of
            the method, (R, K + 1, n); None for methods without shifts or problems without a solution. Of
            `memory_gd` the squared norms of the memories.
        shifts: all shifts, (R, K + 1, n, d), if a method with shifts was asked for a trace; memories of
            `memory_gd`.
    """

    x: Array
    objective: Array
    gradient_norm_sq: Array
    distance_sq: Array | None
    bits: Array
    bits_slowest: Array
    cost: Array | None = None
    iterates: Array | None = None
    shift_distance_sq: Array | None = None
    shifts: Array | None = None

    @property
    def replicates(self) -> int:
        """Number of replicates R."""
        return int(self.objective.shape[0])

    @property
    def rounds(self) -> int:
        """Number of rounds K."""
        return int(self.objective.shape[1]) - 1

    @property
    def overflowed(self) -> Array:
        """Which replicates overflowed, (R,)."""
        return np.asarray(~np.isfinite(self.x).all(axis=-1))

    def until(self, rounds: int) -> RunResult:
        """Return the same run without what lies behind round `rounds`."""
        kept = {
            item.name: value[:, : rounds + 1]
            for item in fields(self)
            if item.name != "x" and (value := getattr(self, item.name)) is not None
        }
        return replace(self, **kept)

    def repeat_from(self, rows: slice, k: int, last: int) -> None:
        """Fill the columns behind round k up to round `last` with it: these replicates stopped there."""
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name != "x" and value is not None:
                value[rows, k + 1 : last + 1] = value[rows, k, None]
