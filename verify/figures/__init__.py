"""Figures of the papers: each is a module `verify.figures.PAPER.NAME` with `table()` and `draw(table)`.

A figure on LIBSVM sets names them in `NEEDS`. A notebook per paper calls `show` for each figure; `boundcheck
figures` executes the notebooks.
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

KEPT_VARIABLE = "BOUNDCHECK_FIGURES_KEPT"
"""Environment variable with the folder of figures that are shown as they are."""

ONLY_VARIABLE = "BOUNDCHECK_FIGURES_ONLY"
"""Environment variable with the names of the figures to be made, separated by commas; all without it."""


def names() -> tuple[str, ...]:
    """Return the names of all figures, `PAPER/FIGURE`."""
    found = []
    for paper in pkgutil.iter_modules(__path__):
        if paper.ispkg:
            package = importlib.import_module(f"{__name__}.{paper.name}")
            found += [f"{paper.name}/{item.name}" for item in pkgutil.iter_modules(package.__path__)]
    return tuple(found)


def missing_data(name: str) -> tuple[str, ...]:
    """Return the LIBSVM sets that a figure needs and that are not at hand."""
    from impl.problems.data.libsvm import available

    needed = getattr(_module(name), "NEEDS", ())
    if not needed:
        return ()
    found = {entry.dataset.name for entry in available() if entry.path is not None}
    return tuple(item for item in needed if item not in found)


def show(name: str, width: int = 660) -> Any:
    """Make one figure, unless it is not asked for or its data are missing, and return it for a notebook.

    A figure that is not made is shown as it is kept; the cell says why.
    """
    from IPython import display

    image: Any = display.Image  # IPython does not annotate it

    only = os.environ.get(ONLY_VARIABLE)
    if only is None or name in only.split(","):
        missing = missing_data(name)
        if not missing:
            return image(save(name), width=width)
        print(f"{name} is kept as it is: set BOUNDCHECK_DATA to a folder with {', '.join(missing)}")  # noqa: T201
    kept = Path(os.environ.get(KEPT_VARIABLE, "../paper_figures")) / f"{name}.png"
    return image(str(kept), width=width) if kept.is_file() else f"{name} has not been made yet"


def _module(name: str) -> Any:
    paper, _, figure = name.partition("/")
    return importlib.import_module(f"{__name__}.{paper}.{figure}")


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
    module = _module(name)
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
