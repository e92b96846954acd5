"""A table in the formats that verbs print: text, CSV, Markdown, LaTeX.

Cells are text as it is: nothing in them is markup, and control codes of foreign titles are taken out.
"""

import csv
import io
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

WIDTH_WITHOUT_TERMINAL = 150
NARROWEST = 24
"""Columns that the last cell keeps, however narrow the terminal."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}


@dataclass(frozen=True)
class Table:
    """Columns and rows.

    Args:
        columns: Names, one line each.
        rows: One cell for each column: text, a number, or None for a cell that is empty.
        optional: Names of columns that a narrow terminal goes without, the first one first.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    optional: tuple[str, ...] = ()


def written(table: Table, chosen: str) -> str:
    """Return a table as `csv`, `markdown`, `latex` or `table` (plain text at the width of the output).

    Raises:
        KeyError: No such format.
    """
    writers = {"csv": _csv, "markdown": _markdown, "latex": _latex, "table": plain_text}
    return writers[chosen](table)


def printable(text: str) -> str:
    """Return a text without control codes."""
    return _CONTROL.sub("\ufffd", text)


def output_width() -> int:
    """Return the columns of standard output: COLUMNS where it is set, the terminal's, or those of a file."""
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdigit() and int(wanted) > 0:
        return int(wanted)
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH_WITHOUT_TERMINAL


def _cells(row: Sequence[Any]) -> list[str]:
    return ["" if cell is None else printable(str(cell)) for cell in row]


def plain_text(table: Table, width: int | None = None) -> str:
    """Return a table whose last column is folded; optional columns are left out where it would not fit."""
    width = output_width() if width is None else width
    shown = list(range(len(table.columns)))
    cells = [_cells(row) for row in (table.columns, *table.rows)]
    widest = [max(len(row[place]) for row in cells) for place in shown]

    def room() -> int:
        return width - sum(widest[place] + 1 for place in shown[:-1])

    for name in table.optional:
        if room() < min(NARROWEST, widest[shown[-1]]):
            shown.remove(table.columns.index(name))
    lines = []
    for row in cells:
        folded = textwrap.wrap(row[shown[-1]], max(room(), NARROWEST), break_on_hyphens=False) or [""]
        for place, last in enumerate(folded):
            first = [(row[at] if place == 0 else "").ljust(widest[at]) for at in shown[:-1]]
            lines.append(" ".join([*first, last]).rstrip())
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return "\n".join([f"\033[1m{lines[0]}\033[0m" if colour else lines[0], *lines[1:]])


def _csv(table: Table) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(_cells(row) for row in table.rows)
    return file.getvalue().rstrip("\n")


def _markdown(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(cells)} |"

    heads = [_in_markdown(name) for name in table.columns]
    rows = [line([_in_markdown(cell) for cell in _cells(row)]) for row in table.rows]
    return "\n".join([line(heads), line(["---"] * len(heads)), *rows])


def _in_markdown(text: str) -> str:
    """Escape what Markdown would read as a mark; formulas between dollars stay."""
    parts = re.split(r"(\$[^$]+\$)", text.replace("\n", " "))
    parts[::2] = [re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", part) for part in parts[::2]]
    parts[1::2] = [part.replace("|", r"\vert ") for part in parts[1::2]]
    return "".join(parts)


def _latex(table: Table) -> str:
    r"""Return a `tabular` for the package booktabs."""
    heads = " & ".join(_in_latex(name) for name in table.columns)
    rows = [" & ".join(_in_latex(cell) for cell in _cells(row)) + r" \\" for row in table.rows]
    begin = rf"\begin{{tabular}}{{{'l' * len(table.columns)}}}"
    return "\n".join(
        [begin, r"\toprule", rf"{heads} \\", r"\midrule", *rows, r"\bottomrule", r"\end{tabular}"]
    )


def _in_latex(text: str) -> str:
    """Escape what LaTeX would read as a command; formulas between dollars stay."""
    parts = re.split(r"(\$[^$]+\$)", text.replace("\n", " "))
    parts[::2] = ["".join(_LATEX.get(sign, sign) for sign in part) for part in parts[::2]]
    return "".join(parts)
