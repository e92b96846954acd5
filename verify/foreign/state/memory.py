"""Estimate what a check holds in memory, before anything is allocated."""

import contextlib
import os
from collections.abc import Iterator

from verify.errors import UsageError

VECTORS = 160
"""Vectors (d,) of doubles that a check holds at once: inputs, sums, one batch, temporaries."""

MOST = 8 * 2**30
"""Bytes that a check never exceeds, however many are free."""


def require_memory(d: int, n: int | None) -> None:
    """Refuse a dimension whose check would not fit.

    Raises:
        UsageError: It needs more than half of what is free, or more than 8 GiB.
    """
    entries = d * (n or 1)
    needed, allowed = 8 * VECTORS * entries, min(MOST, _free() // 2)
    if needed > allowed:
        most = allowed // (8 * VECTORS * (n or 1))
        nodes = "" if n is None else f" at n={n} nodes"
        raise UsageError(
            f"d={d} needs about {needed / 2**30:.3g} GiB{nodes} and {allowed / 2**30:.3g} GiB may be used; "
            f"give d of at most {most} (-d {most}), a check of a smaller d says the same of most compressors"
        )


@contextlib.contextmanager
def limited_memory() -> Iterator[None]:
    """Let this process have what is free and no more: a call that wants more gets a `MemoryError`.

    Without it the system would end this process, or another one. Nothing is limited where there is no
    `resource`, or less is allowed already.
    """
    try:
        import resource
    except ImportError:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_DATA)
    least = _resident() + _free()
    allowed = least if before[0] == resource.RLIM_INFINITY else min(least, before[0])
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _resident() -> int:
    """Return the bytes of data that this process holds, counted as the limit counts them."""
    try:
        with open("/proc/self/status") as lines:
            return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmData:"))
    except OSError:
        return 0


def _free() -> int:
    """Return the bytes of memory that are free, a large number where the system does not say."""
    try:
        with open("/proc/meminfo") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 2 * MOST
