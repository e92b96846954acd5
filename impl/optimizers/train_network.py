"""Training of a network by P workers that send compressed gradients, tensor by tensor (arXiv 1904.01197)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, get_args

import numpy as np
import numpy.typing as npt

from impl.errors import Problems
from impl.networks.contract import Network
from impl.optimizers.adaptive_ratios import AdaptiveRatios, Choose
from impl.optimizers.batched_run import is_count, is_real, require_stream
from impl.optimizers.quantized_estimator import (
    Exchange,
    QuantizedEstimator,
    Side,
    require_codecs,
    require_side,
)
from impl.problems.digits import Classified

Array = npt.NDArray[Any]
Codecs = Callable[[int], Sequence[Any]]
Observer = Callable[[int, int, Exchange], None]

_FLOAT_BITS = 32
_STEPS_BETWEEN_TESTS = 10


@dataclass(frozen=True, eq=False)
class Training:
    """What happened in R replicates of T iterations.

    Attributes:
        loss: Mean cross-entropy of the rows of an iteration, before its step, (R, T).
        evaluated: After how many iterations the network was tested, (E,), from 0 to T.
        accuracy: Share of test rows in their class, (R, E).
        bits: Payload bits of each worker, scales included and headers not, (R, T, P).
        parameters: One array (R, *shape) per tensor, at the end.
    """

    loss: Array
    evaluated: Array
    accuracy: Array
    bits: Array
    parameters: list[Array]


def train_network(
    network: Network,
    data: Classified,
    codecs: Codecs | None,
    *,
    workers: int,
    step_size: float,
    iterations: int,
    batch: int,
    rng: np.random.Generator,
    replicates: int = 1,
    momentum: float = 0.0,
    side: Side = "parallel",
    choose: Choose | None = None,
    observe: Observer | None = None,
    start: Sequence[Array] | None = None,
) -> Training:
    r"""Run $w\leftarrow w-\eta m$, $m\leftarrow\beta m+\frac1P\sum_p\hat g_p$ with the mean cross-entropy.

    Each iteration draws `batch` rows without replacement, which are cut evenly over the workers; each tensor
    of a worker's gradient is a message of its own. The stream is split into one for weights and rows and one
    for the messages, so methods with equal streams see equal rows.

    Args:
        network: The network.
        data: Rows for training and for testing.
        codecs: Maps the size of a tensor to one codec per worker; None for gradients that travel as they are,
            32 bits an entry. `OneBit` runs with error feedback.
        workers: P.
        step_size: $\eta$, positive.
        iterations: T.
        batch: Rows of an iteration, a multiple of P.
        rng: The random stream; it is split.
        replicates: How many independent runs.
        momentum: $\beta$, in [0, 1).
        side: What nested messages are decoded beside, as of `quantized_sgd`.
        choose: Ratios for nested codecs by `AdaptiveRatios`; None for their own.
        observe: Called with the iteration, the tensor and its `Exchange` (replicate by replicate with
            `choose`).
        start: Initial parameters, one array (R, *shape) per tensor; those of `Network.initial` if left out.

    Raises:
        ArgumentError: Everything that is wrong with the arguments, at once.
        MissingSideInfo: A nested codec has no message to be decoded beside.
    """
    _validate(data, workers, step_size, iterations, batch, rng, replicates, momentum, side)
    rows_rng, message_rng = rng.spawn(2)
    weights = network.initial(rows_rng, replicates)
    if start is not None:
        weights = [np.array(tensor, dtype=np.float64) for tensor in start]
    at = [0]
    links = [
        _link(codecs, math.prod(shape), workers, message_rng, side, choose, _watch(observe, at, tensor))
        for tensor, shape in enumerate(network.shapes)
    ]
    directions = [np.zeros_like(tensor) for tensor in weights]
    loss, bits = np.empty((replicates, iterations)), np.zeros((replicates, iterations, workers))
    evaluated, accuracy = [], []
    for t in range(iterations + 1):
        if t % _STEPS_BETWEEN_TESTS == 0 or t == iterations:
            evaluated.append(t)
            accuracy.append(network.accuracy(weights, data.test_features, data.test_labels))
        if t == iterations:
            break
        at[0] = t
        rows = np.stack([rows_rng.permutation(len(data.labels))[:batch] for _ in range(replicates)])
        rows = rows.reshape(replicates, workers, -1)
        losses, gradients = network.loss_and_gradients(weights, data.features[rows], data.labels[rows])
        loss[:, t] = losses.mean(axis=-1)
        for tensor, gradient in enumerate(gradients):
            decoded, sent = links[tensor].exchange(gradient.reshape(replicates, workers, -1))
            bits[:, t] += sent
            average = decoded.mean(axis=1).reshape(weights[tensor].shape)
            directions[tensor] = momentum * directions[tensor] + average
            weights[tensor] = weights[tensor] - step_size * directions[tensor]
    return Training(loss, np.array(evaluated), np.stack(accuracy, axis=-1), bits, weights)


class _Link(Protocol):
    def exchange(self, gradients: Array) -> tuple[Array, Array]:
        """Return decoded vectors (R, P, d) and bits (R, P)."""


class _Uncompressed:
    def exchange(self, gradients: Array) -> tuple[Array, Array]:
        return gradients, np.full(gradients.shape[:-1], _FLOAT_BITS * gradients.shape[-1])


def _link(
    codecs: Codecs | None,
    size: int,
    workers: int,
    rng: np.random.Generator,
    side: Side,
    choose: Choose | None,
    observe: Callable[[Exchange], None] | None,
) -> _Link:
    """Return what carries one tensor of all workers."""
    if codecs is None:
        return _Uncompressed()
    problems = Problems("train_network")
    chosen = require_codecs(problems, codecs(size), workers)
    problems.raise_if_any()
    require_side(chosen, side, "train_network")
    if choose is not None:
        return AdaptiveRatios(chosen, rng, choose=choose, side=side, observe=observe)
    return QuantizedEstimator(chosen, rng, side=side, observe=observe)


def _watch(observe: Observer | None, at: list[int], tensor: int) -> Callable[[Exchange], None] | None:
    if observe is None:
        return None
    return lambda exchange: observe(at[0], tensor, exchange)


def _validate(
    data: Classified,
    workers: int,
    step_size: float,
    iterations: int,
    batch: int,
    rng: np.random.Generator,
    replicates: int,
    momentum: float,
    side: Side,
) -> None:
    problems = Problems("train_network")
    counts = {"workers": workers, "iterations": iterations, "batch": batch, "replicates": replicates}
    for name, count in counts.items():
        problems.require(is_count(count), f"{name}={count!r} must be a whole number of at least 1")
    if is_count(workers) and is_count(batch):
        rows = len(data.labels)
        problems.require(
            batch % workers == 0 and batch <= rows,
            f"batch={batch} must be a multiple of workers={workers}, at most {rows}",
        )
    problems.require(
        is_real(step_size) and 0 < step_size < np.inf,
        f"step_size={step_size!r} must be a positive finite number; 0.5, or 0.1 with momentum, suits digits",
    )
    problems.require(
        is_real(momentum) and 0 <= momentum < 1,
        f"momentum={momentum!r} must be a number in [0, 1); 0.9 is usual",
    )
    problems.require(side in get_args(Side), f"side={side!r} must be 'parallel' or 'sequential'")
    require_stream(problems, rng)
    problems.raise_if_any()
