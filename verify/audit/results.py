"""What an audit found, as a table and as a page."""

import itertools
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verify.audit.judging import Finding
from verify.audit.suite import VERDICTS, Suite
from verify.reporting.tables import Table

_RUNS = 4
"""Entries, or runs of equal ones, of an input that a table shows."""

OUR_CONSTANT = "our constant"
"""A source begins with it where neither the code nor its paper states the constant."""

_INPUT = re.compile(r"(; at |at )?x=\[[^\]]*(\]|\.\.\.)( \(shape \([^)]*\)\))?")


def table(found: Sequence[Finding]) -> Table:
    """Return the table: compressor, claim, verdict, what decided it, at which input."""
    columns = ("project", "compressor", "claim", "verdict", "reason", "counterexample")
    rows = [
        (
            item.suite,
            item.entry.name,
            claim_in_words(item),
            verdict_in_words(item),
            short_reason(item),
            input_in_short((item.witness or {}).get("x", [])),
        )
        for item in found
    ]
    return Table(columns, tuple(rows), ("counterexample", "claim"))


def summary(found: Sequence[Finding]) -> str:
    """Return the counts in words."""
    counts = {verdict: sum(item.verdict == verdict for item in found) for verdict in VERDICTS}
    text = ", ".join(f"{count} {verdict.replace('_', ' ')}" for verdict, count in counts.items() if count)
    projects = {item.suite for item in found}
    return f"{len(found)} entries of {len(projects)} projects: {text}"


def exit_code(found: Sequence[Finding]) -> int:
    """Return what the findings mean: a mistake in a suite, another verdict than expected, what did not run.

    Returns:
        2, 1, 3 in this order, else 0.
    """
    if any(item.verdict == "mistake" for item in found):
        return 2
    if any(item.differs for item in found):
        return 1
    return 3 if any(item.verdict == "not_run" for item in found) else 0


def claim_in_words(item: Finding) -> str:
    """Return what is claimed, with the numbers that the object states itself."""
    claims = item.claims or item.entry.claims
    words = [
        f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in claims.items()
    ]
    ours = f" ({OUR_CONSTANT})" * item.entry.source.startswith(OUR_CONSTANT)
    return (", ".join(words) or "nothing is lost") + ours


def verdict_in_words(item: Finding) -> str:
    """Return the verdict, and what was expected where that is something else."""
    said = item.verdict.replace("_", " ")
    return f"{said} ({expected_in_words(item)} was expected)" if item.differs else said


def expected_in_words(item: Finding) -> str:
    """Return the expected verdict, and its reason where only that is another one."""
    reason = item.entry.expect_reason if item.verdict == item.entry.expect else ""
    return item.entry.expect.replace("_", " ") + (f" for {reason!r}" if reason else "")


def short_reason(item: Finding) -> str:
    """Return what decided, without inputs of many numbers; what agrees says nothing."""
    if item.verdict == "consistent":
        return item.entry.note
    return _INPUT.sub("", item.reason).strip()


def input_in_short(x: Any) -> str:
    """Return an input in few words, equal entries as one: the whole is on the page and in the document."""
    if x and isinstance(x[0], list | tuple):
        rows = list(dict.fromkeys(map(input_in_short, x)))
        return f"{len(x)} nodes: {'; '.join(rows)}"
    runs = [(len(list(run)), value) for value, run in itertools.groupby(x)]
    words = [f"{count} times {value:.4g}" if count > 1 else f"{value:.4g}" for count, value in runs]
    return ", ".join(words[:_RUNS]) + (", …" if len(words) > _RUNS else "")


def write_page(
    found: Sequence[Finding], suites: Sequence[Suite], out: str | Path, *, force: bool = False
) -> Path:
    """Write the page with every counterexample into a folder, and return it.

    Raises:
        UsageError: jinja2 is missing.
        OutputFolderError: The folder cannot be written, or has files that are no report.
    """
    from verify.site.build import STATIC
    from verify.site.folder import check_place, new_site
    from verify.site.templating import Pages
    from verify.version import VERSION

    place = Path(out)
    check_place(place, force=force, option="html")
    rows = [_row(item) for item in found]
    with new_site(place, option="html") as folder:
        text = Pages([]).render(
            "audit.html",
            "index.html",
            rows=rows,
            projects=[suite.project for suite in suites],
            summary=summary(found),
            version=VERSION,
        )
        (folder / "index.html").write_text(text, encoding="utf-8")
        (folder / "static").mkdir()
        for file in sorted(STATIC.iterdir()):
            shutil.copyfile(file, folder / "static" / file.name)
    return place / "index.html"


def _row(item: Finding) -> dict[str, Any]:
    return {
        "project": item.suite,
        "name": item.entry.name,
        "claim": claim_in_words(item),
        "source": item.entry.source,
        "says": item.entry.says,
        "verdict": item.verdict,
        "expected": expected_in_words(item) if item.differs else "",
        "reason": _INPUT.sub("", item.reason).strip(),
        "note": item.entry.note,
        "witness": {name: _cut(value) for name, value in (item.witness or {}).items()},
    }


def _cut(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 400 else f"{text[:380]} …"
