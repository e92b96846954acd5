"""Dithered and half nested messages to the same accuracy, for `ndqsg/mnist-bits`: medians and single runs."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal

import numpy as np

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from verify.authoring.law import formulas_of
from verify.experiments.ndqsg.message_bits import HEADER_BITS, symbol_counts
from verify.experiments.ndqsg.mnist_training import PROTOCOL, Course, Layer, Plan, train
from verify.experiments.ndqsg.training_costs import bits_at, measured
from verify.experiments.ndqsg.training_methods import METHODS, NETWORKS, Setting
from verify.formulas.evaluation import evaluate
from verify.rungs.costs import Samples

Data = Literal["digits", "mnist"]

LEVELS, RATIO = 3, 3
PLANS: Mapping[Data, Plan] = {
    "digits": Plan("digits", (64, 18, 10), batch=128, iterations=40, precision="double"),
    "mnist": Plan(iterations=196),
}
"""Short runs on the digits; on MNIST the first two epochs of those of `tools/measure_mnist.py`."""

MEDIANS = Setting(iterations=30)


@cache
def course(data: Data, method: str, seed: int) -> Course:
    """Return a run; checks and their mutants share it."""
    return train(PLANS[data], PROTOCOL[method], seed)


def raw_bits(levels: int, ratio: int | None) -> int:
    """Return what the codec sends of all tensors of the network on MNIST, scales included."""
    codec = DitheredQuantizer(levels) if ratio is None else NestedDitheredQuantizer(levels, ratio)
    sizes = [int(np.prod(shape)) for shape in PLANS["mnist"].built().shapes]
    return sum(
        int(codec.message(np.zeros(size), codec.draw(np.random.default_rng(0), (size,))).bits)
        for size in sizes
    )


def counts_of(x: Any, rng: np.random.Generator, ratio: int) -> tuple[list[int], list[int]]:
    """Return how often the indices -M to M and the symbols of a ratio occur in one message."""
    nested = NestedDitheredQuantizer(LEVELS, ratio)
    draws = nested.draw(rng, np.shape(x))
    indices = nested.indices(x, draws)
    symbols = nested.symbols(indices)
    found = (
        symbol_counts(indices[None] + LEVELS, 2 * LEVELS + 1),
        symbol_counts(symbols[None] + nested.offset, ratio),
    )
    return found[0][0].tolist(), found[1][0].tolist()


def stated(name: str) -> float:
    """Return a stated number."""
    return float(evaluate(formulas_of("ndqsg/mnist-bits")[name], {}))


def late(data: Data, seen: Sequence[Layer]) -> list[Layer]:
    """Return what was seen of a tensor in the second half of a run."""
    return [one for one in seen if 2 * one.iteration >= PLANS[data].iterations]


def ratios(replicates: int) -> Callable[[Callable[[int], Any]], Mapping[str, Samples]]:
    """Return samples of ratios of bits to the accuracy on the digits, and of one."""

    def samples(stream: Callable[[int], Any]) -> Mapping[str, Samples]:
        key, goal = tuple(stream(0).integers(0, 2**63, 4).tolist()), stated("median_accuracy")
        (raw, coded), (nested_raw, nested_coded) = (
            bits_to(key, name, replicates, goal) for name in ("dqsg-3", "nested-3-3")
        )
        shares = {
            "nested raw / raw": nested_raw / raw,
            "coded / nested coded": coded / nested_coded,
            "nested coded / coded": nested_coded / coded,
            "coded / nested raw": coded / nested_raw,
            "one": np.ones(replicates),
        }
        # Where one of them has not come to the accuracy nothing is known of the ratio.
        return {
            name: (np.nan_to_num(share, nan=0.0), np.nan_to_num(share, nan=np.inf))
            for name, share in shares.items()
        }

    return samples


@cache
def bits_to(key: tuple[int, ...], method: str, replicates: int, accuracy: float) -> tuple[Any, Any]:
    """Return raw and coded bits to an accuracy on the digits, (R,), without headers; NaN for never."""
    costs = measured(MEDIANS, METHODS[method], np.random.default_rng(key), replicates)
    tensors = len(NETWORKS[MEDIANS.network]().shapes)
    headers = HEADER_BITS * MEDIANS.workers * tensors * costs.training.evaluated
    reached = costs.training.accuracy
    return bits_at(reached, costs.raw - headers, accuracy), bits_at(reached, costs.coded - headers, accuracy)
