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
    from verify.binding import plan
    from verify.outcome import ALPHA, ALPHA_TOTAL
    from verify.records.folder import RecordFolder
    from verify.running.runner import broken_checks
    from verify.running.selection import select

    selected = select(patterns, kind)
    broken = broken_checks(selected.claims)
    problems = [*selected.problems, *(f"{claim}: {reason}" for claim, reason in broken.items())]
    tell_problems(problems)
    units = plan(tuple(claim for claim in selected.claims if claim.id not in broken), profile)
    tests = sum(unit.tests(profile) for unit in units)
    expected = expected_seconds(units, recorded_seconds(units, RecordFolder(out)))
    seconds = sum(expected.values())
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
    click.echo(
        f"\n{len(units)} units, about {seconds:.0f} s of CPU ({seconds / cores:.0f} s on {shared}); "
        f"{tests} statistical tests at level {ALPHA:g}: false-alarm probability at most {tests * ALPHA:.3g} "
        f"of the declared {ALPHA_TOTAL:g}; seed {seed}"
    )


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.2g}"
    return str(len(value)) if isinstance(value, list) else str(value)
