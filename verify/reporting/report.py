"""Tables for the terminal."""

import errno
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from verify.judging.verdicts import ClaimResult
from verify.outcome import ALPHA
from verify.reporting.grades import STARS, claim_grades
from verify.reporting.tables import Table, left_out_text, output_width
from verify.running.runner import RunReport

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

WIDE = 110
"""Columns that the whole table of claims takes; in a narrower terminal it says less."""

GRADE_WIDTH = 36

_STYLES = {
    "holds": "green",
    "consistent": "cyan",
    "violated": "bold red",
    "untested": "bold red",
    "inconclusive": "yellow",
    "not_run": "yellow",
}


def console(*, stderr: bool = False) -> "Console":
    """Return a console in which text is no markup; without a terminal it is wide and has no colours."""
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:  # rich's own ends the process with 1, which says "violated"
            raise BrokenPipeError(errno.EPIPE, "nobody reads on")

    made = Plain(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=False)
    if made.is_terminal:
        return made
    return Plain(stderr=stderr, highlight=False, markup=False, emoji=False, width=output_width())


def print_run(report: RunReport, target: "Console") -> None:
    """Print the table of claims, what is wrong, the error budget, the seed and the folder."""
    table = claims_table(report.claims, target.width)
    target.print(table)
    for result in report.claims:
        for reason in result.reasons:
            target.print(f"{result.claim.id}: {reason}", style=_STYLES[result.verdict])
    if any(part.words for result in report.claims for part in result.parts):
        target.print(f"\n{STARS}")
    left_out = _left_out(table)
    if left_out:
        target.print(f"\n{left_out_text(left_out, target.width)}")
    counts = ", ".join(
        f"{count} {name.replace('_', ' ')}" for name, count in report.summary().items() if count
    )
    target.print(f"\n{counts}")
    target.print(
        f"false-alarm probability of this run: at most {report.alpha_used:.3g} "
        f"({report.tests} statistical tests at level {ALPHA:g}; declared budget {report.alpha_total:g})"
    )
    cached = f", {report.cached} of them kept from an earlier run" if report.cached else ""
    units = sum(len(result.records) for result in report.claims)
    drawn = "" if report.tier == "numpy" else f", tier {report.tier}"
    said = f"seed {report.seed}, profile {report.profile}{drawn}"
    target.print(f"{said}; {units} records in {report.folder}{cached}")
    for note in report.notes:
        target.print(f"note: {note}")


def claims_table(results: Sequence[ClaimResult], width: int) -> "RichTable":
    """Return the table of claims; below `WIDE` columns without the kind, and with the ratio alone.

    Where that does not fit, seconds and mutants are left out, then the ratio: nothing is cut off.
    """
    from rich.table import Table
    from rich.text import Text

    said = claims_rows(results, wide=width >= WIDE)
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    least = {}
    for place, name in enumerate(said.columns):
        head = max(map(len, _FOLDED.get(name, name).split("\n")))
        widest = max(head, *(len(row[place]) for row in said.rows))
        # Grades of many parts go on below: the other columns are read first.
        least[name] = min(widest, GRADE_WIDTH) if name == "grade" else widest

    def excess() -> int:
        return max(0, sum(least.values()) + len(least) - 1 - width)

    wanted = least["grade"]
    least["grade"] = max(min(wanted, GRADE_WIDTH // 2), wanted - excess())
    for name in ("seconds", "mutants rejected", "bound / largest"):
        if name in least and excess():
            del least[name]
    least["grade"] = max(len("grade"), least["grade"] - excess())
    narrowed = least["grade"] < wanted
    for name in least:
        justify: Literal["left", "right"] = "right" if name == "seconds" else "left"
        heading = Text(_FOLDED.get(name, name))
        table.add_column(
            heading,
            justify=justify,
            vertical="top",
            min_width=least[name],
            width=least[name] if narrowed and name == "grade" else None,
        )
    verdict = said.columns.index("verdict")
    for result, row in zip(results, said.rows, strict=True):
        cells = [Text(cell) for cell in row]
        cells[verdict].stylize(_STYLES[result.verdict])
        table.add_row(*(cell for cell, name in zip(cells, said.columns, strict=True) if name in least))
    return table


def _left_out(table: "RichTable") -> list[str]:
    """Return the columns of the table of claims that this one has no room for."""
    shown = {" ".join(str(column.header).split()) for column in table.columns}
    both = "bound and largest value" if "bound / largest" in shown else "bound / largest value found"
    return [both if "/" in name else name for name in claims_rows(()).columns if name not in shown]


_FOLDED = {
    "bound / largest value found": "bound / largest\nvalue found",
    "bound / largest": "bound /\nlargest",
    "mutants rejected": "mutants\nrejected",
}


def claims_rows(results: Sequence[ClaimResult], *, wide: bool = True) -> Table:
    """Return the table of claims for readers."""
    columns: dict[str, list[str]] = {"claim": [result.claim.id for result in results]}
    if wide:
        columns["kind"] = [result.claim.kind for result in results]
    columns |= {
        "verdict": [result.verdict for result in results],
        "grade": [claim_grades(result) for result in results],
        "bound / largest value found" if wide else "bound / largest": [
            _closeness(result, wide=wide) for result in results
        ],
        "mutants rejected": [result.mutants if result.records else "-" for result in results],
        "seconds": [f"{result.seconds:.1f}" for result in results],
    }
    return Table(tuple(columns), tuple(zip(*columns.values(), strict=True)))


def claims_data(report: RunReport) -> Table:
    """Return the table of claims for programs: one value in a cell, as in the JSON document."""
    names = ("id", "kind", "verdict", "grade", "bound", "value", "tightness", "mutants_rejected")
    columns = (*names, "mutants_total", "seconds")
    rows = tuple(tuple(row[name] for name in columns) for row in report.document()["claims"])
    return Table(columns, rows)


def _closeness(result: ClaimResult, *, wide: bool) -> str:
    """Return how close the largest value came to the bound; an identity has no bound to come close to."""
    if result.claim.kind == "identity" and result.tightness == 1:
        return "equal"
    if not wide:
        return "-" if result.tightness is None else f"{result.tightness:.5g}"
    return tightness_text(result.bound, result.value, result.tightness)


def tightness_text(bound: float | None, value: float | None, tightness: float | None) -> str:
    """Return "bound / value = tightness", or a dash where no inequality was met."""
    if bound is None or value is None or tightness is None:
        return "-"
    return f"{bound:.5g} / {value:.5g} = {tightness:.5g}"
