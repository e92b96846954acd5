"""Worst cases at which no formula of the claim has the stated value."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theory.claim import Claim

_MAIN = frozenset({"exact", "bound"})


def wrong_worst_cases(claim: Claim) -> Iterator[tuple[str, str]]:
    """Yield description and message of worst cases at which `exact` or `bound` has another value.

    A case that gives neither all its values is one in steps, which the checks of the claim evaluate.
    """
    for case in claim.worst_cases:
        if case.value is None:
            continue
        found: dict[str, Any] = {}
        for name, value in _values(claim, case):
            if _is_value(value, case.value) or not ({name, *found} & _MAIN):
                break
            found[name] = value
        else:
            if found:
                shown = ", ".join(f"{name} = {value}" for name, value in found.items())
                message = f"the stated value of this case is {case.value}, but there {shown}: correct it"
                yield case.description, message


def _values(claim: Claim, case: Any) -> Iterator[tuple[str, Any]]:
    """Yield the values of the formulas that a case gives all values."""
    from verify.formulas.evaluation import evaluate, evaluate_exact, names

    for name, formula in sorted(claim.formulas.items(), key=lambda item: item[0] not in _MAIN):
        needed = names(formula)
        if not needed or not set(needed) <= set(case.values):
            continue
        values = {key: case.values[key] for key in needed}
        try:
            is_root = hasattr(formula, "equation")
            yield name, evaluate(formula, values) if is_root else evaluate_exact(formula, values)
        except ValueError:  # no value there, or none that compares
            continue


def _is_value(found: Any, stated: Any) -> bool:
    # A root, or an exact number in another form: the last digits of a double.
    return bool(found == stated) or math.isclose(float(found), float(stated), rel_tol=1e-13)
