"""What a process that judges much is told first."""

import contextlib
import ctypes
import os
import signal
import threading
import time


def end_with(parent: int) -> None:
    """Let this process end when its parent does, where the system can be told so: a killed run leaves none.

    Args:
        parent: Process that has made this one.
    """
    when_the_parent_dies = 1  # PR_SET_PDEATHSIG of Linux
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).prctl(when_the_parent_dies, signal.SIGTERM)
    if os.getppid() != parent:  # it has died already
        os._exit(1)


_LOOK = 1.0
"""Seconds between two looks at who the parent is."""


def end_without(parent: int) -> None:
    """Let this process end soon after its parent does, on any Unix; it may outlive the thread that made it.

    Args:
        parent: Process that has made this one; nothing is done where another one has.
    """

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK)
        os._exit(1)

    name = f"ends without {parent}"
    if os.getppid() == parent and all(thread.name != name for thread in threading.enumerate()):
        threading.Thread(target=look, name=name, daemon=True).start()


def keep_freed_memory() -> None:
    """Let this process use freed arrays again, where its C library can be told so.

    Else each large array of a round is given back and fetched anew, page by page.
    """
    trim, mapped = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of glibc
    with contextlib.suppress(AttributeError, OSError, TypeError):  # another C library
        allocator = ctypes.CDLL(None)
        allocator.mallopt(trim, 2**28)
        allocator.mallopt(mapped, 2**25)
