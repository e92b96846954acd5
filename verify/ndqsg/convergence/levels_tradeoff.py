"""Checks of `ndqsg/levels-tradeoff`: the best number of levels, by a search that is complete."""

import math
from collections.abc import Iterable
from fractions import Fraction as F
from typing import Any

from sympy import Symbol, log

import theory
from verify.authoring import checks_of, eq
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison
from verify.ndqsg.fixtures.quadratic_oracle import fixed_scale_variance

judge = checks_of("ndqsg/levels-tradeoff")
M = Symbol("M", real=True)


judge.sabotage(
    "wrong-raw-bits at exact/*: Raw bits log_2 M: one level would cost nothing, M = 1 is the best of all.",
    exact=lambda formula: formula.subs(log(2 * M + 1), log(M)),
)


@judge.mutant(
    "The variance falls like c/M: the best numbers of levels are 33 and 612 for 7 and 27.", at=("exact/*",)
)
def linear_variance(law: Law) -> Law:
    changed = {name: law.formulas[name].subs(M**-2, 1 / M) for name in ("exact", "iterations")}
    return law.replace(**changed)


judge.sabotage(
    "bits-per-iteration at exact/best-levels: Only the bits of an iteration count: M = 1 is always the "
    "best. | exact = exact(c = 0)",
    "nats, neutral at exact/best-levels: Count in nats: the minimisers stay. "
    "| exact = exact * log(2), raw = raw * log(2)",
)


def best_levels(law: Law, c: float) -> int:
    """Return the number of levels with the fewest bits; beyond the search the raw bits alone are more."""
    best, count = 1, 1
    while law("raw", M=count) <= law("exact", c=c, M=best):
        count += 1
        if law("exact", c=c, M=count) < law("exact", c=c, M=best):
            best = count
    return best


@judge.exact(instance="best-levels", parameters={"c": (0.1, 1, 10, 100)})
def minimisers(law: Law) -> Iterable[Comparison]:
    """The stated minimisers."""
    for case in theory.claim(law.claim_id).worst_cases:
        found = best_levels(law, float(case.values["c"]))
        yield eq("best number of levels", found, case.values["M"], witness=case.values, headline=True)


@judge.exact(M=(1, 2, 5))
def iterations(law: Law, M: tuple[int, ...]) -> Iterable[Comparison]:
    """The ratio of the variances with and without compression, and the bits of all indices."""
    d, K_sq, sigma_sq, P = 12, F(1, 2), F(3), 4
    for levels in M:
        compressed = d * K_sq * fixed_scale_variance(F(1), levels, P) + sigma_sq / P
        c = law.exactly("c", d=d, K_sq=K_sq, sigma_sq=sigma_sq)
        more = compressed / (sigma_sq / P)
        yield eq("iterations", more, law.exactly("iterations", c=c, M=levels), headline=True)
        indices = len(range(-levels, levels + 1))
        bits: Any = law("exact", c=c, M=levels)
        yield eq("bits", float(more) * math.log2(indices), bits, ROUND_OFF)
