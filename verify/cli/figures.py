"""`boundcheck figures`."""

import sys

import click

from verify.cli import json_option, print_json


@click.command("figures")
@click.argument("names", nargs=-1)
@click.option(
    "--check", "only_check", is_flag=True, help="Compare regenerated data with the CSV files; write nothing."
)
@click.option(
    "--out", default="paper_figures", show_default=True, metavar="DIR", help="Folder of the figures."
)
@json_option
def command(names: tuple[str, ...], only_check: bool, out: str, as_json: bool) -> None:
    """Regenerate the figures NAMES (a paper, or PAPER/FIGURE; all by default) by executing the notebooks."""
    from verify.figures.regenerate import check, regenerate

    results = check(names, out=out) if only_check else regenerate(names, out=out)
    if as_json:
        print_json({"figures": [item.__dict__ for item in results]})
    else:
        for item in results:
            click.echo(f"{item.name}: {item.status} {item.detail}".rstrip())
        if any(item.status == "kept" for item in results):
            click.echo("figures that were kept need data; `boundcheck data fetch` gets them")
    statuses = {item.status for item in results}
    sys.exit(1 if statuses & {"differs", "missing"} else 3 if "kept" in statuses else 0)
