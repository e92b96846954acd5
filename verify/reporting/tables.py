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

from verify.reporting.table_layout import LEAST_LAST, cells, laid_out

WIDTH_WITHOUT_TERMINAL = 150
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


def folded(text: str) -> str:
    """Return a text whose lines go on below, indented, where the output is narrow."""
    width = output_width()
    if width >= WIDTH_WITHOUT_TERMINAL:
        return text
    lines = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())] + "    "
        lines += textwrap.wrap(
            line,
            max(width, LEAST_LAST),
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return "\n".join(lines)


def _cells(row: Sequence[Any]) -> list[str]:
    return ["" if cell is None else printable(str(cell)) for cell in row]


def plain_text(table: Table, width: int | None = None) -> str:
    """Return a table that fits: folded, without optional columns, which it names, or row by row."""
    width = output_width() if width is None else width
    heads, *rows = [_cells(row) for row in (table.columns, *table.rows)]
    left_out: list[str] = []
    while len(left_out) < len(table.optional) and not _is_roomy(heads, rows, width):
        left_out.append(table.optional[len(left_out)])
        at = heads.index(left_out[-1])
        heads, rows = _without(heads, at), [_without(row, at) for row in rows]
    lines = laid_out(heads, rows, width)
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ and lines:
        lines[0] = f"\033[1m{lines[0]}\033[0m"
    if left_out:
        lines += ["", *laid_out([left_out_text(left_out, width)], [], width)]
    return "\n".join(lines)


def left_out_text(names: Sequence[str], width: int) -> str:
    """Return that a table has no room for these columns."""
    verb = "has" if len(names) == 1 else "have"
    return f"{', '.join(names)} {verb} no room in {width} columns; `--format csv` shows all"


def _without(row: list[str], at: int) -> list[str]:
    return row[:at] + row[at + 1 :]


def _is_roomy(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> bool:
    """Return whether all columns but the last stand unfolded, and it has what it needs."""
    widest = [max(map(cells, column)) for column in zip(heads, *rows, strict=True)]
    return width - sum(widest[:-1]) - len(widest) + 1 >= min(LEAST_LAST, widest[-1])


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
