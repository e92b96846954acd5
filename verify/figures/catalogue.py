"""Which figures there are: modules `verify.figures.PAPER.NAME` (see the package for what is in one).

What figures of a paper share is in packages in the folder of the paper, such as `cat/parts`.
"""

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.figures.captions import Caption


def names() -> tuple[str, ...]:
    """Return the names of all figures, `PAPER/FIGURE`."""
    import verify.figures

    found = []
    for paper in pkgutil.iter_modules(verify.figures.__path__):
        if paper.ispkg:
            package = importlib.import_module(f"verify.figures.{paper.name}")
            modules = pkgutil.iter_modules(package.__path__)
            found += [f"{paper.name}/{item.name}" for item in modules if not item.ispkg]
    return tuple(found)


def module_of(name: str) -> Any:
    """Return the module of a figure `PAPER/NAME`."""
    paper, _, figure = name.partition("/")
    return importlib.import_module(f"verify.figures.{paper}.{figure}")


def caption(name: str) -> "Caption":
    """Return the caption of a figure."""
    found: Caption = module_of(name).CAPTION
    return found
