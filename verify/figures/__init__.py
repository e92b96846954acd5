"""Figures of the papers: each is a module `verify.figures.PAPER.NAME`.

It has `CAPTION`, `table()`, which may take minutes, and `draw(table)`, which sees no more than the CSV holds;
on LIBSVM sets also `NEEDS`. A notebook per paper calls `show` for each figure; `boundcheck figures` executes
the notebooks.
"""

import os
from pathlib import Path
from typing import Any

from verify.figures.catalogue import caption, missing_data, names
from verify.figures.table_files import write_csv

__all__ = ["FOLDER_VARIABLE", "KEPT_VARIABLE", "ONLY_VARIABLE", "caption", "missing_data", "names", "save"]
__all__ += ["show", "write_csv"]

FOLDER_VARIABLE = "BOUNDCHECK_FIGURES"
"""Environment variable that tells a notebook where to write figures."""

KEPT_VARIABLE = "BOUNDCHECK_FIGURES_KEPT"
"""Environment variable with the folder of figures that are shown as they are."""

ONLY_VARIABLE = "BOUNDCHECK_FIGURES_ONLY"
"""Environment variable with the names of the figures to be made, separated by commas; all without it."""


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


def save(name: str, folder: str | Path | None = None) -> str:
    """Compute, draw and save one figure as CSV, PDF, PNG and caption; return the path of the PNG.

    Args:
        name: `PAPER/FIGURE`.
        folder: Where to write; by default the folder named by `FOLDER_VARIABLE`, else `paper_figures`
            beside the notebooks.
    """
    from verify.figures.drawing import compute, draw

    target = Path(folder or os.environ.get(FOLDER_VARIABLE, "../paper_figures"))
    compute(name, target)
    draw(name, target)
    return str(target / f"{name}.png")
