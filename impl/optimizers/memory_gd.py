"""Distributed gradient descent with memory (error feedback), literal and batched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import as_float64
from impl.errors import Problems
from impl.optimizers.client_compression import ClientCompressor, compress_clients, require_client_compressor
from impl.optimizers.runs.batched_run import Cost, NodeCompressor, run_batched
from impl.optimizers.runs.literal_trace import LiteralTrace
from impl.optimizers.runs.run_result import RunResult
from impl.problems.contract import Problem

Array = npt.NDArray[Any]

_OVERFLOW = 1e280  # as in batched_run: room for the sums that compressors form


def memory_gd_reference(
    problem: Problem,
    compressors: Sequence[NodeCompressor],
    *,
    step_size: float,
    rounds: int,
    rng: np.random.Generator,
    start: npt.ArrayLike | None = None,
) -> RunResult:
    r"""Run gradient descent with memory node by node, as its papers write it; one replicate.

    Node: $\Delta_i=C_i(h_i+\nabla f_i(x))$, $h_i^+=h_i+\nabla f_i(x)-\Delta_i$. Server:
    $x^+=x-\frac\gamma n\sum_i\Delta_i$. `compressors` has one entry per node. With compressors that draw
    uniforms the stream is that of `memory_gd`, on the tier of numpy.
    """
    n, gamma = problem.n, step_size
    x = np.zeros(problem.d) if start is None else as_float64(start).copy()
    h = np.zeros((n, problem.d))
    trace = LiteralTrace(problem)
    for k in range(rounds + 1):
        f, gradient, g = 0.0, np.zeros(problem.d), np.zeros(problem.d)
        sent: list[int] = []
        kept = [float(h[i] @ h[i]) for i in range(n)]
        for i in range(n):
            f_i, gradient_i = problem.evaluate_node(i, x)
            f += f_i / n
            gradient += gradient_i / n
            if k == rounds:
                continue
            whole = h[i] + gradient_i
            draws = compressors[i].draw(rng, (problem.d,))
            message = compressors[i].message(whole, draws)
            Delta_i = compressors[i].reconstruct(message, draws.shared)
            g += Delta_i / n
            h[i] = whole - Delta_i
            sent.append(int(message.bits))
        trace.point(x, f, gradient)
        if problem.mu > 0:
            trace.shift_distance_sq.append(kept)
        if k < rounds:
            x = problem.prox(x - gamma * g, gamma)
            trace.sent(sent)
    return trace.result()


class MemoryEstimator:
    r"""Estimator of R replicates with what messages lost, $h_i$, one per node (claim `cat/memory-bounded`).

    $\Delta_i=C_i(h_i+\nabla f_i(x))$, $g=\frac1n\sum_i\Delta_i$, $h_i^+=h_i+\nabla f_i(x)-\Delta_i$.

    Args:
        compressor: applied to (R, n, d). One with a method `with_feedback`, as `OneBit` has, makes message
            and memory itself.
        rng: the random stream.
        shape: (R, n, d).
    """

    def __init__(
        self, compressor: ClientCompressor, rng: np.random.Generator, shape: tuple[int, int, int]
    ) -> None:
        self._compressor, self._rng = compressor, rng
        self.memory = np.zeros(shape)

    def __call__(self, x: Array, gradients: Array) -> tuple[Array, Array]:
        with np.errstate(over="ignore", invalid="ignore"):
            whole = self.memory + gradients
            healthy = np.einsum("rnd,rnd->rn", whole, whole).max(axis=-1) <= _OVERFLOW
        if not healthy.all():  # these replicates end here; their compressor must not see infinity
            gradients = np.where(healthy[:, None, None], gradients, 0.0)
            self.memory[~healthy] = 0.0
            whole = self.memory + gradients
        decoded, bits = self._sent(gradients, whole)
        self.memory = whole - decoded
        direction = decoded.mean(axis=-2)
        direction[~healthy] = np.inf
        return direction, bits

    def _sent(self, gradients: Array, whole: Array) -> tuple[Array, Array]:
        """Return what the server decodes, (R, n, d), and bits (R, n)."""
        compressor: Any = self._compressor
        if not hasattr(compressor, "with_feedback"):
            return compress_clients(compressor, whole, self._rng)
        message, _ = compressor.with_feedback(gradients, self.memory)
        return np.asarray(compressor.reconstruct(message)), np.asarray(message.bits)

    def shift_distance_sq(self) -> Array:
        r"""Return $\|h_i\|^2$, (R, n)."""
        return np.asarray(np.einsum("rnd,rnd->rn", self.memory, self.memory))

    def shifts(self) -> Array:
        """Return the memory of the nodes, (R, n, d)."""
        return self.memory


def memory_gd(
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
    cost: Cost | None = None,
) -> RunResult:
    r"""Run gradient descent with memory: what a message loses is sent later (claims `cat/memory-bounded`,
    `cat/memory-rates`).

    Node: $\Delta_i=C_i(h_i+\nabla f_i(x))$, $h_i^+=h_i+\nabla f_i(x)-\Delta_i$, $h_i^0=0$. Server:
    $x^+=x-\frac\gamma n\sum_i\Delta_i$. This is 1-bit SGD of Seide et al. (Interspeech 2014) with `OneBit`;
    Stich, Cordonnier and Jaggi (arXiv 1809.07599) keep $m_i=\gamma h_i$ and send $C_i(m_i+\gamma\nabla f_i)$,
    which are the same points where $C(cx)=cC(x)$.

    Args:
        problem: n node functions on R^d. The claims are on problems without a regulariser; where the problem
            has one, its prox follows each step.
        compressor: a contraction, $\mathbb E\|C(x)-x\|^2\le(1-\delta)\|x\|^2$, such as `TopK`, `OneBit`,
            `TopKSigns(d, scale="mean")` or `Scaled(RandK(k), Fraction(k, d))`; an unbiased compressor of
            large variance is none, and its memory can grow without bound.
        step_size: $\gamma$, positive; the rates of one node need $\gamma\le(1-\sqrt{1-\delta})/(2L)$.
        rounds: number of steps.
        rng: the random stream, consumed chunk of replicates by chunk.
        replicates: how many independent runs.
        start: (d,) or (replicates, d); zero if left out.
        trace: whether to keep all iterates and memories.
        until: stop once every replicate has ||x - x*||^2 <= until ||x^0 - x*||^2; None runs all rounds.
        cost: what messages cost by their bits (`impl.communication`), for the trace `cost`.

    Returns:
        A run with the memories as `shifts`, in units of the gradient, and $\|h_i\|^2$ as `shift_distance_sq`.

    Raises:
        ArgumentError: everything that is wrong with the arguments, at once.
    """
    problems = Problems("memory_gd")
    require_client_compressor(problems, compressor, rng)
    return run_batched(
        problems,
        problem,
        lambda size: MemoryEstimator(compressor, rng, (size, problem.n, problem.d)),
        step_size=step_size,
        rounds=rounds,
        replicates=replicates,
        start=start,
        trace=trace,
        until=until,
        cost=cost,
        shifted=True,
    )
