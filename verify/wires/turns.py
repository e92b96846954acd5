"""Measurements of seconds on one machine take turns: two at a time would disturb each other."""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from verify.errors import BusyError

LIMIT = 1200.0
"""Seconds that one waits for its turn; the longest measurement, of the full profile, takes some minutes."""
_PAUSE = 0.1


def turn_file() -> Path:
    """Return the file by which the processes of this user agree on whose turn it is."""
    owner = os.getuid() if hasattr(os, "getuid") else 0
    return Path(tempfile.gettempdir()) / f"boundcheck-measuring-{owner}.lock"


@contextmanager
def own_turn() -> Iterator[bool]:
    """Wait until no other process of this user measures; the system ends the turn of one that dies.

    Yields:
        Whether the turn is exclusive: not where files cannot be locked or made.

    Raises:
        BusyError: Another one has had its turn for `LIMIT`.
    """
    try:
        # Not through a link that somebody else put there.
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        file = os.open(turn_file(), flags, 0o600)
    except (AttributeError, OSError):
        yield False
        return
    try:
        yield _locked(file)
    finally:
        with suppress(OSError):
            os.close(file)


def _locked(file: int) -> bool:
    """Return whether the file could be locked, once nobody else has."""
    try:
        import fcntl
    except ImportError:
        return False
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE)
        except OSError:
            return False
        else:
            return True
    raise BusyError(f"another process has measured for {LIMIT:g} s; end it, it holds {turn_file()}")
