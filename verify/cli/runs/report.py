"""`boundcheck report`."""

import click

from verify.cli import EVERY, claims_option, json_option, print_json, require_given_folders
from verify.cli.record_folder import records_option


@click.command("report")
@click.argument("patterns", nargs=-1)
@click.option("--out", default="site", show_default=True, metavar="DIR", help="Folder of the site.")
@records_option
@click.option(
    "--figures", default="paper_figures", show_default=True, metavar="DIR", help="Folder of the figures."
)
@click.option("--force", is_flag=True, help="Replace a folder that is no report, with all that is in it.")
@click.option("--open", "show", is_flag=True, help="Open the site in a browser.")
@click.option("--jobs", type=int, default=-1, show_default="all cores", help="Number of processes.")
@claims_option
@json_option
def command(
    patterns: tuple[str, ...],
    out: str,
    records: str,
    figures: str,
    force: bool,
    show: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Write a static site of the claims that match PATTERNS (all by default), from records and figures."""
    from verify.site.build import build_site

    require_given_folders(records=records, figures=figures)
    report = build_site(patterns or EVERY, out=out, records=records, figures=figures, force=force, jobs=jobs)
    if as_json:
        print_json(
            {
                "index": str(report.index),
                "pages": report.pages,
                "claims": report.claims,
                "problems": list(report.problems),
            }
        )
    else:
        for line in report.problems:
            click.echo(f"note: {line}", err=True)
        counts = ", ".join(f"{count} {verdict}" for verdict, count in report.claims.items() if count)
        click.echo(f"{report.pages} pages, {counts}: {report.index}")
    if show:
        click.launch(report.index.resolve().as_uri())
