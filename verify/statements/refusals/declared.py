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
        if hypothesis.kind == "definition" and getattr(formula, "operator", "") == "=":
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
