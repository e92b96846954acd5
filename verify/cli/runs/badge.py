"""`boundcheck badge`."""

from pathlib import Path

import click

from verify.cli import EVERY, claims_option, json_option, print_json, require_given_folders
from verify.cli.record_folder import records_option


@click.command("badge")
@click.argument("patterns", nargs=-1)
@click.option("--out", default="badge.svg", show_default=True, metavar="FILE", help="File of the picture.")
@records_option
@click.option("--label", default="bounds", show_default=True, help="What stands at the left.")
@claims_option
@json_option
def command(patterns: tuple[str, ...], out: str, records: str, label: str, as_json: bool) -> None:
    """Write an SVG picture with the verdicts of the claims that match PATTERNS (all by default).

    Its colour is that of the worst verdict. Nothing is judged, and the exit code says nothing about verdicts.
    """
    from verify.errors import OutputFolderError
    from verify.reporting.badge import badge, counts

    require_given_folders(records=records)
    found = counts(patterns or EVERY, records=records)
    try:
        Path(out).write_text(badge(found, label), encoding="utf-8")
    except OSError as error:
        raise OutputFolderError(
            f"out={out!r} cannot be written ({error.strerror or error}); choose another file with --out FILE"
        ) from error
    if as_json:
        print_json({"file": out, "claims": dict(found)})
    else:
        click.echo(out)
