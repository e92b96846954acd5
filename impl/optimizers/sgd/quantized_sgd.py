"""SGD with quantized gradients, one codec per worker, literal and batched (arXiv 1904.01197)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.arguments import is_real
from impl.compressors.checked_input import as_float64
from impl.compressors.one_bit import OneBit
from impl.errors import Problems
from impl.optimizers.runs.batched_run import (
    Cost,
    NodeCompressor,
    require_problem,
    require_stream,
    run_batched,
)
from impl.optimizers.runs.literal_trace import LiteralTrace
from impl.optimizers.runs.run_result import RunResult
from impl.optimizers.sgd.quantized_estimator import (
    Exchange,
    QuantizedEstimator,
    Side,
    is_nested,
    require_codecs,
    require_side,
)
from impl.problems.contract import Problem

Array = npt.NDArray[Any]


def quantized_sgd_reference(
    problem: Problem,
    compressors: Sequence[Any],
    *,
    step_size: float,
    rounds: int,
    rng: np.random.Generator,
    noise_std: float = 0.0,
    side: Side = "parallel",
    momentum: float = 0.0,
    start: npt.ArrayLike | None = None,
) -> RunResult:
    """Run worker by worker; one replicate, one codec per worker, arguments as of `quantized_sgd`.

    The stream is that of `quantized_sgd` on the tier of numpy: the noise of all workers, then the draws of
    all, in order of their numbers.
    """
    P, d = problem.n, problem.d
    x = np.zeros(d) if start is None else as_float64(start).copy()
    direction, residual = np.zeros(d), np.zeros((P, d))
    trace = LiteralTrace(problem)
    for k in range(rounds + 1):
        f, gradient = 0.0, np.zeros(d)
        given = []
        for p in range(P):
            f_p, gradient_p = problem.evaluate_node(p, x)
            f += f_p / P
            gradient += gradient_p / P
            given.append(gradient_p)
        trace.point(x, f, gradient)
        if k == rounds:
            break
        if noise_std:
            given = [g + noise_std * rng.standard_normal(d) for g in given]
        draws = [codec.draw(rng, (d,)) for codec in compressors]
        given = [given[p] + residual[p] for p in range(P)]
        messages = [_message(compressors[p], given[p], draws[p]) for p in range(P)]
        decoded: dict[int, Array] = {}
        for p in range(P):
            if not is_nested(compressors[p]):
                decoded[p] = compressors[p].reconstruct(messages[p], draws[p].shared)
            if isinstance(compressors[p], OneBit):
                residual[p] = given[p] - decoded[p]
        first = sorted(decoded)
        for p in range(P):
            if is_nested(compressors[p]):
                known = first if side == "parallel" else [q for q in sorted(decoded) if q < p]
                y = sum((decoded[q] for q in known), np.zeros(d)) / len(known)
                decoded[p] = compressors[p].reconstruct(messages[p], draws[p].shared, y)
        average = sum((decoded[p] for p in range(P)), np.zeros(d)) / P
        direction = momentum * direction + average
        x = x - step_size * direction
        trace.sent([int(message.bits) for message in messages])
    return trace.result()


def _message(codec: Any, vector: Array, draws: Any) -> Any:
    """Return the message of a gradient that holds what earlier messages lost."""
    if isinstance(codec, OneBit):
        return codec.with_feedback(vector, np.zeros(len(vector)))[0]  # small means may be sent as zero
    return codec.message(vector, draws)


def quantized_sgd(
    problem: Problem,
    compressors: NodeCompressor | Sequence[NodeCompressor],
    *,
    step_size: float,
    rounds: int,
    rng: np.random.Generator,
    replicates: int = 1,
    noise_std: float = 0.0,
    side: Side = "parallel",
    momentum: float = 0.0,
    start: npt.ArrayLike | None = None,
    trace: bool = False,
    until: float | None = None,
    cost: Cost | None = None,
    observe: Callable[[Exchange], None] | None = None,
    estimator: type[QuantizedEstimator] = QuantizedEstimator,
) -> RunResult:
    r"""Run $x^{t+1}=x^t-\eta m^t$, $m^t=\beta m^{t-1}+\frac1P\sum_p\hat g_p$ (arXiv 1904.01197, section 6).

    $\hat g_p$ is what the server decodes of the message of worker p, whose gradient is $\nabla f_p(x^t)$ plus
    noise. Workers with a `NestedDitheredQuantizer` are decoded beside the mean y of other decoded messages;
    those with `OneBit` add to their gradient what their earlier messages lost (error feedback).
    Codecs with a fixed `scale` have unbounded indices.

    Args:
        problem: P worker functions on R^d.
        compressors: One codec for all workers, or one for each, in order of their numbers.
        step_size: $\eta$, positive.
        rounds: Number of steps.
        rng: The random stream, consumed chunk of replicates by chunk: the noise of a round, then its draws.
        replicates: How many independent runs.
        noise_std: Standard deviation of independent normal noise on each coordinate of each gradient.
        side: y is the mean of the decoded messages of all workers without nesting ("parallel"), or of all
            workers with smaller numbers ("sequential").
        momentum: $\beta$, in [0, 1).
        start: (d,) or (replicates, d); zero if left out.
        trace: Whether to keep all iterates.
        until: Stop once every replicate has ||x - x*||^2 <= until ||x^0 - x*||^2; None runs all rounds.
        cost: What messages cost by their bits (`impl.communication`), for the trace `cost`.
        observe: Called with the `Exchange` of every round, chunk of replicates by chunk.
        estimator: The class that makes the averages; checks put a sabotaged one here.

    Returns:
        A run; `bits` are payloads without headers, mean over the workers.

    Raises:
        ArgumentError: Everything that is wrong with the arguments, at once.
        MissingSideInfo: Nothing else is wrong, but a nested codec has no message to be decoded beside.
    """
    problems = Problems("quantized_sgd")
    require_problem(problems, problem)
    codecs = require_codecs(problems, compressors, problem.n)
    require_stream(problems, rng)
    problems.require(
        is_real(noise_std) and 0 <= noise_std < np.inf,
        f"noise_std={noise_std!r} must be a finite number of at least 0",
    )
    problems.require(
        is_real(momentum) and 0 <= momentum < 1,
        f"momentum={momentum!r} must be a number in [0, 1); 0.9 is usual",
    )
    problems.require(side in ("parallel", "sequential"), f"side={side!r} must be 'parallel' or 'sequential'")
    problems.require(
        observe is None or callable(observe),
        f"observe={observe!r} must be a function of an Exchange, such as list.append, or None",
    )
    problems.require(
        isinstance(estimator, type) and issubclass(estimator, QuantizedEstimator),
        f"estimator={estimator!r} must be QuantizedEstimator or a class derived from it; leave it out",
    )

    def begin(_: int) -> QuantizedEstimator:
        require_side(codecs, side, "quantized_sgd")  # here all arguments are known to be right
        return estimator(codecs, rng, noise_std=noise_std, side=side, momentum=momentum, observe=observe)

    return run_batched(
        problems,
        problem,
        begin,
        step_size=step_size,
        rounds=rounds,
        replicates=replicates,
        start=start,
        trace=trace,
        until=until,
        cost=cost,
    )
