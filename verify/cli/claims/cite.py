"""`boundcheck cite`."""

import click

from verify.cli import claims_option, json_option, print_json
from verify.cli.record_folder import out_option


@click.command("cite")
@click.argument("claim_id", metavar="CLAIM")
@out_option
@claims_option
@click.option(
    "--anyway", is_flag=True, help="Cite a claim that is violated, untested or undecided, with this verdict."
)
@json_option
def command(claim_id: str, out: str, anyway: bool, as_json: bool) -> None:
    """Print a sentence for a paper, BibTeX, LaTeX macros and the record identifier of CLAIM.

    Exit code 3: it is violated, untested or undecided, and `--anyway` was not given.
    """
    from verify.records.remedies import some_of, verify_command
    from verify.reporting.citation import cite

    citation = cite(claim_id, out=out, anyway=anyway)
    if as_json:
        print_json(citation.document())
        return
    again = f"run `{verify_command(out, citation.claim)}`"
    for line in some_of(citation.damaged):
        click.echo(f"warning: {line}; {again}", err=True)
    if citation.stale:
        click.echo(f"warning: the sources have changed since; {again}", err=True)
    parts = (citation.sentence, citation.paper_bibtex, citation.boundcheck_bibtex, citation.latex)
    click.echo("\n\n".join(parts))
    click.echo(f"\nrecord: {citation.identifier}")
