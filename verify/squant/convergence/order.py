"""Checks of `squant/order`: medians of rounds, bits and modelled seconds of real runs."""

import functools
from dataclasses import replace
from typing import Any

import numpy as np

from verify.authoring import Comparisons, Law, checks_of, eq, le, lt
from verify.comparison import ROUND_OFF, printed
from verify.experiments.squant.cost_samples import AWARE, MORE, REPLICATES, samples_of
from verify.experiments.squant.methods import Method, method_of
from verify.experiments.squant.run_costs import ACCURACY, COARSE, RunCosts, transfer_bits
from verify.rungs.costs import CostCase, Ordering
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

FLOAT_BITS = 32
LABEL = "medians of the costs"
SMALLER = "medians with the smaller constant"

judge = checks_of(
    "squant/order",
    sabotage=lambda method: method,
    price=lambda method, costs: costs,
    # The quantities that a sabotage is about; the others would only be run again.
    about="",
    accuracy=ACCURACY,
)


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


def _with_matrices(method: Method, costs: RunCosts) -> RunCosts:
    return replace(costs, bits_slowest=costs.bits_slowest + transfer_bits(method) * costs.rounds)


def _with_unweighted_constant(method: Method) -> Method:
    """Take omega L_max for the weighted constant in the step size."""
    from verify.squant.fixtures.convergence.diana_settings import formula

    problem = method.problem
    constant = max(method.compression.omegas) * float(problem.L_nodes.max())
    step_size = formula("step_size", L=problem.L, Lcal_max=constant, n=problem.n)
    return replace(method, step_size=step_size)


def _permuted(method: Method) -> Method:
    """Number the nodes of the embedded data in reverse order."""
    problem = permuted_problem("breast-cancer", "scaled")
    return method_of(problem, method.name, method.compression.name, problem.d**0.5, constant="paper")


def orderings(law: Law, data: str, split: str, constant: str = "paper") -> tuple[Ordering, ...]:
    """Return what is asserted on a data set, or the part of it that a sabotage is about."""
    among = _among_aware(law) if constant == "paper" else _among_aware(law)[:2]
    found = (*_against_unaware(law, data, split, constant), *among)
    neutral = law.about == "of varying <="
    chosen = _among_aware(law) if neutral else found
    wanted = "" if neutral else law.about
    return tuple(item for item in chosen if wanted in f"{item.smaller} <= {item.larger}")


def _against_unaware(law: Law, data: str, split: str, constant: str) -> tuple[Ordering, ...]:
    """Return the comparisons with DIANA; w8a sorted by norm has no dominant node, so none there."""
    if split == "scaled" and data == "w8a":
        return ()
    smaller = constant == "smaller"
    dominant = "rounds_smaller" if smaller else "rounds_dominant"
    factor = law("rounds_label" if split == "label" else dominant)
    found = (
        *(Ordering(f"rounds of {item}", "rounds of unaware", factor) for item in AWARE[:3]),
        Ordering("bits of varying", "bits of unaware", law("bits_smaller" if smaller else "bits_unaware")),
    )
    if not smaller:
        found = (*found, Ordering("seconds of varying", "seconds of unaware", law("seconds_unaware")))
    if (data, split) != ("breast-cancer", "scaled"):
        return found
    sides = ("bits with matrices of varying", "bits of unaware")
    if smaller:
        return (*found, Ordering(*sides[::-1], law("bits_against_matrices")))
    return (*found, Ordering(*sides, law("bits_with_matrices")))


def _among_aware(law: Law) -> tuple[Ordering, ...]:
    return (
        Ordering("bits of varying", "bits of sparsification", law("bits_sparse")),
        Ordering("bits of varying", "bits of block", law("bits_block")),
        Ordering("rounds of varying", "rounds of sparsification", law("rounds_sparse")),
    )


