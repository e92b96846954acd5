"""`boundcheck show`."""

from typing import Any

import click

from verify.cli import claims_option, json_option, out_option, print_json


@click.command("show")
@click.argument("claim_id", metavar="CLAIM")
@out_option
@claims_option
@json_option
def command(claim_id: str, out: str, as_json: bool) -> None:
    """Show CLAIM: statement, assumptions, derivation steps with status, worst-case inputs, evidence."""
    import theory

    document = _document(theory.claim(claim_id).id, out)
    if as_json:
        print_json(document)
    else:
        _print(document)


def _document(claim_id: str, out: str) -> dict[str, Any]:
    from verify.outcome import json_ready
    from verify.recorded import recorded_results
    from verify.records import record_id

    (recorded,) = recorded_results(claim_id, out)
    result = recorded.result
    claim = result.claim
    status = {step["name"]: step for record in result.records for step in record["steps"]}
    return {
        "id": claim.id,
        "paper": {"name": claim.paper.name, "title": claim.paper.title, "arxiv": claim.paper.arxiv},
        "kind": claim.kind,
        "provenance": claim.provenance,
        "title": claim.title,
        "statement": claim.statement,
        "assumptions": list(claim.assumptions),
        "symbols": [
            {"symbol": str(item.symbol), "domain": item.domain, "meaning": item.meaning, "shape": item.shape}
            for item in claim.variables
        ],
        "formulas": {
            name: str(formula)
            for name, formula in {"bound": claim.bound, "exact": claim.exact, **claim.formulas}.items()
            if formula is not None
        },
        "derivation": [
            {
                "name": step.name,
                "kind": type(step).__name__,
                "statement": step.statement,
                "status": status.get(step.name, {}).get("status", "not checked yet"),
                "detail": status.get(step.name, {}).get("detail", f"run `boundcheck verify {claim.id}`"),
            }
            for step in claim.derivation
        ],
        "worst_cases": [
            {
                "description": item.description,
                "values": json_ready(item.values),
                "value": json_ready(item.value),
            }
            for item in claim.worst_cases
        ],
        "mutants": [
            {
                "name": item.name,
                "description": item.description,
                "rungs": list(item.rungs),
                "neutral": item.neutral,
            }
            for item in claim.mutants
        ],
        "verdict": result.verdict if result.records else "not_run",
        "stale": recorded.stale,
        "reasons": list(result.reasons) if result.records else [],
        "records": [{"id": record_id(record), **record} for record in result.records],
    }


def _print(document: dict[str, Any]) -> None:
    from verify.report import console, rows_table, tightness_text

    target = console()

    def heading(text: str) -> None:
        target.print(f"\n{text}", style="bold")

    target.print(f"{document['id']}  {document['title']}", style="bold", markup=False)
    paper = document["paper"]
    target.print(
        f"{document['kind']}, {document['provenance']}; {paper['title']}, arXiv {paper['arxiv']}",
        markup=False,
    )
    heading("statement (LaTeX)")
    target.print(document["statement"], markup=False)
    heading("symbols")
    symbols = [(s["symbol"], s["domain"], s["shape"], s["meaning"]) for s in document["symbols"]]
    target.print(rows_table(("symbol", "domain", "shape", "meaning"), symbols))
    heading("assumptions")
    for item in document["assumptions"] or ["none"]:
        target.print(f"- {item}", markup=False)
    heading("formulas")
    for name, formula in document["formulas"].items():
        target.print(f"{name} = {formula}", markup=False)
    heading("derivation")
    for step in document["derivation"]:
        target.print(f"[{step['status']}] {step['name']} ({step['kind']}): {step['statement']}", markup=False)
        target.print(f"    {step['detail']}", markup=False)
    heading("worst-case inputs")
    for item in document["worst_cases"] or [{"description": "none", "values": {}, "value": None}]:
        values = ", ".join(f"{name}={_plain(value)}" for name, value in item["values"].items())
        attained = f" -> {item['value']}" if item["value"] is not None else ""
        target.print(f"- {item['description']}: {values}{attained}", markup=False)
    heading("mutants")
    for item in document["mutants"]:
        kind = "neutral" if item["neutral"] else ", ".join(item["rungs"])
        target.print(f"- {item['name']} ({kind}): {item['description']}", markup=False)
    heading("evidence" + (" (stale: the sources have changed since)" if document["stale"] else ""))
    if not document["records"]:
        target.print(f"none yet; run `boundcheck verify {document['id']}`")
        return
    target.print(f"verdict: {document['verdict']}")
    for reason in document["reasons"]:
        target.print(f"- {reason}", markup=False)
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
    target.print(rows_table(columns, rows))


def _rejected(mutants: Any) -> str:
    """Return "rejected/all" over the mutants that had to be rejected."""
    required = [mutant["rejected"] for mutant in mutants if not mutant["neutral"]]
    return f"{sum(required)}/{len(required)}"


def _plain(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    if len(value) > 8 and len(set(map(str, value))) == 1:
        return f"{len(value)} times {_plain(value[0])}"
    return "(" + ", ".join(map(_plain, value)) + ")"
