"""A claim on one screen: verdict first, then the statement by part, and one line for what it rests on."""

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from theory.latex.conventions import conventions
from verify.records.recorded import RecordedResult
from verify.records.remedies import some_of, with_package
from verify.reporting.unicode_math import unicode_text

_INDENT = "    "


def claim_screen(recorded: RecordedResult, width: int, *, tex: bool = False) -> list[tuple[str, str]]:
    """Return the lines of a claim, each with its role: `title`, `verdict`, `part` or `text`.

    Args:
        recorded: The claim with what its records say.
        width: Columns.
        tex: Whether formulas stay in LaTeX.
    """
    read: Callable[[str], str] = str if tex else unicode_text
    claim: Any = recorded.result.claim
    paper = claim.paper
    lines = [("title", line) for line in _folded(f"{claim.id}  {read(claim.title)}", width, "", _INDENT)]
    lines += [("verdict", line) for line in _folded(_verdict(recorded), width, "", _INDENT)]
    source = f"{claim.kind}, {claim.provenance}; {paper.title}, arXiv {paper.arxiv}"
    lines += [("text", line) for line in _folded(source, width)]
    lines += [("text", line) for reason in _reasons(recorded) for line in _folded(reason, width, "- ")]
    lines += [("text", "")]
    if claim.setting:
        lines += [("text", line) for line in _folded(read(_text(claim, claim.setting)), width)]
    for label, text, status in _parts(recorded):
        told = f"({label}) {read(text)}" + (f"  [{status}]" if status else "")
        lines += [("part", line) for line in _folded(told, width, "", _INDENT)]
    for sentence in conventions((claim.setting, *(part.text for part in claim.parts))):
        lines += [("text", line) for line in _folded(read(f"{sentence}."), width)]
    lines += [("text", "")]
    for name, said in _foundations(recorded, read):
        lines += [
            ("text", line) for line in _folded(with_package(said, claim.id), width, f"{name:12s}", " " * 12)
        ]
    more = "--full: symbols, formulas, worst inputs, mutants, records" + ("" if tex else "; --tex: LaTeX")
    return lines + [("text", line) for line in _folded(more, width)]


def _text(claim: Any, text: str) -> str:
    from verify.statements.slots import filled

    return filled(claim, text)


def _folded(text: str, width: int, first: str = "", later: str | None = None) -> list[str]:
    return textwrap.wrap(
        text,
        max(width, 20),
        initial_indent=first,
        subsequent_indent=" " * len(first) if later is None else later,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first]


def _verdict(recorded: RecordedResult) -> str:
    from verify.reporting.grades import claim_grades
    from verify.reporting.report import tightness_text

    result = recorded.result
    if not result.records:
        return f"{'no usable record' if recorded.damaged else 'not run yet'}; run {recorded.remedy}"
    told = [f"{result.verdict}: {claim_grades(result)}"]
    close = tightness_text(result.bound, result.value, result.tightness)
    if close != "-" and result.claim.kind != "identity":
        told.append(f"bound / largest value found: {close}")
    rejected = result.mutants.replace("/", " of ")
    told.append("no mutants are declared" if rejected == "none" else f"mutants rejected: {rejected}")
    if recorded.stale:
        told.append("STALE: the sources have changed since")
    return "; ".join(told)


def _reasons(recorded: RecordedResult) -> Sequence[str]:
    reasons = recorded.result.reasons if recorded.result.records else ()
    return (*some_of(tuple(recorded.damaged.values())), *reasons)


def _parts(recorded: RecordedResult) -> Iterator[tuple[str, str, str]]:
    """Yield label, text and status of each part; no status where nothing has run."""
    from verify.reporting.grades import part_grade

    result = recorded.result
    known = {part.label: part for part in result.parts} if result.records else {}
    for part in result.claim.parts:
        text = _text(result.claim, part.text)
        found = known.get(part.label)
        if found is None:
            yield part.label, text, ""
            continue
        verdict = found.verdict.replace("_", " ")
        graded = f"{verdict}: {part_grade(found.grade, found.words)}" if found.grade else verdict
        yield part.label, text, graded


def _foundations(recorded: RecordedResult, read: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """Yield what a claim assumes, what is proved, and what was run, a line each."""
    result = recorded.result
    claim: Any = result.claim
    from verify.statements.refusals.declared import restricts

    assumed = {
        name: f"{name} ({item.kind})"
        if item.kind in ("parameter", "model")
        else f"{name} ({item.kind}: {read(item.words)})"
        for name, item in claim.hypotheses.items()
        if restricts(claim, name)
    }
    others = len(claim.hypotheses) - len(assumed)
    plain = "1 domain or definition" if others == 1 else f"{others} domains and definitions" if others else ""
    yield "assumes", ", ".join(filter(None, [*assumed.values(), plain])) or "nothing"
    asked = sum("proof" in part.evidence for part in claim.parts)
    cited = dict.fromkeys(formula for part in result.parts for formula in part.cited)
    proofs = f"{asked} of {len(claim.parts)} parts name a proof of their formulas as evidence"
    if result.records:
        proofs += "; cited: " + ("; ".join(map(read, cited)) if cited else "nothing")
    yield "proofs", f"{proofs}; `boundcheck prove {claim.id}` runs it" if asked else proofs
    if result.records:
        rungs = Counter(record["rung"] for record in result.records)
        told = ", ".join(f"{count} {rung}" for rung, count in rungs.items())
        fused = any(record.get("tier") == "fused" for record in result.records)
        seed = f"seed {result.records[0]['seed']}{', drawn by fused kernels' if fused else ''}"
        yield "evidence", f"{told}; {result.seconds:.1f} s of CPU, {seed}"
