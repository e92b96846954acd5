"""`boundcheck list`."""

from typing import TYPE_CHECKING

import click

from verify.cli import claims_option, format_option, out_option, print_json, tell_problems

if TYPE_CHECKING:
    from verify.reporting.summaries import Summary


@click.command("list")
@click.argument("pattern", default="*")
@click.option("--kind", help="Only claims of this kind.")
@out_option
@claims_option
@format_option
def command(pattern: str, kind: str | None, out: str, chosen: str) -> None:
    """List the claims that match PATTERN with kind, provenance and last verdict; none is loaded for it."""
    from verify.records.sources import Moment
    from verify.reporting.summaries import summarised
    from verify.running.selection import problem_lines, select_entries

    problems = problem_lines(pattern)
    hashed = Moment().source_sha256
    pairs = [(entry, summarised(entry.id, out, hashed)) for entry in select_entries(pattern, kind)]
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
            }
            for entry, summary in pairs
        ]
        print_json({"claims": claims, "problems": problems})
        return
    tell_problems(problems)
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
    click.echo(written(Table(columns, rows, optional=("provenance", "kind")), chosen))


def _told(summary: "Summary") -> str:
    """Return a verdict with what a reader must know of it: open checks, and sources that changed since."""
    if not summary.made:
        return "not run yet"
    marks = [f"{summary.undecided} undecided"] * bool(summary.undecided) + ["stale"] * summary.stale
    return summary.verdict + (f" ({', '.join(marks)})" if marks else "")
