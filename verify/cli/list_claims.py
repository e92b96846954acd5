"""`boundcheck list`."""

import click

from verify.cli import json_option, out_option, print_json


@click.command("list")
@click.argument("pattern", default="*")
@click.option("--kind", help="Only claims of this kind.")
@out_option
@json_option
def command(pattern: str, kind: str | None, out: str, as_json: bool) -> None:
    """List the claims that match PATTERN with kind, provenance and last verdict."""
    from verify.runner import recorded_results

    pairs = [(item.result, item.stale) for item in recorded_results(pattern, out, kind)]
    if as_json:
        print_json(
            {
                "claims": [
                    {
                        "id": result.claim.id,
                        "paper": result.claim.paper.name,
                        "kind": result.claim.kind,
                        "provenance": result.claim.provenance,
                        "title": result.claim.title,
                        "verdict": result.verdict if result.records else "not_run",
                        "stale": stale,
                    }
                    for result, stale in pairs
                ]
            }
        )
        return
    from verify.report import console, rows_table

    rows = [
        (
            result.claim.id,
            result.claim.kind,
            result.claim.provenance,
            (result.verdict + (" (stale)" if stale else "")) if result.records else "not run yet",
            result.claim.title,
        )
        for result, stale in pairs
    ]
    console().print(rows_table(("claim", "kind", "provenance", "last verdict", "title"), rows))
