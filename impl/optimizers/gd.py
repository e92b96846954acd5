"""Gradient descent without compression: what the other methods are compared with."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import Problems
from impl.optimizers.runs.batched_run import Cost, run_batched
from impl.optimizers.runs.run_result import RunResult
from impl.problems.contract import Problem

Array = npt.NDArray[Any]


def gd(
    problem: Problem,
    compressor: None = None,
    *,
    step_size: float,
    rounds: int,
    rng: np.random.Generator | None = None,
    replicates: int = 1,
    start: npt.ArrayLike | None = None,
    trace: bool = False,
    until: float | None = None,
    float_bits: int = 64,
    cost: Cost | None = None,
) -> RunResult:
    r"""Run $x^{k+1}=x^k-\gamma\nabla f(x^k)$; every node sends its gradient in each round.

    Args:
        problem: n node functions on R^d.
        compressor: must be None; it is there so that all methods are called alike.
        step_size: $\gamma$, positive; at most 1/L for descent.
        rounds: number of steps.
        rng: not used.
        replicates: how many runs; they differ only if their starts do.
        start: (d,) or (replicates, d); zero if left out.
        trace: whether to keep all iterates.
        until: stop once every replicate has ||x - x*||^2 <= until ||x^0 - x*||^2; None runs all rounds.
        float_bits: bits of one number of a gradient, 64 or 32.
        cost: what messages cost by their bits (`impl.communication`), for the trace `cost`.

    Raises:
        ArgumentError: everything that is wrong with the arguments, at once.
    """
    problems = Problems("gd")
    problems.require(compressor is None, f"compressor={compressor!r} must be None; dcgd takes a compressor")
    problems.require(float_bits in (32, 64), f"float_bits={float_bits!r} must be 32 or 64")

    def estimate(x: Array, gradients: Array) -> tuple[Array, Array]:
        return gradients.mean(axis=-2), np.full((len(x), problem.n), float(float_bits * problem.d))

    return run_batched(
        problems,
        problem,
        lambda _: estimate,
        step_size=step_size,
        rounds=rounds,
        replicates=replicates,
        start=start,
        trace=trace,
        until=until,
        cost=cost,
    )
