"""The files of a figure: its table as CSV, and from that table alone the PDF, the PNG and the caption."""

from pathlib import Path
from typing import TYPE_CHECKING

from verify.figures.catalogue import module_of
from verify.figures.table_files import read_csv, write_csv

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from verify.figures.captions import Caption

SUFFIXES = (".csv", ".pdf", ".png", ".txt")
"""Of the files of each figure."""

STYLE_SHEET = Path(__file__).with_name("boundcheck.mplstyle")


def compute(name: str, folder: Path) -> None:
    """Compute the table of a figure `PAPER/NAME` and write its CSV; this may take minutes."""
    path = folder / f"{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_csv(module_of(name).table(), path)


def draw(name: str, folder: Path) -> None:
    """Draw a figure from the CSV in the folder; write PDF, PNG and caption beside it."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    module = module_of(name)
    with pyplot.style.context(STYLE_SHEET):
        figure: Figure = module.draw(read_csv(folder / f"{name}.csv"))
        # No date in the files, so that the same figure gives the same bytes.
        figure.savefig(folder / f"{name}.pdf", metadata={"CreationDate": None})
        figure.savefig(folder / f"{name}.png", metadata={"Software": None})
        pyplot.close(figure)
    caption: Caption = module.CAPTION
    (folder / f"{name}.txt").write_text(caption.text(), encoding="utf-8")
