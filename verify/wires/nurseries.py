"""The process of which workers are copies, kept while this process lives: it is started once."""

import atexit
import os

from impl.wires.transports.nursery import Nursery

_kept: dict[tuple[int, int], Nursery] = {}
"""By process, since a copy of it does not share one, and by the scheduler of its threads."""


def nursery() -> Nursery | None:
    """Return the one of this process, started anew if it has died; None where processes cannot be copied.

    Workers have the priority that this thread has now.
    """
    if not Nursery.is_safe():
        return None
    own = os.getpid(), os.sched_getscheduler(0)
    if own not in _kept or not _kept[own].lives:
        _kept[own] = Nursery()
        atexit.register(_kept[own].close)
    return _kept[own]
