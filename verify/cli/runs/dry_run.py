"""What `boundcheck verify --dry-run` shows: units, expected time, error budget; nothing runs."""

import os
from typing import Any

import click

from verify.cli import print_json, tell_problems
from verify.cli.answer import print_answer


def show_plan(
    patterns: tuple[str, ...],
    profile: Any,
    kind: str | None,
    seed: int,
    out: str,
    chosen: str,
    jobs: int = -1,
) -> None:
    """Print the plan of a run in the chosen format."""
    from verify.backends.chunks import expected_seconds, recorded_seconds
    from verify.binding import left_out_for_data, plan
    from verify.outcome import ALPHA, ALPHA_TOTAL
    from verify.records.folder import RecordFolder
    from verify.running.runner import broken_checks
    from verify.running.selection import select

    selected = select(patterns, kind)
    broken = broken_checks(selected.claims)
    problems = [*selected.problems, *(f"{claim}: {reason}" for claim, reason in broken.items())]
    tell_problems(problems)
    claims = tuple(claim for claim in selected.claims if claim.id not in broken)
    units = plan(claims, profile)
    tests = sum(unit.tests(profile) for unit in units)
    recorded = recorded_seconds(units, RecordFolder(out))
    # What is typical is so in the quick profile: units of the full one take from a second to an hour.
    untimed = {unit.key for unit in units if unit.check.profile == "full"} - recorded.keys()
    expected = {
        key: None if key in untimed else value for key, value in expected_seconds(units, recorded).items()
    }
    seconds = sum(value for value in expected.values() if value is not None)
    without_data = left_out_for_data(claims, profile)
    rows = [
        {
            "claim": unit.claim.id,
            "rung": unit.check.rung,
            "instance": unit.check.instance,
            "mutants": list(unit.selected_mutants(profile)),
            "tests": unit.tests(profile),
            "seconds": expected[unit.key],
        }
        for unit in units
    ]
    if chosen == "json":
        print_json(
            {
                "units": rows,
                "problems": problems,
                "untimed": len(untimed),
                "without_data": without_data,
                "tests": tests,
                "alpha_total": ALPHA_TOTAL,
                "alpha_used": tests * ALPHA,
                "seconds": round(seconds, 3),
                "seed": seed,
                "profile": profile,
            }
        )
        return
    from verify.reporting.tables import Table, written

    columns = ("claim", "rung", "instance", "mutants", "tests", "seconds")
    print_answer(written(Table(columns, tuple(tuple(map(_cell, row.values())) for row in rows)), chosen))
    if chosen != "table":
        return
    cores = min(jobs, os.cpu_count() or 1) if jobs > 0 else os.cpu_count() or 1
    shared = f"{cores} core{'' if cores == 1 else 's'}"
    more = f", without {len(untimed)} marked ? that never ran here" if untimed else ""
    click.echo(
        f"\n{len(units)} units, about {seconds:.0f} s of CPU ({seconds / cores:.0f} s on {shared}){more}; "
        f"{tests} statistical tests at level {ALPHA:g}: false-alarm probability at most {tests * ALPHA:.3g} "
        f"of the declared {ALPHA_TOTAL:g}; seed {seed}"
    )
    if without_data:
        click.echo(f"not planned, as they need data sets and BOUNDCHECK_DATA is not set: {without_data} more")


def _cell(value: Any) -> str:
    if value is None:
        return "?"
    if isinstance(value, float):
        return f"{value:.2g}"
    return str(len(value)) if isinstance(value, list) else str(value)
