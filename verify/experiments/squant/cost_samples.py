"""Samples of rounds, bits and modelled seconds of the methods on a data set, for claims on medians."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from verify.experiments.squant.methods import Method
from verify.experiments.squant.run_costs import (
    ACCURACY,
    BANDWIDTHS,
    RunCosts,
    costs_to_accuracy,
    modelled_seconds,
    transfer_bits,
)
from verify.rungs.costs import Ordering, Samples
from verify.squant.fixtures.data_sets import data_method, data_problem, needs

REPLICATES = 36
"""The least with intervals of the medians of all quantities on a data set at level 1e-9 together."""

MORE = 64
"""As many decide at every master seed on the embedded data, where 36 left one seed in ten, or more, open."""

AWARE = ("varying", "standard", "block", "sparsification")
LONGEST = 20_000


def samples_of(
    data: str,
    split: str,
    claims: Sequence[Ordering],
    stream: Callable[[int], Any],
    *,
    budget: float | None = None,
    replicates: int = REPLICATES,
    accuracy: float = ACCURACY,
    sabotage: Callable[[Method], Method] = lambda method: method,
    price: Callable[[Method, RunCosts], RunCosts] = lambda method, costs: costs,
    constant: str = "paper",
) -> Mapping[str, Samples]:
    """Run the methods that the claims name; DIANA last, and no longer than the claims need.

    Args:
        data: Data set.
        split: How it is split.
        claims: Orderings, whose quantities are `COST of COMPRESSION` or `COST of unaware`; `bits with
            matrices` count the matrices of the nodes, too, sent once.
        stream: Maps the number of a method to its random stream.
        budget: beta; sqrt(d) if left out.
        replicates: How many runs of each method.
        accuracy: Relative squared distance at which a run has arrived.
        sabotage: What is done to each aware method before it runs.
        price: What is done to its costs.
        constant: Whose steps all of them take, see `CONSTANTS` of the methods.
    """
    problem = data_problem(data, split)
    beta = problem.d**0.5 if budget is None else budget
    wanted = {side.split(" of ")[1] for claim in claims for side in (claim.smaller, claim.larger)}
    found: dict[str, Samples] = {}
    longest = 0.0
    for index, compression in enumerate(AWARE):
        if compression in wanted:
            method = sabotage(data_method(data, split, "diana_plus", compression, beta, constant))
            costs = costs_to_accuracy(
                method, stream(index), rounds=LONGEST, replicates=replicates, accuracy=accuracy
            )
            costs = price(method, costs)
            longest = max(longest, float(costs.rounds.max()))
            found |= _named(compression, method, costs)
    if "unaware" in wanted:
        method = data_method(data, split, "diana", "standard", beta, constant)
        # A run cut off at this length costs more than the claims allow, whatever it would have come to.
        cap = math.ceil((3.5 if split == "label" else 4.5) * longest) if needs(data) else LONGEST
        costs = costs_to_accuracy(
            method, stream(len(AWARE)), rounds=cap, replicates=replicates, accuracy=accuracy
        )
        found |= _named("unaware", method, costs)
    return found


def _named(label: str, method: Method, costs: RunCosts) -> dict[str, Samples]:
    low = modelled_seconds(method, costs.rounds, costs.bits_slowest, BANDWIDTHS[0])
    seconds = low, np.where(costs.arrived, low, np.inf)
    return {
        f"rounds of {label}": costs.samples("rounds"),
        f"bits of {label}": costs.samples("bits"),
        f"bits with matrices of {label}": replace(costs, bits=costs.bits + transfer_bits(method)).samples(
            "bits"
        ),
        f"seconds of {label}": seconds,
    }
