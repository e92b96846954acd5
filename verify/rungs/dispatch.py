"""Judge a case on the rung of a name."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.context import Context
    from verify.outcome import Evidence


def judge(rung: str, case: Any, context: "Context") -> "Evidence":
    """Judge a case, lazy or not, on the rung of this name."""
    from verify.binding import Lazy

    if isinstance(case, Lazy):
        case = case.make()
    evidence: Evidence = importlib.import_module(f"verify.rungs.{rung}").judge(case, context)
    return evidence
