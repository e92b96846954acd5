"""Gradient descent without compression: what the other methods are compared with."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import Problems
from impl.optimizers.batched_run import run_batched
from impl.optimizers.run_result import RunResult
from impl.problems.contract import Problem

Array = npt.NDArray[Any]

_FLOAT_BITS = 64  # an uncompressed entry is sent as the double that it is


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
) -> RunResult:
    r"""Run $x^{k+1}=x^k-\gamma\nabla f(x^k)$; every node sends its gradient in 64 d bits per round.

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

    Raises:
        ArgumentError: everything that is wrong with the arguments, at once.
    """
    problems = Problems("gd")
    problems.require(compressor is None, f"compressor={compressor!r} must be None; dcgd takes a compressor")

    def estimate(x: Array, gradients: Array) -> tuple[Array, Array]:
        return gradients.mean(axis=-2), np.full((len(x), problem.n), float(_FLOAT_BITS * problem.d))

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
    )
