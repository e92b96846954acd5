"""`boundcheck verify`."""

import os
import sys
from typing import TYPE_CHECKING, Any, Literal, cast

import click

from verify.cli import claims_option, json_option, out_option, print_json, tell_problems

if TYPE_CHECKING:
    from verify.runner import Progress


@click.command("verify")
@click.argument("patterns", nargs=-1)
@click.option("--profile", type=click.Choice(["quick", "full"]), default="quick", show_default=True)
@click.option("--kind", help="Only claims of this kind.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Master seed.  [default: fixed]")
@click.option("--jobs", type=int, default=-1, show_default="all cores", help="Number of processes.")
@click.option("--resume", is_flag=True, help="Keep finished records with the same sources, profile and seed.")
@click.option("--dry-run", is_flag=True, help="Show units, estimated time and error budget; run nothing.")
@out_option
@claims_option
@json_option
def command(
    patterns: tuple[str, ...],
    profile: str,
    kind: str | None,
    seed: int | None,
    jobs: int,
    resume: bool,
    dry_run: bool,
    out: str,
    as_json: bool,
) -> None:
    """Judge the claims that match PATTERNS (all by default) and write their records."""
    from verify.context import MASTER_SEED
    from verify.runner import verify

    chosen = cast(Literal["quick", "full"], profile)
    master = MASTER_SEED if seed is None else seed
    if dry_run:
        _show_plan(patterns, chosen, kind, master, out, as_json)
        return
    with _Progress() as progress:
        progress.announce(master, chosen)
        report = verify(
            patterns,
            profile=chosen,
            out=out,
            resume=resume,
            seed=master,
            jobs=jobs,
            kind=kind,
            progress=progress.update,
        )
    tell_problems(report.problems)
    if as_json:
        print_json(report.document())
    else:
        from verify.reporting.report import console, print_run

        print_run(report, console())
    sys.exit(report.exit_code)


def _show_plan(
    patterns: tuple[str, ...], profile: Any, kind: str | None, seed: int, out: str, as_json: bool
) -> None:
    from verify.binding import plan
    from verify.outcome import ALPHA, ALPHA_TOTAL
    from verify.records.folder import RecordFolder
    from verify.runner import broken_checks, expected_seconds
    from verify.selection import select

    selected = select(patterns, kind)
    broken = broken_checks(selected.claims)
    problems = [*selected.problems, *(f"{claim}: {reason}" for claim, reason in broken.items())]
    tell_problems(problems)
    units = plan(tuple(claim for claim in selected.claims if claim.id not in broken), profile)
    tests = sum(unit.tests(profile) for unit in units)
    expected = [expected_seconds(unit, RecordFolder(out)) for unit in units]
    seconds = sum(expected)
    rows = [
        {
            "claim": unit.claim.id,
            "rung": unit.check.rung,
            "instance": unit.check.instance,
            "mutants": list(unit.selected_mutants(profile)),
            "tests": unit.tests(profile),
            "seconds": spent,
        }
        for unit, spent in zip(units, expected, strict=True)
    ]
    if as_json:
        print_json(
            {
                "units": rows,
                "problems": problems,
                "tests": tests,
                "alpha_total": ALPHA_TOTAL,
                "alpha_used": tests * ALPHA,
                "seconds": round(seconds, 3),
                "seed": seed,
                "profile": profile,
            }
        )
        return
    from verify.reporting.report import console, rows_table

    target = console()
    columns = ("claim", "rung", "instance", "mutants", "tests", "seconds")
    target.print(rows_table(columns, [tuple(_cell(row[name]) for name in columns) for row in rows]))
    cores = os.cpu_count() or 1
    target.print(
        f"\n{len(units)} units, about {seconds:.0f} s of CPU ({seconds / cores:.0f} s on {cores} cores); "
        f"{tests} statistical tests at level {ALPHA:g}: false-alarm probability at most {tests * ALPHA:.2g} "
        f"of the declared {ALPHA_TOTAL:g}; seed {seed}"
    )


def _cell(value: Any) -> str:
    return str(len(value)) if isinstance(value, list) else str(value)


class _Progress:
    """A bar on a terminal, one quiet line per unit elsewhere; always on standard error."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> "_Progress":
        if sys.stderr.isatty():
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            from verify.reporting.report import console

            columns = (
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("{task.description}"),
            )
            self._bar = Progress(*columns, console=console(stderr=True), transient=True)
            self._task = self._bar.add_task("starting", total=None)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def announce(self, seed: int, profile: str) -> None:
        """Print the seed before anything runs, so that a hang can be reproduced."""
        click.echo(f"seed {seed}, profile {profile}", err=True)

    @property
    def update(self) -> "Progress":
        """Return the callback of the runner."""
        return self._update

    def _update(self, how: str, record: Any, done: int, total: int) -> None:
        unit = f"{record['claim']} {record['rung']}/{record['instance']}"
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=total, description=unit)
            return
        spent = "cached" if how == "cached" else f"{record['seconds']:.1f} s"
        click.echo(f"{done:4d}/{total} {unit}: {record['verdict']} ({spent})", err=True)
