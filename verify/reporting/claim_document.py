"""A claim as one document: what `show` prints."""

from typing import Any

from theory.formula import text_of
from theory.latex.conventions import conventions
from verify.outcome import json_ready
from verify.records.folder import record_id
from verify.records.recorded import RecordedResult


def claim_document(recorded: RecordedResult) -> dict[str, Any]:
    """Return all that is known about a claim, JSON-ready."""
    from verify.binding import mutants_of

    result = recorded.result
    claim: Any = result.claim
    return {
        "id": claim.id,
        "paper": {"name": claim.paper.name, "title": claim.paper.title, "arxiv": claim.paper.arxiv},
        "kind": claim.kind,
        "provenance": claim.provenance,
        "title": claim.title,
        **_stated(recorded),
        "symbols": [
            {"symbol": str(item.symbol), "domain": item.domain, "meaning": item.meaning, "shape": item.shape}
            for item in claim.variables
        ],
        "formulas": {
            name: str(formula)
            for name, formula in {"bound": claim.bound, "exact": claim.exact, **claim.formulas}.items()
            if formula is not None
        },
        "worst_cases": [
            {
                "description": item.description,
                "values": json_ready(item.values),
                "value": json_ready(item.value),
            }
            for item in claim.worst_cases
        ],
        "mutants": [
            {
                "name": item.name,
                "description": item.description,
                "neutral": item.neutral,
            }
            for item in mutants_of(claim)
        ],
        "verdict": result.verdict if result.records else "not_run",
        "grade": result.grade,
        "stale": recorded.stale,
        "reasons": list(result.reasons) if result.records else [],
        "damaged": list(recorded.damaged.values()),
        "records": [{"id": record_id(record), **record} for record in result.records],
    }


def _stated(recorded: RecordedResult) -> dict[str, Any]:
    from verify.judging.parts import tie_problems
    from verify.records.remedies import with_package
    from verify.statements import render, render_part
    from verify.statements.said import told

    result = recorded.result
    claim: Any = result.claim
    known = {part.label: part for part in result.parts} if result.records else {}
    steps = [
        {"name": step["name"], "kind": step["kind"], "statement": "", **_status(step)}
        for record in result.records
        for step in record["steps"]
        if step["kind"] == "Theorem"
    ]
    return {
        "statement": render(claim),
        "setting": claim.setting,
        "conventions": list(conventions((claim.setting, *(part.text for part in claim.parts)))),
        "parts": [
            {
                "label": part.label,
                "text": render_part(claim, part.label),
                "says": list(part.says),
                "evidence": list(dict.fromkeys((*part.evidence, *part.pins.values()))),
                "verdict": known[part.label].verdict if part.label in known else "not_run",
                "grade": known[part.label].grade if part.label in known else None,
                "words": known[part.label].words if part.label in known else None,
            }
            for part in claim.parts
        ],
        "problems": [with_package(line, claim.id) for line in told(tie_problems(claim))],
        "assumptions": [f"{name} ({item.kind}): {item.words}" for name, item in claim.hypotheses.items()],
        "hypotheses": {
            name: {"words": item.words, "formulas": [text_of(one) for one in item.formulas]}
            for name, item in claim.hypotheses.items()
        },
        "relations": {name: _chain(relation) for name, relation in claim.relations.items()},
        "derivation": steps,
    }


def _status(step: Any) -> dict[str, str]:
    return {"status": step["status"], "detail": step["detail"]}


def _chain(relation: Any) -> str:
    """Return a relation as text: sides and operators, ranges, hypotheses of its own."""
    text = str(relation.sides[0])
    for operator, side in zip(relation.operators, relation.sides[1:], strict=True):
        text += f" {operator} {side}"
    text += "".join(f", {index} = {low}..{high}" for index, low, high in relation.every)
    return text + (f", under {', '.join(relation.under)}" if relation.under else "")


def proof_document(claim: Any) -> dict[str, Any]:
    """Run the derivation of a claim, and return what it concludes: theorems with all they rest on.

    Nothing is concluded by files that do what the judge refuses: they could have changed the kernel.
    """
    import importlib

    from verify.records.source_form import form_problems

    report = importlib.import_module("verify.kernel.derive").run(claim)
    refused = form_problems(claim, ("theory", "above"))
    return {
        "claim": claim.id,
        "conclusions": [
            {
                "relation": name,
                "grade": item.grade,
                "theorem": item.theorem,
                "hypotheses": list(item.hypotheses),
                "cited": [{"formula": formula, "reference": source} for formula, source in item.cited],
                "instance": {str(key): str(value) for key, value in (item.instance or {}).items()},
                "steps": item.steps,
            }
            for name, item in report.conclusions.items()
            if not refused
        ],
        "hypotheses": {
            name: f"{item.words} [{'; '.join(map(text_of, item.formulas))}]"
            for name, item in claim.hypotheses.items()
        },
        "failed": {**report.failed, "": "; ".join(refused)} if refused else dict(report.failed),
        "seconds": report.seconds,
    }
