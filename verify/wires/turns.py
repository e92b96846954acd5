"""Measurements of seconds on one machine take turns: two at a time would disturb each other."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def turn_file() -> Path:
    """Return the file by which the processes of this user agree on whose turn it is."""
    owner = os.getuid() if hasattr(os, "getuid") else 0
    return Path(tempfile.gettempdir()) / f"boundcheck-measuring-{owner}.lock"


@contextmanager
def own_turn() -> Iterator[bool]:
    """Wait until no other process of this user measures; the system ends the turn of one that dies.

    Yields:
        Whether the turn is exclusive: not where files cannot be locked or made.
    """
    try:
        import fcntl

        # Not through a link that somebody else put there.
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        file = os.open(turn_file(), flags, 0o600)
    except (ImportError, AttributeError, OSError):
        yield False
        return
    try:
        locked = True
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:
            locked = False
        yield locked
    finally:
        with suppress(OSError):
            os.close(file)
