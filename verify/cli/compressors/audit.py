"""`boundcheck audit`."""

import sys
from pathlib import Path
from typing import Any

import click

from verify.cli import format_option, print_json
from verify.cli.answer import print_answer


@click.command("audit")
@click.argument("suites", nargs=-1, metavar="SUITE...")
@click.option(
    "--peers",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder with the code of others.  [default: BOUNDCHECK_PEERS]",
)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Compressors at once.")
@click.option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="End each check then.  [default: 20]",
)
@click.option(
    "--resolution",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Resolution of each check.  [default: that of the suite, 0.01]",
)
@click.option("--html", metavar="DIR", help="Write a page with the counterexamples there.")
@click.option("--force", is_flag=True, help="Replace a folder that is no report, with all that is in it.")
@click.option("--list", "listed", is_flag=True, help="List our suites and what they name; judge nothing.")
@format_option
def command(
    suites: tuple[str, ...],
    peers: Path | None,
    jobs: int,
    time_limit: float | None,
    resolution: float | None,
    html: str | None,
    force: bool,
    listed: bool,
    chosen: str,
) -> None:
    """Judge the compressors that suites list: files in TOML, or names of ours, all of ours by default.

    Exit code 1: a verdict is not the one that its suite expects; 2: a suite says what does not fit;
    3: something could not run.
    """
    from verify.audit.judging import Finding, judge_suites
    from verify.audit.results import exit_code, summary, table, verdict_in_words, write_page
    from verify.audit.suite import SUITES, read_suite
    from verify.reporting.tables import written

    read = [read_suite(name) for name in suites or sorted(item.stem for item in SUITES.glob("*.toml"))]
    if listed:
        for suite in read:
            click.echo(f"{suite.path.stem}: {suite.project.name}, {suite.project.url}")
            for entry in suite.entries:
                click.echo(f"  {entry.name}: {entry.object}")
        return
    if html is not None:
        from verify.site.folder import check_place

        check_place(Path(html), force=force, option="html")
    settings = {"time_limit": time_limit, "resolution": resolution}
    given: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}

    def tell(finding: Finding) -> None:
        click.echo(f"{finding.suite}: {finding.entry.name}: {verdict_in_words(finding)}", err=True)

    found = judge_suites(read, peers=peers, jobs=jobs, settings=given, progress=tell)
    if chosen == "json":
        print_json({"findings": [item.document() for item in found], "summary": summary(found)})
    else:
        print_answer(written(table(found), chosen))
        click.echo(summary(found), err=chosen != "table")
    if html is not None:
        click.echo(str(write_page(found, read, html, force=force)), err=True)
    for item in found:
        if item.verdict == "mistake":
            click.echo(f"Error: {item.suite}: {item.entry.name}: {item.reason}", err=True)
    sys.exit(exit_code(found))