def _on_data(law: Law, data: str, split: str, replicates: int, constant: str = "paper", **_: Any) -> CostCase:
    claims = orderings(law, data, split, constant)
    changes = {"accuracy": law.accuracy, "sabotage": law.sabotage, "price": law.price, "constant": constant}
    changes["replicates"] = replicates
    return CostCase(functools.partial(samples_of, data, split, claims, **changes), claims)


def _at_budget_one(law: Law, data: str, split: str, beta: int, **_: Any) -> CostCase:
    """With one expected nonzero a value costs little more than a level: only the order is asserted."""
    claims = (Ordering("bits of varying", "bits of sparsification", law("bits_sparse_budget_one")),)
    return CostCase(functools.partial(samples_of, data, split, claims, budget=float(beta)), claims)


def _dominance(law: Law, data: str, split: str, **_: Any) -> Comparisons:
    """Which of the scaled splits have a dominant node: all but that of w8a."""
    rho, half = dominance(data_problem(data, split)), law("dominance")
    if data == "w8a":
        yield le("rho without a dominant node", rho, half, ROUND_OFF, witness={"rho": rho})
    else:
        yield le("rho with a dominant node", half, rho, ROUND_OFF, witness={"rho": rho})


def _quotient(law: Law, data: str, split: str, **_: Any) -> Comparisons:
    """Steps of DIANA+ with the constant of the paper over those of DIANA with the smaller one."""
    problem = data_problem(data, split)
    aware, unaware = (
        data_method(data, split, name, compression, problem.d**0.5, constant)
        for name, compression, constant in (
            ("diana_plus", "varying", "paper"),
            ("diana", "standard", "smaller"),
        )
    )
    found = aware.step_size / unaware.step_size
    constants = {"Lcal_max": max(aware.compression.variance_constants), "L": problem.L, "n": problem.n}
    constants |= {"omega": max(unaware.compression.omegas), "L_max": float(problem.L_nodes.max())}
    yield eq("quotient of the steps", found, law("quotient", **constants), ROUND_OFF)
    if split == "label":
        yield lt("quotient by label", law("mixed_label"), found, ROUND_OFF)
    else:
        stated = law(f"mixed_{data.replace('-', '_')}")
        yield eq("quotient by row norm", found, stated, printed(4))


@judge.exact(d=[1, 2, 30])
def matrix(law: Law, d: int) -> Comparisons:
    """The entries of a symmetric matrix, counted."""
    entries = len(np.triu_indices(d)[0])
    yield eq("bits of a matrix", FLOAT_BITS * entries, law.exactly("transfer_dense", d=d), headline=False)


_DOMINANT = tuple(f"exact/{data}-scaled" for data in RIDGES if data != "w8a")


