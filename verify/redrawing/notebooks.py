"""Execute a notebook: the figures that it makes, and an executed copy without times."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from verify.errors import UsageError
from verify.notebook import FOLDER_VARIABLE, KEPT_VARIABLE, ONLY_VARIABLE, TABLE_HEAD
from verify.redrawing.grammar import without_grammar

CELL_TIMEOUT = 1800
"""Seconds after which a notebook cell is stopped and named."""


def execute(
    path: Path,
    *,
    figures: Path,
    kept: Path,
    only: Iterable[str],
    copy: Path | None,
    verdicts: Path | None = None,
) -> None:
    """Execute a notebook in its folder.

    Args:
        path: The notebook.
        figures: Folder to which figures are written.
        kept: Folder of the figures that are shown as they are.
        only: The figures to be made.
        copy: Where the executed notebook is written, nowhere by default.
        verdicts: An executed notebook whose verdicts are taken over, since there are no fresh records.

    Raises:
        UsageError: It does not exist, a cell fails or takes too long, or a library is missing.
    """
    if not path.is_file():
        raise UsageError(f"notebook {str(path)!r} does not exist; run this in a checkout of boundcheck")
    try:
        import matplotlib  # noqa: F401  # the notebook needs it; say so before a kernel starts

        with without_grammar():
            import nbconvert.preprocessors as preprocessors
            import nbformat
            from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
            from nbconvert.preprocessors.coalescestreams import CoalesceStreamsPreprocessor
        from traitlets.config import Config
    except ImportError as error:
        raise UsageError(
            f"figures need {error.name}, which is not installed; pip install 'boundcheck[figures]'"
        ) from None
    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    # Over socket files the kernel needs no network port; `ip` is the prefix of their names.
    transport = Config({"KernelManager": {"transport": "ipc", "ip": str(figures.resolve() / "kernel")}})
    make_executor: Any = preprocessors.ExecutePreprocessor
    try:
        with _environment(figures, kept, only):
            executor = make_executor(timeout=CELL_TIMEOUT, kernel_name="python3", config=transport)
            executor.preprocess(notebook, {"metadata": {"path": str(path.parent)}})
        # How much is printed at a time depends on how fast the kernel is.
        joiner: Any = CoalesceStreamsPreprocessor()  # type: ignore[no-untyped-call]
        joiner.preprocess(notebook, {})
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise UsageError(f"notebook {str(path)!r} fails:\n{error}") from error
    if verdicts is not None and verdicts.is_file():
        _take_verdicts(notebook, nbformat.read(verdicts, as_version=4))  # type: ignore[no-untyped-call]
    if copy is not None:
        _normalise(notebook)
        nbformat.write(notebook, copy)  # type: ignore[no-untyped-call]


def cells(path: Path) -> tuple[str, str]:
    """Return the sources of all cells of a notebook, and those of its code cells, as one text each.

    Raises:
        UsageError: It does not exist or is none.
    """
    import json

    try:
        found = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts = [(cell["cell_type"], "".join(cell["source"])) for cell in found]
    except OSError as error:
        raise UsageError(
            f"notebook {str(path)!r} does not exist; run this in a checkout of boundcheck"
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"notebook {str(path)!r} is damaged ({error!r}); get it again") from error
    separator = "\n\0\n"
    whole = separator.join(f"{kind}\n{text}" for kind, text in texts)
    return whole, "\n".join(text for kind, text in texts if kind == "code")


def claims_told(code: str) -> tuple[str, ...]:
    """Return the ids of the claims of which a notebook shows the verdicts."""
    calls = re.findall(r"\bverdict\(([^)]*)\)", code)
    return tuple(
        dict.fromkeys(id for call in calls for id in re.findall(r"[\"']([^\"']+/[^\"']+)[\"']", call))
    )


@contextmanager
def _environment(figures: Path, kept: Path, only: Iterable[str]) -> Iterator[None]:
    """Set what the kernel inherits; afterwards everything is as it was."""
    changed = {
        FOLDER_VARIABLE: str(figures.resolve()),
        KEPT_VARIABLE: str(kept.resolve()),
        ONLY_VARIABLE: ",".join(only),
        # The kernel must be this interpreter's, whatever is first on the path.
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
    }
    if data := os.environ.get("BOUNDCHECK_DATA"):  # the notebook runs in its own folder
        changed["BOUNDCHECK_DATA"] = str(Path(data).expanduser().resolve())
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _take_verdicts(notebook: Any, earlier: Any) -> None:
    """Give cells with verdicts the tables that the same cells have in an earlier notebook."""
    known = {
        cell.source: cell.outputs
        for cell in earlier.cells
        if cell.cell_type == "code" and claims_told(cell.source) and TABLE_HEAD in str(cell.outputs)
    }
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.source in known:
            cell.outputs = known[cell.source]


def _normalise(notebook: Any) -> None:
    """Drop what changes from run to run."""
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    for count, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), start=1):
        cell.execution_count = count
        cell.metadata = {}
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = count
