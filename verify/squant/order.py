"""Checks of `squant/order`: medians of rounds, bits and modelled seconds of real runs."""

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import theory
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison
from verify.experiments.squant.methods import Method, method_of
from verify.experiments.squant.run_costs import (
    BANDWIDTHS,
    RunCosts,
    costs_to_accuracy,
    modelled_seconds,
    transfer_bits,
)
from verify.rungs.costs import CostCase, Ordering, Samples
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.data_sets import (
    NODES,
    RIDGES,
    SPLITS,
    data_method,
    data_problem,
    dominance,
    needs,
    permuted_problem,
)

REPLICATES = 36
"""Enough for intervals of the medians of all quantities on a data set at level 1e-9 together."""

AWARE = ("varying", "standard", "block", "sparsification")
LONGEST = 20_000
FLOAT_BITS = 32

# Changes what a run counts for: (method, costs) to costs.
Price = Callable[[Method, RunCosts], RunCosts]
# Changes a method before it runs.
Sabotage = Callable[[Method], Method]


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/order")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        *(_on(name, split) for name in RIDGES for split in SPLITS),
        *(_at_budget_one(name) for name in ("phishing", "mushrooms")),
        *(_dominance(name) for name in RIDGES),
    )


def orderings(name: str, split: str) -> tuple[Ordering, ...]:
    """Return what is asserted on a data set."""
    return (*_against_unaware(name, split), *_among_aware())


def _against_unaware(name: str, split: str) -> tuple[Ordering, ...]:
    """Return the comparisons with DIANA; w8a sorted by norm has no dominant node, so none there."""
    if split == "scaled" and name == "w8a":
        return ()
    factor = 0.5 if split == "label" else 0.25
    return (
        *(Ordering(f"rounds of {item}", "rounds of unaware", factor) for item in AWARE[:3]),
        Ordering("bits of varying", "bits of unaware", 1 / 3),
        Ordering("seconds of varying", "seconds of unaware", 1.0),
    )


def _among_aware() -> tuple[Ordering, ...]:
    return (
        Ordering("bits of varying", "bits of sparsification", 0.5),
        Ordering("bits of varying", "bits of block", 1 / 1.5),
        Ordering("rounds of varying", "rounds of sparsification", 1.05),
    )


def _on(name: str, split: str) -> Check:
    """All orderings on one data set."""

    def case(claims: Sequence[Ordering], **changes: Any) -> CostCase:
        return CostCase(functools.partial(samples_of, name, split, claims, **changes), claims)

    mutants: dict[str, CostCase] = {}
    quick = name == "breast-cancer" and split == "scaled"
    if quick:
        rounds = [item for item in _against_unaware(name, split) if item.smaller == "rounds of varying"]
        bits = {item.larger: item for item in _among_aware() if item.larger.startswith("bits")}
        seconds = [item for item in _against_unaware(name, split) if item.smaller == "seconds of varying"]
        mutants = {
            "matrices-every-round": case(seconds, price=_with_matrices_every_round),
            "half-the-rounds": case([Ordering("rounds of varying", "rounds of sparsification", 0.5)]),
            "unweighted-constant": case(rounds, sabotage=_with_unweighted_constant),
            "one-norm": case([bits["bits of block"]], price=_with_one_norm),
            "free-values": case([bits["bits of sparsification"]], price=_with_free_values),
            "permuted-nodes": case(_among_aware(), sabotage=_permuted),
        }
    parameters = {
        "data": name,
        "split": split,
        "n": NODES,
        "ridge": RIDGES[name],
        "beta": "sqrt(d)",
        "accuracy": 1e-6,
        "replicates": REPLICATES,
    }
    return Check(
        "run",
        f"{name}-{split}",
        case(orderings(name, split)),
        parameters,
        mutants,
        seconds=6.0 if quick else 40.0,
        profile="quick" if quick else "full",
        needs=needs(name),
    )


def _dominance(name: str) -> Check:
    """Which of the scaled splits have a dominant node: all but that of w8a."""

    def compare() -> Iterable[Comparison]:
        rho = dominance(data_problem(name, "scaled"))
        if name == "w8a":
            yield Comparison("rho without a dominant node", "le", rho, 0.5, ROUND_OFF, {"rho": rho})
        else:
            yield Comparison("rho with a dominant node", "le", 0.5, rho, ROUND_OFF, {"rho": rho})

    return Check(
        "exact",
        f"{name}-scaled",
        ExactCase(compare),
        {"data": name, "split": "scaled", "n": NODES},
        seconds=0.3,
        profile="full" if needs(name) else "quick",
        needs=needs(name),
    )


