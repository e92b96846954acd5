"""Estimate what a check holds in memory, before anything is allocated."""

import os

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
