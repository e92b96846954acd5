"""Compare the data of figures, CSV files."""

import csv
import math
from pathlib import Path

from verify.redrawing.result import FigureResult

RELATIVE = 1e-5
"""Tolerance of `--check`: the search finds a point to 1e-6, everything else is exact to round-off."""


def compare(name: str, made: Path, kept: Path) -> FigureResult:
    """Compare two CSV files, cell by cell."""
    if not kept.is_file():
        return FigureResult(name, "missing", f"{kept} does not exist; run `boundcheck figures {name}`")
    new, old = _rows(made), _rows(kept)
    if new[0] != old[0] or len(new) != len(old):
        return FigureResult(
            name, "differs", f"columns or number of rows differ: {new[0]} x {len(new)}, {old[0]} x {len(old)}"
        )
    for number, (left, right) in enumerate(zip(new[1:], old[1:], strict=True), start=2):
        for column, a, b in zip(new[0], left, right, strict=True):
            if not _close(a, b):
                return FigureResult(name, "differs", f"{kept} line {number}, column {column}: {b} is now {a}")
    return FigureResult(name, "same", f"{len(new) - 1} rows within {RELATIVE:g}")


def _rows(path: Path) -> list[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def _close(first: str, second: str) -> bool:
    if first == second:
        return True
    try:
        return math.isclose(float(first), float(second), rel_tol=RELATIVE, abs_tol=1e-12)
    except ValueError:
        return False
