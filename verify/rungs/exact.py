"""Exact rung: enumeration in rationals and closed forms."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from verify.comparison import Comparison, rational
from verify.context import Context
from verify.outcome import Evidence, json_ready


@dataclass(frozen=True)
class ExactCase:
    """Comparisons to be made, computed when asked for."""

    compare: Callable[[], Iterable[Comparison]]
    tests = 0


def judge(case: ExactCase, context: Context) -> Evidence:
    """Make all comparisons; grade `proof` where all are rational, else `numerical`."""
    comparisons = list(case.compare())
    if not comparisons:
        return Evidence("not_run", reason="the case makes no comparison; give it at least one")
    failed = [item for item in comparisons if item.excess > 0]
    if failed:
        worst = max(failed, key=lambda item: item.excess)
        sign = "differs from" if worst.relation == "eq" else "exceeds"
        return _evidence(
            "violated",
            worst,
            comparisons,
            f"{worst.label}: value {_text(worst.value)} {sign} {_text(worst.bound)}",
        )
    closest = min([item for item in comparisons if item.headline] or comparisons, key=_ratio)
    loosest = max(comparisons, key=lambda item: item.tolerance.relative)
    how = (
        "exactly"
        if loosest.tolerance.relative == 0
        else f"to {loosest.tolerance.relative:g}: {loosest.tolerance.reason}"
    )
    return _evidence("holds", closest, comparisons, f"{len(comparisons)} comparisons, {how}")


def _evidence(verdict: Any, shown: Comparison, comparisons: list[Comparison], reason: str) -> Evidence:
    return Evidence(
        verdict,
        "proof" if all(item.is_rational for item in comparisons) else "numerical",
        bound=float(shown.bound),
        value=float(shown.value),
        exact={"bound": _text(shown.bound), "value": _text(shown.value)} if shown.is_rational else {},
        samples=len(comparisons),
        witness=json_ready({"label": shown.label, **(shown.witness or {})}),
        reason=reason,
    )


def _ratio(item: Comparison) -> float:
    """Return bound / value of an inequality; equations say nothing about tightness and come last."""
    if item.relation == "eq":
        return math.inf
    value = float(item.value)
    return float(item.bound) / value if value > 0 else math.inf


def _text(number: Any) -> str:
    exact = rational(number)
    return f"{exact:.15g}" if isinstance(exact, float) else str(exact)
