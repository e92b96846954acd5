"""The counterexample of a finding: its numbers, and Python that shows them again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verify.outcome import json_ready
from verify.records.folder import Record
from verify.site.claim_state import ClaimState

_RUNGS = ("exact", "run", "adversarial", "montecarlo")


@dataclass(frozen=True)
class Counterexample:
    """What a finding shows.

    Args:
        numbers: (name, value) of the decisive record: bound, value, and the input at which they were found.
        check: RUNG/INSTANCE of that record, empty without records.
        code: Python that evaluates the formulas at the telling inputs and runs the check again.
    """

    numbers: Sequence[tuple[str, str]]
    check: str
    code: str


def counterexample(state: ClaimState) -> Counterexample:
    """Return the counterexample of a finding."""
    from verify.site.pages.claim import short

    record = _decisive(state)
    numbers: list[tuple[str, str]] = []
    if record is not None:
        numbers += [(name, str(value)) for name, value in record["exact"].items()]
        numbers += [
            (name, f"{record[name]:.10g}")
            for name in ("bound", "value")
            if record[name] is not None and name not in record["exact"]
        ]
        numbers += [(name, short(value)) for name, value in (record["witness"] or {}).items()]
        # A witness may be one of several values of a parameter.
        known = {name for name, _ in numbers}
        numbers += [
            (f"{name}, all values" if name in known else name, short(value))
            for name, value in record["parameters"].items()
            if (name, short(value)) not in numbers
        ]
    code = "\n".join(_code(state, record))
    return Counterexample(numbers, f"{record['rung']}/{record['instance']}" if record else "", code)


def _decisive(state: ClaimState) -> Record | None:
    """Return the record that shows the finding: evidence of an early part, and exact before all others."""
    evidence = [set(part.evidence) for part in state.claim.parts]

    def rank(record: Record) -> tuple[int, int, bool]:
        named = {f"{record['rung']}/{label}" for label in record["labels"]}
        part = next((place for place, names in enumerate(evidence) if names & named), len(evidence))
        return part, _RUNGS.index(record["rung"]), not record["exact"]

    wanted = [
        record
        for record in state.records
        if record["rung"] in _RUNGS and record["verdict"] in ("holds", "consistent")
    ]
    return min(wanted, key=rank, default=None)


def _code(state: ClaimState, record: Record | None) -> Iterator[str]:
    claim = state.claim
    cases = [case for case in claim.worst_cases if case.values]
    if cases:
        yield "from sympy import sympify"
        yield ""
        yield "import theory"
        yield "from verify.formulas.evaluation import EvaluationError, evaluate, names"
        yield ""
        yield f"claim = theory.claim({claim.id!r})"
        yield "cases = ["
        for case in cases:
            yield f"    {{{_values(case.values)}}},"
        yield "]"
        yield "for case in cases:"
        yield "    print(case)"
        yield "    for name, formula in claim.formulas.items():"
        yield "        given = {key: case[key] for key in names(formula) if key in case}"
        yield "        try:"
        yield '            print("   ", name, "=", evaluate(formula, given))'
        yield "        except EvaluationError:"
        yield "            pass  # it needs other values"
    if record is not None:
        key = f"{claim.id!r}, {record['rung']!r}, {record['instance']!r}"
        if cases:
            yield ""
        yield "from verify.judging.judgement import judge_unit"
        yield "from verify.running.runner import unit_of"
        yield ""
        tier = "" if record.get("tier", "numpy") == "numpy" else f", tier={record['tier']!r}"
        yield f"record = judge_unit(unit_of({key}), {record['profile']!r}, {record['seed']}{tier})"
        yield 'print(record["verdict"], record["bound"], record["value"])'
        yield 'print(record["witness"])'


def _values(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name!r}: {_python(json_ready(value))}" for name, value in values.items())


def _python(value: Any) -> str:
    """Return a JSON value as Python: exact numbers are read from their text."""
    if isinstance(value, list):
        if len(value) > 8 and len(set(map(str, value))) == 1:
            return f"({_python(value[0])},) * {len(value)}"
        return f"({', '.join(map(_python, value))},)"
    if isinstance(value, str):
        return value if value.lstrip("-").isdigit() else f"sympify({value!r})"
    return repr(value)
