"""`boundcheck doctor`."""

import sys

import click

from verify.cli import json_option, print_json


@click.command("doctor")
@json_option
def command(as_json: bool) -> None:
    """Tell what is installed, which rungs can run, and which names clash."""
    from verify.reporting.doctor import examine

    findings = examine()
    if as_json:
        print_json({"findings": [item.__dict__ for item in findings]})
    else:
        from verify.reporting.tables import Table, plain_text

        rows = tuple((item.status, item.name, item.detail) for item in findings)
        click.echo(plain_text(Table(("status", "what", "detail"), rows)))
    sys.exit(3 if any(item.status == "problem" for item in findings) else 0)
