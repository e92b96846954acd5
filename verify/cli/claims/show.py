"""`boundcheck show`."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from verify.cli import claims_option, json_option, print_json, tell_problems
from verify.cli.record_folder import out_option


@click.command("show")
@click.argument("claim_id", metavar="CLAIM")
@click.option("--full", is_flag=True, help="Everything: symbols, formulas, worst inputs, mutants, records.")
@click.option("--tex", is_flag=True, help="Formulas in LaTeX instead of Unicode.")
@click.option("--proof", is_flag=True, help="Run the derivation and print its theorems.")
@out_option
@claims_option
@json_option
def command(claim_id: str, full: bool, tex: bool, proof: bool, out: str, as_json: bool) -> None:
    """Show CLAIM on a screen: verdict, statement by part, what it rests on; --full shows everything."""
    import theory
    from verify.errors import UsageError
    from verify.records.recorded import recorded_results

    if as_json and tex:
        raise UsageError("--json and --tex are two forms of one claim; give one of them")
    (recorded,) = recorded_results(theory.entry(claim_id).id, out)
    if as_json or full:
        from verify.reporting.claim_document import claim_document

        document = claim_document(recorded)
        problems = document["problems"]
    else:
        from verify.records.texts import text_problems
        from verify.statements.said import told

        problems = told(text_problems(recorded.result.claim, Path(out)))
    if proof:
        from verify.reporting.claim_document import proof_document

        proved = proof_document(recorded.result.claim)
    if as_json:
        print_json(document | ({"proof": proved} if proof else {}))
    elif full:
        _print_everything(document, recorded.remedy, tex)
    else:
        _print_screen(recorded, tex)
    if proof and not as_json:
        from verify.cli.claims.prove import print_proof

        click.echo("\nproof")
        print_proof(proved)
    tell_problems(problems)
    sys.exit(2 if problems else 0)


def _print_screen(recorded: Any, tex: bool) -> None:
    from verify.reporting.claim_screen import claim_screen
    from verify.reporting.tables import output_width, printable

    for role, line in claim_screen(recorded, output_width(), tex=tex):
        click.secho(printable(line), bold=role in ("title", "verdict"))


def _print_everything(document: dict[str, Any], remedy: str, tex: bool) -> None:
    from verify.records.remedies import package_option
    from verify.reporting.report import console
    from verify.reporting.tables import Table, plain_text
    from verify.reporting.unicode_math import unicode_text

    read = str if tex else unicode_text
    target = console()

    def heading(text: str) -> None:
        target.print(f"\n{text}", style="bold")

    target.print(f"{document['id']}  {document['title']}", style="bold")
    paper = document["paper"]
    target.print(f"{document['kind']}, {document['provenance']}; {paper['title']}, arXiv {paper['arxiv']}")
    _print_evidence(document, remedy, target, heading)
    _print_statement(document, target, heading, read)
    heading("symbols")
    symbols = [
        (s["symbol"], _domain(s["domain"], tex), read(s["shape"]), read(s["meaning"]))
        for s in document["symbols"]
    ]
    click.echo(plain_text(Table(("symbol", "domain", "shape", "meaning"), tuple(symbols))))
    heading("assumptions")
    for item in document["assumptions"] or ["none"]:
        target.print(f"- {read(item)}")
    if document["hypotheses"]:
        heading("assumptions as formulas")
    for name, item in document["hypotheses"].items():
        target.print(f"{name}: {'; '.join(item['formulas'])}")
    if document["relations"]:
        heading("relations")
        for name, relation in document["relations"].items():
            target.print(f"{name}: {relation}")
    heading("formulas")
    for name, formula in document["formulas"].items():
        target.print(f"{name} = {formula}")
    heading("derivation")
    for step in document["derivation"]:
        target.print(f"[{step['status']}] {step['name']} ({step['kind']}): {step['statement']}")
        target.print(f"    {step['detail']}")
    if not document["derivation"]:
        command = f"boundcheck prove {document['id']}{package_option(document['id'])}"
        target.print(f"not run yet; `{command}` runs it")
    heading("worst-case inputs")
    for item in document["worst_cases"] or [{"description": "none", "values": {}, "value": None}]:
        values = ", ".join(f"{name}={_plain(value)}" for name, value in item["values"].items())
        attained = f" -> {item['value']}" if item["value"] is not None else ""
        target.print(f"- {read(item['description'])}: {values}{attained}")
    heading("mutants")
    for item in document["mutants"]:
        kind = "neutral" if item["neutral"] else "to be rejected"
        target.print(f"- {item['name']} ({kind}): {read(item['description'])}")


def _domain(latex: str, tex: bool) -> str:
    """Return a domain, which is a formula without dollars."""
    from verify.reporting.unicode_math import unicode_math

    return latex if tex else unicode_math(latex)


def _print_statement(
    document: dict[str, Any], target: Any, heading: Callable[[str], None], read: Callable[[str], str]
) -> None:
    from verify.reporting.grades import part_grade

    heading("statement" + (" (LaTeX)" if read is str else ""))
    if not document["parts"]:
        target.print(read(document["statement"]))
        return
    if document["setting"]:
        target.print(read(document["setting"]))
    for part in document["parts"]:
        known = part["verdict"].replace("_", " ")
        known += f": {part_grade(part['grade'], part['words'])}" if part["grade"] else ""
        target.print(f"({part['label']}) {read(part['text'])}")
        target.print(f"    {known}; evidence: {', '.join(part['evidence'])}")
    for sentence in document["conventions"]:
        target.print(read(f"{sentence}."))


def _print_evidence(
    document: dict[str, Any], remedy: str, target: Any, heading: Callable[[str], None]
) -> None:
    from verify.records.remedies import some_of
    from verify.reporting.report import tightness_text
    from verify.reporting.tables import Table, plain_text

    heading("evidence" + (" (stale: the sources have changed since)" if document["stale"] else ""))
    damaged = some_of(document["damaged"])
    if document["records"]:
        target.print(f"verdict: {document['verdict']}")
    else:
        target.print(f"{'none that is usable' if damaged else 'none yet'}; run {remedy}")
    for problem in damaged:
        target.print(f"- {problem}")
    if not document["records"]:
        return
    for reason in document["reasons"]:
        target.print(f"- {reason}")
    rows = [
        (
            f"{r['rung']}/{r['instance']}",
            r["verdict"],
            r["grade"] or "-",
            tightness_text(r["bound"], r["value"], r["tightness"]),
            _rejected(r["mutants"]),
            r["id"].partition("@")[2],
            r["reason"],
        )
        for r in document["records"]
    ]
    columns = ("rung/instance", "verdict", "grade", "bound / value", "mutants", "record", "reason")
    click.echo(plain_text(Table(columns, tuple(rows))))


def _rejected(mutants: Any) -> str:
    """Return "rejected/all" over the mutants that had to be rejected, `none` where there are none."""
    required = [mutant["rejected"] for mutant in mutants if not mutant["neutral"]]
    return f"{sum(required)}/{len(required)}" if required else "none"


def _plain(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    if len(value) > 8 and len(set(map(str, value))) == 1:
        return f"{len(value)} times {_plain(value[0])}"
    return "(" + ", ".join(map(_plain, value)) + ")"
