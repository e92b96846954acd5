"""`boundcheck verify`."""

import sys
from collections.abc import Mapping
from typing import Literal, cast

import click

from verify.cli import EVERY, claims_option, format_option, print_json, tell_problems, tier_option
from verify.cli.answer import print_answer
from verify.cli.record_folder import out_option
from verify.cli.runs.dry_run import show_plan
from verify.cli.runs.progress import ProgressLine


@click.command("verify")
@click.argument("patterns", nargs=-1)
@click.option("--profile", type=click.Choice(["quick", "full"]), default="quick", show_default=True)
@click.option("--kind", help="Only claims of this kind.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Master seed.  [default: fixed]")
@tier_option
@click.option("--jobs", type=int, default=-1, show_default="all cores", help="Number of processes.")
@click.option(
    "--backend",
    type=click.Choice(["loky", "dask", "ray", "mpi"]),
    help="Whose workers: processes of this machine by loky, or a cluster.  [default: this machine]",
)
@click.option("--address", help="Scheduler of a running Dask or Ray cluster.")
@click.option(
    "--resume", is_flag=True, help="Keep finished records of the same sources, profile, seed and tier."
)
@click.option("--dry-run", is_flag=True, help="Show units, estimated time and error budget; run nothing.")
@out_option
@claims_option
@format_option
def command(
    patterns: tuple[str, ...],
    profile: str,
    kind: str | None,
    seed: int | None,
    tier: str,
    jobs: int,
    backend: str | None,
    address: str | None,
    resume: bool,
    dry_run: bool,
    out: str,
    chosen: str,
) -> None:
    """Judge the claims that match PATTERNS (all by default) and write their records."""
    from impl import tiers
    from verify.context import MASTER_SEED
    from verify.running.processes import keep_freed_memory
    from verify.running.runner import verify

    depth = cast(Literal["quick", "full"], profile)
    master = MASTER_SEED if seed is None else seed
    if dry_run:
        show_plan(patterns or EVERY, depth, kind, master, out, chosen, jobs)
        return
    with ProgressLine(jobs) as progress:

        def planned(expected: Mapping[tuple[str, str, str], float], known: int) -> None:
            # What was asked for can be run: not before, so that a wrong word is one error and nothing else.
            progress.announce(master, depth, tiers.chosen(tier, "verify"))  # numpy where numba is of no use
            progress.plan(expected, known)

        keep_freed_memory()
        report = verify(
            patterns or EVERY,
            profile=depth,
            out=out,
            resume=resume,
            seed=master,
            jobs=jobs,
            kind=kind,
            tier=tier,
            backend=backend,
            address=address,
            progress=progress.update,
            planned=planned,
        )
    tell_problems(report.problems)
    if chosen == "json":
        print_json(report.document())
    elif chosen == "table":
        from verify.reporting.report import console, print_run

        print_run(report, console())
    else:
        from verify.reporting.report import claims_data, claims_rows
        from verify.reporting.tables import written

        print_answer(written(claims_data(report) if chosen == "csv" else claims_rows(report.claims), chosen))
        for item in report.claims:
            told = [f"{item.claim.id}: {reason}" for reason in item.reasons]
            if item.verdict in ("holds", "consistent"):  # what this profile leaves out is no error
                click.echo("".join(f"{line}\n" for line in told), err=True, nl=False)
            else:
                tell_problems(told)
    sys.exit(report.exit_code)
