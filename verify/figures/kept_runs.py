"""Runs that take too long to be made again by figures: files of the repository, known by digest."""

import hashlib
from pathlib import Path
from typing import Any

from verify.figures.table_files import read_csv

FOLDER = Path(__file__).parents[1] / "experiments"


def kept_runs(path: Path, digest: str) -> dict[str, list[Any]]:
    """Return the columns of a CSV file of runs.

    Args:
        path: The file.
        digest: SHA-256 of it, which a figure says of the runs that it is of.

    Raises:
        ValueError: They are others: the figure, and what its caption says of it, would not be of them.
    """
    if hashlib.sha256(path.read_bytes()).hexdigest() != digest:
        raise ValueError(f"{path.name} has other runs than this figure is of; see its DIGEST")
    return read_csv(path)
