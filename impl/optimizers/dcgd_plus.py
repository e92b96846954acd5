"""Smoothness-aware distributed compressed gradient descent, literal and batched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import as_float64
from impl.errors import Problems
from impl.matrix_roots import MatrixRoots
from impl.optimizers.runs.batched_run import (
    Cost,
    NodeCompressor,
    NodeRounds,
    node_roots,
    require_randomness,
    run_batched,
)
from impl.optimizers.runs.literal_roots import literal_roots
from impl.optimizers.runs.literal_trace import LiteralTrace
from impl.optimizers.runs.run_result import RunResult
from impl.problems.contract import Problem

Array = npt.NDArray[Any]


def dcgd_plus_reference(
    problem: Problem,
    compressors: Sequence[NodeCompressor],
    *,
    step_size: float,
    rounds: int,
    rng: np.random.Generator,
    start: npt.ArrayLike | None = None,
    smoothness: npt.ArrayLike | None = None,
) -> RunResult:
    r"""Run DCGD+ node by node, as the paper writes it (arXiv 2106.03524); one replicate.

    Node: $\Delta_i=C_i(\mathbf L_i^{+1/2}\nabla f_i(x))$. Server:
    $x^+=\mathrm{prox}_{\gamma R}(x-\frac\gamma n\sum_i\mathbf L_i^{1/2}\Delta_i)$. `compressors` has
    one entry per node. With compressors that draw uniforms the stream is that of `dcgd_plus`, on the
    tier of numpy.
    """
    n, gamma = problem.n, step_size
    roots = literal_roots(problem, smoothness)
    x = np.zeros(problem.d) if start is None else as_float64(start).copy()
    trace = LiteralTrace(problem)
    for k in range(rounds + 1):
        f, gradient, g = 0.0, np.zeros(problem.d), np.zeros(problem.d)
        sent: list[int] = []
        for i in range(n):
            f_i, gradient_i = problem.evaluate_node(i, x)
            f += f_i / n
            gradient += gradient_i / n
            if k == rounds:
                continue
            roots[i].check_range(gradient_i, x, i, "dcgd_plus_reference")
            y_i = roots[i].inverse_root @ gradient_i
            draws = compressors[i].draw(rng, (problem.d,))
            message = compressors[i].message(y_i, draws)
            Delta_i = compressors[i].reconstruct(message, draws.shared)
            g += roots[i].root @ Delta_i / n
            sent.append(int(message.bits))
        trace.point(x, f, gradient)
        if k < rounds:
            x = problem.prox(x - gamma * g, gamma)
            trace.sent(sent)
    return trace.result()


def dcgd_plus(
    problem: Problem,
    compressor: NodeCompressor,
    *,
    step_size: float,
    rounds: int,
    rng: np.random.Generator,
    replicates: int = 1,
    start: npt.ArrayLike | None = None,
    smoothness: npt.ArrayLike | MatrixRoots | None = None,
    check_range: bool = True,
    trace: bool = False,
    until: float | None = None,
    cost: Cost | None = None,
) -> RunResult:
    r"""Run DCGD+ for all nodes and replicates at once (arXiv 2106.03524, claim `squant/dcgd`).

    Node: $\Delta_i=C_i(\mathbf L_i^{+1/2}\nabla f_i(x))$. Server:
    $x^+=\mathrm{prox}_{\gamma R}(x-\frac\gamma n\sum_i\mathbf L_i^{1/2}\Delta_i)$, with the
    regulariser R of the problem (`impl.problems.Composite`), zero without one.

    Args:
        problem: n node functions on R^d.
        compressor: applied to (R, n, d), independently over nodes; its parameters may differ per node.
        step_size: $\gamma$, positive; the claim needs $\gamma\le1/(L+2\mathcal L_{\max}/n)$.
        rounds: number of steps.
        rng: the random stream, consumed chunk of replicates by chunk.
        replicates: how many independent runs.
        start: (d,) or (replicates, d); zero if left out.
        smoothness: matrices to use instead of `problem.smoothness`, (n, d, d) or diagonal (n, d), or their
            `MatrixRoots` (which saves the decomposition when many runs share it). Not compared with the
            problem.
        check_range: whether a gradient outside the range of its matrix is an error (A3, claim
            `squant/range`); without it the method may converge to a wrong point.
        trace: whether to keep all iterates.
        until: stop once every replicate has ||x - x*||^2 <= until ||x^0 - x*||^2; None runs all rounds.
        cost: what messages cost by their bits (`impl.communication`), for the trace `cost`.

    Raises:
        ArgumentError: everything that is wrong with the arguments, at once.
        RangeError: a gradient outside the range of its matrix.
    """
    problems = Problems("dcgd_plus")
    require_randomness(problems, compressor, rng)
    roots, compress = node_roots(problems, problem, smoothness), NodeRounds(compressor, rng)

    def estimate(x: Array, gradients: Array) -> tuple[Array, Array]:
        if check_range:
            roots.check_range(gradients, x)
        return compress.mean(gradients, roots)

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
