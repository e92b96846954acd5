"""Checks of `squant/gain-optimal`: the stated optimum against numerical minimisation and other budgets."""

from typing import Any

from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.squant.fixtures.best_budget import minimal_cost

judge = checks_of("squant/gain-optimal", minimum=minimal_cost)


judge.sabotage(
    "dropped-norms at exact/one-norm, exact/four-norms, exact/many-*: Leave out the bits of the norms: the "
    "cost is not reached. | best_cost = best_cost(a = 0)",
    "no-cross-term at exact/one-norm, exact/four-norms, exact/many-*: Add the squares without the mixed "
    "term. | best_cost = best_cost - 2 * sqrt(a * L) * sqrt(2 * kappa * c / n) / mu",
    "budget-without-norms at exact/*: Leave out the bits of the norms in the best budget. "
    "| best_budget = best_budget / sqrt(a)",
    "other-units, neutral at exact/one-norm, exact/four-norms, exact/many-*: Count bytes instead of bits: "
    "the cost is an eighth of it. | best_cost = 8 * best_cost(a = a / 8, kappa = kappa / 8)",
)


@judge.exact(
    instances={
        "one-norm": {"a": 32, "kappa": 8, "c": 64, "L": 0.25, "n": 4, "mu": 1},
        "four-norms": {"a": 128, "kappa": 8, "c": 16, "L": 0.25, "n": 4, "mu": 1},
        "many-nodes": {"a": 32, "kappa": 5, "c": 3.5, "L": 0.01, "n": 100, "mu": 1e-4},
        "many-coordinates": {"a": 32, "kappa": 12.5, "c": 1e6, "L": 2, "n": 3, "mu": 0.5},
    }
)
def numerical(law: Law, mu: Any, **values: Any) -> Comparisons:
    """The optimum is the minimum found numerically, and no other budget does better."""
    cost, budget = law("best_cost", mu=mu, **values), law("best_budget", **values)
    found, place = law.minimum(mu=mu, **values)
    yield eq("smallest cost", found, cost, ROUND_OFF)
    yield eq("best budget", place, budget, ROUND_OFF)
    yield eq("cost at the best budget", law("cost", mu=mu, beta=budget, **values), cost, ROUND_OFF)
    for factor in (0.01, 0.5, 0.9, 1.1, 2.0, 100.0):
        witness = {**values, "mu": mu, "beta": factor * budget}
        yield le(
            "cost at another budget", cost, law("cost", **witness), ROUND_OFF, witness=witness, headline=True
        )


@judge.exact(a=4, kappa=1, c=8, L=1, n=4, mu=1)
def rational(law: Law, mu: int, **values: Any) -> Comparisons:
    """At squares everything is rational."""
    cost, budget = law.exactly("best_cost", mu=mu, **values), law.exactly("best_budget", **values)
    at = law.exactly("cost", mu=mu, beta=budget, **values)
    yield eq("cost at the best budget", at, cost)
    for shift in (-1, 1):
        beta = budget + shift
        other = law.exactly("cost", mu=mu, beta=beta, **values)
        yield le("cost at another budget", cost, other, witness={"beta": beta}, headline=True)