judge.sabotage(
    "one-norm at run/breast-cancer-scaled: Charge one norm for the B norms of a block message.",
    {"price": _with_one_norm, "about": "bits of block"},
    "free-values at run/breast-cancer-scaled: Charge 2 bits instead of 32 for an entry of the sparsifier.",
    {"price": _with_free_values, "about": "bits of sparsification"},
    "matrices-every-round at run/breast-cancer-scaled: Send the matrices in each round: slower than DIANA.",
    {"price": _with_matrices, "about": "seconds of varying", "accuracy": COARSE},
    "half-the-rounds at run/breast-cancer-scaled: Claim half the rounds of sparsification. "
    "| rounds_sparse = rounds_sparse * 10/21, about = 'rounds of sparsification'",
    "unweighted-constant at run/breast-cancer-scaled: Take omega L_max in the step size of the aware "
    "method: it gains nothing over DIANA.",
    {
        "sabotage": _with_unweighted_constant,
        "about": "rounds of varying <= rounds of unaware",
        "accuracy": COARSE,
    },
    "permuted-nodes, neutral at run/breast-cancer-scaled: Number the nodes differently: nothing may change "
    "in law.",
    {"sabotage": _permuted, "about": "of varying <="},
)
judge.sabotage(
    "a-quarter at run/breast-cancer-scaled-smaller: Claim a quarter of the rounds with the smaller constant, "
    "too. | rounds_smaller = rounds_dominant, about = 'rounds of varying <= rounds of unaware'",
    "half-with-matrices at run/breast-cancer-scaled: Claim half of the bits with the matrices. "
    "| bits_with_matrices = bits_with_matrices / 2, about = 'bits with matrices of varying'",
    "quarter-against-matrices at run/breast-cancer-scaled-smaller: Claim half of the part of DIANA. "
    "| bits_against_matrices = bits_against_matrices / 2, about = '<= bits with matrices of varying'",
    "entries at exact/matrix: Send all entries of a symmetric matrix. | transfer_dense = 32 * d**2",
    "a-third at run/breast-cancer-scaled-smaller: Claim a third of the bits with it, too. "
    "| bits_smaller = bits_unaware, about = 'bits of varying <= bits of unaware'",
    "twice at exact/quotient-breast-cancer-label: Claim four times. | mixed_label = 2 * mixed_label",
    "larger-constant at exact/quotient-*: Take the larger constant for DIANA, too. "
    "| quotient = quotient(omega = 3 * omega)",
)
judge.sabotage(  # medians of the rounds: 0.195 of DIANA's with the larger constant, 0.351 with the smaller
    "a-sixth, slow at run/breast-cancer-label: Claim a sixth of the rounds on label-sorted parts. "
    "| rounds_label = rounds_label / 3, about = 'rounds of varying <= rounds of unaware'",
    "a-sixth-of-the-bits, slow at run/breast-cancer-label: Claim a sixth of the bits there. "
    "| bits_unaware = bits_unaware / 2, about = 'bits of varying <= bits of unaware'",
    "a-quarter-by-label, slow at run/breast-cancer-label-smaller: Claim a quarter of the rounds with the "
    "smaller constant. | rounds_label = rounds_label / 2, about = 'rounds of varying <= rounds of unaware'",
)
judge.sabotage(
    "alone: Call a node dominant only where it is alone. | dominance = 2 * dominance", at=_DOMINANT
)
judge.sabotage(
    "alike, slow at exact/w8a-scaled: Call a node dominant where all are alike. | dominance = dominance / 3"
)


def _arguments(data: str, split: str, *, quick: bool = False) -> dict[str, Any]:
    shared = {"data": data, "split": split, "n": NODES}
    return shared | {"profile": "quick" if quick else "full", "needs": needs(data)}


for _data in RIDGES:
    for _split in SPLITS:
        _quick = (_data, _split) == ("breast-cancer", "scaled")
        _shared = _arguments(_data, _split, quick=_quick)
        _shared |= {"label": LABEL, "replicates": MORE if _quick else REPLICATES}
        _shared |= {"ridge": RIDGES[_data], "beta": "sqrt(d)", "accuracy": 1e-6}
        judge.costs(instance=f"{_data}-{_split}", **_shared)(_on_data)
        _shared |= {"label": SMALLER, "constant": "smaller"}
        judge.costs(instance=f"{_data}-{_split}-smaller", **_shared)(_on_data)
    _shared = _arguments(_data, "scaled", quick=not needs(_data))
    judge.exact(instance=f"{_data}-scaled", **_shared)(_dominance)
for _data in RIDGES:
    _shared = _arguments(_data, "label", quick=not needs(_data))
    judge.exact(instance=f"quotient-{_data}-label", **_shared)(_quotient)
for _data in ("breast-cancer", "splice", "w8a"):
    _shared = _arguments(_data, "scaled", quick=not needs(_data))
    judge.exact(instance=f"quotient-{_data}-scaled", **_shared)(_quotient)
for _data in ("phishing", "mushrooms"):
    _shared = _arguments(_data, "label") | {"label": LABEL, "replicates": REPLICATES}
    judge.costs(instance=f"{_data}-budget-1", beta=1, **_shared)(_at_budget_one)
