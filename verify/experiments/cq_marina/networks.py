"""MARINA on networks: full local gradients, steps from constants that are measured along gradient descent."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from impl.compressors import CorrelatedQuantizer, Independent, IndependentQuantizer, PermK, RandK
from impl.networks import FullyConnected
from impl.problems import NetworkLoss, SmoothnessConstants, load_digits, load_mnist
from verify.authoring.law import formulas_of
from verify.experiments.cq_marina.methods import (
    FLOAT_BITS,
    Method,
    first_below,
    noise_constant,
    with_noise,
)
from verify.formulas.evaluation import evaluate

Data = Literal["digits", "mnist"]
CLIENTS, BLOCK = 20, 40
"""Clients, and entries of a block that has a norm of its own."""


@dataclass(frozen=True)
class Setting:
    """A network on a data set.

    Args:
        widths: Of the network.
        pilot_step: Step of the gradient descent along which the constants are measured.
        pilot_rounds: Its rounds.
        precision: Of the gradients.
    """

    widths: tuple[int, ...]
    pilot_step: float
    pilot_rounds: int
    precision: Any


SETTINGS: Mapping[Data, Setting] = {
    "digits": Setting((64, 18, 10), 0.3, 60, "double"),
    "mnist": Setting((784, 26, 10), 0.1, 30, "single"),
}


# Rounds that runs are followed: all of them have arrived by then.
ROUNDS: Mapping[Data, Mapping[str, int]] = {
    "digits": {"perm_k": 90, "correlated": 130, "rand_k": 170, "independent": 210, "whole": 90},
    "mnist": {"perm_k": 40, "correlated": 60, "rand_k": 95, "independent": 120, "whole": 40},
}


class Blocks:
    """A joint compressor applied to consecutive blocks, each on its own.

    Args:
        compressor: The joint compressor.
        size: Entries of a block, a divisor of d.
    """

    def __init__(self, compressor: Any, size: int) -> None:
        self.compressor, self.size = compressor, size

    def draw(self, rng: Any, shape: tuple[int, ...]) -> Any:
        """Return the draws of all blocks, (..., blocks, n, size)."""
        *batch, n, d = shape
        return self.compressor.draw(rng, (*batch, d // self.size, n, self.size))

    def compress_counted(self, x: Any, draws: Any) -> Any:
        """Return the decoded clients (..., n, d), and the bits of all their blocks, (..., n)."""
        *batch, n, d = x.shape
        blocks = np.swapaxes(x.reshape(*batch, n, d // self.size, self.size), -2, -3)
        decoded, bits = self.compressor.compress_counted(blocks, draws)
        return np.swapaxes(decoded, -2, -3).reshape(x.shape), bits.sum(axis=-2)


@cache
def network_problem(data: Data, n: int = CLIENTS) -> NetworkLoss:
    """Return the loss on the training rows of a data set."""
    setting = SETTINGS[data]
    rows = load_digits() if data == "digits" else load_mnist()
    network = FullyConnected(setting.widths)
    return NetworkLoss(network, rows.features, rows.labels, n, precision=setting.precision)


@cache
def pilot_constants(data: Data) -> SmoothnessConstants:
    """Return the measured constants of a data set, from the start of the number 0."""
    problem, setting = network_problem(data), SETTINGS[data]
    start = starts(data, 1, 0)[0]
    return measured_constants(problem, start, setting.pilot_step, setting.pilot_rounds)


def starts(data: Data, replicates: int, number: int) -> Any:
    """Return initial points (replicates, d) of the stream of a number."""
    return network_problem(data).start(np.random.default_rng([number, 0]), replicates)


def measured_constants(
    problem: NetworkLoss, start: Any, step_size: float, rounds: int
) -> SmoothnessConstants:
    """Return the largest ratios of differences of gradients to those of points along gradient descent."""
    x, gradients = start, problem.gradients(start)
    found: list[tuple[float, float, float]] = []
    for _ in range(rounds):
        moved = x - step_size * gradients.mean(axis=0)
        new = problem.gradients(moved)
        differences, length = new - gradients, float(np.linalg.norm(moved - x))
        square = float((differences**2).sum(axis=-1).mean())
        mean = float(np.linalg.norm(differences.mean(axis=0)))
        apart = max(square - mean**2, 0.0)
        found.append((mean / length, square**0.5 / length, apart**0.5 / length))
        x, gradients = moved, new
    L_minus, L_plus, L_pm = (max(column) for column in zip(*found, strict=True))
    return SmoothnessConstants(L_minus, L_plus, L_pm, L_pm)


def network_method(problem: Any, name: str, constants: SmoothnessConstants) -> Method:
    """Return a method at p = argmin psi (PermK: 1/n) and the step of `cq_marina/marina-rate`.

    One-bit quantizers send a norm for each block, so that their constants are those of the size of a block.
    """
    n, d, kept = problem.n, problem.d, problem.d // problem.n
    one_bit = d // BLOCK * (FLOAT_BITS + BLOCK)
    choices: dict[str, tuple[Any, int, float]] = {
        "rand_k": (Independent(RandK(kept, value_bits=FLOAT_BITS)), d, FLOAT_BITS * kept),
        "perm_k": (PermK(value_bits=FLOAT_BITS), d, FLOAT_BITS * d / n),
        "independent": (Blocks(IndependentQuantizer("binary", norm_bits=FLOAT_BITS), BLOCK), BLOCK, one_bit),
        "correlated": (Blocks(CorrelatedQuantizer("binary", norm_bits=FLOAT_BITS), BLOCK), BLOCK, one_bit),
    }
    compressor, size, message = choices[name]
    bare = Method(name, problem, constants, compressor, np.nan, float(message), np.nan, np.nan)
    noise = noise_constant(name, n, size, kept if name == "rand_k" else size, constants)
    return with_noise(bare, noise, probability=1 / n if name == "perm_k" else None)


def stated_runs(data: Data, accuracy: str) -> tuple[SmoothnessConstants, float, int]:
    """Return the stated constants, by which steps are chosen, the squared gradient and how many starts."""
    formulas = formulas_of("cq_marina/network-bits")
    names = (f"L_minus_{data}", f"L_plus_{data}", f"L_pm_{data}", accuracy, "seeds")
    L_minus, L_plus, L_pm, square, seeds = (float(evaluate(formulas[name], {})) for name in names)
    return SmoothnessConstants(L_minus, L_plus, L_pm, L_pm), square, int(seeds)


@cache
def run_bits(data: Data, name: str, constants: SmoothnessConstants, accuracy: float, seeds: int) -> Any:
    """Return the bits of a client to a squared gradient, from starts that all methods share, (seeds,).

    "whole" is gradient descent with the step 1 / L_-, whose bits are those of its gradients.

    Raises:
        UsageError: A run has not arrived.
    """
    bits, squares = followed(data, name, constants, seeds, ROUNDS[data][name], accuracy)
    return bits[[first_below(row, accuracy) for row in squares]]


def followed(
    data: Data,
    name: str,
    constants: SmoothnessConstants,
    seeds: int,
    rounds: int,
    accuracy: float | None = None,
) -> tuple[Any, Any]:
    """Return bits of a client (rounds + 1,) and squared gradients (seeds, rounds + 1 or less) along runs.

    Starts are shared by all methods; a longer run begins as a shorter one does. With an accuracy a run ends
    soon after all of them have reached it.
    """
    problem, x = network_problem(data), starts(data, seeds, 1)
    if name == "whole":
        squares = descent(problem, x, 1 / constants.L_minus, rounds, accuracy)
        return FLOAT_BITS * problem.d * np.arange(rounds + 1), squares
    method = network_method(problem, name, constants)
    stream = np.random.default_rng([2, list(ROUNDS[data]).index(name)])
    found = method.run(stream, rounds=rounds, replicates=seeds, start=x, accuracy=accuracy).gradient_norm_sq
    return method.bits(np.arange(rounds + 1)), found


def block_error(joint: Any, size: int, inputs: Any) -> float:
    """Return the exact error of a joint compressor on blocks, at inputs (n, d)."""
    parts = np.split(inputs, inputs.shape[-1] // size, axis=-1)
    return float(sum(joint.variance(part) for part in parts))


def descent(
    problem: NetworkLoss, x: Any, step_size: float, rounds: int, accuracy: float | None = None
) -> Any:
    """Return squared gradients along gradient descent, (R, rounds + 1), or until all reached an accuracy."""
    found: list[Any] = []
    reached = np.zeros(len(x), dtype=bool)
    for _ in range(rounds + 1):
        gradient = problem.gradient(x)
        found.append((gradient**2).sum(axis=-1))
        if accuracy is not None:
            reached |= found[-1] <= accuracy
            if reached.all():
                break
        x = x - step_size * gradient
    return np.array(found).T
