"""The table behind a figure as a CSV file: columns of texts or of float64 numbers, without loss."""

import csv
from pathlib import Path
from typing import Any


def write_csv(table: dict[str, Any], path: Path) -> None:
    """Write columns as CSV with enough digits to get every float64 back."""
    columns = list(table)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*([_cell(item) for item in table[name]] for name in columns), strict=True))


def read_csv(path: Path) -> dict[str, list[Any]]:
    """Return the columns of a table; one is of floats where each of its cells is a number, else of texts."""
    with path.open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    return {name: _column([row[place] for row in rows]) for place, name in enumerate(head)}


def _cell(item: Any) -> str:
    return item if isinstance(item, str) else repr(float(item))


def _column(cells: list[str]) -> list[Any]:
    try:
        return [float(cell) for cell in cells]
    except ValueError:
        return list(cells)
