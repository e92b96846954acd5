"""Which figures are kept: what each rests on, as it was when its files were made, and the digests of these.

The ledger `made.json` lies beside the figures. Seeds, parameters and the content of data sets are constants
of the sources (a data set of other content is refused), so that their hash covers them.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verify.figures.drawing import STYLE_SHEET, SUFFIXES
from verify.records.sources import modules_sha256
from verify.version import installed

LEDGER = "made.json"
"""Name of the file in the folder of the figures."""

FILES, SOURCES, STYLE = "files", "sources", "style sheet"

COMPUTED_WITH = ("numpy", "scikit-learn", "scipy")
DRAWN_WITH = ("matplotlib",)

TABLE = ".csv"

Entry = dict[str, Any]
"""What a figure or notebook rested on by name of what it is, and the digests of its files under `FILES`."""


@dataclass(frozen=True)
class Change:
    """What has changed since a figure was made.

    Args:
        table: What its table rests on; it has to be computed again.
        picture: What its picture alone rests on; the table is drawn again.
    """

    table: tuple[str, ...] = ()
    picture: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "; ".join((*self.table, *self.picture))


@dataclass
class Ledger:
    """The entries of a folder of figures.

    Args:
        folder: The folder.
        figures: Entries of figures, `PAPER/NAME`.
        notebooks: Entries of executed notebooks, by paper.
        problem: What is wrong with the file, so that nothing is known of what is there.
    """

    folder: Path
    figures: dict[str, Entry] = field(default_factory=dict)
    notebooks: dict[str, Entry] = field(default_factory=dict)
    problem: str = ""

    @classmethod
    def read(cls, folder: Path) -> "Ledger":
        """Read the ledger of a folder; one that cannot be used is like none, and says so."""
        path = folder / LEDGER
        if not path.is_file():
            return cls(folder)
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            return cls(folder, _entries(found["figures"]), _entries(found["notebooks"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            return cls(folder, problem=f"{path} cannot be used ({type(error).__name__}: {error})")

    def write(self) -> None:
        """Write the ledger, so that a reader sees the old file or the whole new one."""
        path = self.folder / LEDGER
        document = {"figures": self.figures, "notebooks": self.notebooks}
        part = path.with_suffix(".part")
        part.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        os.replace(part, path)

    def change(self, name: str, basis: Mapping[str, str]) -> Change:
        """Return what has changed since a figure was made, nothing where it is kept.

        Args:
            name: `PAPER/NAME`.
            basis: What it rests on now.
        """
        entry = self.figures.get(name)
        if entry is None:
            return Change(table=("nothing tells how it was made",))
        moved = dict(_moved(entry, basis))
        files = dict(_moved_files(entry, self.folder, (f"{name}{suffix}" for suffix in SUFFIXES)))
        apart = {STYLE, *DRAWN_WITH}
        table = [text for item, text in moved.items() if item not in apart]
        table += [text for file, text in files.items() if file.endswith(TABLE)]
        picture = [text for item, text in moved.items() if item in apart]
        picture += [text for file, text in files.items() if not file.endswith(TABLE)]
        return Change(tuple(table), tuple(picture))

    def has(self, file: str) -> bool:
        """Return whether a file of a figure is there as it was written."""
        name, path = file.rpartition(".")[0], self.folder / file
        return path.is_file() and self.figures.get(name, {}).get(FILES, {}).get(file) == _sha256(path)

    def enter(self, name: str, basis: Mapping[str, str]) -> None:
        """Note that a figure was made from this."""
        files = _digests(self.folder, (f"{name}{suffix}" for suffix in SUFFIXES))
        self.figures[name] = {**basis, FILES: files}

    def notebook_change(self, path: Path, basis: Mapping[str, str]) -> tuple[str, ...]:
        """Return what has changed since a notebook was executed."""
        entry = self.notebooks.get(path.stem)
        if entry is None:
            return ("nothing tells how it was executed",)
        moved = (*_moved(entry, basis), *_moved_files(entry, path.parent, (path.name,)))
        return tuple(text for _, text in moved)

    def enter_notebook(self, path: Path, basis: Mapping[str, str]) -> None:
        """Note that a notebook was executed with this."""
        self.notebooks[path.stem] = {**basis, FILES: _digests(path.parent, (path.name,))}

    def pictures_sha256(self, names: Iterable[str]) -> str:
        """Return a digest of the pictures and captions of figures as they are entered."""
        known = (self.figures.get(name, {}).get(FILES, {}) for name in names)
        shown = {
            file: value for files in known for file, value in files.items() if file[-4:] in (".png", ".txt")
        }
        return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()


def basis_of(name: str) -> dict[str, str]:
    """Return what a figure `PAPER/NAME` rests on now: sources, style sheet and versions of libraries."""
    modules = (f"verify.figures.{name.replace('/', '.')}", "verify.figures.drawing")
    return {
        SOURCES: modules_sha256(modules, windows=False),
        STYLE: _sha256(STYLE_SHEET),
        **versions((*COMPUTED_WITH, *DRAWN_WITH)),
    }


def versions(libraries: Iterable[str]) -> dict[str, str]:
    """Return the versions of libraries, `none` where one is not installed."""
    return {library: installed(library) for library in libraries}


def _entries(found: Mapping[str, Mapping[str, Any]]) -> dict[str, Entry]:
    return {name: {**entry, FILES: dict(entry[FILES])} for name, entry in found.items()}


def _moved(entry: Entry, basis: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Yield what an entry rests on that is another one now, and that in words."""
    for item, now in basis.items():
        before = entry.get(item)
        if before != now:
            long = len(now) == 64
            yield item, f"{item} changed" if long or before is None else f"{item} was {before}, is {now}"


def _moved_files(entry: Entry, folder: Path, files: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Yield the files that are not as an entry has them, and that in words."""
    for file in files:
        path = folder / file
        if not path.is_file():
            yield file, f"{path.name} is not there"
        elif entry[FILES].get(file) != _sha256(path):
            yield file, f"{path.name} was edited"


def _digests(folder: Path, files: Iterable[str]) -> dict[str, str]:
    return {file: _sha256(folder / file) for file in files}


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
