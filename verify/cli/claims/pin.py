"""`boundcheck pin`."""

import sys
from typing import Any

import click

from verify.cli import claims_option, json_option, print_json, tell_problems


@click.command("pin")
@click.argument("patterns", nargs=-1, required=True)
@click.option(
    "--comparisons",
    type=click.Choice(["quick", "full"]),
    help="Run the checks, those of the full profile too or not, and pin what they compare instead of words.",
)
@claims_option
@json_option
def command(patterns: tuple[str, ...], comparisons: str | None, as_json: bool) -> None:
    """Pin the words of the statements PATTERNS after you have read them against their evidence.

    Formulas are checked each time; words cannot be. Their hashes are kept in pins.json beside the claims; a
    statement whose words change is refused until somebody pins it again. Likewise comparisons.json keeps what
    checks compare, how often and how closely, and conditions.json how strictly and in which profile they do.
    """
    from verify.running.selection import select

    selected = select(patterns)
    tell_problems(selected.problems)
    rows = []
    for claim in selected.claims:
        problems, changed = _comparisons(claim, comparisons) if comparisons else _words(claim)
        tell_problems(problems)
        status = "not pinned" if problems else "pinned" if changed else "unchanged"
        not_run = _not_run(claim) if comparisons == "quick" and status == "pinned" else []
        rows.append({"id": claim.id, "status": status, "problems": problems, "not_run": not_run})
    if as_json:
        print_json({"claims": rows, "problems": list(selected.problems)})
    else:
        for row in rows:
            click.echo(f"{row['id']}: {row['status']}")
            if row["not_run"]:
                click.echo(
                    f"{row['id']}: what these checks of the full profile compare is pinned as it was, and "
                    f"they were not run: {', '.join(row['not_run'])}; if they share what you changed, run "
                    f"`boundcheck pin --comparisons full {row['id']}`",
                    err=True,
                )
    sys.exit(3 if selected.problems or any(row["problems"] for row in rows) else 0)


def _not_run(claim: Any) -> list[str]:
    """Return the checks of the full profile, whose pins go stale unseen by the quick one."""
    from verify.binding import checks_of

    return [f"{check.rung}/{check.instance}" for check in checks_of(claim) if check.profile == "full"]


def _words(claim: Any) -> tuple[list[str], bool]:
    from verify.records.remedies import with_package
    from verify.statements import check, hashes, pins_file
    from verify.statements.pins import write

    found = hashes(claim)
    problems = [with_package(str(problem), claim.id) for problem in check(claim, found)]
    file = pins_file(claim.paper.name)
    return problems, not problems and file is not None and bool(write(file, {claim.id: found}))


def _comparisons(claim: Any, profile: Any) -> tuple[list[str], bool]:
    from verify.binding import plan
    from verify.context import MASTER_SEED
    from verify.judging.judgement import judge_unit
    from verify.judging.verdicts import judge_claim
    from verify.records import conditions, pinned

    records = [
        judge_unit(unit, unit.check.profile, MASTER_SEED, thorough=True) for unit in plan((claim,), profile)
    ]
    rows = pinned.rows_of(claim, records)
    under = conditions.conditions_of(claim, records)
    result = judge_claim(claim, records, pins=rows, conditions=under)
    if result.verdict not in ("holds", "consistent"):
        return [f"{claim.id} is {result.verdict}: {reason}" for reason in result.reasons], False
    file, other = pinned.file_of(claim.paper.name), conditions.file_of(claim.paper.name)
    if file is None or other is None:
        return [], False
    changed = [pinned.write(file, claim, rows), conditions.write(other, claim, under, records)]
    return [], any(changed)
