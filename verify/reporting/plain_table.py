"""A table as text, for verbs that start fast."""

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence

WIDTH_WITHOUT_TERMINAL = 150

NARROWEST = 24
"""Columns that the last cell keeps, however narrow the terminal."""


def plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table whose last column is folded at the width of the terminal."""
    cells = [tuple(columns), *rows]
    widths = [max(len(row[place]) for row in cells) for place in range(len(columns) - 1)]
    room = max(_width() - sum(widths) - len(widths), NARROWEST)
    lines = []
    for row in cells:
        folded = textwrap.wrap(row[-1], room) or [""]
        for place, last in enumerate(folded):
            first = row[:-1] if place == 0 else ("",) * len(widths)
            line = " ".join(cell.ljust(width) for cell, width in zip(first, widths, strict=True))
            lines.append(f"{line} {last}".rstrip())
    lines[0] = (
        f"\033[1m{lines[0]}\033[0m" if sys.stdout.isatty() and "NO_COLOR" not in os.environ else lines[0]
    )
    return "\n".join(lines)


def _width() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH_WITHOUT_TERMINAL
