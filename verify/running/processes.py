"""What a process that judges much is told first."""

import contextlib
import ctypes


def keep_freed_memory() -> None:
    """Let this process use freed arrays again, where its C library can be told so.

    Else each large array of a round is given back and fetched anew, page by page.
    """
    trim, mapped = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of glibc
    with contextlib.suppress(AttributeError, OSError, TypeError):  # another C library
        allocator = ctypes.CDLL(None)
        allocator.mallopt(trim, 2**28)
        allocator.mallopt(mapped, 2**25)
