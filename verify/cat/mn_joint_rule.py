"""Checks of `cat/mn-joint-rule`: enumerated decreases of equal nodes, and all sizes tried one by one."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import theory
from impl.adaptive import keep_probabilities
from verify.binding import Check
from verify.cat.outcome_tree import independent_mean, kept_entries, square
from verify.comparison import EXACT, Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/mn-joint-rule"


@dataclass(frozen=True)
class Link:
    """How many nodes with gradients of what size, and what a message costs."""

    d: int
    n: int
    c_0: Any
    c_1: Any = 1

    @property
    def values(self) -> dict[str, Any]:
        """Return the values by the names of the claim."""
        return {"d": self.d, "n": self.n, "c_0": self.c_0, "c_1": self.c_1}


LINKS = (
    Link(1024, 16, 10),
    Link(1024, 2, 10),
    Link(1024, 1, 10),
    Link(64, 5, 1),
    Link(50, 3, F(1, 1000)),
    Link(20, 2, 500),
)


@dataclass(frozen=True)
class Rule:
    """The stated choice, or a sabotaged one.

    Args:
        others: The number of other nodes in the optimum.
        local: Whether each node takes its own best size.
        scale: Factor of both costs.
    """

    others: Callable[[int], int] = lambda n: n - 1
    local: bool = False
    scale: int = 1


STATED = Rule()
RULES = {
    "n-for-n-minus-one": Rule(others=lambda n: n),
    "local-as-joint": Rule(local=True),
    "scaled-costs": Rule(scale=3),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        Check(
            "exact",
            "equal-nodes",
            ExactCase(compare_decrease),
            {"n": [1, 2, 3], "d": 3},
            {
                "half-step": ExactCase(partial(compare_decrease, part=F(1, 2))),
                "no-half": ExactCase(partial(compare_decrease, factor=2)),
                "n-for-n-minus-one": ExactCase(partial(compare_decrease, rule=RULES["n-for-n-minus-one"])),
            },
            seconds=0.2,
        ),
        Check(
            "exact",
            "best-size",
            ExactCase(partial(compare_choice, STATED)),
            {"links": [link.values for link in LINKS]},
            {name: ExactCase(partial(compare_choice, rule)) for name, rule in RULES.items()},
            seconds=0.3,
        ),
    )


def compare_decrease(rule: Rule = STATED, part: F = F(1), factor: int = 1) -> Iterable[Comparison]:
    """The exact mean decrease of ||x||^2 / 2 with equal nodes at the stated step.

    Args:
        rule: Says what n - 1 is in the share.
        part: Part of the stated step that is taken.
        factor: Factor of the decrease that is claimed.
    """
    claim = theory.claim(ID)
    for n, d, T in ((1, 3, 1), (1, 3, 2), (2, 3, 1), (2, 3, 2), (3, 2, 1), (2, 3, 3)):
        x = (F(2), F(-2), F(2))[:d]
        law = independent_mean([kept_entries(x, list(keep_probabilities(list(x), T)))] * n)
        G, V = square(x), sum(chance * square(v) for chance, v in law)
        values = {"G": G, "V": V, "L": 1}
        stated = evaluate_exact(claim.formulas["step"], values)
        step = part * F(int(stated.p), int(stated.q))
        after = sum(chance * square(a - step * b for a, b in zip(x, v, strict=True)) for chance, v in law) / 2
        witness = {"n": n, "d": d, "T": T}
        bound = factor * evaluate_exact(claim.bound, values)
        yield Comparison("decrease", "eq", G / 2 - after, bound, EXACT, witness, headline=True)
        # Only the n - 1 of nT / (d + (n - 1) T) is up to the rule; the n in front stays.
        others = rule.others(n)
        share = evaluate_exact(claim.formulas["share"], {"n": others + 1, "d": d, "T": T}) * F(n, others + 1)
        yield Comparison("share of whole gradients", "eq", 2 * (G / 2 - after) / G, share, EXACT, witness)


def efficiency(link: Link, T: int) -> F:
    """Return the joint efficiency of a size, from enumerable moments: omega = T / d on every node."""
    second = 1 + (F(link.d, T) - 1) / link.n
    return F(1) / (second * link.n * F(link.c_0 + link.c_1 * T))


def best_size(link: Link) -> int:
    """Return the smallest of the most efficient sizes, all of them tried."""
    return max(range(1, link.d + 1), key=lambda T: (efficiency(link, T), -T))


def stated_size(link: Link, rule: Rule = STATED) -> int:
    """Return the better one of the two whole numbers next to the stated optimum, from 1 to d."""
    others = rule.others(link.n)
    if rule.local or not others:
        return link.d
    claim, values = theory.claim(ID), {**link.values, "n": others + 1}
    optimum = evaluate(claim.formulas["optimum"], values)
    ends = [min(max(size, 1), link.d) for size in (math.floor(optimum), math.ceil(optimum))]
    return max(ends, key=lambda T: (evaluate_exact(claim.formulas["efficiency"], {**values, "T": T}), -T))


def compare_choice(rule: Rule) -> Iterable[Comparison]:
    """The stated size against the best of all sizes, and the stated efficiency and gain there."""
    claim = theory.claim(ID)
    for given in LINKS:
        link = Link(given.d, given.n, given.c_0 * rule.scale, given.c_1 * rule.scale)
        best, witness = best_size(given), given.values
        yield Comparison("best size", "eq", stated_size(link, rule), best, EXACT, witness)
        values = {**link.values, "T": best}
        found = efficiency(link, best)
        stated = evaluate_exact(claim.formulas["efficiency"], values)
        yield Comparison("efficiency", "eq", found, stated, EXACT, witness)
        gain = evaluate_exact(claim.formulas["gain"], values)
        yield Comparison("gain", "eq", found / efficiency(link, link.d), gain, EXACT, witness)
