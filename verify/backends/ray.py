"""Workers of a Ray cluster, by its tasks.

Not by `ray.util.joblib`: it needs a pool of actors, and loses the whole call with one that dies.
"""

import functools
import logging
import os
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from verify.backends import Pool, missing_library
from verify.backends.reachable import PATIENCE, check_reachable, unreachable
from verify.errors import BackendError

PORT = 6379

STORE = 100 * 2**20
"""Bytes of the store of objects on this machine; records are small."""


@contextmanager
def pool(workers: int, address: str | None) -> Iterator[Pool]:
    """Connect to a Ray cluster, or start one with workers on this machine."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # What a task reports of CUDA devices is nothing to us, and changing it is announced as a warning.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
        from ray.exceptions import NodeDiedError, OutOfMemoryError, RaySystemError, WorkerCrashedError
    except ImportError as error:
        raise missing_library("ray", error) from error
    start = functools.partial(ray.init, log_to_driver=False, logging_level=logging.ERROR)
    if address is None:
        start(address="local", num_cpus=workers, object_store_memory=STORE, include_dashboard=False)
    else:
        _connect(start, address)
    try:

        def count() -> int:
            return int(ray.cluster_resources().get("CPU", 0))

        if count() < 1:
            raise BackendError(f"address={address!r}: the Ray cluster has no CPUs to work on")
        # How often a unit is run again is counted by the coordinator.
        remote = ray.remote(num_cpus=1, max_retries=0)(_call)

        def submit(*call: Any) -> "Future[Any]":
            future: Future[Any] = remote.remote(*call).future()
            return future

        lost = (WorkerCrashedError, NodeDiedError, OutOfMemoryError)
        yield Pool(count(), submit, lost, (RaySystemError,), present=lambda: count() > 0)
    finally:
        ray.shutdown()


def _connect(start: Any, address: str) -> None:
    check_reachable(address, PORT)
    os.environ.setdefault("RAY_gcs_rpc_server_connect_timeout_s", str(int(PATIENCE)))
    try:
        start(address=address)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise unreachable(address, " ".join(str(error).split())[:200]) from error


def _call(function: Any, argument: Any) -> Any:
    return function(argument)
