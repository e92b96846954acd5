"""Smoothness-aware distributed compressed gradient descent, literal and batched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import Problems, RangeError
from impl.matrix_roots import MatrixRoots
from impl.optimizers.batched_run import NodeCompressor, compress_nodes, require_randomness, run_batched
from impl.optimizers.run_result import RunResult
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
    $x^+=x-\frac\gamma n\sum_i\mathbf L_i^{1/2}\Delta_i$. `compressors` has one entry per node. With
    compressors that draw uniforms the stream is that of `dcgd_plus`.
    """
    n, d, gamma = problem.n, problem.d, step_size
    L = np.asarray(problem.smoothness if smoothness is None else smoothness, dtype=np.float64)
    root, inverse_root, projector, lambda_max = [], [], [], []
    for i in range(n):
        L_i = np.diag(L[i]) if L.ndim == 2 else (L[i] + L[i].T) / 2
        w, V = np.linalg.eigh(L_i)
        keep = w > d * 2.0**-52 * w[-1]
        w_k, V_k = w[keep], V[:, keep]
        root.append(V_k @ np.diag(w_k**0.5) @ V_k.T)
        inverse_root.append(V_k @ np.diag(w_k**-0.5) @ V_k.T)
        projector.append(V_k @ V_k.T)
        lambda_max.append(w[-1])

    x = np.zeros(d) if start is None else np.array(start, dtype=np.float64)
    solution = problem.solution if problem.mu > 0 else None
    iterates, objective, gradient_norm_sq, distance_sq, bits = [x], [], [], [], [0.0]
    for k in range(rounds + 1):
        f, gradient, g, sent = 0.0, np.zeros(d), np.zeros(d), 0
        for i in range(n):
            f_i, gradient_i = problem.evaluate_node(i, x)
            f += f_i / n
            gradient += gradient_i / n
            if k == rounds:
                continue
            lost = np.linalg.norm(gradient_i - projector[i] @ gradient_i)
            if lost > 1e-6 * np.linalg.norm(gradient_i) + d * 2.0**-52 * lambda_max[i] * np.linalg.norm(x):
                raise RangeError(
                    f"dcgd_plus_reference: gradient of node {i} leaves the range of its matrix (A3)"
                )
            y_i = inverse_root[i] @ gradient_i
            draws = compressors[i].draw(rng, (d,))
            message = compressors[i].message(y_i, draws)
            Delta_i = compressors[i].reconstruct(message, draws.shared)
            g += root[i] @ Delta_i / n
            sent += int(message.bits)
        objective.append(f)
        gradient_norm_sq.append(gradient @ gradient)
        if solution is not None:
            distance_sq.append((x - solution) @ (x - solution))
        if k < rounds:
            x = x - gamma * g
            iterates.append(x)
            bits.append(bits[-1] + sent / n)
    return RunResult(
        x=x[None],
        objective=np.array([objective]),
        gradient_norm_sq=np.array([gradient_norm_sq]),
        distance_sq=None if solution is None else np.array([distance_sq]),
        bits=np.array([bits]),
        iterates=np.array([iterates]),
    )


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
) -> RunResult:
    r"""Run DCGD+ for all nodes and replicates at once (arXiv 2106.03524, claim `squant/dcgd`, no regulariser
    R).

    Node: $\Delta_i=C_i(\mathbf L_i^{+1/2}\nabla f_i(x))$. Server:
        $x^+=x-\frac\gamma n\sum_i\mathbf L_i^{1/2}\Delta_i$.

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

    Raises:
        ArgumentError: everything that is wrong with the arguments, at once.
        RangeError: a gradient outside the range of its matrix.
    """
    problems = Problems("dcgd_plus")
    require_randomness(problems, compressor, rng)
    if smoothness is None:
        smoothness = problem.smoothness
    with problems.collect():
        roots = smoothness if isinstance(smoothness, MatrixRoots) else MatrixRoots.of_nodes(smoothness)
        problems.require(
            roots.diagonal.shape == (problem.n, problem.d),
            f"smoothness has diagonals of shape {roots.diagonal.shape}; the problem has (n, d) = "
            f"{(problem.n, problem.d)}",
        )

    def estimate(x: Array, gradients: Array) -> tuple[Array, Array]:
        if check_range:
            roots.check_range(gradients, x)
        decoded, bits = compress_nodes(compressor, roots.apply_pseudo_inverse_root(gradients), rng)
        return roots.apply_root(decoded).mean(axis=-2), bits

    return run_batched(
        problems,
        problem,
        estimate,
        step_size=step_size,
        rounds=rounds,
        replicates=replicates,
        start=start,
        trace=trace,
    )
