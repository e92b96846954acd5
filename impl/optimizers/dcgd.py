"""Distributed compressed gradient descent, unaware of smoothness matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import Problems
from impl.optimizers.client_compression import (
    ClientCompressor,
    compress_clients,
    is_joint,
    require_client_compressor,
)
from impl.optimizers.runs.batched_run import Cost, NodeRounds, run_batched
from impl.optimizers.runs.run_result import RunResult
from impl.problems.contract import Problem

Array = npt.NDArray[Any]


def dcgd(
    problem: Problem,
    compressor: ClientCompressor,
    *,
    step_size: float,
    rounds: int,
    rng: np.random.Generator,
    replicates: int = 1,
    start: npt.ArrayLike | None = None,
    trace: bool = False,
    until: float | None = None,
    gradient_until: float | None = None,
    cost: Cost | None = None,
) -> RunResult:
    r"""Run $x^{k+1}=x^k-\frac\gamma n\sum_iC_i(\nabla f_i(x^k))$ (arXiv 2106.03524, baseline of
    `squant/dcgd`).

    Args:
        problem: n node functions on R^d.
        compressor: applied to gradients (R, n, d), independently over nodes (its parameters may differ per
            node) or jointly.
        step_size: $\gamma$, positive.
        rounds: number of steps.
        rng: the random stream, consumed chunk of replicates by chunk.
        replicates: how many independent runs.
        start: (d,) or (replicates, d); zero if left out.
        trace: whether to keep all iterates.
        until: stop once every replicate has ||x - x*||^2 <= until ||x^0 - x*||^2; None runs all rounds.
        gradient_until: stop soon after every replicate has had ||grad f||^2 at most this; None runs all
            rounds. One that overflows before never has, so that all rounds are run. With `until`, whichever
            comes first.
        cost: what messages cost by their bits (`impl.communication`), for the trace `cost`.

    Raises:
        ArgumentError: everything that is wrong with the arguments, at once.
    """
    problems = Problems("dcgd")
    require_client_compressor(problems, compressor, rng)

    one_by_one = None if is_joint(compressor) else NodeRounds(compressor, rng)  # type: ignore[arg-type]

    def estimate(x: Array, gradients: Array) -> tuple[Array, Array]:
        if one_by_one is not None:
            return one_by_one.mean(gradients)
        decoded, bits = compress_clients(compressor, gradients, rng)
        return decoded.mean(axis=-2), bits

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
        gradient_until=gradient_until,
        cost=cost,
    )
