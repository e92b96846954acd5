"""The rungs of the ladder: one module each, every one with `judge(case, context) -> Evidence`."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.context import Context
    from verify.outcome import Evidence


def judge(rung: str, case: Any, context: "Context") -> "Evidence":
    """Judge a case on the rung of this name."""
    evidence: Evidence = importlib.import_module(f"{__name__}.{rung}").judge(case, context)
    return evidence
