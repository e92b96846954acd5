"""Training of a network by P workers that send compressed gradients, tensor by tensor (arXiv 1904.01197)."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, get_args

import numpy as np
import numpy.typing as npt

from impl.arguments import is_count, is_real
from impl.compressors.checked_input import as_float64
from impl.errors import Problems
from impl.networks.contract import Network
from impl.optimizers.runs.batched_run import require_stream
from impl.optimizers.sgd.adaptive_ratios import AdaptiveRatios, Choose, require_adaptive
from impl.optimizers.sgd.quantized_estimator import (
    Exchange,
    QuantizedEstimator,
    Side,
    largest_entry,
    require_codecs,
    require_side,
)
from impl.problems.data.digits import Classified

Array = npt.NDArray[Any]
Codecs = Callable[[int], Any]
Observer = Callable[[int, int, Exchange], None]

_FLOAT_BITS = 32
_STEPS_BETWEEN_TESTS = 10
_RECORDED = 1e300  # what an overflowed replicate enters as its loss (evidence E5)
_LARGEST_WEIGHT = 1e30  # beyond is overflow: products over the layers stay finite
_LARGEST_GRADIENT = 1e140  # sums of squares in the codecs stay finite


@dataclass(frozen=True, eq=False)
class Training:
    """What happened in R replicates of T iterations.

    Attributes:
        loss: Mean cross-entropy of the rows of an iteration, before its step, (R, T).
        evaluated: After how many iterations the network was tested, (E,): 0, 10, 20, ... and T.
        accuracy: Share of test rows in their class, (R, E).
        bits: Payload bits of each worker, scales included and headers not, (R, T, P).
        parameters: One array (R, *shape) per tensor, at the end.
        overflowed: Which replicates left the range of numbers, (R,). From then on their losses are 1e300,
            their accuracies and bits 0; their parameters are infinite.
    """

    loss: Array
    evaluated: Array
    accuracy: Array
    bits: Array
    parameters: list[Array]
    overflowed: Array


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
    start: Sequence[npt.ArrayLike] | None = None,
) -> Training:
    r"""Run $w\leftarrow w-\eta m$, $m\leftarrow\beta m+\frac1P\sum_p\hat g_p$ with the mean cross-entropy.

    Each iteration draws `batch` rows without replacement, which are cut evenly over the workers; each tensor
    of a worker's gradient is a message of its own. Weights and rows have one stream, the messages another, so
    methods with equal `rng` see equal weights at first and equal rows, whether `start` is given or not.

    Args:
        network: The network.
        data: Rows for training and for testing.
        codecs: Maps the size of a tensor to its codecs, one for all workers or one per worker; None for
            gradients that travel as they are, 32 bits an entry. `OneBit` runs with error feedback.
        workers: P.
        step_size: $\eta$, positive.
        iterations: T.
        batch: Rows of an iteration, a multiple of P.
        rng: The random stream; both streams are made of its next numbers.
        replicates: How many independent runs.
        momentum: $\beta$, in [0, 1).
        side: What nested messages are decoded beside, as of `quantized_sgd`.
        choose: Ratios for nested codecs by `AdaptiveRatios`; None for their own.
        observe: Called with the iteration, the tensor and its `Exchange` (replicate by replicate with
            `choose`), except without codecs. An overflowed replicate sends zeros. A `MessageTrace` records
            errors, overloads and clips.
        start: Initial parameters, one array (R, *shape) per tensor; those of `Network.initial` if left out.

    Raises:
        ArgumentError: Everything that is wrong with the arguments, at once and before anything is drawn;
            later, a ratio of `choose` that is none.
        MissingSideInfo: A nested codec has no message to be decoded beside.
    """
    problems = Problems("train_network")
    _require_numbers(problems, workers, step_size, iterations, batch, replicates, momentum, side)
    require_stream(problems, rng)
    _require_data(problems, network, data, batch)
    chosen = _checked_codecs(problems, network, codecs, workers, choose)
    given = _checked_start(problems, network, start, replicates)
    problems.require(
        observe is None or callable(observe),
        f"observe={observe!r} must be a function of an iteration, a tensor and its Exchange, or None",
    )
    problems.raise_if_any()
    for per_worker in chosen:
        require_side(per_worker, side, "train_network")

    rows_rng, message_rng = _split(rng)
    weights = network.initial(rows_rng, replicates)
    if given is not None:
        weights = given
    at = [0]
    links: list[_Link] = [
        _link(per_worker, message_rng, side, choose, _watch(observe, at, tensor))
        for tensor, per_worker in enumerate(chosen)
    ] or [_Uncompressed() for _ in network.shapes]
    largest = min([_LARGEST_GRADIENT, *map(largest_entry, chosen)])
    directions = [np.zeros_like(tensor) for tensor in weights]
    alive = np.ones(replicates, dtype=bool)
    evaluated = sorted({*range(0, iterations, _STEPS_BETWEEN_TESTS), iterations})
    loss, bits = np.full((replicates, iterations), _RECORDED), np.zeros((replicates, iterations, workers))
    accuracy = np.zeros((replicates, len(evaluated)))
    for t in range(iterations + 1):
        at[0] = t
        alive = alive & _within(weights, _LARGEST_WEIGHT)
        if not alive.any():
            break
        weights = [_where(alive, tensor) for tensor in weights]  # an overflowed replicate goes on at zero
        with np.errstate(over="ignore", invalid="ignore"):
            if t in evaluated:
                found = network.accuracy(weights, data.test_features, data.test_labels)
                accuracy[:, evaluated.index(t)] = _where(alive, found)
            if t == iterations:
                break
            rows = np.stack([rows_rng.permutation(len(data.labels))[:batch] for _ in range(replicates)])
            rows = rows.reshape(replicates, workers, -1)
            losses, gradients = network.loss_and_gradients(weights, data.features[rows], data.labels[rows])
            alive = alive & _within([losses], _RECORDED) & _within(gradients, largest)
        loss[:, t] = np.where(alive, losses.mean(axis=-1), _RECORDED)
        for tensor, gradient in enumerate(gradients):
            flat = _where(alive, gradient).reshape(replicates, workers, -1)
            decoded, sent = links[tensor].exchange(flat)
            bits[:, t] += _where(alive, sent)
            average = decoded.mean(axis=1).reshape(weights[tensor].shape)
            with np.errstate(over="ignore", invalid="ignore"):  # seen at the next iteration
                directions[tensor] = momentum * directions[tensor] + average
                weights[tensor] = weights[tensor] - step_size * directions[tensor]
    parameters = [_where(alive, tensor, np.inf) for tensor in weights]
    return Training(loss, np.array(evaluated), accuracy, bits, parameters, ~alive)


def _split(rng: np.random.Generator) -> tuple[np.random.Generator, np.random.Generator]:
    """Return one stream for weights and rows, and one for messages."""
    rows, messages = rng.integers(0, 2**63, size=(2, 4))
    return np.random.default_rng(rows), np.random.default_rng(messages)


def _within(arrays: Sequence[Array], largest: float) -> Array:
    """Tell which replicates have all entries of all arrays (R, ...) within this size; NaN is not."""
    parts = [np.abs(array).reshape(len(array), -1).max(axis=-1) <= largest for array in arrays]
    return np.asarray(np.logical_and.reduce(parts))


def _where(alive: Array, array: Array, otherwise: float = 0.0) -> Array:
    """Return an array (R, ...) with another number in the replicates that are not alive."""
    return array if alive.all() else np.where(alive.reshape(-1, *[1] * (array.ndim - 1)), array, otherwise)


class _Link(Protocol):
    def exchange(self, gradients: Array) -> tuple[Array, Array]:
        """Return decoded vectors (R, P, d) and bits (R, P)."""


class _Uncompressed:
    def exchange(self, gradients: Array) -> tuple[Array, Array]:
        return gradients, np.full(gradients.shape[:-1], _FLOAT_BITS * gradients.shape[-1])


def _link(
    codecs: Sequence[Any],
    rng: np.random.Generator,
    side: Side,
    choose: Choose | None,
    observe: Callable[[Exchange], None] | None,
) -> _Link:
    """Return what carries one tensor of all workers."""
    if choose is not None:
        return AdaptiveRatios(codecs, rng, choose=choose, side=side, observe=observe)
    return QuantizedEstimator(codecs, rng, side=side, observe=observe)


def _watch(observe: Observer | None, at: list[int], tensor: int) -> Callable[[Exchange], None] | None:
    if observe is None:
        return None
    return lambda exchange: observe(at[0], tensor, exchange)


# ---------------------------------------------------------------- arguments


def _require_numbers(
    problems: Problems,
    workers: int,
    step_size: float,
    iterations: int,
    batch: int,
    replicates: int,
    momentum: float,
    side: Side,
) -> None:
    counts = {"workers": workers, "iterations": iterations, "batch": batch, "replicates": replicates}
    for name, count in counts.items():
        problems.require(is_count(count), f"{name}={count!r} must be a whole number of at least 1")
    if is_count(workers) and is_count(batch):
        problems.require(batch % workers == 0, f"batch={batch} must be a multiple of workers={workers}")
    problems.require(
        is_real(step_size) and 0 < step_size < np.inf,
        f"step_size={step_size!r} must be a positive finite number; 0.5, or 0.1 with momentum, suits digits",
    )
    problems.require(
        is_real(momentum) and 0 <= momentum < 1,
        f"momentum={momentum!r} must be a number in [0, 1); 0.9 is usual",
    )
    problems.require(side in get_args(Side), f"side={side!r} must be 'parallel' or 'sequential'")


def _require_data(problems: Problems, network: Network, data: Classified, batch: int) -> None:
    """Remember rows that are not for this network, or too few for a batch."""
    is_network, is_data = isinstance(network, Network), isinstance(data, Classified)
    problems.require(is_network, f"network={network!r} must be one of impl.networks")
    problems.require(is_data, f"data={reprlib.repr(data)} must be Classified; load_digits() gives some")
    if not (is_network and is_data):
        return
    for features, labels in (("features", "labels"), ("test_features", "test_labels")):
        with problems.collect():
            rows = network.finite_rows(getattr(data, features), f"data.{features}")
            network.require_labels(rows, getattr(data, labels), f"data.{labels}")
    if is_count(batch):
        count = len(data.labels)
        problems.require(batch <= count, f"batch={batch} must be at most the number of rows, {count}")


def _checked_codecs(
    problems: Problems, network: Network, codecs: Any, workers: int, choose: Choose | None
) -> list[tuple[Any, ...]]:
    """Return the codecs of each tensor, one per worker; none without compression."""
    if codecs is None:
        problems.require(choose is None, f"choose={choose!r} needs nested codecs; give codecs")
        return []
    if not callable(codecs):
        problems.require(
            False,
            f"codecs={codecs!r} must map the size of a tensor to its codecs, such as "
            "lambda size: DitheredQuantizer(3), or be None",
        )
        return []
    chosen: list[tuple[Any, ...]] = []
    if isinstance(network, Network) and is_count(workers):
        for shape in network.shapes:
            own = Problems("train_network")
            size = math.prod(shape)
            with own.collect():
                chosen.append(require_codecs(own, codecs(size), workers))
                if choose is not None:
                    require_adaptive(own, chosen[-1], choose)
                for codec in () if own.found else chosen[-1]:  # what does not fit the size shows here
                    codec.message(np.zeros(size), codec.draw(np.random.default_rng(0), (size,)))
            for item in own.found:
                problems.require(False, f"codecs({size}): {item}")
            if own.found:  # those of other tensors would be the same again
                break
    return chosen


def _checked_start(
    problems: Problems, network: Network, start: Sequence[npt.ArrayLike] | None, replicates: int
) -> list[Array] | None:
    """Return copies of the initial parameters, None for those of the network."""
    if start is None or not isinstance(network, Network):
        return None
    expected = [(replicates, *shape) for shape in network.shapes]
    try:
        given = [as_float64(tensor).copy() for tensor in start]
    except (TypeError, ValueError, OverflowError):
        problems.require(False, f"start={reprlib.repr(start)} must be arrays of real numbers, {expected}")
        return None
    found = [tensor.shape for tensor in given]
    problems.require(found == expected, f"start of shapes {found} must have the shapes {expected}")
    for i, tensor in enumerate(given):
        if tensor.size:
            problems.require(
                np.abs(tensor).max() <= _LARGEST_WEIGHT,
                f"start[{i}] must hold finite numbers of at most {_LARGEST_WEIGHT:g}",
            )
    return given
