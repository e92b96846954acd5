"""Measurements that other processes of this machine do not disturb, where the system permits it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def before_others() -> Iterator[bool]:
    """Let this thread, and the processes that it starts meanwhile, run whenever they can.

    The real-time scheduler of Linux does that for root; elsewhere all stays as it is. Only for what waits
    most of the time: others get what is left.

    Yields:
        Whether it is so.
    """
    try:
        policy, parameter = os.sched_getscheduler(0), os.sched_getparam(0)
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(os.sched_get_priority_min(os.SCHED_RR)))
    except (AttributeError, OSError):
        yield False
        return
    try:
        yield True
    finally:
        os.sched_setscheduler(0, policy, parameter)
