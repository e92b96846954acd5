"""`boundcheck list`."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from verify.cli import claims_option, format_option, print_json, tell_problems
from verify.cli.answer import print_answer
from verify.cli.record_folder import out_option

if TYPE_CHECKING:
    from verify.reporting.summaries import Summary


@click.command("list")
@click.argument("pattern", default="*")
@click.option("--kind", help="Only claims of this kind.")
@click.option("--title", metavar="TEXT", help="Only claims whose title has this text, in any case.")
@out_option
@claims_option
@format_option
def command(pattern: str, kind: str | None, title: str | None, out: str, chosen: str) -> None:
    """List the claims that match PATTERN with kind, provenance and last verdict; none is loaded for it.

    Exit code 3: a file with claims cannot be used.
    """
    from verify.records.remedies import some_of, verify_command
    from verify.records.sources import Moment
    from verify.reporting.summaries import summarised
    from verify.running.selection import problem_lines, select_entries, with_title

    problems = problem_lines(pattern)
    hashed = Moment().source_sha256
    entries = with_title(select_entries(pattern, kind), title or "")
    pairs = [(entry, summarised(entry.id, out, hashed)) for entry in entries]
    if chosen == "json":
        claims = [
            {
                "id": entry.id,
                "paper": entry.paper,
                "kind": entry.kind,
                "provenance": entry.provenance,
                "title": entry.title,
                "verdict": summary.verdict,
                "grade": summary.grade,
                "parts": summary.parts,
                "undecided": summary.undecided,
                "stale": summary.stale,
                "damaged": list(summary.damaged),
            }
            for entry, summary in pairs
        ]
        print_json({"claims": claims, "problems": problems})
        sys.exit(_code(problems))
    tell_problems(problems)
    for entry, summary in pairs:
        if summary.damaged:
            told = "; ".join(some_of(summary.damaged, most=1))
            click.echo(f"note: {told}; run `{verify_command(out, entry.id)}`", err=True)
    from verify.reporting.tables import Table, written

    rows = tuple(
        (
            entry.id,
            entry.kind,
            entry.provenance,
            _told(summary),
            entry.title,
        )
        for entry, summary in pairs
    )
    columns = ("claim", "kind", "provenance", "last verdict", "title")
    print_answer(written(Table(columns, rows, optional=("provenance", "kind")), chosen))
    sys.exit(_code(problems))


def _code(problems: Sequence[str]) -> int:
    return 3 if problems else 0


def _told(summary: "Summary") -> str:
    """Return a verdict with what a reader must know of it: open checks, and sources that changed since."""
    marks = [f"{summary.undecided} undecided"] * bool(summary.undecided) + ["stale"] * summary.stale
    marks += [f"{len(summary.damaged)} damaged"] * bool(summary.damaged)
    verdict = summary.verdict if summary.made else "no usable record" if marks else "not run yet"
    return verdict + (f" ({', '.join(marks)})" if marks else "")
