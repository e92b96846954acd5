"""Exact rung: enumeration in rationals and closed forms."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from verify.comparison import Comparison, rational, vetted
from verify.context import Context
from verify.errors import CheckError
from verify.outcome import Evidence, LabelEvidence, json_ready

LONGEST_INPUT = 120
"""Letters of an input that a reason shows; the record has it whole."""


@dataclass(frozen=True)
class ExactCase:
    """Comparisons to be made, computed when asked for.

    Args:
        compare: Makes them.
        vetted: Whether their form is looked at, as is done with all honest checks of the new form.
        where: Returns the point of the grid at which they are being made.
    """

    compare: Callable[[], Iterable[Comparison]]
    vetted: bool = False
    where: Callable[[], Mapping[str, Any]] | None = None
    tests = 0


def judge(case: ExactCase, context: Context) -> Evidence:
    """Make all comparisons; grade `instance` where all are rational, else `numerical`."""
    comparisons, cut = _made(case, context)
    if not comparisons:
        if cut is not None:
            raise cut
        raise CheckError("the case makes no comparison; give it at least one")
    evidence = _judged(comparisons)
    mixed = [label for label, item in evidence.labels.items() if "/" in item.relation]
    if case.vetted and mixed:
        relations = evidence.labels[mixed[0]].relation.replace("/", ", ")
        raise CheckError(f"label {mixed[0]!r} has the relations {relations}; give each its own label")
    if cut is not None and evidence.verdict != "violated":
        raise cut
    return evidence


def _made(case: ExactCase, context: Context) -> tuple[list[Comparison], BaseException | None]:
    """Return the comparisons; a mutant that breaks down half way is judged by those that it made."""
    found: list[Comparison] = []
    pending = set(context.until if context.is_mutant else ())
    try:
        for item in case.compare():
            if context.is_mutant and item.is_undefined:
                raise CheckError(
                    f"comparison {item.label!r}: NaN is no number that a comparison could reject"
                )
            found.append(_placed(vetted(item, context.rung), case) if case.vetted else item)
            if item.label in pending and item.excess > 0:
                pending.discard(item.label)
                if not pending:
                    break
    except (Exception, SystemExit) as error:
        if not context.is_mutant:
            raise
        return found, error
    return found, None


def _placed(item: Comparison, case: ExactCase) -> Comparison:
    """Return a comparison; one that fails and says no input has the point of its grid for a witness."""
    point = case.where() if case.where is not None else {}
    if not point or item.witness is not None or item.excess <= 0:
        return item
    try:
        return replace(item, witness=json_ready(point))
    except TypeError:  # an object without a JSON form tells nobody where it is
        return item


def _at(witness: Mapping[str, Any] | None) -> str:
    """Return the input in words, cut where it is long."""
    shown = ", ".join(f"{name} = {_value(value)}" for name, value in (witness or {}).items())
    return f", at {shown if len(shown) <= LONGEST_INPUT else shown[:LONGEST_INPUT] + '...'}" if shown else ""


def _value(value: Any) -> str:
    return f"({', '.join(map(_value, value))})" if isinstance(value, list) else str(value)


def _judged(comparisons: list[Comparison]) -> Evidence:
    failed = [item for item in comparisons if item.excess > 0]
    if failed:
        worst = max(failed, key=lambda item: item.excess)
        sign = "differs from" if worst.relation == "eq" else "exceeds"
        sides = f"value {_text(worst.value)} {sign} {_text(worst.bound)}"
        return _evidence(
            "violated", worst, comparisons, f"{worst.label}: {sides}{_at(json_ready(worst.witness))}"
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
        _grade(comparisons),
        bound=float(shown.bound),
        value=float(shown.value),
        exact={"bound": _text(shown.bound), "value": _text(shown.value)} if shown.is_rational else {},
        samples=len(comparisons),
        witness=json_ready({"label": shown.label, **(shown.witness or {})}),
        reason=reason,
        labels=labels_of(comparisons),
        comparisons=tuple(comparisons),
        shown=shown,
    )


def _grade(comparisons: Sequence[Comparison]) -> Any:
    return "instance" if all(item.is_rational for item in comparisons) else "numerical"


def labels_of(comparisons: Sequence[Comparison]) -> Mapping[str, LabelEvidence]:
    """Return what was found under each label."""
    groups: dict[str, list[Comparison]] = {}
    for item in comparisons:
        groups.setdefault(item.label, []).append(item)
    return {label: _label(group) for label, group in groups.items()}


def _label(group: Sequence[Comparison]) -> LabelEvidence:
    relations = sorted({item.relation for item in group})
    failed = [item for item in group if item.excess > 0]
    shown = max(failed, key=lambda item: item.excess) if failed else min(group, key=_ratio)
    return LabelEvidence(
        "violated" if failed else "holds",
        _grade(group),
        "/".join(relations),
        count=len(group),
        bound=float(shown.bound),
        value=float(shown.value),
        tolerance=max((item.tolerance.relative for item in group if not item.is_rational), default=0.0),
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
