"""Judge a case on the rung of a name."""

import importlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.context import Context
    from verify.outcome import Evidence


def judge(rung: str, case: Any, context: "Context") -> "Evidence":
    """Judge a case, lazy or not, on the rung of this name; the settings of an honest one are kept."""
    from verify.binding import Lazy

    if isinstance(case, Lazy):
        case = case.make()
    evidence: Evidence = importlib.import_module(f"verify.rungs.{rung}").judge(case, context)
    if context.is_mutant or not hasattr(case, "settings"):
        return evidence
    return replace(evidence, settings=case.settings())
