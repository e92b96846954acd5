"""Figures and survivors of a campaign, as Markdown."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from tools.mutation.campaign import is_engine

OUTCOMES = ("verify", "tests", "equivalent", "survivor")


def outcome(row: Mapping[str, Any]) -> str:
    """Return the outcome of a row; a survivor that somebody has explained is equivalent."""
    return "equivalent" if row["outcome"] == "survivor" and row.get("reason") else str(row["outcome"])


def markdown(rows: Iterable[Mapping[str, Any]], title: str) -> str:
    """Return the table by file and the list of survivors."""
    ordered = sorted(rows, key=lambda row: (row["file"], row["line"], row["before"], row["after"]))
    counts: dict[str, Counter[str]] = {}
    for row in ordered:
        for name in (f"`{row['file']}`", "**engine**" if is_engine(row["file"]) else "**impl**", "**all**"):
            counts.setdefault(name, Counter())[outcome(row)] += 1
    totals = [name for name in ("**impl**", "**engine**", "**all**") if name in counts]
    files = sorted(name for name in counts if name not in totals)
    lines = [
        f"# Power of {title}",
        "",
        "Shares are of the mutants that are not equivalent.",
        "",
        "| file | mutants | killed by verify | by tests only | equivalent | survivors | by verify | in all |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
        *(_line(name, counts[name]) for name in (*files, *totals)),
    ]
    for wanted, heading in (("survivor", "Survivors"), ("equivalent", "Equivalent mutants")):
        found = [row for row in ordered if outcome(row) == wanted]
        if found:
            lines += ["", f"## {heading}", "", *(_item(row) for row in found)]
    seconds = [float(row["seconds"]) for row in ordered]
    if seconds:
        mean = sum(seconds) / len(seconds)
        lines += ["", f"{len(seconds)} mutants, {mean:.1f} s each, {max(seconds):.1f} s at most."]
    return "\n".join(lines) + "\n"


def _line(name: str, count: Mapping[str, int]) -> str:
    cells = [str(sum(count.values())), *(str(count.get(item, 0)) for item in OUTCOMES)]
    real = sum(count.values()) - count.get("equivalent", 0)
    killed = count.get("verify", 0) + count.get("tests", 0)
    shares = [f"{100 * part / real:.0f} %" if real else "-" for part in (count.get("verify", 0), killed)]
    return f"| {name} | {' | '.join((*cells, *shares))} |"


def _item(row: Mapping[str, Any]) -> str:
    where = f"`{row['file']}:{row['line']}`" + (f" in `{row['function']}`" if row["function"] else "")
    change = f"`{_short(row['before'])}` becomes `{_short(row['after']) or '(nothing)'}`"
    if row.get("reason"):
        return f"* {row['id']} {where}: {change}. {row['reason']}"
    tried = f"executed by {row['claims']} claims and {row['tests']} test files"
    left = f", {row['not_run']} of them were not run" if row.get("not_run") else ""
    return f"* {row['id']} {where} ({row['operator']}): {change}; {tried}{left}."


def _short(text: str) -> str:
    flat = " ".join(text.split()).replace("`", "'")
    return flat if len(flat) <= 90 else f"{flat[:87]}..."
