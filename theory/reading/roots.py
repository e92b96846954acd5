"""Where papers are: the folders of this package, and packages of other people.

A paper of other people is a package with `paper.py`, `theory/`, `verify/`. It is named by an entry point of
the group `boundcheck.papers`, by `use` (options `--claims` and `--boundcheck-claims`) or by the variable
BOUNDCHECK_CLAIMS. It is found without being imported.
"""

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from theory.errors import ClaimFileError
from theory.reading.header import paper_name, read_text

GROUP = "boundcheck.papers"
VARIABLE = "BOUNDCHECK_CLAIMS"

OWN = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Root:
    """One paper's place.

    Args:
        paper: Short name.
        paper_module: Module with `PAPER`.
        claims: Package of the claims.
        checks: Package of the checks.
        folder: Folder of the claims.
        package: Top package and its folder, for papers of other people.
    """

    paper: str
    paper_module: str
    claims: str
    checks: str
    folder: Path
    package: tuple[str, Path] | None = None


def used() -> tuple[str, ...]:
    """Return the packages that were named by hand."""
    named = os.environ.get(VARIABLE, "").replace(",", os.pathsep).split(os.pathsep)
    return tuple(dict.fromkeys(name.strip() for name in named if name.strip()))


def use(packages: Iterable[str]) -> None:
    """Name packages with papers; processes that are started later know them, too."""
    names = tuple(dict.fromkeys((*used(), *packages)))
    if names != used():
        os.environ[VARIABLE] = os.pathsep.join(names)


def own_roots() -> tuple[Root, ...]:
    """Return the papers of this package."""
    return tuple(
        Root(
            folder.name,
            f"theory.{folder.name}.paper",
            f"theory.{folder.name}",
            f"verify.{folder.name}",
            folder,
        )
        for folder in sorted(OWN.iterdir())
        if (folder / "paper.py").is_file()
    )


def foreign_roots() -> tuple[tuple[Root, ...], tuple[str, ...]]:
    """Return the papers of other people, and one line for each that cannot be used."""
    named = {name: f"package {name!r}" for name in used()}
    for point, value in _entry_points():
        named.setdefault(value, f"entry point {point!r} of {GROUP}, package {value!r}")
    roots, problems = _found(named)
    return roots, tuple(problems.values())


def unusable(packages: Iterable[str]) -> tuple[str, ...]:
    """Return one line for each of these packages that is no paper or of a taken name; nothing is imported."""
    asked = tuple(dict.fromkeys(packages))
    _, problems = _found({name: f"package {name!r}" for name in (*used(), *asked)})
    return tuple(problems[name] for name in asked if name in problems)


def _found(named: Mapping[str, str]) -> tuple[tuple[Root, ...], dict[str, str]]:
    """Return the papers of packages, by where each is named, and by package why others cannot be used."""
    roots: list[Root] = []
    problems: dict[str, str] = {}
    taken = {root.paper: root.paper_module for root in own_roots()}
    for name, origin in named.items():
        try:
            root = _foreign(name, origin)
        except ClaimFileError as error:
            problems[name] = str(error)
            continue
        if root.paper in taken:
            where = f"{name}/paper.py: name={root.paper!r}"
            problems[name] = f"{where} is the name of the paper in {taken[root.paper]}; choose another one"
            continue
        taken[root.paper] = root.paper_module
        roots.append(root)
    return tuple(roots), problems


def _entry_points() -> list[tuple[str, str]]:
    """Return name and value of each entry point."""
    from importlib.metadata import entry_points

    return sorted({(point.name, point.value) for point in entry_points(group=GROUP)})


def _foreign(name: str, origin: str) -> Root:
    if not all(part.isidentifier() for part in name.split(".")):
        raise ClaimFileError(f"{origin}: the value must be the name of a package, such as 'natural', no path")
    folder = package_folder(name)
    if folder is None and _is_module(name):
        raise ClaimFileError(
            f"{origin}: {name!r} is a module, not a package; a paper is a folder with paper.py, theory/ and "
            "verify/"
        )
    if folder is None:
        raise ClaimFileError(f"{origin}: there is no such package; install it, or go to its folder")
    where = f"{name.replace('.', '/')}/paper.py"
    if not (folder / "paper.py").is_file():
        raise ClaimFileError(f"{where}: is missing; it states PAPER = Paper(...)")
    paper = paper_name(read_text(folder / "paper.py", where), where)
    top = name.partition(".")[0]
    place = folder
    for _ in name.split(".")[1:]:
        place = place.parent
    return Root(
        paper, f"{name}.paper", f"{name}.theory", f"{name}.verify", folder / "theory", package=(top, place)
    )


def package_folder(name: str) -> Path | None:
    """Return the folder of a package without importing it; the working folder is searched last."""
    top, *rest = name.split(".")
    importlib.invalidate_caches()
    folder = _top_folder(top)
    if folder is None and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
        folder = _top_folder(top)
        if folder is None:
            sys.path.remove(os.getcwd())
    for part in rest:
        if folder is not None:
            folder = folder / part if (folder / part).is_dir() else None
    return folder


def _is_module(name: str) -> bool:
    """Return whether a name, of no package, is that of a module; nothing above it is imported."""
    above, _, last = name.rpartition(".")
    folder = package_folder(above) if above else Path()
    if folder is not None and (folder / f"{last}.py").is_file():
        return True
    try:
        return not above and importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _top_folder(top: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))).resolve()
