"""Relations that say no more than what was assumed."""

import functools
from collections.abc import Iterable, Mapping
from typing import Any

import sympy

from theory.claim import Claim

Plain = tuple[str, Any, Any, tuple[Any, ...]]
"""Operator, sides and ranges of a comparison."""


def restated(claim: Claim) -> list[str]:
    """Return what is wrong with relations that are a hypothesis as it stands, or say that a thing is itself.

    Those that are proved may not be an assumption with its terms moved or multiplied, either.
    """
    special = {name for relation in claim.relations.values() for name in relation.under}
    proved = {name for part in claim.parts if "proof" in part.evidence for name in part.says}
    plain = {
        item: [_plain(said) for said in hypothesis.formulas] for item, hypothesis in claim.hypotheses.items()
    }
    found = []
    for name, relation in claim.relations.items():
        stated = {
            said: item
            for item, formulas in plain.items()
            if item not in special or item in relation.under
            for said in formulas
        }
        # A condition of this relation alone, "if $n>96$", may be rewritten; a model may not.
        assumed = {
            said: item
            for said, item in stated.items()
            if claim.hypotheses[item].kind == "model"
            or (claim.hypotheses[item].kind != "definition" and item not in relation.under)
        }
        for operator, left, right, ranges in map(_plain, relation.formulas):
            if left == right:
                found.append(f"both sides of relation {name!r} are {left}")
            said = [(operator, left, right, ranges)]
            said += [(operator, right, left, ranges)] if operator == "=" else []
            same = next((stated[item] for item in said if item in stated), "")
            if same:
                found.append(f"relation {name!r} is hypothesis {same!r} as it stands: that proves nothing")
            elif name in proved and (same := _moved(said, assumed)):
                found.append(
                    f"relation {name!r} is hypothesis {same!r}, with terms moved or multiplied by a number: "
                    "name no proof in its part"
                )
    return found


def _moved(said: Iterable[Plain], assumed: Mapping[Plain, str]) -> str:
    """Return the assumption that a comparison is up to a factor and the side of its terms, else ''."""
    for operator, left, right, ranges in said:
        for (other, one, two, places), name in assumed.items():
            if (
                operator
                and (operator, ranges) == (other, places)
                and _primitive(left, right) == _primitive(one, two)
            ):
                return name
    return ""


@functools.lru_cache(maxsize=1024)
def _primitive(left: Any, right: Any) -> Any:
    """Return the difference of two sides without its rational factor."""
    return sympy.expand(left - right).as_content_primitive()[1]


def _plain(formula: Any) -> Plain:
    """Return operator, sides and ranges of a comparison; what is none has its formula for both sides.

    Indices are called by their places: what is said of a_i for every i is said of a_j for every j.
    """
    ranges: list[tuple[Any, Any, Any]] = []
    while hasattr(formula, "formula") and hasattr(formula, "index"):
        ranges.append((formula.index, formula.low, formula.high))
        formula = formula.formula
    names = {index: sympy.Symbol(f"index {place}", real=True) for place, (index, _, _) in enumerate(ranges)}

    def named(side: Any) -> Any:
        return side.xreplace(names) if names and hasattr(side, "xreplace") else side

    places = tuple(tuple(map(named, item)) for item in ranges)
    if not hasattr(formula, "operator"):
        return "", formula, None, places
    return formula.operator, named(formula.left), named(formula.right), places
