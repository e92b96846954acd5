"""SGD with quantized gradients, one codec per worker, literal and batched (arXiv 1904.01197)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from impl.compressors.nested_dithered_quantizer import NestedDitheredQuantizer
from impl.errors import MissingSideInfo, Problems
from impl.optimizers.batched_run import NodeCompressor, require_stream, run_batched
from impl.optimizers.literal_trace import LiteralTrace
from impl.optimizers.run_result import RunResult
from impl.problems.contract import Problem

Array = npt.NDArray[Any]
Side = Literal["parallel", "sequential"]

_MOST_STEPS = 2.0**51  # a fixed scale refuses 2**52 steps; half of it leaves room for the noise
_LARGEST_SINGLE = 1e38  # scales of 32 bits


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

    The stream is that of `quantized_sgd`: the noise of all workers, then the draws of all, in order of their
    numbers.
    """
    P, d = problem.n, problem.d
    x = np.zeros(d) if start is None else np.array(start, dtype=np.float64)
    direction = np.zeros(d)
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
        messages = [compressors[p].message(given[p], draws[p]) for p in range(P)]
        decoded: dict[int, Array] = {}
        for p in range(P):
            if not _is_nested(compressors[p]):
                decoded[p] = compressors[p].reconstruct(messages[p], draws[p].shared)
        first = sorted(decoded)
        for p in range(P):
            if _is_nested(compressors[p]):
                known = first if side == "parallel" else [q for q in sorted(decoded) if q < p]
                y = sum((decoded[q] for q in known), np.zeros(d)) / len(known)
                decoded[p] = compressors[p].reconstruct(messages[p], draws[p].shared, y)
        average = sum((decoded[p] for p in range(P)), np.zeros(d)) / P
        direction = momentum * direction + average
        x = x - step_size * direction
        trace.sent([int(message.bits) for message in messages])
    return trace.result()


def _is_nested(codec: Any) -> bool:
    return isinstance(codec, NestedDitheredQuantizer)


@dataclass(frozen=True, eq=False)
class Exchange:
    """One round of R replicates, for those who watch a run.

    Attributes:
        gradients: What the workers compressed, noise included, (R, P, d).
        decoded: What the server made of it, (R, P, d).
        side: Side information, (R, P, d); NaN for workers that need none.
        shared: Dither, (R, P, d).
        messages: The messages of each group of consecutive workers with equal codecs, with the group.
    """

    gradients: Array
    decoded: Array
    side: Array
    shared: Array
    messages: tuple[tuple[range, Any], ...]


