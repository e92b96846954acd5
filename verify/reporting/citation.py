"""How to cite a verified claim: a sentence, BibTeX, LaTeX macros, and the identifier of the evidence."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from theory.latex.conventions import conventions
from verify.errors import NotCitableError, UsageError
from verify.judging.verdicts import ClaimResult, PartResult
from verify.records.folder import DEFAULT_FOLDER, content_sha256
from verify.records.recorded import RecordedResult, recorded_results
from verify.records.remedies import some_of
from verify.reporting.cited_proofs import (
    PROSE,
    PROVED,
    Proved,
    common_hypotheses,
    proofs_of,
    told_hypotheses,
    untold_definitions,
)
from verify.reporting.grades import letters, part_grade

_VERDICTS = {
    "holds": "holds",
    "consistent": "is consistent with every check (no proof)",
    "violated": "is VIOLATED",
    "untested": "is untested (a sabotage passes the checks, or evidence that it names is missing)",
    "inconclusive": "is undecided",
    "not_run": "was not checked",
}

_CITABLE = ("holds", "consistent")

_NAMED = 4
"""Instances that are named."""

_GRADES = {
    "certified": "by interval arithmetic",
    "instance": "exactly, in rationals,",
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
        damaged: What is wrong with record files that cannot be used and were left out.
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
    damaged: tuple[str, ...] = ()

    def document(self) -> Mapping[str, Any]:
        """Return the machine-readable form."""
        return dict(self.__dict__, records=list(self.records), damaged=list(self.damaged))


def cite(id: str, *, out: str | Path = DEFAULT_FOLDER, anyway: bool = False) -> Citation:
    """Return the citation of a claim from its records in a folder.

    Args:
        id: Claim id.
        out: Folder of the records.
        anyway: Whether a claim that is violated, untested or undecided is cited, with this verdict.

    Raises:
        UnknownClaimError: No such claim.
        UsageError: There is no usable record of it, or the id is no string.
        NotCitableError: It neither holds nor is consistent.
    """
    import theory

    if not isinstance(id, str):
        raise UsageError(f"id={id!r} must be the id of a claim, such as 'squant/dcgd'")
    claim = theory.claim(id)
    (recorded,) = recorded_results(claim.id, out)
    result = recorded.result
    damaged = some_of(tuple(recorded.damaged.values()), most=1)
    if not result.records:
        found = f"no usable record under {str(out)!r}: {'; '.join(damaged)}"
        told = found if damaged else f"no record under {str(out)!r}"
        raise UsageError(f"claim={id!r} has {told}; run {recorded.remedy} first")
    if result.verdict not in _CITABLE and not anyway:
        first = _first_reason(result)
        reasons = [*([] if result.verdict == "violated" else damaged), *([first] if first else [])]
        because = f": {'; '.join(reasons)}" if reasons else ""
        raise NotCitableError(
            f"claim={id!r} {_VERDICTS[result.verdict]}{because}; there is nothing to cite "
            "(--anyway, or anyway=True, cites it with this verdict)"
        )
    return citation_of(recorded)


def _first_reason(result: ClaimResult) -> str:
    """Return why there is nothing to cite: the check that is violated, before what follows from it."""
    if result.verdict == "violated":
        for record in result.records:
            if record["verdict"] == "violated" and record["grade"] != "asymptotic":
                return f"{record['rung']}/{record['instance']}: {record['reason']}"
    return result.reasons[0] if result.reasons else ""


def citation_of(recorded: RecordedResult) -> Citation:
    """Return the citation of a claim that has records, with whatever verdict they give."""
    from verify.records.folder import record_id
    from verify.version import VERSION

    result = recorded.result
    identifier = f"{result.claim.id}@{content_sha256(list(result.records))[:12]}"
    return Citation(
        result.claim.id,
        result.verdict,
        identifier,
        _sentence(result, identifier, VERSION, with_formulas=not recorded.stale),
        result.claim.paper.bibtex(),
        own_bibtex(VERSION),
        _latex(result, identifier),
        recorded.stale,
        tuple(record_id(record) for record in result.records),
        tuple(recorded.damaged.values()),
    )


def _sentence(result: ClaimResult, identifier: str, version: str, *, with_formulas: bool) -> str:
    # Formulas are read in the files as they are now: of stale records they may not be what was proved.
    tight = ""
    if result.tightness and result.claim.kind != "identity":
        tight = f"; bound / largest value found = {result.tightness:.4g}"
    undecided = (
        f"; {len(result.undecided)} of {len(result.records)} checks undecided" if result.undecided else ""
    )
    mutants = _mutants(result)
    left_out = _left_out(result)
    parts = "; ".join(_parts(result, with_formulas))
    prose = _in_words(result, PROSE in parts)
    signs = "".join(f"; {item}" for item in conventions([parts]))
    return (
        f"``{result.claim.title}'', {_source(result)}, {_VERDICTS[result.verdict]} "
        f"according to boundcheck {version}~\\citep{{boundcheck}}{': ' if parts else ''}{parts} "
        f"(record \\texttt{{{_escape(identifier)}}}; {mutants}{tight}{undecided}{left_out}{prose}{signs})."
    )


def _in_words(result: ClaimResult, is_marked: bool) -> str:
    """Tell where the formulas of words stand that nobody can read as formulas."""
    count = untold_definitions(result)
    told = [f"words with{PROSE}"] if is_marked else []
    told += [f"{count} definition{'s' * (count > 1)} in words"] if count else []
    if not told:
        return ""
    verb = "stand for" if is_marked or count > 1 else "stands for"
    shown = f"\\texttt{{boundcheck show --full {_escape(result.claim.id)}}}"
    return f"; {' and '.join(told)} {verb} formulas, which {shown} prints"


def _left_out(result: ClaimResult) -> str:
    """Tell how many checks the profile, or want of data, left out: parts may speak of them."""
    from verify.binding import checks_of

    have = {(record["rung"], record["instance"]) for record in result.records}
    slow = [check for check in checks_of(result.claim) if check.profile == "full" or check.needs]
    count = sum((check.rung, check.instance) not in have for check in slow)
    verb = "check of the full profile has" if count == 1 else "checks of the full profile have"
    return f"; {count} {verb} not run" if count else ""


def _mutants(result: ClaimResult) -> str:
    """Tell what was rejected; without declared sabotage, what the judge changed by itself."""
    if result.mutants_total:
        return f"{len(result.mutants_rejected)} of {result.mutants_total} sabotaged versions were rejected"
    if result.mutants != "none":  # declared, and left out by the profile or for want of data
        return "none of its sabotaged versions has run"
    noticed = {change for record in result.records for change in record["noticed"]}
    changes = f"; {len(noticed)} generated changes of its formulas were noticed" if noticed else ""
    return f"no sabotage is declared{changes}"


def _source(result: ClaimResult) -> str:
    """Return whose statement it is: nothing of ours is put into the mouths of the authors."""
    claim = result.claim
    paper = f"\\citet{{{claim.paper.bibtex_key}}}"
    if claim.kind == "finding":
        return f"a finding of boundcheck on {paper}"
    if claim.provenance == "derived":
        return f"derived from the setting of {paper} by boundcheck"
    return f"stated in {paper}"


def _parts(result: ClaimResult, with_formulas: bool) -> list[str]:
    """Return what proofs of parts prove, and on what the others rest, those with the same together."""
    proofs = proofs_of(result) if with_formulas else {}
    alone = any(part.grade in PROVED and part.label not in proofs for part in result.parts)
    common = () if alone else common_hypotheses(proofs)
    groups: dict[str, list[str]] = {}
    for part in result.parts:
        begin, end = _around(result, part)
        told = (
            f"{begin}{_told(proofs[part.label], common)}{end}"
            if part.label in proofs
            else _basis(result, part)
        )
        groups.setdefault(told, []).append(part.label)
    shared = [f"each proof is under the hypotheses {{{_escape('; '.join(common))}}}"] if common else []
    if len(result.parts) == 1:
        return [text for text in groups if text] + shared
    return [f"{letters(labels)} {text or 'undecided'}" for text, labels in groups.items()] + shared


def _told(proofs: Sequence[Proved], common: Sequence[str]) -> str:
    """Return formulas with what each is proved under, beside what is common to all."""
    told = []
    for item in proofs:
        own = "; ".join(text for text in item.hypotheses if text not in common)
        under = f" under the hypotheses {{{_escape(own)}}}" if own else ""
        modulo = f", modulo {{{_escape('; '.join(item.cited))}}}" if item.cited else ""
        told.append(f"{', '.join(item.formulas)}, proved for all sizes{under}{modulo}")
    return "; ".join(told)


def _around(result: ClaimResult, part: PartResult) -> tuple[str, str]:
    """Return a verdict that is not that of the claim, and on what the words of a proved part rest."""
    begin = f"{_VERDICTS[part.verdict]} " if part.verdict != result.verdict else ""
    names = [name.partition("/")[2] for name in part.word_instances]
    words = f", the words around its formulas {_GRADES[part.words]} {_where(names)}" if part.words else ""
    return begin, words.rstrip()


def _basis(result: ClaimResult, part: PartResult) -> str:
    if part.verdict not in _CITABLE and part.verdict != "violated":
        return _VERDICTS[part.verdict] if len(result.parts) > 1 else ""
    begin, words = _around(result, part)
    if part.grade in PROVED:
        modulo = f", modulo {{{_escape('; '.join(part.cited))}}}" if part.cited else ""
        return f"{begin}proved for all sizes{_hypotheses(result, part)}{modulo}{words}"
    names = [name.partition("/")[2] for name in part.instances]
    if part.grade == "numerical" and not names:
        return f"{begin}proved for all sizes by one solver alone{_hypotheses(result, part)}"
    how = _GRADES.get(part.grade or "", "")
    runs = "in runs " if result.claim.measured else ""
    return f"{begin}{runs}{how} {_where(names)}".strip()


def _where(names: Sequence[str]) -> str:
    if not names:
        return ""
    count = "1 instance" if len(names) == 1 else f"{len(names)} instances"
    return f"at {count}" + (f" ({_escape(', '.join(names))})" if len(names) <= _NAMED else "")


def _hypotheses(result: ClaimResult, part: PartResult) -> str:
    told = told_hypotheses(result.claim, part.hypotheses)
    return f" under the hypotheses {{{_escape('; '.join(told))}}}" if told else ""


def own_bibtex(version: str) -> str:
    """Return the BibTeX entry of boundcheck."""
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
        "mutants": result.mutants,
        "record": _escape(identifier),
    }
    if len(result.parts) > 1:
        values |= {f"verdict.{part.label}": part.verdict for part in result.parts}
        values |= {f"grade.{part.label}": part_grade(part.grade, part.words) for part in result.parts}
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
