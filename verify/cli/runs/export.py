"""`boundcheck export`."""

import sys

import click

from verify.cli import EVERY, claims_option, json_option, print_json, require_given_folders
from verify.cli.record_folder import records_option


@click.command("export")
@click.argument("patterns", nargs=-1)
@click.option(
    "--crate", required=True, metavar="OUT", help="RO-Crate to write: an empty or new folder, or a FILE.zip."
)
@records_option
@click.option(
    "--figures", default="paper_figures", show_default=True, metavar="DIR", help="Folder of the figures."
)
@claims_option
@json_option
def command(patterns: tuple[str, ...], crate: str, records: str, figures: str, as_json: bool) -> None:
    """Write the records of the claims that match PATTERNS (all by default) as one RO-Crate.

    With them go the figures about these claims, versions, and how to cite, for an archive of research data.
    Exit code 3 if something was left out or is stale.
    """
    from verify.reporting.crate import write_crate

    require_given_folders(records=records, figures=figures)
    report = write_crate(crate, patterns or EVERY, records=records, figures=figures)
    if as_json:
        print_json(report.document())
    else:
        for line in report.notes:
            click.echo(f"note: {line}", err=True)
        counts = f"{len(report.claims)} claims, {report.records} records, {report.figures} files of figures"
        click.echo(f"{counts}: {report.path}")
    sys.exit(3 if report.notes else 0)
