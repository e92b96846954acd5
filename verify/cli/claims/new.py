"""`boundcheck new`."""

import click

from verify.cli import json_option, print_json


@click.command("new")
@click.argument("what", type=click.Choice(["paper", "claim", "compressor"]))
@click.argument("name")
@click.option("--into", default=".", show_default=True, metavar="DIR", help="Folder to write into.")
@json_option
def command(what: str, name: str, into: str, as_json: bool) -> None:
    """Write a small working example to begin with; it passes its own tests, and nothing is overwritten.

    NAME is that of the paper (`natural`), of the claim with its package (`natural/my-slug`), or of the
    compressor (`my_rounding`).
    """
    from verify.scaffolding import write_scaffold

    files = write_scaffold(what, name, into)
    if as_json:
        print_json({"files": [str(path) for path in files.written], "next": list(files.next_steps)})
        return
    for path in files.written:
        click.echo(f"wrote {path}")
    for line in files.next_steps:
        click.echo(f"next: {line}")
