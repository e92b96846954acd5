"""DIANA: compressed differences to learnt shifts, unaware of smoothness matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import Problems
from impl.optimizers.runs.batched_run import Cost, NodeCompressor
from impl.optimizers.runs.run_result import RunResult
from impl.optimizers.shifted_compression import run_shifted
from impl.problems.contract import Problem

Array = npt.NDArray[Any]


def diana(
    problem: Problem,
    compressor: NodeCompressor,
    *,
    step_size: float,
    learning_rate: float,
    rounds: int,
    rng: np.random.Generator,
    replicates: int = 1,
    start: npt.ArrayLike | None = None,
    shifts: npt.ArrayLike | None = None,
    omega: float | None = None,
    trace: bool = False,
    until: float | None = None,
    cost: Cost | None = None,
) -> RunResult:
    r"""Run DIANA for all nodes and replicates at once: `diana_plus` with the identity for each matrix.

    Args:
        problem: n node functions on R^d; a regulariser R where it is a `Composite`.
        compressor: applied to (R, n, d), independently over nodes; its parameters may differ per node.
        step_size: $\gamma$, positive; the rate needs $\gamma\le1/(L+6\omega L_{\max}/n)$.
        learning_rate: $\alpha\in(0,1]$; the rate needs $\alpha\le1/(1+\omega)$.
        rounds: number of steps.
        rng: the random stream, consumed chunk of replicates by chunk.
        replicates: how many independent runs.
        start: (d,) or (replicates, d); zero if left out.
        shifts: first shifts $h_i^0$, (n, d); zero if left out.
        omega: variance constant of the compressor; if given, a larger learning rate is an error.
        trace: whether to keep all iterates and shifts.
        until: stop once every replicate has ||x - x*||^2 <= until ||x^0 - x*||^2; None runs all rounds.
        cost: what messages cost by their bits (`impl.communication`), for the trace `cost`.

    Raises:
        ArgumentError: everything that is wrong with the arguments, at once.
    """
    return run_shifted(
        Problems("diana"),
        problem,
        compressor,
        rng,
        step_size=step_size,
        learning_rate=learning_rate,
        rounds=rounds,
        replicates=replicates,
        start=start,
        shifts=shifts,
        omega=omega,
        trace=trace,
        until=until,
        cost=cost,
    )
