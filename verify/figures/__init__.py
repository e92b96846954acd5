"""Figures of the papers: each is a module `verify.figures.PAPER.NAME` with `table()` and `draw(table)`.

A notebook per paper calls `save` for each figure; `boundcheck figures` executes the notebooks.
"""

import importlib
import os
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOLDER_VARIABLE = "BOUNDCHECK_FIGURES"
"""Environment variable that tells a notebook where to write figures."""


def names() -> tuple[str, ...]:
    """Return the names of all figures, `PAPER/FIGURE`."""
    found = []
    for paper in pkgutil.iter_modules(__path__):
        if paper.ispkg:
            package = importlib.import_module(f"{__name__}.{paper.name}")
            found += [f"{paper.name}/{item.name}" for item in pkgutil.iter_modules(package.__path__)]
    return tuple(found)


def save(name: str, folder: str | Path | None = None) -> str:
    """Compute, draw and save one figure as PDF, PNG and the CSV behind it; return the path of the PNG.

    Args:
        name: `PAPER/FIGURE`.
        folder: Where to write; by default the folder named by `FOLDER_VARIABLE`, else `paper_figures`
            beside the notebooks.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    paper, _, figure_name = name.partition("/")
    module = importlib.import_module(f"{__name__}.{paper}.{figure_name}")
    target = Path(folder or os.environ.get(FOLDER_VARIABLE, "../paper_figures")) / paper
    target.mkdir(parents=True, exist_ok=True)
    table = module.table()
    write_csv(table, target / f"{figure_name}.csv")
    with pyplot.style.context(Path(__file__).with_name("boundcheck.mplstyle")):
        figure: Figure = module.draw(table)
        # No date in the files, so that the same figure gives the same bytes.
        figure.savefig(target / f"{figure_name}.pdf", metadata={"CreationDate": None})
        figure.savefig(target / f"{figure_name}.png", metadata={"Software": None})
        pyplot.close(figure)
    return str(target / f"{figure_name}.png")


def write_csv(table: dict[str, Any], path: Path) -> None:
    """Write columns as CSV with enough digits to get every float64 back."""
    import csv

    columns = list(table)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*([_cell(item) for item in table[name]] for name in columns), strict=True))


def _cell(item: Any) -> str:
    return item if isinstance(item, str) else repr(float(item))
