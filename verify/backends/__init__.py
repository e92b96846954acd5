"""Where units are judged: in this process, or by workers of a library that distributes calls.

Each backend is one file with a function `pool(workers, address)`, and one line in `BACKENDS`. Libraries
schedule, start and watch workers; what is here only hands out chunks of units (`chunks`), runs again what
died with a worker (`lost_workers`), and refuses workers that would judge with other versions (`versions`).
"""

import importlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from verify.errors import BackendError, UsageError

BACKENDS = {
    "loky": "processes of this machine",
    "dask": "a Dask cluster at --address, else workers on this machine",
    "ray": "a Ray cluster at --address, else workers on this machine",
    "mpi": "ranks of an MPI program",
}
"""Name, which is that of the module in this package and of its extra, and where its workers are."""

WITH_ADDRESS = ("dask", "ray")


def _one(_error: BaseException) -> int:
    return 1


def _here() -> bool:
    return True


@dataclass(frozen=True)
class Pool:
    """Workers that are ready.

    Args:
        workers: How many there are.
        submit: Hands a call over and returns its future.
        lost: What a future raises when its worker has died.
        gone: What it raises when the whole backend has ended.
        deaths: How many workers have died of a call, from what its future raises.
        present: Whether there is any worker now.
        foreign: Whether workers may belong to another installation than this one.
    """

    workers: int
    submit: Callable[..., "Future[Any]"]
    lost: tuple[type[BaseException], ...]
    gone: tuple[type[BaseException], ...] = ()
    deaths: Callable[[BaseException], int] = _one
    present: Callable[[], bool] = _here
    foreign: bool = True


def check_backend(backend: str | None, address: str | None) -> list[str]:
    """Return what is wrong with the options."""
    if backend is not None and backend not in BACKENDS:
        return [f"backend={backend!r} must be one of {', '.join(BACKENDS)}"]
    if address is not None and backend not in WITH_ADDRESS:
        known = " and ".join(WITH_ADDRESS)
        return [
            f"address={address!r} is for the backends {known}, not for {backend or 'this machine alone'}; "
            "give one of them, or leave the address out"
        ]
    return []


@contextmanager
def open_pool(backend: str | None, jobs: int, address: str | None, tasks: int) -> Iterator[Pool]:
    """Start workers, or find those that are running.

    Args:
        backend: A name in `BACKENDS`; None is this machine in the quickest way.
        jobs: Number of workers on this machine, -1 for one per core; a cluster at an address has its own.
        address: Of a running scheduler.
        tasks: Number of tasks at hand; no more workers are started.

    Raises:
        BackendError: The library is missing, nobody answers at the address, or there are no workers.
    """
    problems = check_backend(backend, address)
    if problems:
        raise UsageError("; ".join(problems))
    from joblib import cpu_count

    if backend is None:
        from verify.backends.copies import copies_are_safe

        backend = "copies" if copies_are_safe() else "loky"
    workers = max(1, min(int(cpu_count()) if jobs == -1 else jobs, tasks))
    make: Callable[[int, str | None], AbstractContextManager[Pool]]
    make = importlib.import_module(f"verify.backends.{backend}").pool
    with make(workers, address) as pool:
        yield pool


def missing_library(backend: str, error: ImportError) -> BackendError:
    """Return the error of a backend whose library is not there."""
    return BackendError(
        f"backend={backend!r} needs a library that is not there ({error}): "
        f"pip install 'boundcheck[{backend}]'"
    )