class QuantizedEstimator:
    """Averages of decoded messages of R replicates; one call a round.

    Args:
        compressors: One codec per worker.
        rng: The random stream: the noise of a round, then its draws, in order of the workers.
        noise_std: Standard deviation of the noise of a gradient, per coordinate.
        side: What second-group workers are decoded beside.
        momentum: Factor of the last direction.
        observe: Called with each round, None for nobody.
    """

    def __init__(
        self,
        compressors: Sequence[Any],
        rng: np.random.Generator,
        *,
        noise_std: float = 0.0,
        side: Side = "parallel",
        momentum: float = 0.0,
        observe: Callable[[Exchange], None] | None = None,
    ) -> None:
        self.compressors, self.rng = tuple(compressors), rng
        self.noise_std, self.side, self.momentum, self.observe = noise_std, side, momentum, observe
        self.groups = _groups(self.compressors)
        self.direction: Array | None = None
        self._limit = min((_largest_entry(codec) for codec in self.compressors), default=np.inf)

    def __call__(self, x: Array, gradients: Array) -> tuple[Array, Array]:
        noisy = self.noisy(gradients)
        healthy = np.abs(noisy).max(axis=(-1, -2)) <= self._limit
        if not healthy.all():  # these replicates end here; their codecs must not see such gradients
            noisy = np.where(healthy[:, None, None], noisy, 0.0)
        decoded, bits = self.exchange(noisy)
        average = decoded.mean(axis=-2)
        if self.momentum and self.direction is not None:
            average = average + self.momentum * self.direction
        self.direction = average
        return (average if healthy.all() else np.where(healthy[:, None], average, np.inf)), bits

    def noisy(self, gradients: Array) -> Array:
        """Return the gradients of the workers with their noise, (R, P, d)."""
        if not self.noise_std:
            return gradients
        return np.asarray(gradients + self.noise_std * self.rng.standard_normal(gradients.shape))

    def draws(self, group: range, shape: tuple[int, ...]) -> Any:
        """Return fresh draws for the workers of a group, shape (R, m, d)."""
        return self.compressors[group[0]].draw(self.rng, shape)

    def transmit(self, group: range, x: Array, draws: Any, side: Array | None) -> tuple[Array, Any]:
        """Return decoded vectors (R, m, d) of some workers of a group, and their messages."""
        codec = self.compressors[group[0]]
        message = codec.message(x, draws)
        return np.asarray(codec.reconstruct(message, draws.shared, side)), message

    def exchange(self, gradients: Array) -> tuple[Array, Array]:
        """Return all decoded vectors, (R, P, d), and bits (R, P)."""
        R, _, d = gradients.shape
        decoded, bits = np.zeros(gradients.shape), np.zeros(gradients.shape[:-1])
        side = np.full(gradients.shape, np.nan) if self.observe else None
        drawn = {group: self.draws(group, (R, len(group), d)) for group in self.groups}
        sent: dict[range, list[Any]] = {group: [] for group in self.groups}
        plain = [group for group in self.groups if not self._needs_side(group)]
        nested = [group for group in self.groups if self._needs_side(group)]
        done: list[int] = []

        def send(group: range, workers: range, y: Array | None) -> None:
            rows = slice(workers[0], workers[-1] + 1)
            known = None if y is None else np.broadcast_to(y[:, None], (R, len(workers), d))
            part = _part(drawn[group], group, workers)
            decoded[:, rows], message = self.transmit(group, gradients[:, rows], part, known)
            bits[:, rows] = message.bits
            sent[group].append(message)
            if side is not None and known is not None:
                side[:, rows] = known

        if self.side == "parallel" or not nested:
            for group in plain:
                send(group, group, None)
                done += group
            for group in nested:
                send(group, group, decoded[:, done].mean(axis=1))
        else:
            total = np.zeros((R, d))
            for group in self.groups:
                parts = [range(p, p + 1) for p in group] if group in nested else [group]
                for workers in parts:
                    send(group, workers, total / workers[0] if group in nested else None)
                    total += decoded[:, workers[0] : workers[-1] + 1].sum(axis=1)
        if self.observe and side is not None:
            shared = np.concatenate([np.asarray(drawn[group].shared) for group in self.groups], axis=1)
            pairs = tuple((group, message) for group in self.groups for message in sent[group])
            self.observe(Exchange(gradients, decoded, side, shared, pairs))
        return decoded, bits

    def _needs_side(self, group: range) -> bool:
        return _is_nested(self.compressors[group[0]])


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
    observe: Callable[[Exchange], None] | None = None,
    estimator: type[QuantizedEstimator] = QuantizedEstimator,
) -> RunResult:
    r"""Run $x^{t+1}=x^t-\eta m^t$, $m^t=\beta m^{t-1}+\frac1P\sum_p\hat g_p$ (arXiv 1904.01197, section 6).

    $\hat g_p$ is what the server decodes of the message of worker p, whose gradient is $\nabla f_p(x^t)$ plus
    noise. Workers with a `NestedDitheredQuantizer` are decoded beside the mean y of other decoded messages.
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
        observe: Called with the `Exchange` of every round, chunk of replicates by chunk.
        estimator: The class that makes the averages; checks put a sabotaged one here.

    Returns:
        A run; `bits` are payloads without headers, mean over the workers.

    Raises:
        ArgumentError: Everything that is wrong with the arguments, at once.
        MissingSideInfo: A nested codec has no message to be decoded beside.
    """
    problems = Problems("quantized_sgd")
    codecs = _codecs(problems, compressors, problem.n)
    require_stream(problems, rng)
    problems.require(
        _is_number(noise_std) and 0 <= noise_std < np.inf,
        f"noise_std={noise_std!r} must be a finite number of at least 0",
    )
    problems.require(
        _is_number(momentum) and 0 <= momentum < 1,
        f"momentum={momentum!r} must be a number in [0, 1); 0.9 is usual",
    )
    problems.require(side in ("parallel", "sequential"), f"side={side!r} must be 'parallel' or 'sequential'")
    _require_side(codecs, side)
    return run_batched(
        problems,
        problem,
        lambda _: estimator(codecs, rng, noise_std=noise_std, side=side, momentum=momentum, observe=observe),
        step_size=step_size,
        rounds=rounds,
        replicates=replicates,
        start=start,
        trace=trace,
        until=until,
    )


def _codecs(problems: Problems, compressors: Any, workers: int) -> tuple[Any, ...]:
    """Return one codec per worker; remember what is wrong with them."""
    several = isinstance(compressors, Sequence) and not isinstance(compressors, str)
    codecs = tuple(compressors) if several else (compressors,) * workers
    problems.require(
        len(codecs) == workers,
        f"compressors holds {len(codecs)} codecs, the problem has {workers} workers; give one codec, or one "
        "for each worker",
    )
    for p, codec in enumerate(codecs if several else codecs[:1]):
        problems.require(
            all(hasattr(codec, name) for name in ("draw", "message", "reconstruct")),
            f"compressors{f'[{p}]' if several else ''}={codec!r} must offer draw, message and reconstruct, "
            "as impl.compressors do",
        )
    return codecs


def _require_side(codecs: Sequence[Any], side: str) -> None:
    """Refuse nested codecs without a message before them.

    Raises:
        MissingSideInfo: There is none.
    """
    nested = [p for p, codec in enumerate(codecs) if _is_nested(codec)]
    if nested and (len(nested) == len(codecs) or (side == "sequential" and nested[0] == 0)):
        raise MissingSideInfo(
            f"quantized_sgd: worker {nested[0]} has the nested codec {codecs[nested[0]]!r} and no message to "
            "be decoded beside; give workers before it a DitheredQuantizer"
        )


def _groups(codecs: Sequence[Any]) -> tuple[range, ...]:
    """Return the runs of consecutive workers with equal codecs, which are compressed in one array."""
    groups, first = [], 0
    for _, members in itertools.groupby(codecs):
        count = len(list(members))
        groups.append(range(first, first + count))
        first += count
    return tuple(groups)


def _part(draws: Any, group: range, workers: range) -> Any:
    """Return the draws of some workers of a group."""
    if workers == group:
        return draws
    rows = slice(workers[0] - group[0], workers[-1] + 1 - group[0])
    return type(draws)(shared=draws.shared[:, rows], private=draws.private)


def _largest_entry(codec: Any) -> float:
    """Return the largest entry of a gradient that a codec accepts."""
    scale, levels = getattr(codec, "scale", None), getattr(codec, "levels", 1)
    largest = _LARGEST_SINGLE if getattr(codec, "norm_bits", 64) == 32 else np.inf
    return min(largest, np.inf if scale is None else float(scale) / float(levels) * _MOST_STEPS)


def _is_number(value: object) -> bool:
    return isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)
