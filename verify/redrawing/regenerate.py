"""Make the figures whose basis has changed, by executing the notebooks, and keep the others."""

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from verify.errors import OutputFolderError, UsageError
from verify.figures.catalogue import names
from verify.figures.data_sets import missing_data
from verify.figures.drawing import SUFFIXES, draw
from verify.notebook import told_verdicts
from verify.records.folder import DEFAULT_FOLDER
from verify.records.sources import modules_sha256
from verify.redrawing.compare import compare
from verify.redrawing.ledger import (
    COMPUTED_WITH,
    DRAWN_WITH,
    SOURCES,
    TABLE,
    Change,
    Entry,
    Ledger,
    basis_of,
    versions,
)
from verify.redrawing.notebooks import cells, claims_told, execute
from verify.redrawing.result import FigureResult

Tell = Callable[[FigureResult], None]

VERDICTS = "verdicts"
"""Name of what an executed notebook says of its claims, among that on which it rests."""


def select(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the figures that papers or `PAPER/FIGURE` names select, all by default.

    Raises:
        UsageError: Unknown name; the message lists what exists.
    """
    known = names()
    chosen = [
        name for name in known if not patterns or any(name == p or name.startswith(f"{p}/") for p in patterns)
    ]
    unknown = [p for p in patterns if not any(name == p or name.startswith(f"{p}/") for name in known)]
    if unknown:
        raise UsageError(f"unknown figure {', '.join(map(repr, unknown))}; {_near(unknown[0], known)}")
    return tuple(chosen)


def _near(word: str, known: tuple[str, ...]) -> str:
    """Return the names that are like a word, or what names there are."""
    from difflib import get_close_matches

    if near := get_close_matches(word, known, n=5):
        return f"did you mean {', '.join(near)}?"
    papers = ", ".join(dict.fromkeys(name.partition("/")[0] for name in known))
    return f"a paper ({papers}) or PAPER/FIGURE is one; `boundcheck figures --help` tells more"


def regenerate(
    patterns: tuple[str, ...] = (),
    *,
    out: str | Path = "paper_figures",
    notebooks: str | Path = "notebooks",
    force: bool = False,
    only_notebooks: bool = False,
    tell: Tell = lambda result: None,
) -> tuple[FigureResult, ...]:
    """Write CSV, PDF, PNG and caption of the selected figures that are not kept, and execute their notebooks.

    A figure is kept while all that it rests on is as it was when it was made
    (`verify/redrawing/ledger.py`) and its files are as they were written. One of which only the picture is
    not is drawn again from its table.
    The executed notebooks replace those in `notebooks` where the figures go to `paper_figures` beside that
    folder, as in a checkout; elsewhere they are written beside the figures.

    Args:
        patterns: Papers or names of figures, all by default.
        out: Folder of the figures.
        notebooks: Folder of the notebooks.
        force: Make all that is selected, whatever has changed.
        only_notebooks: Execute notebooks alone; they show the figures that are there, stale ones, too.
        tell: Called with each result as soon as it is known.

    Raises:
        UsageError: Unknown figure, missing notebook or library, or a folder that cannot be written. What was
            made before is kept and need not be made again.
    """
    chosen = select(patterns)
    papers = tuple(dict.fromkeys(name.partition("/")[0] for name in chosen))
    _require_notebooks(Path(notebooks), papers)
    target = Path(out)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputFolderError(
            f"out={str(out)!r} must be a folder that can be written ({error.strerror}); "
            "choose another one with --out DIR"
        ) from error
    run = _Run(target, Path(notebooks), force, tell)
    for paper in papers:
        mine = [name for name in chosen if name.startswith(f"{paper}/")]
        run.make_paper(paper, () if only_notebooks else mine)
    return tuple(run.results)


def _require_notebooks(folder: Path, papers: Sequence[str]) -> None:
    """Refuse papers whose notebooks are not there, before anything is written."""
    for paper in papers:
        path = folder / f"{paper}.ipynb"
        if not path.is_file():
            raise UsageError(
                f"notebook {str(path)!r} does not exist; figures are made by the notebooks of a checkout of "
                "boundcheck: go to its folder"
            )


class _Run:
    """One run: what it has made and kept."""

    def __init__(self, target: Path, notebooks: Path, force: bool, tell: Tell) -> None:
        self.target, self.notebooks, self.force, self._told = target, notebooks, force, tell
        self.own = target.resolve() == notebooks.resolve().parent / "paper_figures"
        self.records = notebooks / ".." / DEFAULT_FOLDER  # where the cells look for them
        self.ledger = Ledger.read(target)
        self.results: list[FigureResult] = []
        if self.ledger.problem:
            self._told(FigureResult(self.ledger.problem, "nothing is known of the figures that are there"))

    def _tell(self, name: str, status: str, detail: str = "") -> None:
        self.results.append(FigureResult(name, status, detail))
        self._told(self.results[-1])

    def make_paper(self, paper: str, chosen: Sequence[str]) -> None:
        """Make the chosen figures of a paper, as far as they are not kept, and its notebook."""
        bases = {name: basis_of(name) for name in chosen}
        changes = {name: self._change(name, basis) for name, basis in bases.items()}
        for name in [name for name, change in changes.items() if not (change.table or change.picture)]:
            self._tell(name, "kept")
        to_compute = []
        for name in [name for name, change in changes.items() if change.table]:
            if missing := missing_data(name):
                self._tell(name, "needs data", _needs(missing, f"; {changes[name]}"))
            else:
                to_compute.append(name)
        for name in [name for name, change in changes.items() if change.picture and not change.table]:
            draw(name, self.target)
            self._enter(name, bases[name])
            self._tell(name, "drawn", f"from its table: {changes[name]}")
        self._execute(paper, to_compute, bases, changes)

    def _change(self, name: str, basis: Entry) -> Change:
        return Change(table=("--force",)) if self.force else self.ledger.change(name, basis)

    def _execute(
        self, paper: str, to_compute: list[str], bases: dict[str, Entry], changes: dict[str, Change]
    ) -> None:
        source = self.notebooks / f"{paper}.ipynb"
        copy = source if self.own else self.target / source.name
        basis = self._notebook_basis(source)
        moved = ("--force",) if self.force else self.ledger.notebook_change(copy, basis)
        if not (moved or to_compute):
            self._tell(source.name, "kept")
            return
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            try:
                verdicts = None if VERDICTS in basis else copy
                execute(
                    source,
                    figures=folder,
                    kept=self.target,
                    only=to_compute,
                    copy=copy,
                    verdicts=verdicts,
                )
            finally:
                # What was made before a cell failed need not be made again.
                for name in _complete(to_compute, folder):
                    same = self._keep_table(name, folder)
                    _move(name, folder, self.target)
                    self._enter(name, bases[name])
                    self._tell(name, "written", f"{changes[name]}{'; its data are the same' if same else ''}")
        self.ledger.enter_notebook(copy, self._notebook_basis(source))
        self.ledger.write()
        self._tell(source.name, "executed", "; ".join(moved))

    def _keep_table(self, name: str, folder: Path) -> bool:
        """Keep the table that is there where the new one differs by round-off only, as on other machines."""
        kept, made = (place / f"{name}{TABLE}" for place in (self.target, folder))
        same = self.ledger.has(f"{name}{TABLE}") and compare(name, made, kept).status == "same"
        if same and made.read_bytes() != kept.read_bytes():
            shutil.copyfile(kept, made)
            draw(name, folder)
        return same

    def _enter(self, name: str, basis: Entry) -> None:
        self.ledger.enter(name, basis)
        self.ledger.write()

    def _notebook_basis(self, source: Path) -> Entry:
        """Return what an executed notebook rests on: its cells, what they import, figures, and verdicts.

        Verdicts count where all of them can be told from records that are not stale: a notebook that has
        verdicts keeps them where there are no records.
        """
        whole, code = cells(source)
        figures = [name for name in names() if name.startswith(f"{source.stem}/")]
        told, fresh = told_verdicts(claims_told(code), self.records)
        verdicts = {VERDICTS: hashlib.sha256("\n".join(told).encode()).hexdigest()} if fresh else {}
        return {
            "cells": hashlib.sha256(whole.encode()).hexdigest(),
            SOURCES: modules_sha256((), code.encode(), windows=False),
            "figures": self.ledger.pictures_sha256(figures),
            **verdicts,
            **versions((*COMPUTED_WITH, *DRAWN_WITH)),
        }


def check(
    patterns: tuple[str, ...] = (),
    *,
    out: str | Path = "paper_figures",
    notebooks: str | Path = "notebooks",
    tell: Tell = lambda result: None,
) -> tuple[FigureResult, ...]:
    """Make the selected figures in a scratch folder, kept or not, and compare their data with those kept."""
    chosen = select(patterns)
    results = []
    for result in _checked(chosen, Path(out), Path(notebooks)):
        results.append(result)
        tell(result)
    return tuple(results)


def _checked(chosen: tuple[str, ...], out: Path, notebooks: Path) -> Iterator[FigureResult]:
    missing = {name: missing_data(name) for name in chosen}
    ready = [name for name in chosen if not missing[name]]
    for paper in dict.fromkeys(name.partition("/")[0] for name in ready):
        made = [name for name in ready if name.startswith(f"{paper}/")]
        with tempfile.TemporaryDirectory() as scratch:
            execute(notebooks / f"{paper}.ipynb", figures=Path(scratch), kept=out, only=made, copy=None)
            for name in made:
                yield compare(name, Path(scratch) / f"{name}.csv", out / f"{name}.csv")
    for name, sets in missing.items():
        if sets:
            yield FigureResult(name, "needs data", _needs(sets))


def _needs(sets: tuple[str, ...], why: str = "") -> str:
    return f"{', '.join(sets)} in the folder that BOUNDCHECK_DATA names{why}"


def _complete(figures: list[str], folder: Path) -> list[str]:
    """Return the figures of which all files are in a folder; the caption is the last one to be written."""
    return [name for name in figures if all((folder / f"{name}{suffix}").is_file() for suffix in SUFFIXES)]


def _move(name: str, folder: Path, target: Path) -> None:
    for suffix in SUFFIXES:
        place = target / f"{name}{suffix}"
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(folder / f"{name}{suffix}", place)
