"""Ranks of an MPI program, by mpi4py.futures."""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from pathlib import Path

from verify.backends import Pool, missing_library
from verify.errors import BackendError

STARTED = "mpiexec -n N python -m mpi4py.futures -m boundcheck verify ... --backend mpi"


@contextmanager
def pool(workers: int, _address: str | None) -> Iterator[Pool]:
    """Take the ranks with which the program was started, else let MPI start processes.

    A rank that dies ends the whole program, as MPI has it; the records so far stay.
    """
    # MPICH finds the program that starts processes by the search path.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    try:
        from mpi4py import MPI
        from mpi4py.futures import MPIPoolExecutor, _core
    except (ImportError, RuntimeError) as error:  # the latter where no MPI library can be loaded
        missing = error if isinstance(error, ImportError) else ImportError(str(error))
        raise missing_library("mpi", missing) from error
    ranks = MPI.COMM_WORLD.Get_size()
    if getattr(_core, "SharedPool", None) is not None:
        workers = ranks - 1
    elif ranks > 1 or not MPI.Get_library_version().startswith("MPICH"):
        # Only MPICH starts processes from a program that it has not started itself.
        raise BackendError(f"backend='mpi': start the ranks as workers: `{STARTED}`")
    if workers < 1:
        raise BackendError(f"backend='mpi': one rank coordinates, N must be at least 2: `{STARTED}`")
    with MPIPoolExecutor(max_workers=workers) as executor:
        yield Pool(workers, executor.submit, (), (BrokenExecutor,))
