"""Checks of `squant/finding-similar-nodes`: constants of the data sets, and medians of runs."""

import functools
from collections.abc import Iterable, Sequence
from typing import Any

import theory
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate
from verify.experiments.squant.cost_samples import REPLICATES, samples_of
from verify.experiments.squant.methods import COMPRESSIONS, method_of
from verify.rungs.costs import CostCase, Ordering
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.data_sets import NODES, RIDGES, data_problem, dominance, needs, permuted_problem

STEPS_HARDLY_MATTER = (
    Ordering("rounds of varying", "rounds of standard", 1.1),
    Ordering("rounds of standard", "rounds of varying", 1.1),
)
BLOCKS_LOSE = (Ordering("bits of varying", "bits of block", 1 / 2.5),)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/finding-similar-nodes")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        *(_constants(name) for name in RIDGES),
        *(_measured(name) for name in ("breast-cancer", "phishing", "mushrooms")),
    )


def _parameters(name: str) -> dict[str, Any]:
    return {"data": name, "split": "label", "n": NODES, "ridge": RIDGES[name], "beta": "sqrt(d)"}


def _constants(name: str) -> Check:
    def case(make: Any) -> ExactCase:
        return ExactCase(lambda: compare(make()))

    mutants = {}
    if name == "breast-cancer":
        mutants = {
            "dominant-node": case(functools.partial(data_problem, name, "scaled")),
            "permuted-nodes": case(functools.partial(permuted_problem, name, "label")),
        }
    return Check(
        "exact",
        name,
        case(functools.partial(data_problem, name, "label")),
        _parameters(name),
        mutants,
        seconds=0.5,
        profile="full" if needs(name) else "quick",
        needs=needs(name),
    )


def compare(problem: Any) -> Iterable[Comparison]:
    """Similarity of the nodes, and the conditions of DCGD+ with each compression against each other."""
    formulas = theory.claim("squant/finding-similar-nodes").formulas
    rho = dominance(problem)
    yield Comparison("rho of the nodes", "le", rho, 1.5 / problem.n, ROUND_OFF, {"rho": rho})
    found = {}
    for compression in COMPRESSIONS:
        method = method_of(problem, "dcgd_plus", compression, problem.d**0.5)
        constant = max(method.compression.variance_constants)
        found[compression] = 1 / (method.step_size * problem.mu), constant
    conditions = {key: item[0] for key, item in found.items()}
    share = evaluate(formulas["share"], {"L": problem.L, "Lcal_max": found["varying"][1], "n": problem.n})
    yield Comparison("share of the noise term", "le", share, 0.25, ROUND_OFF, {"rho": rho})
    for compression, condition in conditions.items():
        label = f"condition of {compression} over that of varying steps"
        ratio = condition / conditions["varying"]
        yield Comparison(label, "le", ratio, 1.05, ROUND_OFF, conditions, headline=True)
    yield Comparison(
        "sparsification against varying steps",
        "le",
        conditions["sparsification"],
        conditions["varying"],
        ROUND_OFF,
        conditions,
    )
    for first, (condition, constant) in found.items():
        values = {"L": problem.L, "Lcal_max": constant, "n": problem.n}
        factor = evaluate(formulas["factor"], values)
        by_rho = {"rho": rho, "Lcal_max": constant, "L_max": float(problem.L_nodes.max())}
        share = evaluate(formulas["share_by_rho"], by_rho)
        yield Comparison(f"factor of {first} by rho", "eq", 1 + share, factor, ROUND_OFF)
        for second, (other, _) in found.items():
            if first != second:
                label = f"condition of {first} over that of {second}"
                yield Comparison(label, "le", condition / other, factor, ROUND_OFF, conditions)


def _measured(name: str) -> Check:
    def case(claims: Sequence[Ordering]) -> CostCase:
        return CostCase(functools.partial(samples_of, name, "label", claims), claims)

    mutants = {}
    if name == "breast-cancer":
        mutants = {
            "steps-matter": case((Ordering("rounds of varying", "rounds of standard", 0.8),)),
            "blocks-win": case((Ordering("bits of block", "bits of varying", 1.0),)),
        }
    return Check(
        "run",
        f"{name}-rounds-and-bits",
        case((*STEPS_HARDLY_MATTER, *BLOCKS_LOSE)),
        {**_parameters(name), "replicates": REPLICATES},
        mutants,
        seconds=3.0 if name == "breast-cancer" else 10.0,
        profile="full" if needs(name) else "quick",
        needs=needs(name),
    )
