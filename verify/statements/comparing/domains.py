"""Which names are nowhere negative, and which nowhere 0: by their domains as written, and by hypotheses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from theory.latex.vocabulary import name_of

if TYPE_CHECKING:
    from theory.claim import Claim, Variable

Low = Literal["positive", "nonnegative", ""]
"""What is known of the least value of a name; empty: it may be negative."""

_SET = re.compile(r"\\mathbb([NRZQ])")
_SHAPE = re.compile(r"\^(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\?\w+)$")
_SHAPE_INSIDE = re.compile(r"\^(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\?\w+?)(?=_\{?(?:\\ge|>|0))")
_BOUND = re.compile(r"_\{(\\geq?|>)(.+)\}$")
_INTERVAL = re.compile(r"([\[(])([^,]+),.+[\])]")
_MEMBERS = re.compile(r"\\\{(.+)\\\}")
_FRACTION = re.compile(r"\\frac\{?(\w)\}?\{?(\w)\}?")


def lows(claim: Claim) -> dict[str, Low]:
    """Return what is known of the least value of every name of a claim."""
    found: dict[str, Low] = {}
    texts = {variable.tex: name_of(variable.symbol) for variable in claim.variables if not variable.shape}
    for _ in range(2):  # ends of intervals are names, too
        for variable in claim.variables:
            found[name_of(variable.symbol)] = _of_domain(variable, texts, found)
    for name, low in _of_hypotheses(claim):
        if low == "positive" or not found.get(name):
            found[name] = low
    return found


def _of_domain(variable: Variable, texts: Mapping[str, str], known: Mapping[str, Low]) -> Low:
    domain = re.sub(r"\s|\\[,;!]", "", variable.domain)
    numbers = _SET.match(domain)
    if numbers:
        rest = _SHAPE.sub("", _SHAPE_INSIDE.sub("", domain))
        bound = _BOUND.search(rest)
        if bound:
            return _end(bound.group(2), bound.group(1) == ">", texts, known)
        if rest == r"\mathbbN":
            return "positive"
        return "nonnegative" if rest in (r"\mathbbN_0", r"\mathbbR_+", r"\mathbbZ_+") else ""
    rest = _SHAPE.sub("", domain)
    interval = _INTERVAL.fullmatch(rest)
    if interval:
        return _end(interval.group(2), interval.group(1) == "(", texts, known)
    members = _MEMBERS.fullmatch(rest)
    if not members:
        return ""
    # What follows dots is the end of a row that only grows.
    least = [item for item in members.group(1).split(r",\dots")[0].split(",") if item]
    return _least(_end(item, False, texts, known) for item in least)


def _end(text: str, open_end: bool, texts: Mapping[str, str], known: Mapping[str, Low]) -> Low:
    """Return what a low end says: a number, a positive name, or a quotient of these."""
    top, _, below = _FRACTION.sub(r"\1/\2", text).partition("/")
    found = _least(
        ("positive" if float(item) else "nonnegative")
        if re.fullmatch(r"\d+(\.\d+)?", item)
        else known.get(texts.get(item, ""), "")
        for item in (top, below or "1")
    )
    return "positive" if found and open_end else found


def _least(found: Iterable[Low]) -> Low:
    kinds = set(found)
    return "" if "" in kinds or not kinds else "nonnegative" if "nonnegative" in kinds else "positive"


def _of_hypotheses(claim: Claim) -> list[tuple[str, Low]]:
    """Return what hypotheses of all relations say of names: a number is at most, or less than, a name."""
    import sympy

    from theory.formula import Compare

    relations = claim.relations.values()
    special = {name for relation in relations for name in relation.under}
    everywhere = special.intersection(*(relation.under for relation in relations))
    found: list[tuple[str, Low]] = []
    for name, hypothesis in claim.hypotheses.items():
        if name in special - everywhere:
            continue
        for formula in hypothesis.formulas:
            if not isinstance(formula, Compare) or formula.operator not in ("<", "<="):
                continue
            left, right = (sympy.sympify(side) for side in (formula.left, formula.right))
            if isinstance(right, sympy.Symbol) and left.is_number and left >= 0:
                is_positive = formula.operator == "<" or left > 0
                found.append((right.name, "positive" if is_positive else "nonnegative"))
    return found


def nonzero(claim: Claim) -> frozenset[str]:
    """Return the names that hypotheses of all relations say not to be 0."""
    import sympy

    from theory.formula import Compare

    special = {name for relation in claim.relations.values() for name in relation.under}
    formulas: list[Any] = [
        formula
        for name, hypothesis in claim.hypotheses.items()
        if name not in special
        for formula in hypothesis.formulas
    ]
    return frozenset(
        formula.left.name
        for formula in formulas
        if isinstance(formula, Compare)
        and formula.operator == "!="
        and isinstance(formula.left, sympy.Symbol)
        and formula.right == 0
    )
