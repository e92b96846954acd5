r"""What the domain of a variable says of it as it is written: `\mathbb R_{>0}`, `(0,1]`, `\mathbb N`."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from theory.latex.nodes import Node, Unreadable, from_sympy

if TYPE_CHECKING:
    from theory.claim import Claim

Bound = tuple[str, str, Fraction, bool]
"""Name, operator, number, and whether the name is above it."""

_SIGN = re.compile(r"_\{?(>|\\geq?)\s*(-?\d+)\}?")
_INTERVAL = re.compile(r"([\[(])(.+),(.+?)([\])])(?:\^.*)?\Z")
_FRACTION = re.compile(r"(-?)\\[dt]?frac\{?(\d)\}?\{?(\d)\}?\Z|(-?\d+)(?:/(\d+))?\Z")
_INTEGERS = re.compile(r"\\mathbb\{?[NZ]\}?|\\dots|\\\{-?\d+(,-?\d+)*\\\}")


@dataclass(frozen=True)
class Declared:
    """Ends of a domain, each with whether it is left out; None where there is none.

    An end that is no number, as in `[L,nL]`, counts as any: the domain says it in words of its own.
    """

    low: tuple[Fraction, bool] | None = None
    high: tuple[Fraction, bool] | None = None
    any_low: bool = False
    any_high: bool = False
    integer: bool = False

    def says(self, operator: str, number: Fraction, *, above: bool) -> bool:
        """Return whether it says that a value is above, or below, a number, by `<` or `<=`."""
        end, unknown = (self.low, self.any_low) if above else (self.high, self.any_high)
        if end is None:
            return unknown
        further = end[0] > number if above else end[0] < number
        return further or (end[0] == number and (operator == "<=" or end[1]))


def restricts(claim: Claim, name: str) -> bool:
    """Return whether a hypothesis says more of names than their domains, and than what they stand for."""
    from theory.latex.vocabulary import name_of

    domains = {name_of(item.symbol): declared(item.domain) for item in claim.variables}
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
            known = node[0] in ("name", "entry") and domains.get(node[1], Declared()).integer
        else:
            left, right = node_of(formula.left), node_of(formula.right)
            known = any(
                domains.get(item, Declared()).says(operator, number, above=above)
                for item, operator, number, above in bounds(left, formula.operator, right)
            )
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


def declared(domain: str) -> Declared:
    """Return what a domain says; natural numbers begin with 1."""
    text = re.sub(r"\s|\\[,;!]", "", domain)
    base = base_and_exponent(text)[0]
    integer = bool(_INTEGERS.search(base))
    sign = _SIGN.search(text)
    if sign:
        return Declared((Fraction(sign[2]), sign[1] == ">"), integer=integer)
    interval = _INTERVAL.match(text)
    if interval:
        low, high = _number(interval[2]), _number(interval[3])
        return Declared(
            None if low is None else (low, interval[1] == "("),
            None if high is None else (high, interval[4] == ")"),
            low is None and "infty" not in interval[2],
            high is None and "infty" not in interval[3],
            integer,
        )
    if text.startswith(r"\{"):
        ends = text[2:].split(r"\}")[0].split(",")
        first, last = _number(ends[0]), _number(ends[-1])
        return Declared(
            None if first is None else (first, False),
            None if last is None else (last, False),
            first is None,
            last is None,
            integer,
        )
    if r"\mathbbN" in base.replace("{", "").replace("}", ""):
        return Declared((Fraction(1), False), integer=True)
    return Declared(integer=integer)


def base_and_exponent(domain: str) -> tuple[str, str]:
    """Return the set of the entries of a domain and its exponent: of `[0,1]^{n}` `[0,1]` and `n`."""
    depth = 0
    for place, sign in enumerate(domain):
        depth += (sign in "{[(") - (sign in "}])")
        if sign == "^" and depth == 0:
            rest = domain[place + 1 :].lstrip()
            end = _group(rest) if rest[:1] == "{" else len(re.match(r"\\[a-zA-Z]+|.|", rest)[0])  # type: ignore[index]
            return domain[:place] + rest[end:], rest[:end].removeprefix("{").removesuffix("}")
    return domain, ""


def _group(text: str) -> int:
    """Return the place after the group that a text begins with."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if depth == 0:
            return place + 1
    return len(text)


def _number(text: str) -> Fraction | None:
    found = _FRACTION.match(text)
    if not found:
        return None
    if found[2]:
        return Fraction(int(found[2]), int(found[3])) * (-1 if found[1] else 1)
    return Fraction(int(found[4]), int(found[5] or 1))
