"""`boundcheck diff`."""

import sys
from typing import Any

import click

from verify.cli import claims_option, format_option, print_json
from verify.cli.answer import print_answer


@click.command("diff")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.argument("patterns", nargs=-1, metavar="[PATTERN]...")
@click.option(
    "--times",
    "factor",
    type=float,
    default=2.0,
    show_default=True,
    metavar="FACTOR",
    help="Tell CPU times that changed by this factor (and by a second).",
)
@claims_option
@format_option
def command(first: str, second: str, patterns: tuple[str, ...], factor: float, chosen: str) -> None:
    """Compare run B with run A: verdicts, grades, tightness and times that changed.

    A and B are folders of records (`verify --out DIR`) or documents (`verify --json`). PATTERN limits the
    claims.

    Exit code 1 where a verdict got worse, that of a part too, or where a claim that only B has is violated or
    untested; else 3 where B lacks a claim or part of A, which it did not judge; else 0.
    """
    from verify.errors import UsageError
    from verify.records.difference import ONLY_FIRST, ONLY_SECOND, compare

    if not factor > 1:
        raise UsageError(f"--times {factor:g} must be above 1")
    found = compare(first, second, patterns, factor)
    code = 1 if found.is_worse else 3 if found.is_incomplete else 0
    if chosen == "json":
        print_json(
            {
                "schema": "boundcheck-diff-1",
                "compared": found.compared,
                "worse": found.is_worse,
                "incomplete": found.is_incomplete,
                "changes": [item.__dict__ for item in found.changes],
                "notes": list(found.notes),
            }
        )
        sys.exit(code)
    from verify.reporting.tables import Table, written

    columns = ("claim", "what", "before", "after", "change")
    rows = tuple(
        (item.claim, item.what, _shown(item.before), _shown(item.after), item.direction)
        for item in found.changes
    )
    if rows or chosen != "table":
        print_answer(written(Table(columns, rows), chosen))
    if chosen == "table":
        of_both = [item for item in found.verdicts if item.direction not in (ONLY_FIRST, ONLY_SECOND)]
        worse = sum(item.direction == "worse" for item in of_both)
        claims = "1 claim" if found.compared == 1 else f"{found.compared} claims"
        alone = [(found.only_in(direction), direction) for direction in (ONLY_FIRST, ONLY_SECOND)]
        others = "".join(f", {count} {direction}" for count, direction in alone if count)
        click.echo(
            f"{claims} compared{others}: {len(of_both)} verdicts changed, {worse} of them to the worse"
        )
    for note in dict.fromkeys(found.notes):
        click.echo(f"note: {note}", err=True)
    sys.exit(code)


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
