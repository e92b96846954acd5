"""The folder of a site: made whole beside its place, then put there; nothing foreign is overwritten."""

from __future__ import annotations

import errno
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from verify.errors import OutputFolderError

MARKER = "boundcheck-site.json"
SCHEMA = "boundcheck-site-1"
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a disk that takes nothing more."""


def check_place(out: Path, *, force: bool, option: str = "out") -> None:
    """Refuse a folder that is no report, and one that cannot be written, before anything is computed.

    Args:
        out: The folder.
        force: Whether one that is no report is replaced.
        option: Name of the option, and of the argument, by which it is given.

    Raises:
        OutputFolderError: The message names the folder and the remedy.
    """
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise OutputFolderError(f"{option}={str(out)!r} is no folder; choose another one with --{option} DIR")
    if out.is_dir() and any(out.iterdir()) and not is_site(out) and not force:
        raise OutputFolderError(
            f"{option}={str(out)!r} is a folder with files that are no report; choose another one with "
            f"--{option} DIR, or replace all that is in it with --force"
        )
    with _writable(out, option):
        pass


def is_site(folder: Path) -> bool:
    """Return whether a folder is a report that was made before."""
    try:
        found = json.loads((folder / MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("schema") == SCHEMA


@contextmanager
def new_site(out: Path, *, option: str = "out") -> Iterator[Path]:
    """Give an empty folder to fill, which replaces `out` if nothing is raised.

    Raises:
        OutputFolderError: The disk is full; `out` is as it was.
    """
    with _writable(out, option) as scratch:
        try:
            yield scratch
            (scratch / MARKER).write_text(json.dumps({"schema": SCHEMA}) + "\n", encoding="utf-8")
        except OSError as error:
            if error.errno not in _FULL:
                raise
            before = "the one that was there stays; " if is_site(out) else ""
            raise OutputFolderError(
                f"{option}={str(out)!r} cannot be written ({error.strerror}); {before}make room, or choose "
                f"another folder with --{option} DIR"
            ) from error
        scratch.chmod(0o755)
        if out.exists():
            shutil.rmtree(out)
        scratch.rename(out)


@contextmanager
def _writable(out: Path, option: str) -> Iterator[Path]:
    scratch = None
    try:
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            scratch = Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}."))
            if out.is_dir():
                with tempfile.TemporaryFile(dir=out):
                    pass
        except OSError as error:
            raise OutputFolderError(
                f"{option}={str(out)!r} must be a folder that can be written ({error.strerror or error}); "
                f"choose another one with --{option} DIR"
            ) from error
        yield scratch
    finally:
        if scratch is not None and scratch.exists():
            shutil.rmtree(scratch)
