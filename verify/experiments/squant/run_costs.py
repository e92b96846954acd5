"""What a run costs until it is accurate: rounds, bits of real messages, and modelled seconds."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import theory
from verify.experiments.squant.methods import Method
from verify.formulas.evaluation import evaluate
from verify.rungs.costs import Samples

ACCURACY = 1e-6
"""Squared distance to the solution, relative to that of the start."""
COARSE = 1e-2
"""The same for mutants, which are refuted long before a run ends: a third of the rounds."""

# Of the model of section 6: flops per second, seconds.
NODE_SPEED, SERVER_SPEED, LATENCY = 1e10, 1e11, 1e-3
BANDWIDTHS = (1e6, 1e8, 1e10)


@dataclass(frozen=True)
class RunCosts:
    """Costs of R replicates at the first round of the wanted accuracy, or at the last one.

    Args:
        arrived: Which replicates have reached the accuracy, (R,).
        rounds: Rounds until then, (R,).
        bits: Bits per node, mean over the nodes, (R,).
        bits_slowest: Bits of the longest message of each round, summed, (R,).
    """

    arrived: Any
    rounds: Any
    bits: Any
    bits_slowest: Any

    def samples(self, name: str) -> Samples:
        """Return the samples of one cost; without arrival it is at least what has been spent."""
        values = getattr(self, name)
        return values, np.where(self.arrived, values, np.inf)


def costs_to_accuracy(
    method: Method, rng: Any, *, rounds: int, replicates: int, accuracy: float = ACCURACY
) -> RunCosts:
    """Run a method until all replicates are accurate, at most `rounds` rounds."""
    result = method.run(rng, rounds=rounds, replicates=replicates, until=accuracy)
    return costs_of(result, accuracy)


def costs_of(result: Any, accuracy: float = ACCURACY) -> RunCosts:
    """Return the costs of the replicates of a run, up to the first round of the wanted accuracy."""
    close = result.distance_sq <= accuracy * result.distance_sq[:, :1]
    arrived = close.any(axis=1)
    k = np.where(arrived, close.argmax(axis=1), result.rounds)
    row = np.arange(len(k))
    return RunCosts(arrived, k.astype(float), result.bits[row, k], result.bits_slowest[row, k])


def modelled_seconds(method: Method, rounds: Any, bits_slowest: Any, bandwidth: float) -> Any:
    """Return modelled seconds, of the shape of `rounds`, by the formula of `squant/order`."""
    problem = method.problem
    work = 0 if method.roots is None else problem.d if method.roots.is_diagonal else problem.d**2
    values = {"rows": problem.m, "nonzeros": problem.mean_nonzeros, "work": work, "n": problem.n}
    values |= {"node_speed": NODE_SPEED, "server_speed": SERVER_SPEED}
    values |= {"bandwidth": bandwidth, "latency": LATENCY}
    formula = theory.claim("squant/order").formulas["wall_clock"]
    # Linear in both: two evaluations serve all replicates.
    per_round = evaluate(formula, {**values, "rounds": 1, "bits": 0.0})
    per_bit = evaluate(formula, {**values, "rounds": 0, "bits": 1.0})
    return np.asarray(rounds) * per_round + np.asarray(bits_slowest) * per_bit


def transfer_bits(method: Method) -> float:
    """Return the bits per node of sending its matrix once, 0 for unaware methods."""
    if method.roots is None:
        return 0.0
    name = "transfer_diagonal" if method.roots.is_diagonal else "transfer_dense"
    return evaluate(theory.claim("squant/order").formulas[name], {"d": method.problem.d})
