"""`boundcheck data`."""

import os
import sys

import click

from verify.cli import json_option, print_json


@click.group("data")
def command() -> None:
    """List, download or check the data sets in the folder that BOUNDCHECK_DATA names."""


@command.command("list")
@json_option
def list_sets(as_json: bool) -> None:
    """List the known sets and whether their files are there."""
    from impl.problems.data import mnist
    from impl.problems.data.libsvm import available

    rows: list[dict[str, object]] = [
        {
            "name": entry.dataset.name,
            "rows": entry.dataset.rows,
            "features": entry.dataset.features,
            "nonzeros": entry.dataset.nonzeros,
            "available": entry.path is not None,
        }
        for entry in available()
    ]
    rows.append(
        {
            "name": mnist.NAME,
            "rows": mnist.ROWS,
            "features": mnist.PIXELS,
            "nonzeros": mnist.NONZEROS,
            "available": mnist.find() is not None,
        }
    )
    if as_json:
        print_json({"data": rows})
        return
    from verify.reporting.tables import Table, plain_text

    said = [(*list(row.values())[:-1], "yes" if row["available"] else "no") for row in rows]
    click.echo(plain_text(Table(tuple(rows[0]), tuple(said))))
    folder = os.environ.get("BOUNDCHECK_DATA", "")
    if folder and not os.path.isdir(folder):
        click.echo(
            f"\nBOUNDCHECK_DATA={folder} is not a folder; create it or set BOUNDCHECK_DATA to another one"
        )
    elif not any(row["available"] for row in rows):
        click.echo(
            "\nset BOUNDCHECK_DATA to a folder with mnist.npz and the LIBSVM files (plain, .bz2, .gz or .xz);"
            " `boundcheck data fetch` and `boundcheck data fetch mnist` get them"
        )


@command.command("fetch")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--folder", metavar="DIR", help="Where the files go; created.  [default: the folder BOUNDCHECK_DATA]"
)
@click.option("--from", "base", metavar="URL", help="Mirror of the LIBSVM page of binary sets.")
@json_option
def fetch_sets(names: tuple[str, ...], folder: str | None, base: str | None, as_json: bool) -> None:
    """Download sets (those of the LIBSVM page if none is named, mnist by its name); what is there and right
    is kept.

    A file gets its name only after its content was compared with the manifest. Exit code 3 if one failed.
    """
    from impl.problems.data.libsvm_download import LIBSVM_PAGE, Fetched, fetch

    def tell(result: Fetched) -> None:
        if not as_json:
            click.echo(f"{result.name}: {result.problem or f'{result.status}, {result.path}'}")

    results = fetch(names, folder, base=base or LIBSVM_PAGE, progress=tell)
    if as_json:
        rows = [
            {
                "name": result.name,
                "status": result.status,
                "path": None if result.path is None else str(result.path),
                "problem": result.problem,
            }
            for result in results
        ]
        print_json({"data": rows})
    sys.exit(3 if any(result.status == "failed" for result in results) else 0)


@command.command("check")
@json_option
def check_sets(as_json: bool) -> None:
    """Parse every set and compare its content with the manifest."""
    from impl.problems.data import mnist
    from impl.problems.data.libsvm import check

    found = [(entry.dataset.name, entry.problem) for entry in check()]
    found.append((mnist.NAME, mnist.check()))
    results = [{"name": name, "ok": not problem, "problem": problem} for name, problem in found]
    if as_json:
        print_json({"data": results})
    else:
        for result in results:
            click.echo(f"{result['name']}: {'ok' if result['ok'] else result['problem']}")
    sys.exit(0 if all(result["ok"] for result in results) else 3)
