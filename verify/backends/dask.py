"""Workers of a Dask cluster, by its own executor.

Not by joblib's backend for Dask: in joblib 1.6 it waits for ever for a task whose worker was killed.
"""

import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from typing import Any

from verify.backends import Pool, missing_library
from verify.backends.reachable import PATIENCE, check_reachable, unreachable
from verify.errors import BackendError

PORT = 8786


@contextmanager
def pool(workers: int, address: str | None) -> Iterator[Pool]:
    """Connect to a scheduler, or start one with workers of one thread each on this machine."""
    try:
        import dask
        from distributed import Client, KilledWorker, LocalCluster
    except ImportError as error:
        raise missing_library("dask", error) from error
    with ExitStack() as stack:
        stack.enter_context(_silence())
        if address is None:
            # How often a unit is run again is counted by the coordinator.
            stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": 0}))
            cluster = LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
            )
            client = stack.enter_context(Client(stack.enter_context(cluster), set_as_default=False))
        else:
            # Dask waits for ever for the greeting of what is no scheduler; only this scheme has one at once.
            check_reachable(address, PORT, greets=address.startswith("tcp://") or "://" not in address)
            client = stack.enter_context(_connected(Client, address))
            _wait_for_a_worker(client, address)

        def count() -> int:
            return len(client.scheduler_info(n_workers=-1)["workers"])

        yield Pool(
            max(count(), 1),
            client.get_executor(pure=False).submit,
            (KilledWorker,),
            (CancelledError,),
            # A scheduler of the user has tried a call elsewhere already before it gives up.
            deaths=lambda error: int(getattr(error, "allowed_failures", 0)) + 1,
            present=lambda: count() > 0,
        )


@contextmanager
def _silence() -> Iterator[None]:
    """Keep what Dask logs of dead workers and lost connections from the terminal: we say it in a line."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _connected(make: Any, address: str) -> Any:
    scheme = "" if "://" in address else "tcp://"
    try:
        return make(f"{scheme}{address}", timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, RuntimeError, ImportError) as error:  # the last of other versions
        raise unreachable(address, " ".join(str(error).split())[:200]) from error


def _wait_for_a_worker(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        raise BackendError(
            f"address={address!r}: the scheduler has no worker after {PATIENCE:g} s; start some with "
            "`dask worker ADDRESS --nworkers N --nthreads 1`"
        ) from error
