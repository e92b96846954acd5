"""`boundcheck pin`."""

import sys

import click

from verify.cli import claims_option, json_option, print_json, tell_problems


@click.command("pin")
@click.argument("patterns", nargs=-1, required=True)
@claims_option
@json_option
def command(patterns: tuple[str, ...], as_json: bool) -> None:
    """Pin the words of the statements PATTERNS after you have read them against their evidence.

    Formulas are checked each time; words cannot be. Their hashes are kept in pins.json beside the claims; a
    statement whose words change is refused until somebody pins it again.
    """
    from verify.binding import is_new_form
    from verify.selection import select
    from verify.statements import check, hashes, pins_file
    from verify.statements.pins import write

    selected = select(patterns)
    tell_problems(selected.problems)
    rows = []
    for claim in selected.claims:
        if not is_new_form(claim):
            continue
        found = hashes(claim)
        problems = check(claim, found)
        tell_problems(map(str, problems))
        file = pins_file(claim.paper.name)
        if problems or file is None:
            status = "not pinned"
        else:
            status = "pinned" if write(file, {claim.id: found}) else "unchanged"
        rows.append({"id": claim.id, "status": status, "problems": [str(problem) for problem in problems]})
    if as_json:
        print_json({"claims": rows, "problems": list(selected.problems)})
    else:
        for row in rows:
            click.echo(f"{row['id']}: {row['status']}")
    sys.exit(3 if selected.problems or any(row["problems"] for row in rows) else 0)
