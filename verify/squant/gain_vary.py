"""Checks of `squant/gain-vary`: rounds from the matrices of family W against the stated ratio."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

import theory
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.branches import smaller_branch
from verify.squant.fixtures.exponents import compare_exponent

# From (n, d) to the diagonals of the nodes, (n, d).
Family = Callable[[int, int], Any]
# From (n, d) to the budgets of the uniform step and of the varying steps.
Budgets = Callable[[int, int], tuple[float, float]]

DIMENSION = 64
NODES = (4, 16, 64, 256, 1024)
RHO, TRACE_RATIO = 0.5, 2.0
"""One node dominates and has few heavy coordinates: rho at least 1/2, nu_tr at most 2, in family W."""


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/gain-vary")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        *(_instance(n) for n in NODES),
        _growth(),
    )


def family_w(n: int, d: int) -> Any:
    """Return the diagonals of family W: one heavy coordinate of one node."""
    diagonals = np.full((n, d), 1 / (n * d))
    diagonals[0, 0] = 1.0
    return diagonals


def without_dominant_coordinate(n: int, d: int) -> Any:
    """Return family W with the identity at node 1."""
    diagonals = family_w(n, d)
    diagonals[0] = 1.0
    return diagonals


def similar_nodes(n: int, d: int) -> Any:
    """Return n times the matrix of node 1."""
    return np.tile(family_w(n, d)[0], (n, 1))


def permuted(n: int, d: int) -> Any:
    """Return family W with the coordinates in reverse order."""
    return family_w(n, d)[:, ::-1]


def matched(n: int, d: int) -> tuple[float, float]:
    """Return the matched budgets."""
    return max(1.0, d / n), max(1.0, d / n)


def rounds(diagonals: Any, budgets: tuple[float, float]) -> tuple[float, float]:
    """Return K of the uniform step and of the varying steps, from the smaller branch of each bound."""
    n, d = diagonals.shape
    mean = diagonals.mean(axis=0)
    uniform, varying = budgets
    steps = np.full((n, d), np.sqrt(d) / uniform)
    omega = smaller_branch(np.ones((n, d)), steps).max()
    optimal = np.sqrt(diagonals.sum(axis=1, keepdims=True) / diagonals) / varying
    constants = smaller_branch(diagonals, optimal)
    noise = (omega * diagonals.max(), constants.max())
    std, vary = (float((mean.max() + 2 * item / n) / mean.min()) for item in noise)
    return std, vary


def stated(name: str, **values: Any) -> float:
    """Evaluate an expression of the claim."""
    return evaluate(theory.claim("squant/gain-vary").expressions[name], values)


def compare(n: int, d: int, family: Family, budgets: Budgets) -> Iterable[Comparison]:
    """Both condition numbers, their ratio, and the order of the ratio."""
    diagonals = family(n, d)
    std, vary = rounds(diagonals, budgets(n, d))
    mean, traces = diagonals.mean(axis=0), diagonals.sum(axis=1)
    L, mu, largest = float(mean.max()), float(mean.min()), float(diagonals.max())
    rho, nu_tr = largest / (n * L), float(traces.max()) / largest
    witness = {"n": n, "d": d, "rho": rho, "nu_tr": nu_tr}
    shared = {"L": L, "mu": mu, "n": n, "d": d}
    for label, value, bound in (
        ("budget", budgets(n, d)[0], stated("budget", n=n, d=d)),
        ("rounds with a uniform step", std, stated("condition_std", L_max=largest, **shared)),
        ("rounds with varying steps", vary, stated("condition_vary", trace=float(traces.max()), **shared)),
        ("ratio of rounds", std / vary, stated("exact", rho=rho, nu_tr=nu_tr, n=n, d=d)),
    ):
        yield Comparison(label, "eq", value, bound, ROUND_OFF, witness)
    yield Comparison("ratio, from above", "le", std / vary, stated("upper", n=n, d=d), ROUND_OFF, witness)
    yield _order(n, d, std / vary)


def _order(n: int, d: int, ratio: float) -> Comparison:
    """Hold the ratio against the stated multiple of min(n, d), at the constants of family W."""
    lower = stated("lower", rho=RHO, nu_tr=TRACE_RATIO, n=n, d=d)
    return Comparison("ratio, from below", "le", lower, ratio, ROUND_OFF, {"n": n, "d": d}, headline=True)


def _instance(n: int) -> Check:
    case = partial(_case, n=n)
    mutants = {
        "no-dominant-coordinate": case(without_dominant_coordinate),
        "fixed-budget": case(budgets=_fixed),
        "permuted-coordinates": case(permuted),
    }
    if n > 4:  # with four nodes the ratio 3 is no small part of min(n, d)
        mutants["similar-nodes"] = case(similar_nodes)
    if n < DIMENSION:  # from there on the matched budget is 1 as well
        mutants["unmatched-budget"] = case(budgets=lambda n, d: (max(1.0, d / n), 1.0))
    return Check("exact", f"family-w-{n}", case(), {"n": n, "d": DIMENSION, "family": "W"}, mutants)


def _case(family: Family = family_w, budgets: Budgets = matched, *, n: int) -> ExactCase:
    return ExactCase(lambda: compare(n, DIMENSION, family, budgets))


def _fixed(n: int, d: int) -> tuple[float, float]:
    return d**0.5, d**0.5


def _growth() -> Check:
    """Growth up to n = d, saturation from there on."""

    def case(family: Family = family_w, budgets: Budgets = matched) -> ExactCase:
        def compare_growth() -> Iterable[Comparison]:
            values = []
            for n in NODES:
                std, vary = rounds(family(n, DIMENSION), budgets(n, DIMENSION))
                values.append(std / vary)
                yield _order(n, DIMENSION, values[-1])
            yield from compare_exponent("for n up to d", NODES[:3], values[:3], at_least=0.5)
            yield from compare_exponent("for n from d on", NODES[2:], values[2:], at_least=0.0, at_most=0.02)

        return ExactCase(compare_growth)

    mutants = {
        "no-dominant-coordinate": case(without_dominant_coordinate),
        "similar-nodes": case(similar_nodes),
        "fixed-budget": case(budgets=_fixed),
        "permuted-coordinates": case(permuted),
    }
    return Check("exact", "growth", case(), {"n": NODES, "d": DIMENSION, "family": "W"}, mutants)
