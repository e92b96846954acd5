"""What a run on wires leaves, however it ended."""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Status = Literal["done", "diverged", "failed", "interrupted"]


@dataclass(frozen=True)
class Round:
    """A round that is over.

    Attributes:
        seconds: From the start of the run to the end of the round.
        up: Bytes of the frames of all workers.
        down: Bytes of the frames of the server.
        longest: Bytes of the longest frame of a worker, for which the server waits.
        cpu: CPU seconds of the server, and of the workers that are in its process.
    """

    seconds: float
    up: int
    down: int
    longest: int
    cpu: float


@dataclass
class Outcome:
    """What a run leaves.

    Attributes:
        status: How it ended.
        reason: Why, where it is not done.
        points: The points x^0, x^1, ... that were reached, each (d,).
        rounds: The rounds that led to x^1, x^2, ...
        reports: What each worker says of its time at the end, by worker; empty where the run broke off.
        server: What the server says of its own.
    """

    status: Status = "done"
    reason: str = ""
    points: list[Array] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    reports: list[dict[str, float]] = field(default_factory=list)
    server: dict[str, float] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Seconds of all rounds."""
        return self.rounds[-1].seconds if self.rounds else 0.0

    def same_course(self, other: "Outcome") -> str:
        """Return the first way in which the rounds, bytes or points of two runs differ, or nothing."""
        if len(self.rounds) != len(other.rounds):
            return f"{len(self.rounds)} rounds, not {len(other.rounds)}"
        for k, (one, two) in enumerate(zip(self.rounds, other.rounds, strict=True)):
            if (one.up, one.down) != (two.up, two.down):
                return f"{one.up} bytes up and {one.down} down in round {k}, not {two.up} and {two.down}"
        for k, (x, y) in enumerate(zip(self.points, other.points, strict=True)):
            if not np.array_equal(x, y):
                return f"another point after {k} rounds"
        return ""
