"""The traces of one replicate as a literal method writes them, round by round."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.optimizers.runs.run_result import RunResult
from impl.problems.contract import Problem

Array = npt.NDArray[Any]


@dataclass
class LiteralTrace:
    """Collect what `RunResult` reports.

    Args:
        problem: The problem; a solution is asked for only where it certifies one.
    """

    problem: Problem
    iterates: list[Array] = field(default_factory=list)
    objective: list[float] = field(default_factory=list)
    gradient_norm_sq: list[float] = field(default_factory=list)
    distance_sq: list[float] = field(default_factory=list)
    bits: list[float] = field(default_factory=lambda: [0.0])
    bits_slowest: list[float] = field(default_factory=lambda: [0.0])
    shift_distance_sq: list[list[float]] = field(default_factory=list)

    def point(self, x: Array, f: float, gradient: Array) -> None:
        """Note an iterate with value and gradient of f there."""
        self.iterates.append(x)
        self.objective.append(f)
        self.gradient_norm_sq.append(float(gradient @ gradient))
        if self.problem.mu > 0:
            offset = x - self.problem.solution
            self.distance_sq.append(float(offset @ offset))

    def sent(self, bits: list[int]) -> None:
        """Note the bits of one round, one number per node."""
        self.bits.append(self.bits[-1] + sum(bits) / len(bits))
        self.bits_slowest.append(self.bits_slowest[-1] + max(bits))

    def result(self) -> RunResult:
        """Return the traces with one replicate."""
        return RunResult(
            x=self.iterates[-1][None],
            objective=np.array([self.objective]),
            gradient_norm_sq=np.array([self.gradient_norm_sq]),
            distance_sq=np.array([self.distance_sq]) if self.distance_sq else None,
            bits=np.array([self.bits]),
            bits_slowest=np.array([self.bits_slowest]),
            iterates=np.array([self.iterates]),
            shift_distance_sq=np.array([self.shift_distance_sq]) if self.shift_distance_sq else None,
        )
