"""Smoothness-aware DIANA, literal and batched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import as_float64
from impl.errors import Problems
from impl.matrix_roots import MatrixRoots
from impl.optimizers.runs.batched_run import Cost, NodeCompressor, node_roots
from impl.optimizers.runs.literal_roots import literal_roots
from impl.optimizers.runs.literal_trace import LiteralTrace
from impl.optimizers.runs.run_result import RunResult
from impl.optimizers.shifted_compression import run_shifted
from impl.problems.contract import Problem

Array = npt.NDArray[Any]


def diana_plus_reference(
    problem: Problem,
    compressors: Sequence[NodeCompressor],
    *,
    step_size: float,
    learning_rate: float,
    rounds: int,
    rng: np.random.Generator,
    start: npt.ArrayLike | None = None,
    shifts: npt.ArrayLike | None = None,
    smoothness: npt.ArrayLike | None = None,
) -> RunResult:
    r"""Run DIANA+ node by node, as the paper writes it (arXiv 2106.03524); one replicate.

    Node: $\Delta_i=C_i(\mathbf L_i^{+1/2}(\nabla f_i(x)-h_i))$, $h_i^+=h_i+\alpha\mathbf L_i^{1/2}\Delta_i$.
    Server: $x^+=\mathrm{prox}_{\gamma R}(x-\frac\gamma n\sum_i(h_i+\mathbf L_i^{1/2}\Delta_i))$.
    `compressors` has one entry per node. With compressors that draw uniforms the stream is that of
    `diana_plus`, on the tier of numpy.
    """
    n, gamma, alpha = problem.n, step_size, learning_rate
    roots = literal_roots(problem, smoothness)
    x = np.zeros(problem.d) if start is None else as_float64(start).copy()
    h = np.zeros((n, problem.d)) if shifts is None else as_float64(shifts).copy()
    trace = LiteralTrace(problem)
    for k in range(rounds + 1):
        f, gradient, g = 0.0, np.zeros(problem.d), np.zeros(problem.d)
        sent: list[int] = []
        distances = []
        for i in range(n):
            f_i, gradient_i = problem.evaluate_node(i, x)
            f += f_i / n
            gradient += gradient_i / n
            if problem.mu > 0:
                _, limit = problem.evaluate_node(i, problem.solution)
                offset = roots[i].inverse_root @ (h[i] - limit)
                distances.append(float(offset @ offset))
            if k == rounds:
                continue
            roots[i].check_range(gradient_i, x, i, "diana_plus_reference")
            draws = compressors[i].draw(rng, (problem.d,))
            message = compressors[i].message(roots[i].inverse_root @ (gradient_i - h[i]), draws)
            Delta_i = compressors[i].reconstruct(message, draws.shared)
            decoded = roots[i].root @ Delta_i
            g += (h[i] + decoded) / n
            h[i] = h[i] + alpha * decoded
            sent.append(int(message.bits))
        trace.point(x, f, gradient)
        trace.shift_distance_sq.append(distances)
        if k < rounds:
            x = problem.prox(x - gamma * g, gamma)
            trace.sent(sent)
    return trace.result()


def diana_plus(
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
    smoothness: npt.ArrayLike | MatrixRoots | None = None,
    check_range: bool = True,
    omega: float | None = None,
    trace: bool = False,
    until: float | None = None,
    cost: Cost | None = None,
) -> RunResult:
    r"""Run DIANA+ for all nodes and replicates at once (arXiv 2106.03524, claim `squant/diana`).

    Node: $\Delta_i=C_i(\mathbf L_i^{+1/2}(\nabla f_i(x)-h_i))$, $h_i^+=h_i+\alpha\mathbf L_i^{1/2}\Delta_i$.
    Server: $x^+=\mathrm{prox}_{\gamma R}(x-\frac\gamma n\sum_i(h_i+\mathbf L_i^{1/2}\Delta_i))$, with the
    regulariser R of the problem (`impl.problems.Composite`), zero without one.

    Args:
        problem: n node functions on R^d.
        compressor: applied to (R, n, d), independently over nodes; its parameters may differ per node.
        step_size: $\gamma$, positive; the claim needs $\gamma\le1/(L+6\mathcal L_{\max}/n)$.
        learning_rate: $\alpha\in(0,1]$; the claim needs $\alpha\le1/(1+\omega)$.
        rounds: number of steps.
        rng: the random stream, consumed chunk of replicates by chunk.
        replicates: how many independent runs.
        start: (d,) or (replicates, d); zero if left out.
        shifts: first shifts $h_i^0$, (n, d), each in the range of its matrix; zero if left out.
        smoothness: matrices to use instead of `problem.smoothness`, (n, d, d) or diagonal (n, d), or their
            `MatrixRoots` (which saves the decomposition when many runs share it). Not compared with the
            problem.
        check_range: whether a gradient or a first shift outside the range of its matrix is an error (A3,
            claim `squant/range`); without it the method may converge to a wrong point.
        omega: variance constant of the compressor; if given, a larger learning rate is an error.
        trace: whether to keep all iterates and shifts.
        until: stop once every replicate has ||x - x*||^2 <= until ||x^0 - x*||^2; None runs all rounds.
        cost: what messages cost by their bits (`impl.communication`), for the trace `cost`.

    Returns:
        A run with `shift_distance_sq`, the $\|h_i-\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2$ of the
        Lyapunov function.

    Raises:
        ArgumentError: everything that is wrong with the arguments, at once.
        RangeError: a gradient or a first shift outside the range of its matrix.
    """
    problems = Problems("diana_plus")
    return run_shifted(
        problems,
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
        roots=node_roots(problems, problem, smoothness),
        check_range=check_range,
    )
