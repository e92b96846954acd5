"""What a verb answers in a form for machines: nothing else is on standard output then."""

import contextlib
import fcntl
import os
import sys
from collections.abc import Iterator
from typing import TextIO

import click

_kept: list[TextIO] = []
"""Standard output, while everything but answers goes to standard error."""


@contextlib.contextmanager
def only_answers() -> Iterator[None]:
    """Send what is printed meanwhile, by authors' code and in workers, to standard error; answers stay."""
    if _kept:
        yield
        return
    usual = sys.stdout
    usual.flush()
    moved = _moved_descriptor(usual)
    nowhere = None if sys.stderr is not None else open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    _kept.append(moved or usual)
    sys.stdout = sys.stderr if nowhere is None else nowhere
    try:
        yield
    finally:
        sys.stdout = usual
        _kept.clear()
        if moved is not None:
            os.dup2(moved.fileno(), 1)
            moved.close()
        if nowhere is not None:
            nowhere.close()


def _moved_descriptor(usual: TextIO) -> TextIO | None:
    """Let descriptor 1 be standard error, and return a stream to where it went; None for another stream."""
    try:
        if usual.fileno() != 1:
            return None
        moved = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 3)  # 2 may be closed, and would be taken
    except OSError:  # a stream without a descriptor, or a closed one
        return None
    try:
        os.dup2(2, 1)
    except OSError:  # standard error was closed by who started us
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        if nowhere > 2:
            os.close(nowhere)
    return open(moved, "w", encoding=usual.encoding, errors=usual.errors)


def print_answer(text: str) -> None:
    """Print on standard output, whatever else goes there."""
    click.echo(text, file=_kept[0] if _kept else None)


def output_descriptor() -> int:
    """Return the descriptor of standard output."""
    try:
        return _kept[0].fileno() if _kept else 1
    except OSError:  # a stream without one
        return 1
