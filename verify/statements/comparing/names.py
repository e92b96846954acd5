"""What is known of the names of a claim: their kinds, and which letters are indices."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from theory.latex.vocabulary import name_of
from verify.statements.comparing.domains import lows, nonzero
from verify.statements.comparing.values import Kinds
from verify.statements.registered import comparisons

if TYPE_CHECKING:
    from theory.claim import Claim


def _atoms(claim: Claim) -> Iterator[Any]:
    for relation in claim.relations.values():
        yield from relation.sides
        for _, low, high in relation.every:
            yield from (low, high)
    for hypothesis in claim.hypotheses.values():
        for compare in comparisons(hypothesis.formulas):
            yield from (compare.left, compare.right)


@functools.lru_cache(maxsize=64)
def _sums(expressions: tuple[Any, ...]) -> tuple[tuple[str, Any, Any], ...]:
    import sympy

    found = []
    for expression in expressions:
        for item in sympy.sympify(expression).atoms(sympy.Sum, sympy.Product):
            found += [(limit[0].name, limit[1], limit[2]) for limit in item.limits]
    return tuple(found)


def kinds(claim: Claim) -> Kinds:
    """Return which names are integers, may be negative, or count the size of something."""
    import sympy

    from theory.formula import Every, IsInteger

    integers, sizes = set(), []
    symbols = {name_of(variable.symbol): variable.symbol for variable in claim.variables}
    for variable in claim.variables:
        name, domain = name_of(variable.symbol), variable.domain
        if domain.startswith((r"\mathbb N", r"\mathbb Z")):
            integers.add(name)
        for part in variable.shape.strip("() ").split(","):
            sizes += [symbol.name for symbol in sympy.sympify(part.strip() or 0, locals=symbols).free_symbols]
    counts = set(sizes)  # of entries: never negative, and an array without entries says nothing
    for hypothesis in claim.hypotheses.values():
        for formula in hypothesis.formulas:
            while isinstance(formula, Every):
                formula = formula.formula
            if isinstance(formula, IsInteger) and isinstance(formula.term, sympy.Symbol):
                integers.add(formula.term.name)
    for _, low, high in _sums(tuple(_atoms(claim))):
        for end in (low, high):
            sizes += [item.name for item in end.free_symbols if isinstance(item, sympy.Symbol)]
    ordered = tuple(sorted(set(sizes)))
    low = lows(claim)
    signed = sorted(name for name in low if not low[name] and name not in counts)
    zero = {name for name in low if low[name] != "positive"} - counts - nonzero(claim)
    return Kinds(frozenset(integers | set(ordered)), tuple(signed), ordered, frozenset(zero))


def indices(claim: Claim) -> set[str]:
    """Return the letters that relations and hypotheses use as indices."""
    import sympy

    known = {name_of(variable.symbol) for variable in claim.variables}
    found = {name for name, _, _ in _sums(tuple(_atoms(claim)))}
    for relation in claim.relations.values():
        found |= {str(index) for index, _, _ in relation.every}
    for expression in _atoms(claim):
        for entry in sympy.sympify(expression).atoms(sympy.Indexed):
            found |= {
                item.name for index in entry.indices for item in index.free_symbols if item.name not in known
            }
    return found
