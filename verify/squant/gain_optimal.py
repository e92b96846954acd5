"""Checks of `squant/gain-optimal`: the stated optimum against numerical minimisation and other budgets."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import theory
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.best_budget import MINIMISER, minimal_cost

# From the values of an instance to the stated optimum and its budget.
Optimum = Callable[[Mapping[str, Any]], tuple[float, float]]

INSTANCES: dict[str, dict[str, Any]] = {
    "one-norm": {"a": 32, "kappa": 8, "c": 64, "L": 0.25, "n": 4, "mu": 1},
    "four-norms": {"a": 128, "kappa": 8, "c": 16, "L": 0.25, "n": 4, "mu": 1},
    "many-nodes": {"a": 32, "kappa": 5, "c": 3.5, "L": 0.01, "n": 100, "mu": 1e-4},
    "many-coordinates": {"a": 32, "kappa": 12.5, "c": 1e6, "L": 2, "n": 3, "mu": 0.5},
}
FACTORS = (0.01, 0.5, 0.9, 1.1, 2.0, 100.0)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/gain-optimal")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.3),
        *(_numerical(name, values) for name, values in INSTANCES.items()),
        Check("exact", "rational", ExactCase(_rational), dict(claim.worst_cases[2].values)),
    )


def stated(name: str, values: Mapping[str, Any]) -> float:
    """Evaluate a formula of the claim."""
    return evaluate(theory.claim("squant/gain-optimal").formulas[name], values)


def _optimum(values: Mapping[str, Any]) -> tuple[float, float]:
    without_mu = {name: item for name, item in values.items() if name != "mu"}
    return stated("best_cost", values), stated("best_budget", without_mu)


def _numerical(name: str, values: Mapping[str, Any]) -> Check:
    def case(optimum: Optimum) -> ExactCase:
        return ExactCase(lambda: compare(values, optimum))

    mutants = {
        "dropped-norms": case(lambda v: (_optimum({**v, "a": 0})[0], _optimum(v)[1])),
        "no-cross-term": case(_without_cross_term),
        "other-units": case(_in_bytes),
    }
    return Check("exact", name, case(_optimum), values, mutants)


def _without_cross_term(values: Mapping[str, Any]) -> tuple[float, float]:
    cost, budget = _optimum(values)
    mixed = 2 * math.sqrt(values["a"] * values["L"] * 2 * values["kappa"] * values["c"] / values["n"])
    return cost - mixed / values["mu"], budget


def _in_bytes(values: Mapping[str, Any]) -> tuple[float, float]:
    cost, budget = _optimum({**values, "a": values["a"] / 8, "kappa": values["kappa"] / 8})
    return 8 * cost, budget


def compare(values: Mapping[str, Any], optimum: Optimum) -> Iterable[Comparison]:
    """The optimum is the minimum found numerically, and no other budget does better."""
    cost, budget = optimum(values)
    found, place = minimal_cost(**values)
    yield Comparison("smallest cost", "eq", found, cost, ROUND_OFF, values)
    yield Comparison("best budget", "eq", place, budget, MINIMISER, values)
    for factor in FACTORS:
        beta = factor * budget
        other = stated("cost", {**values, "beta": beta})
        yield Comparison(
            "cost at another budget", "le", cost, other, ROUND_OFF, {**values, "beta": beta}, headline=True
        )


def _rational() -> Iterable[Comparison]:
    """At squares everything is rational: the cost at the best budget is the bound."""
    claim = theory.claim("squant/gain-optimal")
    case = claim.worst_cases[2]
    best = evaluate_exact(claim.formulas["best_cost"], case.values)
    for beta, relation in ((4, "eq"), (3, "le"), (5, "le")):
        cost = evaluate_exact(claim.formulas["cost"], {**case.values, "beta": beta})
        witness = {"beta": beta}
        if relation == "eq":
            yield Comparison("cost at the best budget", "eq", best, cost, witness=witness)
        else:
            yield Comparison("cost at another budget", "le", best, cost, witness=witness, headline=True)
