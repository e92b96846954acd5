"""Checks of `cat/scaling`: all sizes tried in rationals, CAT-S on long gradients, growth with d."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.adaptive import cat_s
from impl.communication import Affine
from theory.old_form import ImplicitValue
from verify.binding import Check
from verify.cat.golden_vectors import flat, geometric
from verify.comparison import EXACT, ROOT, ROUND_OFF, Comparison, Tolerance
from verify.evaluation import evaluate, evaluate_exact, root
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/scaling"
RHO = F(9, 10)
LINEAR = Tolerance(1e-10, "rho^d = 3.6e-12 at the smallest dimension, d = 250, and round-off")


@dataclass(frozen=True)
class Rule:
    """The stated maximiser, or a sabotaged one.

    Args:
        branch: Branch of Lambert's function.
        omit_r: Whether -r is left out.
        steep: Whether flat gradients are claimed to gain like steep ones.
        r_for_d: Whether the gain has r in the place of d.
        proportional: Whether the line of the gains is claimed to pass through the origin.
        scale: Factor of the gradient, a power of 2.
    """

    branch: int = -1
    omit_r: bool = False
    steep: bool = False
    r_for_d: bool = False
    proportional: bool = False
    scale: int = 1


STATED = Rule()
RULES = {
    "branch-zero": Rule(branch=0),
    "omit-r": Rule(omit_r=True),
    "gain-when-flat": Rule(steep=True),
    "r-for-d": Rule(r_for_d=True),
    "through-the-origin": Rule(proportional=True),
    "scaled-gradient": Rule(scale=1024),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)

    def exact(name: str, compare: Any, parameters: dict[str, Any], mutants: Sequence[str]) -> Check:
        cases = {key: ExactCase(partial(compare, RULES[key])) for key in mutants}
        return Check("exact", name, ExactCase(partial(compare, STATED)), parameters, cases, seconds=0.2)

    wrong = ("branch-zero", "omit-r")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        exact("all-sizes", compare_all_sizes, {"rho": ["1/2", "9/10"], "d": 60}, wrong),
        exact(
            "long-gradients",
            compare_long,
            {"rho": "9/10", "d": 1000, "r": [1, 10, 100]},
            (*wrong, "scaled-gradient"),
        ),
        exact(
            "dimension",
            compare_dimension,
            {"d": [250, 500, 1000, 2000, 4000]},
            ("r-for-d", "through-the-origin"),
        ),
        exact("flat", compare_flat, {"d": [10, 100, 1000], "c_0": ["1/100", 10]}, ("gain-when-flat",)),
    )


def maximiser(rho: Any, r: Any, rule: Rule = STATED) -> float:
    """Return the stated maximiser by Lambert's function."""
    from sympy import LambertW, Symbol

    formula = theory.claim(ID).formulas["maximiser"]
    if rule.branch != -1:
        formula = formula.replace(LambertW, lambda z, branch: LambertW(z, rule.branch))
    values = {"decay": -math.log(rho), "r": float(r)}
    point = {symbol: values[symbol.name] for symbol in formula.free_symbols if isinstance(symbol, Symbol)}
    found = float(formula.evalf(30, subs=point))
    return found + float(r) if rule.omit_r else found


def efficiency(rho: F, r: Any, T: int) -> F:
    """Return (1 - rho^T) / (r + T)."""
    return (1 - rho**T) / (F(r) + T)


def stated_size(rho: F, r: Any, d: int, rule: Rule = STATED) -> int:
    """Return the better one of the neighbours of the stated maximiser, from 1 to d."""
    found = maximiser(rho, r, rule)
    ends = [min(max(size, 1), d) for size in (math.floor(found), math.ceil(found))]
    return max(ends, key=lambda T: (efficiency(rho, r, T), -T))


