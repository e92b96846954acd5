"""The process of which workers are copies, kept while this process lives: it is started once."""

import atexit
import os

from impl.wires.transports.nursery import Nursery

_kept: dict[int, Nursery] = {}


def nursery() -> Nursery | None:
    """Return the one of this process, started anew if it has died; None where processes cannot be copied.

    Workers have the priority that this process has when it is started.
    """
    if not Nursery.is_safe():
        return None
    own = os.getpid()  # a copy of this process does not share it
    if own not in _kept or not _kept[own].lives:
        _kept.clear()
        _kept[own] = Nursery()
        atexit.register(_kept[own].close)
    return _kept[own]
