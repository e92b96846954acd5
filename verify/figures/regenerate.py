"""Execute the notebooks that regenerate the figures, and compare the data behind them."""

import csv
import math
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verify.errors import OutputFolderError, UsageError
from verify.figures import FOLDER_VARIABLE, KEPT_VARIABLE, ONLY_VARIABLE, missing_data, names
from verify.figures.drawing import SUFFIXES

RELATIVE = 1e-5
"""Tolerance of `--check`: the search finds a point to 1e-6, everything else is exact to round-off."""

CELL_TIMEOUT = 600
"""Seconds after which a notebook cell is stopped and named."""


@dataclass(frozen=True)
class FigureResult:
    """One figure: `written`, `same`, `kept` without its data, `differs` or `missing` with the reason."""

    name: str
    status: str
    detail: str = ""


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
        raise UsageError(f"unknown figure {', '.join(map(repr, unknown))}; known figures: {', '.join(known)}")
    return tuple(chosen)


def regenerate(
    patterns: tuple[str, ...] = (), *, out: str | Path = "paper_figures", notebooks: str | Path = "notebooks"
) -> tuple[FigureResult, ...]:
    """Execute the notebooks of the selected figures and write CSV, PDF, PNG and caption.

    The executed notebooks replace those in `notebooks` where the figures go to `paper_figures` beside that
    folder, as in a checkout; elsewhere they are written beside the figures.

    Raises:
        UsageError: Unknown figure, missing notebook or library, or a folder that cannot be written.
    """
    chosen = select(patterns)
    target = Path(out)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputFolderError(
            f"out={str(out)!r} must be a folder that can be written ({error.strerror}); "
            "choose another one with --out DIR"
        ) from error
    with tempfile.TemporaryDirectory() as scratch:
        own = target.resolve() == Path(notebooks).resolve().parent / "paper_figures"
        executed = Path(notebooks) if own else target
        made_now, results = _make(chosen, Path(notebooks), Path(scratch), target, executed)
        for name in made_now:
            for suffix in SUFFIXES:
                made = Path(scratch) / f"{name}{suffix}"
                place = target / f"{name}{suffix}"
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(made, place)
    return (*(FigureResult(name, "written", str(target / f"{name}.pdf")) for name in made_now), *results)


def _make(
    chosen: tuple[str, ...], notebooks: Path, scratch: Path, kept: Path, executed: Path | None = None
) -> tuple[tuple[str, ...], tuple[FigureResult, ...]]:
    """Make the figures whose data are at hand; return their names, and results for the others."""
    missing = {name: missing_data(name) for name in chosen}
    ready = tuple(name for name in chosen if not missing[name])
    for paper in sorted({name.split("/")[0] for name in ready}):
        _execute(notebooks / f"{paper}.ipynb", scratch, kept, ready, executed)
    skipped = tuple(
        FigureResult(
            name,
            "kept" if (kept / f"{name}.csv").is_file() else "missing",
            f"needs {', '.join(sets)} in the folder that BOUNDCHECK_DATA names",
        )
        for name, sets in missing.items()
        if sets
    )
    return ready, skipped


def check(
    patterns: tuple[str, ...] = (), *, out: str | Path = "paper_figures", notebooks: str | Path = "notebooks"
) -> tuple[FigureResult, ...]:
    """Execute the notebooks into a scratch folder and compare the CSV files with those in `out`."""
    chosen = select(patterns)
    with tempfile.TemporaryDirectory() as scratch:
        made, skipped = _make(chosen, Path(notebooks), Path(scratch), Path(out))
        compared = tuple(
            compare(name, Path(scratch) / f"{name}.csv", Path(out) / f"{name}.csv") for name in made
        )
    return (*compared, *skipped)


def _execute(path: Path, folder: Path, kept: Path, only: tuple[str, ...], executed: Path | None) -> None:
    """Execute one notebook for some of its figures; write the executed copy, without times, to a folder."""
    if not path.is_file():
        raise UsageError(f"notebook {str(path)!r} does not exist; run this in a checkout of boundcheck")
    try:
        import matplotlib  # noqa: F401  # the notebook needs it; say so before a kernel starts
        import nbconvert.preprocessors as preprocessors
        import nbformat
        from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
        from traitlets.config import Config
    except ImportError as error:
        raise UsageError(
            f"figures need {error.name}, which is not installed; pip install 'boundcheck[figures]'"
        ) from None
    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    variables = (FOLDER_VARIABLE, KEPT_VARIABLE, ONLY_VARIABLE, "BOUNDCHECK_DATA", "PATH")
    before = {name: os.environ.get(name) for name in variables}
    os.environ[FOLDER_VARIABLE] = str(folder.resolve())
    os.environ[KEPT_VARIABLE] = str(kept.resolve())
    os.environ[ONLY_VARIABLE] = ",".join(only)
    if before["BOUNDCHECK_DATA"]:  # the notebook runs in its own folder
        os.environ["BOUNDCHECK_DATA"] = str(Path(before["BOUNDCHECK_DATA"]).expanduser().resolve())
    # The kernel must be this interpreter's, whatever is first on the path.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    try:
        # Over socket files the kernel needs no network port; `ip` is the prefix of their names.
        transport = Config({"KernelManager": {"transport": "ipc", "ip": str(folder.resolve() / "kernel")}})
        make_executor: Any = preprocessors.ExecutePreprocessor
        executor = make_executor(timeout=CELL_TIMEOUT, kernel_name="python3", config=transport)
        executor.preprocess(notebook, {"metadata": {"path": str(path.parent)}})
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise UsageError(f"notebook {str(path)!r} fails:\n{error}") from error
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
    if executed is not None:
        _normalise(notebook)
        nbformat.write(notebook, executed / path.name)  # type: ignore[no-untyped-call]


def _normalise(notebook: Any) -> None:
    """Drop what changes from run to run."""
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    for count, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), start=1):
        cell.execution_count = count
        cell.metadata = {}
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = count


def compare(name: str, made: Path, kept: Path) -> FigureResult:
    """Compare two CSV files, cell by cell."""
    if not kept.is_file():
        return FigureResult(name, "missing", f"{kept} does not exist; run `boundcheck figures {name}`")
    new, old = _rows(made), _rows(kept)
    if new[0] != old[0] or len(new) != len(old):
        return FigureResult(
            name, "differs", f"columns or number of rows differ: {new[0]} x {len(new)}, {old[0]} x {len(old)}"
        )
    for number, (left, right) in enumerate(zip(new[1:], old[1:], strict=True), start=2):
        for column, a, b in zip(new[0], left, right, strict=True):
            if not _close(a, b):
                return FigureResult(name, "differs", f"{kept} line {number}, column {column}: {b} is now {a}")
    return FigureResult(name, "same", f"{len(new) - 1} rows within {RELATIVE:g}")


def _rows(path: Path) -> list[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def _close(first: str, second: str) -> bool:
    if first == second:
        return True
    try:
        return math.isclose(float(first), float(second), rel_tol=RELATIVE, abs_tol=1e-12)
    except ValueError:
        return False
