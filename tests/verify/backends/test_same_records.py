"""Records are bitwise the same on every backend, times apart, also when a worker dies meanwhile."""

import importlib.util
import sys
from pathlib import Path

import pytest

LIBRARIES = {"dask": "distributed", "mpi": "mpi4py", "ray": "ray"}
MPIEXEC = Path(sys.executable).parent / "mpiexec"


def needs(backend):
    library = LIBRARIES[backend]
    return pytest.mark.skipif(
        importlib.util.find_spec(library) is None, reason=f"{library} is not installed: extra {backend}"
    )


@pytest.mark.parametrize(
    ("options", "deaths"),
    [
        (("--jobs", "2"), 1),
        (("--jobs", "2", "--backend", "loky"), 1),
        pytest.param(("--jobs", "2", "--backend", "dask"), 1, marks=needs("dask")),
        pytest.param(("--jobs", "2", "--backend", "ray"), 1, marks=needs("ray")),
        pytest.param(("--jobs", "2", "--backend", "mpi"), 0, marks=needs("mpi")),
    ],
)
def test_workers_make_the_records_of_one_process(options, deaths, judge, lethal_paper, alone, timeless):
    done, out = judge(*options, deaths=deaths)
    assert done.returncode == 0, done.stderr
    assert (lethal_paper / "deaths").read_text() == "0"
    # Floats are written with repr, so equal values in the files are equal to the last bit.
    assert timeless(out) == alone


@needs("mpi")
def test_ranks_of_an_mpi_program_are_workers(judge, alone, timeless):
    launcher = (str(MPIEXEC), "-n", "3", sys.executable, "-m", "mpi4py.futures", "-m", "boundcheck")
    done, out = judge("--backend", "mpi", launcher=launcher)
    assert done.returncode == 0, done.stderr
    assert timeless(out) == alone


@needs("mpi")
def test_ranks_that_are_no_workers_are_told_how_to_start(judge):
    done, out = judge(
        "--backend", "mpi", launcher=(str(MPIEXEC), "-n", "2", sys.executable, "-m", "boundcheck")
    )
    assert done.returncode == 2
    assert "mpiexec -n N python -m mpi4py.futures -m boundcheck verify" in done.stderr
    assert not list(out.rglob("*.json"))


def test_a_unit_that_kills_each_worker_is_not_run_and_the_others_are(judge, lethal_paper, alone, timeless):
    done, out = judge("--jobs", "2", deaths=100)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    found = timeless(out)
    assert set(found) == set(alone)
    (lost,) = [name for name in found if found[name] != alone[name]]
    assert lost.endswith("quarter/exact.enumerated.json")
    assert found[lost]["verdict"] == "not_run"
    assert found[lost]["reason"].startswith("its worker died each of 3 times (killed, or out of memory)")
    # Once in its chunk, then by itself.
    assert int((lethal_paper / "deaths").read_text()) == 100 - 3
    again, out = judge("--jobs", "2", "--resume")
    assert again.returncode == 0, again.stderr
    assert again.stderr.count("(cached)") == 3
    assert timeless(out) == alone
