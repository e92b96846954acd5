"""How to cite a verified claim: a sentence, BibTeX, LaTeX macros, and the identifier of the evidence."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verify.errors import UsageError
from verify.recorded import recorded_results
from verify.records import DEFAULT_FOLDER, content_sha256
from verify.verdicts import ClaimResult

_SENTENCES = {
    "holds": "holds",
    "consistent": "is consistent with every check (no proof)",
    "violated": "is VIOLATED",
    "untested": "is untested (a sabotaged version passes the checks, too)",
    "inconclusive": "is undecided",
    "not_run": "was not checked",
}

_NAMED = 4
"""Instances of measured claims that are named."""

_GRADES = {
    "certified": "by interval arithmetic",
    "numerical": "by exact formulas in floating point",
    "guaranteed": "by statistical tests with a finite-sample error bound",
    "search": "by search without counterexample",
    "asymptotic": "by asymptotic statistics",
}


@dataclass(frozen=True)
class Citation:
    r"""Everything needed to cite one claim.

    Args:
        claim: Claim id.
        verdict: Verdict from the records.
        identifier: claim@12 hex digits of the content of its records without times.
        sentence: A sentence for a paper.
        paper_bibtex: BibTeX of the paper.
        boundcheck_bibtex: BibTeX of boundcheck.
        latex: Macro `\bcvalue{claim}{field}` and its values.
        stale: Whether sources have changed since the records were made.
        records: Identifiers of the single records.
    """

    claim: str
    verdict: str
    identifier: str
    sentence: str
    paper_bibtex: str
    boundcheck_bibtex: str
    latex: str
    stale: bool
    records: tuple[str, ...]

    def document(self) -> Mapping[str, Any]:
        """Return the machine-readable form."""
        return dict(self.__dict__, records=list(self.records))


def cite(id: str, *, out: str | Path = DEFAULT_FOLDER) -> Citation:
    """Return the citation of a claim from its records in a folder.

    Args:
        id: Claim id.
        out: Folder of the records.

    Raises:
        UnknownClaimError: No such claim.
        UsageError: There is no record of it yet.
    """
    import theory
    from verify.records import record_id
    from verify.version import VERSION

    claim = theory.claim(id)
    (recorded,) = recorded_results(claim.id, out)
    result = recorded.result
    if not result.records:
        raise UsageError(f"claim={id!r} has no record under {str(out)!r}; run `boundcheck verify {id}` first")
    identifier = f"{claim.id}@{content_sha256(list(result.records))[:12]}"
    return Citation(
        claim.id,
        result.verdict,
        identifier,
        _sentence(result, identifier, VERSION),
        claim.paper.bibtex(),
        _own_bibtex(VERSION),
        _latex(result, identifier),
        recorded.stale,
        tuple(record_id(record) for record in result.records),
    )


def _sentence(result: ClaimResult, identifier: str, version: str) -> str:
    tight = ""
    if result.tightness and result.claim.kind != "identity":
        tight = f"; bound / largest value found = {result.tightness:.4g}"
    undecided = (
        f"; {len(result.undecided)} of {len(result.records)} checks undecided" if result.undecided else ""
    )
    mutants = f"{len(result.mutants_rejected)} of {result.mutants_total} sabotaged versions were rejected"
    return (
        f"The claim ``{result.claim.title}'' of \\citet{{{result.claim.paper.bibtex_key}}} "
        f"{_SENTENCES[result.verdict]}{_basis(result)} "
        f"according to boundcheck {version}~\\citep{{boundcheck}} "
        f"(record \\texttt{{{_escape(identifier)}}}; {mutants}{tight}{undecided})."
    )


def _basis(result: ClaimResult) -> str:
    """Return on what the verdict rests: a derivation with what it takes for granted, or what was tried."""
    if result.grade is None:
        return ""
    held = [item for item in result.records if item["verdict"] == "holds"]
    derivations = [item["reason"] for item in held if item["rung"] == "symbolic"]
    if result.claim.measured:
        # A run without randomness may be told as exact.
        runs = [str(item["instance"]) for item in held if item["rung"] != "symbolic"]
        where = "1 instance" if len(runs) == 1 else f"{len(runs)} instances"
        where += f": {_escape(', '.join(runs))}" if 0 < len(runs) <= _NAMED else ""
        lemmas = "; its lemmas are proved" if derivations else ""
        return f" in runs ({where}) {_GRADES.get(result.grade, 'exactly')}{lemmas},"
    if derivations:
        facts, under, _ = derivations[0].partition(" under {")
        hypotheses = " under the hypotheses that the record lists" if under else ""
        return f" by {_escape(facts)}{hypotheses}"
    if result.grade == "proof":
        exact = sum(item["rung"] == "exact" for item in held)
        return f" exactly at {exact} rational instances"
    return f" {_GRADES[result.grade]}"


def _own_bibtex(version: str) -> str:
    return (
        "@software{boundcheck,\n"
        "  title = {{boundcheck: checked bounds for communication-compressed distributed optimization}},\n"
        "  author = {{The boundcheck authors}},\n"
        f"  version = {{{version}}},\n"
        "  year = {2026},\n"
        "  license = {Apache-2.0}\n"
        "}"
    )


def _latex(result: ClaimResult, identifier: str) -> str:
    values = {
        "verdict": result.verdict,
        "grade": result.grade or "none",
        "bound": _number(result.bound),
        "value": _number(result.value),
        "tightness": _number(result.tightness),
        "mutants": f"{len(result.mutants_rejected)}/{result.mutants_total}",
        "record": _escape(identifier),
    }
    lines = [r"\providecommand{\bcvalue}[2]{\csname bc@#1@#2\endcsname}"]
    lines += [
        rf"\expandafter\def\csname bc@{result.claim.id}@{name}\endcsname{{{value}}}"
        for name, value in values.items()
    ]
    return "\n".join(lines)


def _number(value: float | None) -> str:
    return "--" if value is None else f"{value:.6g}"


def _escape(text: str) -> str:
    """Escape what LaTeX would take for a command; formulas between dollar signs stay."""
    parts = text.split("$")
    parts[::2] = [re.sub(r"([_{}%&#])", r"\\\1", part) for part in parts[::2]]
    return "$".join(parts)
