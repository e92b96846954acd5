"""Relations that nothing proves: whether checks evaluate what they say, where they say it."""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from verify.records.folder import Record

if TYPE_CHECKING:
    from theory.claim import Claim
    from verify.authoring.law import Trace

_SLACK = 1e-9
"""Relative excess over a hypothesis that round-off of its sides explains."""


def unevaluated(claim: "Claim", relation: str, named: Sequence[str], records: Sequence[Record]) -> str:
    """Return what no named check evaluates of a relation that nothing proves, '' if they evaluate enough.

    Each side for which the claim has a formula counts; of an inequality one is enough where an implementation
    is held against it by an inequality: that it equals the left side says nothing of a bound. Records of
    earlier versions do not tell.
    """
    labels = [
        (record, item)
        for record in records
        if "evaluated" in record
        for label, item in record["labels"].items()
        if names_any(named, [f"{record['rung']}/{label}"])
    ]
    evaluated = {name for record, _ in labels for name in record["evaluated"]}
    own = [
        {name for name, formula in claim.formulas.items() if _is_within(formula, sides)}
        for sides in _defined_sides(claim, relation)
    ]
    left_out = [names for names in own if names and not evaluated & names]
    any_side = set().union(*own)
    if not set(claim.relations[relation].operators) & {"=", "!="} and any(
        item["relation"] != "eq" and any_side & set(record["evaluated"]) for record, item in labels
    ):
        left_out = []
    if not labels or (any_side and not left_out):
        return ""
    known = ", ".join(sorted(set().union(*(left_out or own)))) or "none: add one to `formulas`"
    found = ", ".join(sorted(evaluated)) or "no formula"
    return (
        f"relation {relation!r} is not proved, and where its hypotheses hold its checks evaluate {found}, "
        "nothing that stands on one of its sides as it is written (formulas that do: "
        f"{known}); evaluate one by law(NAME, ...)"
    )


def _defined_sides(claim: "Claim", relation: str) -> list[tuple[Any, Any]]:
    """Return each side of a relation, as it is and with names for which other relations state a value."""
    import sympy

    sides = [sympy.sympify(side) for side in claim.relations[relation].sides]
    values = {
        other.sides[0]: sympy.sympify(other.sides[1])
        for name, other in claim.relations.items()
        if name != relation and other.operators == ("=",) and getattr(other.sides[0], "is_Symbol", False)
    }
    defined = sides
    for _ in values:  # a value may name others
        defined = [side.xreplace(values) for side in defined]
    return list(zip(sides, defined, strict=True))


def _is_within(formula: Any, sides: Sequence[Any]) -> bool:
    """Return whether a formula is a side, or more than a name or a number and a term of one."""
    import sympy

    if hasattr(formula, "equation"):
        return False
    formula = sympy.sympify(formula)
    compound = bool(formula.args and formula.free_symbols)
    return any(side == formula or (compound and side.has(formula)) for side in sides)


def evaluated_where_said(claim: "Claim", trace: "Trace") -> list[str]:
    """Return the formulas that a check evaluates, sorted, those apart that it evaluates elsewhere only.

    Elsewhere is where each relation with this formula has a hypothesis (`domain` or `parameter`) that is
    false of the values. Hypotheses on other names are not decided; claims of which all is proved are not
    looked at.
    """
    names = sorted(trace.names)
    if all("proof" in (*part.evidence, *part.pins.values()) for part in claim.parts if part.says):
        return names
    special = {name for relation in claim.relations.values() for name in relation.under}
    needed = {
        name: [
            [
                formula
                for key, item in claim.hypotheses.items()
                if item.kind in ("domain", "parameter") and (key not in special or key in relation.under)
                for formula in item.formulas
            ]
            for relation_name, relation in claim.relations.items()
            if any(_is_within(claim.formulas[name], sides) for sides in _defined_sides(claim, relation_name))
        ]
        for name in names
        if name in claim.formulas
    }
    places: dict[str, list[Mapping[str, Any]]] = {}
    for item in trace.evaluations:
        places.setdefault(item.name, []).append(item.values)
    anywhere = [values for found in places.values() for values in found if values]

    def is_said(name: str) -> bool:
        mine = places.get(name, [])
        if not any(mine):  # a number is evaluated where the others are
            mine = anywhere
        return not mine or any(
            not any(_is_false(one, at) for one in formulas) for at in mine for formulas in needed[name]
        )

    return [name for name in names if not needed.get(name) or is_said(name)]


def _is_false(formula: Any, values: Mapping[str, Any]) -> bool:
    """Return whether a hypothesis is false of values; what they do not decide is not."""
    from theory.formula import Compare, IsInteger

    if isinstance(formula, IsInteger):
        (number,) = _numbers(values, formula.term)
        return number is not None and abs(number - round(number)) > _SLACK * max(1.0, abs(number))
    if not isinstance(formula, Compare) or formula.operator == "!=":
        return False
    left, right = _numbers(values, formula.left, formula.right)
    if left is None or right is None:
        return False
    slack = _SLACK * max(abs(left), abs(right))
    if formula.operator == "=":
        return abs(left - right) > slack
    return left > right + slack or (formula.operator == "<" and left == right)


def _numbers(values: Mapping[str, Any], *terms: Any) -> Iterator[float | None]:
    """Yield terms at values, None where they need others or are no finite number there."""
    import math

    from sympy import sympify

    from verify.formulas.evaluation import evaluate, names

    for term in map(sympify, terms):
        needed = names(term)
        try:
            number = evaluate(term, {name: values[name] for name in needed})
        except (KeyError, ArithmeticError, TypeError, ValueError):
            yield None
        else:
            yield number if math.isfinite(number) else None


def names_any(named: Sequence[str], labels: Sequence[str]) -> bool:
    """Return whether evidence names one of these labels."""
    return any(fnmatchcase(label, name) or label == name for label in labels for name in named)
