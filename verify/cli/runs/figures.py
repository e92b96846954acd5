"""`boundcheck figures`."""

import sys
from collections import Counter

import click

from verify.cli import json_option, print_json


@click.command("figures")
@click.argument("names", nargs=-1)
@click.option("--force", is_flag=True, help="Make them all, also those that nothing has changed for.")
@click.option(
    "--notebooks",
    "only_notebooks",
    is_flag=True,
    help="Execute the notebooks alone, with the figures that are there and the verdicts of .boundcheck.",
)
@click.option(
    "--check",
    "only_check",
    is_flag=True,
    help="Make them all elsewhere and compare their data with the CSV files; write nothing.",
)
@click.option(
    "--out", default="paper_figures", show_default=True, metavar="DIR", help="Folder of the figures."
)
@json_option
def command(
    names: tuple[str, ...], force: bool, only_notebooks: bool, only_check: bool, out: str, as_json: bool
) -> None:
    """Make the figures NAMES (a paper, or PAPER/FIGURE; all by default) by executing the notebooks.

    A figure is kept while its sources, libraries and files are as they were when it was made. What becomes of
    each is told on standard error, how many became what on standard output.
    """
    from verify.redrawing.regenerate import check, regenerate
    from verify.redrawing.result import FigureResult

    def tell(result: FigureResult) -> None:
        click.echo(result.line, err=True)

    if only_check and force:
        raise click.UsageError("--check makes all of them by itself; leave out --force")
    if only_check and only_notebooks:
        raise click.UsageError("--check makes no notebook; leave out --notebooks")
    results = (
        check(names, out=out, tell=tell)
        if only_check
        else regenerate(names, out=out, force=force, only_notebooks=only_notebooks, tell=tell)
    )
    if as_json:
        print_json({"figures": [item.__dict__ for item in results]})
    else:
        counts = Counter(item.status for item in results)
        click.echo(", ".join(f"{count} {status}" for status, count in counts.items()))
        if counts["needs data"]:
            click.echo("`boundcheck data fetch` gets the data", err=True)
    statuses = {item.status for item in results}
    sys.exit(1 if statuses & {"differs", "missing"} else 3 if "needs data" in statuses else 0)
