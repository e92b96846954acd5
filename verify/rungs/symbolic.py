"""Symbolic rung: run the derivation of a claim in the kernel."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from verify.context import Context
from verify.outcome import Evidence, LabelEvidence

__all__ = ["DerivationCase", "judge"]

SEPARATOR = "; "
"""Between the names in a field of a step."""

CHANGES = 2
"""Changes of each side of a relation that the kernel has to refuse."""


@dataclass(frozen=True)
class DerivationCase:
    """The derivation of a claim."""

    claim_id: str
    tests = 0


def judge(case: DerivationCase, context: Context) -> Evidence:
    """Run a derivation: one label for each relation, `holds` where the kernel concludes it."""
    from verify.kernel.memory import forget

    claim = _claim(case.claim_id)
    try:
        return derived(claim, _report(claim), _refuses())
    finally:
        forget()


def _claim(claim_id: str) -> Any:
    import theory

    return theory.claim(claim_id)


def _refuses() -> Callable[..., bool] | None:
    """Return the kernel's own answer to whether it refuses a changed relation, where it has one."""
    from verify.kernel import derive

    return getattr(derive, "refuses", None)


def _report(claim: Any) -> Any:
    from verify.kernel.derive import run

    return run(claim, outlined=True)


def derived(claim: Any, report: Any, refuses: Callable[..., bool] | None = None) -> Evidence:
    """Return the evidence of a report; a relation that would also be concluded changed is unwatched."""
    labels: dict[str, LabelEvidence] = {}
    for name in claim.relations:
        if name in report.conclusions:
            labels[name] = _concluded(claim, report.conclusions[name], _rejected(claim, name, refuses))
        elif name in report.failed:
            labels[name] = LabelEvidence("inconclusive", None, "proof", reason=str(report.failed[name]))
    broken = [f"{name or 'derive'}: {reason}" for name, reason in report.failed.items()]
    proved = [name for name, item in labels.items() if item.verdict == "holds"]
    steps = _steps(report, proved)
    if broken:
        return Evidence("inconclusive", reason="; ".join(broken), labels=labels, steps=steps)
    if not proved:
        return Evidence("not_run", reason="the derivation concludes no relation", labels=labels)
    grades = [labels[name].grade for name in proved]
    worst: Any = next(
        (grade for grade in ("numerical", "proof modulo", "proof") if grade in grades), "numerical"
    )
    cited = sorted({text for name in proved for text in labels[name].cited})
    modulo = f" modulo {{{', '.join(cited)}}}" if cited else ""
    left = [name for name in claim.relations if name not in labels]
    rest = f"; not concluded: {', '.join(left)}" if left else ""
    return Evidence(
        "holds", worst, reason=f"proved{modulo}: {', '.join(proved)}{rest}", labels=labels, steps=steps
    )


def _rejected(claim: Any, name: str, refuses: Callable[..., bool] | None) -> tuple[str, ...]:
    """Return what the kernel refuses instead of a relation, () where it accepts a change of it."""
    if refuses is None:
        return ("kernel",)  # it concludes nothing but the relation itself
    from sympy import sympify

    from verify.authoring.perturbation import perturbations

    relation = claim.relations[name]
    told = []
    for place, side in enumerate(relation.sides):
        for change in itertools.islice(perturbations(name, sympify(side)), CHANGES):
            sides = (*relation.sides[:place], change.formulas[0], *relation.sides[place + 1 :])
            if not refuses(claim, name, replace(relation, sides=sides)):
                return ()
            told.append(change.description)
    return tuple(told) or ("kernel",)


def _concluded(claim: Any, conclusion: Any, rejected_by: tuple[str, ...]) -> LabelEvidence:
    cited = tuple(
        sorted(f"{item[1]}: {item[0]}" if isinstance(item, tuple) else str(item) for item in conclusion.cited)
    )
    grade: Any = "proof modulo" if cited and conclusion.grade == "proof" else conclusion.grade
    return LabelEvidence(
        "holds",
        grade,
        "proof",
        count=1,
        cited=cited,
        hypotheses=tuple(sorted(map(str, conclusion.hypotheses), key=_place(claim))),
        rejected_by=rejected_by,
    )


def _place(claim: Any) -> Callable[[str], tuple[int, str]]:
    """Return the order in which a claim lists its hypotheses."""
    listed = list(claim.hypotheses)
    return lambda name: (listed.index(name) if name in listed else len(listed), name)


def _steps(report: Any, proved: Sequence[str]) -> tuple[Mapping[str, str], ...]:
    """Return the theorems that relations were concluded from, then the steps that lead to them."""
    outline = {step.name: step for step in getattr(report, "outline", ())}
    theorems = [_step(name, "Theorem", str(report.conclusions[name].theorem), outline) for name in proved]
    inner = [item for name, item in outline.items() if name not in report.conclusions]
    return (*theorems, *(_step(item.name, "Step", item.formula, outline) for item in inner))


def _step(name: str, kind: str, formula: str, outline: Mapping[str, Any]) -> Mapping[str, str]:
    told = {"name": name, "kind": kind, "status": "proved", "detail": formula}
    item = outline.get(name)
    if item is None:
        return told
    rests = {"steps": item.steps, "hypotheses": item.hypotheses, "cited": item.cited}
    return {
        **told,
        "rule": item.rule,
        **{key: SEPARATOR.join(names) for key, names in rests.items()},
        "folded": str(item.folded),
    }
