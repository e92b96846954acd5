"""Several processes that do one thing to many items: copies of this one where that is safe, else joblib's.

A copy has loaded already what this process has, claims above all; a process of joblib's begins with nothing,
but can be anywhere that joblib reaches.
"""

import contextlib
import ctypes
import gc
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_processes(function: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> Iterator[Result]:
    """Yield the results of a function in the order in which they are done.

    Args:
        function: Can be pickled.
        items: What it is called with.
        jobs: Number of processes; -1 takes all cores.
    """
    from joblib import Parallel, cpu_count, delayed

    if _copies_are_safe():
        yield from _in_copies(function, items, min(cpu_count() if jobs == -1 else jobs, len(items)))
        return
    with Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1) as parallel:
        yield from parallel(delayed(function)(item) for item in items)


def keep_freed_memory() -> None:
    """Let this process use freed arrays again, where its C library can be told so.

    Else each large array of a round is given back and fetched anew, page by page.
    """
    trim, mapped = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of glibc
    with contextlib.suppress(AttributeError, OSError, TypeError):  # another C library
        allocator = ctypes.CDLL(None)
        allocator.mallopt(trim, 2**28)
        allocator.mallopt(mapped, 2**25)


def _copies_are_safe() -> bool:
    """Return whether nobody asked joblib for other processes, and no thread could hold a lock at the copy."""
    from joblib.parallel import get_active_backend

    default = type(get_active_backend()[0]).__name__ == "LokyBackend"
    return default and sys.platform == "linux" and threading.active_count() == 1


def _in_copies(function: Callable[[Item], Result], items: Iterable[Item], jobs: int) -> Iterator[Result]:
    gc.collect()
    gc.freeze()  # what is loaded stays one piece of memory for all
    pool = ProcessPoolExecutor(jobs, get_context("fork"), keep_freed_memory)
    try:
        with warnings.catch_warnings():
            # Of threads that are none of Python's: those of BLAS end and begin again around a copy.
            warnings.simplefilter("ignore", DeprecationWarning)
            pending: list[Any] = [pool.submit(function, item) for item in items]
        for done in as_completed(pending):
            yield done.result()
    finally:
        pool.shutdown(cancel_futures=True)
        gc.unfreeze()
