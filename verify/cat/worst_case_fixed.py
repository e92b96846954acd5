"""Checks of `cat/worst-case-fixed`: flat starts counted exactly and by runs, worst-case costs by size."""

import functools
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.communication import Affine
from impl.optimizers.cat_gd import cat_gd
from verify.binding import Check
from verify.cat.fixed_size import fixed_size
from verify.cat.golden_vectors import isotropic
from verify.cat.rational_descent import RationalQuadratic, descend
from verify.comparison import Comparison
from verify.evaluation import evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "cat/worst-case-fixed"
D = 64
SIZES = (1, 3, 20, 64)
COSTS = {"payload": (0, 1), "affine": (5, 1)}


@dataclass(frozen=True)
class Rule:
    """What is run or claimed: as stated, or with one fault.

    Args:
        added: Entries that the claimed number of iterations counts on beside those that are sent.
        signs: Whether the start has signs that change.
        smaller: Whether a smaller size is claimed to cost less in the worst case.
    """

    added: int = 0
    signs: bool = False
    smaller: bool = False


STATED = Rule()
RULES = {
    "one-entry-more": Rule(added=1),
    "smaller-is-cheaper": Rule(smaller=True),
    "other-signs": Rule(signs=True),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    counted = ("one-entry-more", "other-signs")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        Check(
            "exact",
            "flat-start",
            ExactCase(functools.partial(compare_iterations, STATED)),
            {"F": "||x||^2 / 2", "d": D, "T": SIZES},
            {name: ExactCase(functools.partial(compare_iterations, RULES[name])) for name in counted},
            seconds=0.1,
        ),
        Check(
            "exact",
            "worst-case-cost",
            ExactCase(functools.partial(compare_costs, STATED)),
            {"d": D, "(c_0,c_1)": COSTS},
            {"smaller-is-cheaper": ExactCase(functools.partial(compare_costs, RULES["smaller-is-cheaper"]))},
            seconds=0.1,
        ),
        Check(
            "run",
            "flat-start",
            DriftCase(functools.partial(compare_runs, STATED)),
            {"F": "2 ||x||^2", "d": D, "T": SIZES},
            {name: DriftCase(functools.partial(compare_runs, RULES[name])) for name in counted},
            seconds=0.1,
        ),
    )


def _start(rule: Rule) -> list[int]:
    return [(-1) ** j if rule.signs else 1 for j in range(D)]


def _stated(rule: Rule, size: int) -> F:
    values = {"d": D, "T": min(size + rule.added, D)}
    return F(str(evaluate_exact(theory.claim(CLAIM).exact, values)))


def compare_iterations(rule: Rule) -> Iterable[Comparison]:
    """Iterations until a flat start has become 0, and what is left before the last one."""
    for size in SIZES:
        states = descend(
            RationalQuadratic((1,) * D), fixed_size(size, Affine(1, 0)), _start(rule), rounds=2 * D
        )
        witness = {"T": size}
        yield Comparison(
            f"T={size}: iterations", "eq", len(states), _stated(rule, size), witness=witness, headline=True
        )
        share = states[0].choice.share
        yield Comparison(f"T={size}: share of the first message", "eq", share, F(size, D), witness=witness)


def compare_costs(rule: Rule) -> Iterable[Comparison]:
    """Worst-case costs of all sizes: equal without a fixed cost, falling with one."""
    claim, A = theory.claim(CLAIM), 10
    for name, (fixed, per_entry) in COSTS.items():
        values = {"d": D, "A": A, "c_0": fixed, "c_1": per_entry}
        whole = F(A * (fixed + per_entry * D))
        costs = [F(str(evaluate_exact(claim.bound, {**values, "T": T}))) for T in range(1, D + 1)]
        yield Comparison(f"{name}: all entries", "eq", costs[-1], whole)
        for T, (cost, following) in enumerate(itertools.pairwise(costs), 1):
            saved = F(A * fixed * D, T * (T + 1))
            if rule.smaller:
                yield Comparison(f"{name}: T={T} below T={T + 1}", "le", cost, following)
            else:
                yield Comparison(f"{name}: saved by T={T + 1}", "eq", cost - following, saved)
                yield Comparison(
                    f"{name}: T={T + 1} at most T={T}", "le", following, cost, headline=fixed > 0
                )


def compare_runs(rule: Rule, rng: Any) -> Iterable[Comparison]:
    """The same count in runs in double precision: all entries are multiples of powers of 2."""
    problem = isotropic(D, 4.0)
    for size in SIZES:
        result = cat_gd(
            problem,
            fixed_size(size, Affine(1, 5)),
            step_size=1 / 4.0,
            rounds=D + 1,
            rng=rng,
            start=np.array(_start(rule), dtype=float),
            until=0.0,
        )
        expected = _stated(rule, size)
        label = f"T={size}"
        yield Comparison(f"{label}: iterations", "eq", result.rounds, expected, headline=True)
        paid = F(float(result.cost[0, -1]))
        yield Comparison(f"{label}: cost", "eq", paid, expected * (size + 5))
