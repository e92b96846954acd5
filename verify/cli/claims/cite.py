"""`boundcheck cite`."""

import click

from verify.cli import claims_option, json_option, out_option, print_json


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
    from verify.reporting.citation import cite

    citation = cite(claim_id, out=out, anyway=anyway)
    if as_json:
        print_json(citation.document())
        return
    if citation.stale:
        click.echo(
            f"warning: the sources have changed since; run `boundcheck verify {citation.claim}`", err=True
        )
    parts = (citation.sentence, citation.paper_bibtex, citation.boundcheck_bibtex, citation.latex)
    click.echo("\n\n".join(parts))
    click.echo(f"\nrecord: {citation.identifier}")