def compare_all_sizes(rule: Rule) -> Iterable[Comparison]:
    """The stated size against all sizes in rationals; the maximiser against the root of its equation."""
    claim, d = theory.claim(ID), 60
    implicitly = claim.exact
    assert isinstance(implicitly, ImplicitValue)
    for rho in (F(1, 2), RHO):
        for r in (F(1, 10), F(1), F(10), F(100)):
            best = max(range(1, d + 1), key=lambda T: (efficiency(rho, r, T), -T))
            witness = {"rho": rho, "r": r}
            yield Comparison("best size", "eq", stated_size(rho, r, d, rule), best, EXACT, witness)
            stated = evaluate_exact(claim.formulas["efficiency"], {"rho": rho, "r": r, "T": best, "d": d})
            found = efficiency(rho, r, best) / (1 - rho**d)
            yield Comparison("efficiency", "eq", found, stated, EXACT, witness)
            implicit = root(implicitly, {"rho": float(rho), "r": float(r)})
            yield Comparison("maximiser", "eq", maximiser(rho, r, rule), implicit, ROOT, witness)


def compare_long(rule: Rule) -> Iterable[Comparison]:
    """What CAT-S chooses among a thousand entries against the stated size, efficiency and gain."""
    claim, d = theory.claim(ID), 1000
    g = rule.scale * geometric(float(RHO), d)
    for r in (1, 10, 100):
        cost = Affine(1, r)
        choice = cat_s(g, cost, entry_bits=1)
        witness = {"r": r}
        yield Comparison("size", "eq", choice.size, stated_size(RHO, r, d, rule), EXACT, witness)
        values = {"rho": float(RHO), "r": r, "T": choice.size, "d": d}
        stated = evaluate(claim.formulas["efficiency"], values)
        yield Comparison("efficiency", "eq", float(choice.efficiency), stated, ROUND_OFF, witness)
        gain = float(choice.efficiency) * cost(d)
        yield Comparison("gain", "eq", gain, evaluate(claim.formulas["gain"], values), ROUND_OFF, witness)


def compare_dimension(rule: Rule) -> Iterable[Comparison]:
    """Size and gain as d doubles: the same size, and equal differences of the gain per entry."""
    gains = {}
    for d in (250, 500, 1000, 2000, 4000):
        choice = cat_s(geometric(float(RHO), d), Affine(1, 10), entry_bits=1)
        yield Comparison("size", "eq", choice.size, 11, EXACT, {"d": d})
        values = {"rho": float(RHO), "r": 10, "T": 11, "d": 10 if rule.r_for_d else d}
        gains[d] = evaluate(theory.claim(ID).formulas["gain"], values)
        found = float(choice.efficiency) * (10 + d)
        yield Comparison("gain", "eq", found, gains[d], ROUND_OFF, {"d": d})
    slope = gains[4000] / 4000 if rule.proportional else (gains[4000] - gains[250]) / 3750
    for d in (500, 1000, 2000):
        line = gains[4000] + slope * (d - 4000)
        yield Comparison("gain on a line", "eq", gains[d], line, LINEAR, {"d": d}, headline=True)


def compare_flat(rule: Rule) -> Iterable[Comparison]:
    """Flat gradients: all entries are sent, and nothing is gained."""
    claim = theory.claim(ID)
    for d in (10, 100, 1000):
        for fixed in (F(1, 100), F(10)):
            choice = cat_s(flat(d), Affine(1, float(fixed)), entry_bits=1)
            witness = {"d": d, "c_0": fixed}
            yield Comparison("size", "eq", choice.size, d, EXACT, witness)
            values = {"T": d, "d": d, "c_0": fixed, "c_1": 1}
            stated = evaluate(claim.formulas["flat"], values)
            yield Comparison("efficiency", "eq", float(choice.efficiency), stated, ROUND_OFF, witness)
            gain = 1.0
            if rule.steep:
                at = {"rho": float(RHO), "r": float(fixed), "T": 1, "d": d}
                gain = evaluate(claim.formulas["gain"], at)
            found = float(choice.efficiency * (d + np.float64(fixed)))
            yield Comparison("gain", "eq", found, gain, ROUND_OFF, witness)
