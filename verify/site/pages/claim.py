"""The page of a claim: statement, evidence, derivation, records, citation; counterexample of a finding."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from theory.formula import text_of
from theory.latex.conventions import conventions
from verify.binding import mutants_of
from verify.outcome import json_ready
from verify.records.folder import Record, record_id
from verify.reporting.citation import citation_of
from verify.reporting.grades import part_grade
from verify.site import sources
from verify.site.claim_state import CITABLE, ClaimState
from verify.site.counterexample import counterexample
from verify.site.drawing.derivation import drawn, steps_of
from verify.site.drawing.tightness import picture
from verify.site.summary import ClaimSummary, part_generality
from verify.statements.refusals.assumed import in_prose
from verify.statements.slots import filled

KINDS = {
    "model": "Assumptions on functions and compressors",
    "parameter": "What the user chooses",
    "definition": "Definitions",
    "domain": "Domains",
}


def claim_values(state: ClaimState, summary: ClaimSummary, figures: Sequence[Any]) -> Mapping[str, Any]:
    """Return what the template of a claim shows.

    Args:
        state: The claim with its records.
        summary: What lists say about it.
        figures: The figures that rest on it.
    """
    claim = state.claim
    if claim is None:
        return {"summary": summary, "claim": None, "figures": figures}
    steps = derivation(state)
    return {
        "summary": summary,
        "claim": claim,
        "setting": filled(claim, claim.setting),
        "parts": list(_parts(state)),
        "conventions": conventions((claim.setting, *(part.text for part in claim.parts))),
        "hypotheses": _hypotheses(claim),
        "symbols": [_symbol(variable) for variable in claim.variables],
        "notation": {_letters(name): meaning for name, meaning in claim.notation.items()},
        "steps": steps,
        "theorems": {step.name for step in steps if step.kind == "theorem"},
        "graph": drawn(steps) if steps else None,
        "tightness": picture(state.records),
        "worst_cases": [_worst_case(case) for case in claim.worst_cases],
        "mutants": list(_mutants(state)),
        "generated": sum(
            len(item["rejected_by"]) for record in state.records for item in record["labels"].values()
        ),
        "records": [_record(record, state) for record in state.records],
        "left_out": summary.left_out,
        "citation": citation_of(state.recorded) if state.recorded and state.records else None,
        "citable": state.verdict in CITABLE,
        "counterexample": counterexample(state) if claim.kind == "finding" else None,
        "sources": list(_source_lines(state)),
        "figures": figures,
    }


def derivation(state: ClaimState) -> Any:
    """Return the steps of the derivation, () where no record has one."""
    record = next((item for item in state.records if item["rung"] == "symbolic"), None)
    return steps_of(state.claim, record) if record is not None else ()


def _parts(state: ClaimState) -> Iterator[Mapping[str, Any]]:
    known = {}
    if state.recorded and state.records:
        known = {part.label: part for part in state.recorded.result.parts}
    for part in state.claim.parts:
        result = known.get(part.label)
        verdict = result.verdict.replace("_", " ") if result else "not run"
        if state.verdict in ("stale", "unusable"):
            verdict = state.verdict
        yield {
            "label": part.label,
            "text": filled(state.claim, part.text),
            "says": part.says,
            "evidence": [(name, _records_with(state, name)) for name in dict.fromkeys(part.evidence)],
            "pins": [(_pinned(words), name, _records_with(state, name)) for words, name in part.pins.items()],
            "verdict": verdict,
            "grade": part_grade(result.grade, result.words) if result and result.grade else "",
            "generality": part_generality(result) if result else "",
            "cited": result.cited if result else (),
            "reasons": result.reasons if result else (),
        }


def _pinned(words: str) -> str:
    """Return pinned words as a text; a piece of a formula has no dollars of its own."""
    return f"${words}$" if re.search(r"[\\_^]", words) and not re.search(r"[$`]", words) else words


def _records_with(state: ClaimState, evidence: str) -> list[str]:
    """Return the checks with a label that evidence names."""
    from fnmatch import fnmatchcase

    if evidence == "proof":
        return [f"symbolic/{r['instance']}" for r in state.records if r["rung"] == "symbolic"]
    rung, _, label = evidence.partition("/")
    return [
        f"{rung}/{record['instance']}"
        for record in state.records
        if record["rung"] == rung
        and any(text == label or fnmatchcase(text, label) for text in record["labels"])
    ]


def _hypotheses(claim: Any) -> Mapping[str, Sequence[Any]]:
    """Return hypotheses by kind, with the formulas of those whose words nobody can read as formulas."""
    groups: dict[str, list[Any]] = {title: [] for title in KINDS.values()}
    prose = in_prose(claim)
    for name, item in claim.hypotheses.items():
        only = [relation for relation, told in claim.relations.items() if name in told.under]
        groups[KINDS[item.kind]].append(
            {
                "name": name,
                "words": item.words,
                "formulas": list(map(text_of, item.formulas)) if name in prose else [],
                "reference": item.reference,
                "only": only,
            }
        )
    return {title: items for title, items in groups.items() if items}


def _symbol(variable: Any) -> Mapping[str, str]:
    return {
        "tex": f"${_letters(variable.tex)}$",
        "domain": f"${variable.domain}$" if variable.domain else "",
        "shape": variable.shape,
        "meaning": variable.meaning,
    }


def _letters(tex: str) -> str:
    """Return LaTeX with letters where indices have their places."""
    for place, letter in enumerate("ijkl", start=1):
        tex = tex.replace(f"#{place}", f"{{{letter}}}")
    return tex


def _worst_case(case: Any) -> Mapping[str, Any]:
    values = ", ".join(f"{name} = {short(json_ready(value))}" for name, value in case.values.items())
    return {
        "description": case.description,
        "input": values,
        "value": "" if case.value is None else str(case.value),
    }


def short(value: Any) -> str:
    """Return a JSON value as text; a long list of one number as its length."""
    if not isinstance(value, list):
        return str(value)
    if len(value) > 8 and len(set(map(str, value))) == 1:
        return f"{len(value)} times {short(value[0])}"
    return f"({', '.join(map(short, value))})"


def _mutants(state: ClaimState) -> Iterator[Mapping[str, Any]]:
    for mutant in mutants_of(state.claim):
        tried = [
            (f"{record['rung']}/{record['instance']}", item)
            for record in state.records
            for item in record["mutants"]
            if item["name"] == mutant.name
        ]
        rejections = [(name, item["labels"], item["reason"]) for name, item in tried if item["rejected"]]
        escapes = [name for name, item in tried if not item["rejected"]]
        yield {
            "name": mutant.name,
            "description": mutant.description,
            "neutral": mutant.neutral,
            "rejections": rejections,
            "escapes": escapes,
            "tried": bool(tried),
        }


def _record(record: Record, state: ClaimState) -> Mapping[str, Any]:
    check = state.checks.get((record["rung"], record["instance"]))
    place = sources.place_of(check.authored.function) if check is not None and check.authored else None
    if place is None:
        place = (state.entry.path, sources.line_of(state.entry.path, r"^def derive"))
    file = sources.relative(place[0])
    return {
        **record,
        "id": record_id(record),
        "machine": record.get("machine", ""),
        "name": f"{record['rung']}/{record['instance']}",
        "parameters_text": pretty(record["parameters"]),
        "witness_text": pretty(record["witness"]) if record["witness"] is not None else "",
        "source": f"{sources.page_of(file)}#L{place[1]}" if file else "",
        "source_name": f"{file}, line {place[1]}" if file else "",
    }


WIDEST = 96


def pretty(value: Any, margin: str = "") -> str:
    """Return JSON with one line for each entry, and lists in one line where they fit."""
    line = json.dumps(value, ensure_ascii=False)
    if len(margin) + len(line) <= WIDEST or not value or not isinstance(value, dict | list):
        return line
    inside = margin + "  "
    if isinstance(value, dict):
        items = [
            f"{inside}{json.dumps(key, ensure_ascii=False)}: {pretty(item, inside)}"
            for key, item in value.items()
        ]
        return "{\n" + ",\n".join(items) + f"\n{margin}}}"
    return "[\n" + ",\n".join(f"{inside}{pretty(item, inside)}" for item in value) + f"\n{margin}]"


def _source_lines(state: ClaimState) -> Iterator[tuple[str, str, str]]:
    """Yield what, page with line, and file with line."""
    for path, what, pattern in _source_places(state):
        file = sources.relative(path)
        if file:
            line = sources.line_of(path, pattern)
            yield what, f"{sources.page_of(file)}#L{line}", f"{file}, line {line}"


def _source_places(state: ClaimState) -> Iterator[tuple[Path, str, str]]:
    import importlib.util

    yield state.entry.path, "Statement", r"^CLAIM\b"
    yield state.entry.path, "Derivation", r"^def derive\b"
    try:
        spec = importlib.util.find_spec(state.entry.verify_module)
    except (ImportError, ValueError):
        spec = None
    if spec is not None and spec.origin:
        yield Path(spec.origin), "Checks and mutants", r"^judge\s*="
