"""`boundcheck prove`."""

import re
import sys
from collections.abc import Iterator, Mapping
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
        steps = "1 theorem" if item["steps"] == 1 else f"{item['steps']} theorems"
        click.echo(f"{item['relation']}: {item['grade']}, {steps}")
        for line in item["theorem"].splitlines():
            click.echo(f"    {line}")
        for name in item["hypotheses"]:
            click.echo(f"    under {name}: {document['hypotheses'].get(name, '')}")
        for fact in item["cited"]:
            click.echo(f"    cites {fact['formula']} ({fact['reference']})")
        if item["instance"]:
            click.echo(f"    satisfied by {', '.join(_shortened(item['instance']))}")
    for name, reason in document["failed"].items():
        click.echo(f"{name or 'derive'}: NOT PROVED: {reason}")
    click.echo(f"{document['seconds']:.2f} s of CPU")


_ENTRY = re.compile(r"(.*)\[(\d+)\]")
_MOST = 8
"""Entries of an array that are printed; of longer ones the first half, `--json` has all."""


def _shortened(instance: Mapping[str, str]) -> Iterator[str]:
    """Give the values of an instance; equal entries at places one after the other as one, `x[0..3]=1`."""
    arrays: dict[str, list[tuple[int, int, str]]] = {}
    for name, value in instance.items():
        entry = _ENTRY.fullmatch(name)
        if entry is None:
            yield f"{name}={value}"
            continue
        runs, place = arrays.setdefault(entry[1], []), int(entry[2])
        if runs and runs[-1][1:] == (place - 1, value):
            runs[-1] = (runs[-1][0], place, value)
        else:
            runs.append((place, place, value))
    for array, runs in arrays.items():
        if len(runs) > _MOST:
            runs = [*runs[: _MOST // 2], (runs[_MOST // 2][0], runs[-1][1], "...")]
        for first, last, value in runs:
            yield f"{array}[{first}]={value}" if first == last else f"{array}[{first}..{last}]={value}"
