"""What domains say of names already, and whether a hypothesis says more."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from theory.latex.nodes import Node, Unreadable, from_sympy
from theory.latex.vocabulary import name_of
from verify.statements.comparing.domains import declared_lows
from verify.statements.comparing.written_domains import Declared, declared_of

if TYPE_CHECKING:
    from theory.claim import Claim

Bound = tuple[str, str, Fraction, bool]
"""Name, operator, number, and whether the name is above it."""


class Domains:
    """What the domains of a claim say of its names."""

    def __init__(self, claim: Claim) -> None:
        self._declared = {name_of(item.symbol): declared_of(item) for item in claim.variables}
        self._lows = declared_lows(claim)

    def __contains__(self, name: str) -> bool:
        return name in self._declared

    def of(self, name: str) -> Declared:
        """Return what is said of one name, nothing of an unknown one."""
        return self._declared.get(name, Declared())

    def say(self, bound: Bound) -> bool:
        """Return whether they say a bound: by an end that is a number, or a low one that has no sign."""
        name, operator, number, above = bound
        if operator not in ("<", "<="):
            return False
        if self.of(name).says(operator, number, above=above):
            return True
        low = self._lows.get(name, "")
        return (
            above and bool(low) and (number < 0 or (not number and (operator == "<=" or low == "positive")))
        )


def restricts(claim: Claim, name: str) -> bool:
    """Return whether a hypothesis says more of names than their domains, and than what they stand for."""
    domains = Domains(claim)
    hypothesis = claim.hypotheses[name]
    if hypothesis.kind in ("parameter", "model"):
        return True
    for formula in hypothesis.formulas:
        while hasattr(formula, "formula"):
            formula = formula.formula
        if hypothesis.kind == "definition" and defined_name(formula):
            continue
        if hasattr(formula, "term"):
            node = node_of(formula.term)
            known = node[0] in ("name", "entry") and domains.of(node[1]).integer
        else:
            left, right = node_of(formula.left), node_of(formula.right)
            known = any(map(domains.say, bounds(left, formula.operator, right)))
        if not known:
            return True
    return False


def defined_name(formula: Any) -> str:
    """Return the name that an equation defines: alone on a side, or an entry, and not on the other; else ''.

    An equation with a number tells the value of a name, and defines none, nor do $x^2=x$ and $xy=0$.
    """
    if getattr(formula, "operator", "") != "=":
        return ""
    for one, other in ((formula.left, formula.right), (formula.right, formula.left)):
        name = name_in(node_of(one))
        if name and names_in(other) and name not in names_in(other):
            return name
    return ""


def names_in(side: Any) -> frozenset[str]:
    """Return the names of scalars and arrays in an expression; indices of sums and expectations are none."""
    import sympy

    return _names_of(sympy.sympify(side))


@functools.lru_cache(maxsize=4096)
def _names_of(side: Any) -> frozenset[str]:
    import sympy

    labels = {item.base.label for item in side.atoms(sympy.Indexed)} if hasattr(side, "atoms") else set()
    plain = {item for item in side.free_symbols if not isinstance(item, sympy.Indexed | sympy.IndexedBase)}
    arrays = {item.label for item in side.free_symbols if isinstance(item, sympy.IndexedBase)}
    return frozenset(map(str, labels | plain | arrays))


def bounds(left: Node, operator: str, right: Node) -> Iterator[Bound]:
    """Yield the bound that a comparison of a name with a number is."""
    turned = {">": "<", ">=": "<="}
    if operator in turned:
        left, operator, right = right, turned[operator], left
    if left[0] == "number" and name_in(right):
        yield name_in(right), operator, left[1], True
    elif right[0] == "number" and name_in(left):
        yield name_in(left), operator, right[1], operator not in ("<", "<=")


def node_of(expression: Any) -> Node:
    """Return an expression as a node; what no text can say, such as an expectation, is one of its own."""
    import sympy

    return _node(sympy.sympify(expression))


@functools.lru_cache(maxsize=4096)
def _node(expression: Any) -> Node:
    try:
        return from_sympy(expression)
    except Unreadable:
        return ("unsaid",)


def name_in(node: Node) -> str:
    """Return the name of a scalar or of an entry, '' of other nodes."""
    return node[1] if node[0] in ("name", "entry") else ""
