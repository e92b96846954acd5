"""What the sides of comparisons are: formulas of the claim or neither, one formula twice, not told apart."""

from collections.abc import Sequence
from typing import Any

from verify.authoring.law import Evaluation
from verify.authoring.unit import AuthoredUnit
from verify.comparison import Comparison
from verify.outcome import Evidence


def shows(unit: AuthoredUnit, base: Evidence) -> str:
    """Return what bound and value of an honest run are: of the `claim`, of a `formula` of it, or `neither`.

    A search or a run has the claim's bound. A comparison has it where it is marked, and a formula where one
    of its sides is what the law evaluated. That an implementation keeps its contract is neither.
    """
    if base.shown is None or base.shown.headline:
        return "claim"
    stated = {id(item.result) for item in unit.trace.evaluations}
    return "formula" if {id(base.shown.value), id(base.shown.bound)} & stated else "neither"


def untight(comparisons: Sequence[Comparison]) -> list[str]:
    """Return the labels at which a bound moved just past the value still passes."""
    worst: dict[str, Comparison] = {}
    for item in comparisons:
        worst.setdefault(item.label, item)
    return [label for label, item in worst.items() if item.tightened().excess == 0]


def repeated(unit: AuthoredUnit, comparisons: Sequence[Comparison]) -> list[str]:
    """Return the labels under which both sides are one formula at one set of values, which always agree."""
    by_result = {id(item.result): item for item in unit.trace.evaluations}
    found: dict[str, None] = {}
    for item in comparisons:
        value, bound = by_result.get(id(item.value)), by_result.get(id(item.bound))
        if value is not None and bound is not None and _same(value, bound):
            found[item.label] = None
    return list(found)


def _same(one: Evaluation, other: Evaluation) -> bool:
    if one is other:
        return True
    if one.name != other.name or one.values.keys() != other.values.keys():
        return False
    return all(_equal(item, other.values[key]) for key, item in one.values.items())


def _equal(one: Any, other: Any) -> bool:
    import numpy as np

    return one is other or bool(np.array_equal(one, other))