def _at_budget_one(name: str) -> Check:
    """With one expected nonzero a value costs little more than a level: only the order is asserted."""
    claims = (Ordering("bits of varying", "bits of sparsification", 1.0),)
    case = CostCase(functools.partial(samples_of, name, "label", claims, budget=1.0), claims)
    parameters = {"data": name, "split": "label", "n": NODES, "beta": 1, "replicates": REPLICATES}
    return Check("run", f"{name}-budget-1", case, parameters, seconds=60.0, profile="full", needs=needs(name))


# ---------------------------------------------------------------- runs


def samples_of(
    name: str,
    split: str,
    claims: Sequence[Ordering],
    stream: Callable[[int], Any],
    *,
    budget: float | None = None,
    sabotage: Sabotage = lambda method: method,
    price: Price = lambda method, costs: costs,
) -> Mapping[str, Samples]:
    """Run the methods that the claims name; DIANA last, and no longer than the claims need.

    Args:
        name: Data set.
        split: How it is split.
        claims: Orderings, whose quantities are `COST of COMPRESSION` or `COST of unaware`.
        stream: Maps the number of a method to its random stream.
        budget: beta; sqrt(d) if left out.
        sabotage: What is done to each aware method before it runs.
        price: What is done to its costs.
    """
    problem = data_problem(name, split)
    beta = problem.d**0.5 if budget is None else budget
    wanted = {side.split(" of ")[1] for claim in claims for side in (claim.smaller, claim.larger)}
    found: dict[str, Samples] = {}
    longest = 0.0
    for index, compression in enumerate(AWARE):
        if compression in wanted:
            method = sabotage(data_method(name, split, "diana_plus", compression, beta))
            costs = costs_to_accuracy(method, stream(index), rounds=LONGEST, replicates=REPLICATES)
            costs = price(method, costs)
            longest = max(longest, float(costs.rounds.max()))
            found |= _named(compression, method, costs)
    if "unaware" in wanted:
        method = data_method(name, split, "diana", "standard", beta)
        # A run cut off at this length costs more than the claims allow, whatever it would have come to.
        cap = math.ceil((3.5 if split == "label" else 4.5) * longest) if needs(name) else LONGEST
        costs = costs_to_accuracy(method, stream(len(AWARE)), rounds=cap, replicates=REPLICATES)
        found |= _named("unaware", method, costs)
    return found


def _named(label: str, method: Method, costs: RunCosts) -> dict[str, Samples]:
    low = modelled_seconds(method, costs.rounds, costs.bits_slowest, BANDWIDTHS[0])
    seconds = low, np.where(costs.arrived, low, np.inf)
    return {
        f"rounds of {label}": costs.samples("rounds"),
        f"bits of {label}": costs.samples("bits"),
        f"seconds of {label}": seconds,
    }


def _with_unweighted_constant(method: Method) -> Method:
    """Take omega L_max for the weighted constant in the step size."""
    from verify.squant.fixtures.diana_settings import stated_step_size

    problem = method.problem
    constant = max(method.compression.omegas) * float(problem.L_nodes.max())
    return replace(method, step_size=stated_step_size(problem.L, constant, problem.n))


def _with_one_norm(method: Method, costs: RunCosts) -> RunCosts:
    blocks = getattr(method.compression.compressor, "blocks", None) or (1,)
    return replace(costs, bits=costs.bits - FLOAT_BITS * (len(blocks) - 1) * costs.rounds)


def _with_free_values(method: Method, costs: RunCosts) -> RunCosts:
    if method.compression.name != "sparsification":
        return costs
    d, budget = method.problem.d, method.problem.d**0.5
    # An entry is sent with probability p_j and these add up to the budget: right on average.
    entries = min(d, budget) * costs.rounds
    return replace(costs, bits=costs.bits - (FLOAT_BITS - 2) * entries)


def _with_matrices_every_round(method: Method, costs: RunCosts) -> RunCosts:
    return replace(costs, bits_slowest=costs.bits_slowest + transfer_bits(method) * costs.rounds)


def _permuted(method: Method) -> Method:
    """Number the nodes of the embedded data in reverse order."""
    problem = permuted_problem("breast-cancer", "scaled")
    return method_of(problem, method.name, method.compression.name, problem.d**0.5)
