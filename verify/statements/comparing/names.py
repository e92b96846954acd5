"""What is known of the names of a claim: their kinds, and which letters are indices."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from theory.latex.vocabulary import name_of
from verify.statements.comparing.domains import lows, nonzero, of_all_relations
from verify.statements.comparing.values import Kinds
from verify.statements.comparing.written_domains import declared_of
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

    symbols = {name_of(variable.symbol): variable.symbol for variable in claim.variables}
    integers = {name_of(variable.symbol) for variable in claim.variables if declared_of(variable).integer}
    for hypothesis in of_all_relations(claim):
        for formula in hypothesis.formulas:
            while isinstance(formula, Every):
                formula = formula.formula
            if isinstance(formula, IsInteger) and isinstance(formula.term, sympy.Symbol):
                integers.add(formula.term.name)
    shapes = (size for variable in claim.variables for size in variable.shape.strip("() ").split(","))
    ends = [sympy.sympify(size.strip() or 0, locals=symbols) for size in shapes]
    ends += [end for _, *limits in _sums(tuple(_atoms(claim))) for end in limits]
    sizes = {item.name for end in ends for item in end.free_symbols if isinstance(item, sympy.Symbol)}
    low = lows(claim)
    signed = sorted(name for name in low if not low[name])
    zero = {name for name in low if low[name] != "positive"} - nonzero(claim)
    # A real number stays one, whatever it counts elsewhere.
    return Kinds(frozenset(integers), tuple(signed), tuple(sorted(sizes & integers)), frozenset(zero))


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
