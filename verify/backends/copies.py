"""Copies of this process: they have loaded already what it has, claims above all."""

import gc
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

from verify.backends import Pool
from verify.running.processes import end_with, keep_freed_memory


def copies_are_safe() -> bool:
    """Return whether no thread could hold a lock at the copy."""
    return sys.platform == "linux" and threading.active_count() == 1


def _begin(parent: int) -> None:
    end_with(parent)
    keep_freed_memory()


@contextmanager
def pool(workers: int, _address: str | None) -> Iterator[Pool]:
    """Copy this process at the first call, and again when a copy has died: that ends all of them."""
    executor: ProcessPoolExecutor | None = None

    def submit(*call: Any) -> "Future[Any]":
        nonlocal executor
        if executor is not None:
            try:
                return executor.submit(*call)
            except BrokenProcessPool:
                executor.shutdown()  # ends its threads, so that a copy is safe again
        executor = ProcessPoolExecutor(workers, get_context("fork"), _begin, (os.getpid(),))
        with warnings.catch_warnings():
            # Of threads that are none of Python's: those of BLAS end and begin again around a copy.
            warnings.simplefilter("ignore", DeprecationWarning)
            return executor.submit(*call)

    gc.collect()
    gc.freeze()  # what is loaded stays one piece of memory for all
    try:
        yield Pool(workers, submit, (BrokenProcessPool,), foreign=False)
    finally:
        if executor is not None:
            executor.shutdown(cancel_futures=True)
        gc.unfreeze()
