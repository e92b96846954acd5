"""Vectors that stand for any in one formula of a claim and for one in another, as if they were the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from theory.expectation import Expectation
from theory.formula import Every, EveryFamily, IsInteger
from theory.latex.clauses import all_clauses
from theory.latex.expectations import not_random
from theory.latex.vocabulary import name_of
from verify.statements.comparing.written_domains import base_and_exponent

if TYPE_CHECKING:
    from theory.claim import Claim
    from theory.latex.vocabulary import Vocabulary


def any_elsewhere(claim: Claim, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield what "for every vector" says of names that are restricted: it means all real numbers."""
    bound: dict[Any, str] = {}
    free: dict[Any, str] = {}
    declared = {variable.symbol for variable in claim.variables}
    for kind, items in (("hypothesis", claim.hypotheses), ("relation", claim.relations)):
        for name, item in items.items():
            for formula in item.formulas:
                every, others, random = _arrays(formula)
                others |= random & declared  # what is said in prose may draw a vector and be true of any
                bound |= dict.fromkeys(every, f"{kind} {name!r}")
                free |= dict.fromkeys(others, f"{kind} {name!r}")
    for base in sorted(bound.keys() & free.keys(), key=str):
        yield f"{base} is any vector in {bound[base]} and one vector in {free[base]}: write two names"
    said = _said(claim.setting, vocabulary) if bound else set()
    for variable in claim.variables:
        if variable.symbol not in bound:
            continue
        place, name = bound[variable.symbol], name_of(variable.symbol)
        if name in said:
            yield f"{name} is any vector in {place} and stands in the setting: write two names"
        if variable.sizes != ("1",) and variable.meaning not in ("a vector", "any vector"):
            yield f"{place} is said for every {name}, which means ‘{variable.meaning}’: call it ‘a vector’"
        if base_and_exponent(variable.domain)[0] != r"\mathbb R":
            yield (
                f"{place} is said for every {name}, whose domain is "
                f"{variable.domain}: it holds for all real numbers, write that domain"
            )


def _arrays(formula: Any) -> tuple[set[Any], set[Any], set[Any]]:
    """Return the arrays of which a formula says something for any numbers, other ones, random ones."""
    every: set[Any] = set()
    while isinstance(formula, Every | EveryFamily):
        every |= {formula.base} if isinstance(formula, EveryFamily) else set()
        formula = formula.formula
    sides = [formula.term] if isinstance(formula, IsInteger) else [formula.left, formula.right]
    found = {base for side in sides for base in not_random(side)} - every
    random = {item.args[1] for side in sides for item in side.atoms(Expectation)}
    return every, found, random


def _said(text: str, vocabulary: Vocabulary) -> set[str]:
    """Return the names of the vocabulary that the mathematics of a text has."""
    found: set[str] = set()
    for clause in all_clauses(text):
        tokens, at = list(clause.tokens), 0
        while at < len(tokens):
            word = vocabulary.longest(tokens, at)
            found |= {word.word.name} if word else set()
            at = word.end if word else at + 1
    return found
