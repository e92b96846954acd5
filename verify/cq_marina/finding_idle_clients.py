"""Checks of `cq_marina/finding-idle-clients`: the variant with idle clients, over all its outcomes."""

from collections.abc import Iterable
from fractions import Fraction as F
from functools import partial
from typing import Any

import theory
from impl.compressors import JointCompressor, PermK
from verify.binding import Check, Lazy
from verify.comparison import Comparison, rational
from verify.cq_marina.ab_permk import REMAINDER, largest_error, squared_errors, turned
from verify.cq_marina.ab_permk_sabotage import IdleClients
from verify.cq_marina.grid_inputs import P3, Rows, grid
from verify.cq_marina.joint_enumeration import enumerate_joint, mean_of, mean_squares
from verify.evaluation import evaluate_exact, names
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

# Inputs, and how many times the balanced error the error with idle clients is.
INSTANCES: dict[str, tuple[Rows, F]] = {
    "n5-d3": (REMAINDER, F(12, 7)),
    "P3": (P3, F(5, 2)),
    "n4-d2": (grid(4, 2, 3, 1, 1, 8, 3, 2), F(3)),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/finding-idle-clients")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_exact(name, *instance) for name, instance in INSTANCES.items()),
        _sampled(),
    )


def stated(name: str, rows: Rows) -> Any:
    """Return a formula of the claim at an input, exactly."""
    formula = theory.claim("cq_marina/finding-idle-clients").expressions[name]
    M, m = mean_squares(rows)
    values = {"n": len(rows), "d": len(rows[0]), "M": M, "m": m}
    return rational(evaluate_exact(formula, {key: values[key] for key in names(formula)}))


def compare(
    compressor: JointCompressor, rows: Rows, ratio: F, formula: str = "exact"
) -> Iterable[Comparison]:
    """All ways to choose the owners: unbiased, with the stated error, `ratio` times the balanced one."""
    moments, witness = enumerate_joint(compressor, rows), {"a": rows}
    yield Comparison("total probability", "eq", moments.probability, 1, witness=witness)
    for j, (mean, true) in enumerate(zip(moments.mean, mean_of(rows), strict=True)):
        yield Comparison(f"mean of coordinate {j}", "eq", mean, true, witness=witness)
    yield Comparison(
        "error with idle clients", "eq", moments.error, stated(formula, rows), witness=witness, headline=True
    )
    balanced = enumerate_joint(PermK(), rows).error
    yield Comparison("balanced error", "eq", balanced, stated("balanced", rows), witness=witness)
    yield Comparison("times the balanced error", "eq", moments.error, ratio * balanced, witness=witness)
    n, d = len(rows), len(rows[0])
    if n % d == 0:
        yield Comparison("stated factor", "eq", stated("factor", rows), ratio, witness=witness)


def _exact(name: str, rows: Rows, ratio: F) -> Check:
    def case(compressor: JointCompressor, chosen: Rows, formula: str = "exact") -> ExactCase:
        return ExactCase(lambda: compare(compressor, chosen, ratio, formula))

    mutants = {
        "balanced-constant": case(IdleClients(), rows, "balanced"),
        "busy-clients": case(PermK(), rows),
        "permuted-clients": case(IdleClients(), turned(rows)),
    }
    parameters = {"a": rows, "factor": ratio}
    return Check("exact", name, case(IdleClients(), rows), parameters, mutants, seconds=0.1)


def _sampled() -> Check:
    def case(formula: str) -> MonteCarloCase:
        bound = float(stated(formula, REMAINDER))
        return MonteCarloCase(
            "eq", squared_errors(IdleClients(), REMAINDER), bound, upper=largest_error(REMAINDER)
        )

    mutants = {"balanced-constant": Lazy(partial(case, "balanced"), tests=1)}
    base = Lazy(partial(case, "exact"), tests=1)
    return Check("montecarlo", "n5-d3", base, {"a": REMAINDER}, mutants, seconds=0.3)
