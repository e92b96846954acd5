"""Checks of `ndqsg/levels-tradeoff`: the best number of levels, by a search that is complete."""

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import theory
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.quadratic_oracle import fixed_scale_variance
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "ndqsg/levels-tradeoff"


@dataclass(frozen=True)
class Rule:
    """How bits to an accuracy are counted: as stated, or with one fault.

    Args:
        power: The variance falls like c / M to this power.
        symbols: Symbols of a raw index, as factor of M and summand.
        iterations: Whether the number of iterations counts.
        unit: Bits are multiplied by this number.
    """

    power: int = 2
    symbols: tuple[int, int] = (2, 1)
    iterations: bool = True
    unit: float = 1.0

    def bits(self, c: Any, M: int) -> float:
        """Return bits to an accuracy, up to a factor."""
        factor, summand = self.symbols
        needed = 1 + float(c) / M**self.power if self.iterations else 1.0
        return self.unit * needed * math.log2(factor * M + summand)


STATED = Rule()
RULES = {
    "wrong-raw-bits": Rule(symbols=(1, 0)),
    "linear-variance": Rule(power=1),
    "bits-per-iteration": Rule(iterations=False),
    "nats": Rule(unit=math.log(2)),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        Check(
            "exact",
            "best-levels",
            ExactCase(functools.partial(compare_levels, STATED)),
            {"c": (0.1, 1, 10, 100)},
            {name: ExactCase(functools.partial(compare_levels, rule)) for name, rule in RULES.items()},
            seconds=0.1,
        ),
        Check("exact", "iterations", ExactCase(compare_iterations), {"M": (1, 2, 5)}, seconds=0.1),
    )


def best_levels(rule: Rule, c: Any) -> int:
    """Return the number of levels with the fewest bits; beyond the search the raw bits alone are more."""
    best, M = 1, 1
    while rule.bits(0, M) <= rule.bits(c, best):
        M += 1
        if rule.bits(c, M) < rule.bits(c, best):
            best = M
    return best


def compare_levels(rule: Rule) -> Iterable[Comparison]:
    """The stated minimiser, and the stated bits there."""
    claim = theory.claim(CLAIM)
    for case in claim.worst_cases:
        c, stated = case.values["c"], case.values["M"]
        found = best_levels(rule, c)
        yield Comparison(f"best number of levels at c={c}", "eq", found, stated, headline=True)
        for M in (stated, stated + 1):
            bits = rule.bits(c, M) / rule.unit
            yield Comparison(
                f"bits at c={c}, M={M}", "eq", bits, evaluate(claim.exact, {"c": c, "M": M}), ROUND_OFF
            )


def compare_iterations() -> Iterable[Comparison]:
    """The ratio of the variances with and without compression, in rationals."""
    formulas = theory.claim(CLAIM).formulas
    d, K_sq, sigma_sq, P = 12, F(1, 2), F(3), 4
    for M in (1, 2, 5):
        compressed = d * K_sq * fixed_scale_variance(F(1), M, P) + sigma_sq / P
        c = evaluate_exact(formulas["c"], {"d": d, "K_sq": K_sq, "sigma_sq": sigma_sq})
        stated = evaluate_exact(formulas["iterations"], {"c": c, "M": M})
        yield Comparison(f"iterations, M={M}", "eq", compressed / (sigma_sq / P), stated)
