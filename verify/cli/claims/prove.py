"""`boundcheck prove`."""

import sys
from typing import Any

import click

from verify.cli import claims_option, json_option, print_json


@click.command("prove")
@click.argument("claim_id", metavar="CLAIM")
@claims_option
@json_option
def command(claim_id: str, as_json: bool) -> None:
    """Run the derivation of CLAIM alone: theorems, hypotheses and cited facts they rest on, their size."""
    import theory
    from verify.reporting.claim_document import proof_document

    claim = theory.claim(claim_id)
    document = proof_document(claim)
    if as_json:
        print_json(document)
    else:
        print_proof(document)
    sys.exit(0 if not document["failed"] else 3)


def print_proof(document: Any) -> None:
    """Print what a derivation has concluded, and what it has not."""
    for item in document["conclusions"]:
        click.echo(f"{item['relation']}: {item['grade']}, {item['steps']} theorems")
        for line in item["theorem"].splitlines():
            click.echo(f"    {line}")
        for name in item["hypotheses"]:
            click.echo(f"    under {name}: {document['hypotheses'].get(name, '')}")
        for fact in item["cited"]:
            click.echo(f"    cites {fact['formula']} ({fact['reference']})")
        if item["instance"]:
            values = ", ".join(f"{name}={value}" for name, value in item["instance"].items())
            click.echo(f"    satisfied by {values}")
    for name, reason in document["failed"].items():
        click.echo(f"{name or 'derive'}: NOT PROVED: {reason}")
    click.echo(f"{document['seconds']:.2f} s of CPU")
