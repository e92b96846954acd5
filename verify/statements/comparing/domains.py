"""Which names are nowhere negative, and which nowhere 0: by their domains as written, and by hypotheses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from theory.latex.vocabulary import name_of
from verify.statements.comparing.written_domains import Declared, End, declared_of

if TYPE_CHECKING:
    from theory.claim import Claim, Hypothesis

Low = Literal["positive", "nonnegative", ""]
"""What is known of the least value of a name; empty: it may be negative."""

_FRACTION = re.compile(r"\\frac\{?(\w)\}?\{?(\w)\}?")


def lows(claim: Claim) -> dict[str, Low]:
    """Return what is known of the least value of every name of a claim."""
    found = declared_lows(claim)
    for name, low in _of_hypotheses(claim):
        if low == "positive" or not found.get(name):
            found[name] = low
    return found


def declared_lows(claim: Claim) -> dict[str, Low]:
    """Return what the domains of a claim say of the least value of every name."""
    found: dict[str, Low] = {}
    texts = {variable.tex: name_of(variable.symbol) for variable in claim.variables if not variable.shape}
    for _ in range(2):  # ends of intervals are names, too
        for variable in claim.variables:
            found[name_of(variable.symbol)] = _of_domain(declared_of(variable), texts, found)
    return found


def _of_domain(domain: Declared, texts: Mapping[str, str], known: Mapping[str, Low]) -> Low:
    if domain.low:
        return _end(domain.low, texts, known)
    return _least(_end(End(item), texts, known) for item in domain.members)


def _end(end: End, texts: Mapping[str, str], known: Mapping[str, Low]) -> Low:
    """Return what a low end says: a number, a positive name, or a quotient of these."""
    if end.number is not None:
        above = end.number > 0 or (end.number == 0 and end.left_out)
        return "positive" if above else "" if end.number else "nonnegative"
    top, _, below = _FRACTION.sub(r"\1/\2", end.text).partition("/")
    found = _least(
        ("positive" if float(item) else "nonnegative")
        if re.fullmatch(r"\d+(\.\d+)?", item)
        else known.get(texts.get(item, ""), "")
        for item in (top, below or "1")
    )
    return "positive" if found and end.left_out else found


def _least(found: Iterable[Low]) -> Low:
    kinds = set(found)
    return "" if "" in kinds or not kinds else "nonnegative" if "nonnegative" in kinds else "positive"


def of_all_relations(claim: Claim) -> list[Hypothesis]:
    """Return the hypotheses under which all relations of a claim hold."""
    relations = claim.relations.values()
    special = {name for relation in relations for name in relation.under}
    everywhere = special.intersection(*(relation.under for relation in relations))
    return [item for name, item in claim.hypotheses.items() if name not in special - everywhere]


def _of_hypotheses(claim: Claim) -> list[tuple[str, Low]]:
    """Return what hypotheses of all relations say of names: a number is at most, or less than, a name."""
    import sympy

    from theory.formula import Compare

    found: list[tuple[str, Low]] = []
    for hypothesis in of_all_relations(claim):
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

    formulas: list[Any] = [formula for item in of_all_relations(claim) for formula in item.formulas]
    return frozenset(
        formula.left.name
        for formula in formulas
        if isinstance(formula, Compare)
        and formula.operator == "!="
        and isinstance(formula.left, sympy.Symbol)
        and formula.right == 0
    )
