"""Processes of this machine, by joblib's loky."""

import os
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from verify.backends import Pool
from verify.running.processes import end_without, keep_freed_memory

IDLE = 300
"""Seconds after which a process that has nothing to do ends."""


def _begin(parent: int) -> None:
    end_without(parent)  # the system would end them with the thread of the first run
    keep_freed_memory()


@contextmanager
def pool(workers: int, _address: str | None) -> Iterator[Pool]:
    """Start processes, or take those of the last run; when one dies, loky ends all, and new ones start."""
    from joblib.externals.loky import get_reusable_executor

    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

    def executor() -> Any:
        return get_reusable_executor(
            max_workers=workers, timeout=IDLE, initializer=_begin, initargs=(os.getpid(),), env=one_thread
        )

    def submit(*call: Any) -> "Future[Any]":
        try:
            future: Future[Any] = executor().submit(*call)
        except BrokenProcessPool:  # a worker died between the two calls
            future = executor().submit(*call)
        return future

    try:
        yield Pool(workers, submit, (BrokenProcessPool,), foreign=False)
    except BaseException:  # an interrupted run does not wait for what is being judged
        executor().shutdown(kill_workers=True)
        raise
