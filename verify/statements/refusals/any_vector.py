"""Vectors that stand for any in one formula of a claim and for one in another, as if they were the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from theory.formula import Every, EveryFamily, IsInteger
from theory.latex.expectations import not_random
from theory.latex.vocabulary import name_of
from verify.statements.comparing.written_domains import base_and_exponent

if TYPE_CHECKING:
    from theory.claim import Claim


def any_elsewhere(claim: Claim) -> Iterator[str]:
    """Yield what "for every vector" says of names that are restricted: it means all real numbers."""
    bound: dict[Any, str] = {}
    free: dict[Any, str] = {}
    for kind, items in (("hypothesis", claim.hypotheses), ("relation", claim.relations)):
        for name, item in items.items():
            for formula in item.formulas:
                every, others = _arrays(formula)
                bound |= dict.fromkeys(every, f"{kind} {name!r}")
                free |= dict.fromkeys(others, f"{kind} {name!r}")
    for base in sorted(bound.keys() & free.keys(), key=str):
        yield f"{base} is any vector in {bound[base]} and one vector in {free[base]}: write two names"
    for variable in claim.variables:
        if variable.symbol in bound and base_and_exponent(variable.domain)[0] != r"\mathbb R":
            yield (
                f"{bound[variable.symbol]} is said for every {name_of(variable.symbol)}, whose domain is "
                f"{variable.domain}: it holds for all real numbers, write that domain"
            )


def _arrays(formula: Any) -> tuple[set[Any], set[Any]]:
    """Return the arrays of which a formula says something for any numbers, and the others."""
    every: set[Any] = set()
    while isinstance(formula, Every | EveryFamily):
        every |= {formula.base} if isinstance(formula, EveryFamily) else set()
        formula = formula.formula
    sides = [formula.term] if isinstance(formula, IsInteger) else [formula.left, formula.right]
    found = {base for side in sides for base in not_random(side)}
    return every, found - every
