"""The process of which workers are copies, kept while this process lives: it is started once."""

import atexit
import os

from impl.wires.transports.nursery import Nursery
from verify.errors import NotMeasuredError

_kept: dict[tuple[int, int], Nursery] = {}
"""By process, since a copy of it does not share one, and by the scheduler of its threads."""


def nursery() -> Nursery | None:
    """Return the one of this process, started anew if it has died; None where processes cannot be copied.

    Workers have the priority that this thread has now.

    Raises:
        NotMeasuredError: It cannot be started.
    """
    if not Nursery.is_safe():
        return None
    own = os.getpid(), os.sched_getscheduler(0)
    if own not in _kept or not _kept[own].lives:
        try:
            made = Nursery()
            atexit.register(made.close)
            made.wait_until_ready()
        except OSError as error:
            raise NotMeasuredError(f"processes could not be started: {error}") from None
        _kept[own] = made
    return _kept[own]
