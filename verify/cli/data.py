"""`boundcheck data`."""

import sys

import click

from verify.cli import json_option, print_json


@click.group("data")
def command() -> None:
    """List or check the LIBSVM data sets in the folder that BOUNDCHECK_DATA names."""


@command.command("list")
@json_option
def list_sets(as_json: bool) -> None:
    """List the known sets and whether their files are there."""
    from impl.problems.libsvm import available

    rows = [
        {
            "name": entry.dataset.name,
            "rows": entry.dataset.rows,
            "features": entry.dataset.features,
            "nonzeros": entry.dataset.nonzeros,
            "available": entry.path is not None,
        }
        for entry in available()
    ]
    if as_json:
        print_json({"data": rows})
        return
    from verify.report import console, rows_table

    console().print(rows_table(tuple(rows[0]), [tuple(row.values()) for row in rows]))
    if not any(row["available"] for row in rows):
        click.echo("\nset BOUNDCHECK_DATA to a folder with the LIBSVM files (plain, .bz2, .gz or .xz)")


@command.command("check")
@json_option
def check_sets(as_json: bool) -> None:
    """Parse every set and compare its content with the manifest."""
    from impl.problems.libsvm import check

    results = [
        {"name": entry.dataset.name, "ok": not entry.problem, "problem": entry.problem} for entry in check()
    ]
    if as_json:
        print_json({"data": results})
    else:
        for result in results:
            click.echo(f"{result['name']}: {'ok' if result['ok'] else result['problem']}")
    sys.exit(0 if all(result["ok"] for result in results) else 3)
