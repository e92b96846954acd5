"""Figures of the papers: each is a module `verify.figures.PAPER.NAME`.

It has `CAPTION`, `table()`, which may take minutes, and `draw(table)`, which sees no more than the CSV holds;
on LIBSVM sets also `NEEDS`. A notebook per paper shows each figure (`verify/notebook.py`);
`boundcheck figures` executes the notebooks of those that are not kept (`verify/redrawing`).
"""

from verify.figures.catalogue import caption, names
from verify.figures.table_files import write_csv

__all__ = ["caption", "names", "write_csv"]
