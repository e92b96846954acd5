"""A scheduler that is running already, in a process of its own: dask leaves threads behind."""

import os
import subprocess
import sys
from contextlib import contextmanager

import pytest

pytest.importorskip("distributed", reason="extra dask")

CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=int(sys.argv[1]), threads_per_worker=2, processes=False, protocol="tcp://",
                      host="127.0.0.1", dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@contextmanager
def scheduler(folder, workers):
    """Run a scheduler; its workers import the paper from the folder in which they run."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BOUNDCHECK_")}
    process = subprocess.Popen(
        [sys.executable, "-c", CLUSTER, str(workers)],
        cwd=folder,
        env={**environment, "DEATHS": str(folder / "deaths")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process.stdout.readline().strip()
    finally:
        process.communicate(timeout=60)


def test_a_running_scheduler_is_used_and_other_versions_are_refused(
    judge, lethal_paper, alone, timeless, tmp_path
):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "mushrooms").write_text("1 1:1\n")
    with scheduler(lethal_paper, 1) as address:
        options = ("--backend", "dask", "--address", address)
        done, out = judge(*options, BOUNDCHECK_DATA=str(tmp_path / "data"))
        assert done.returncode == 2
        assert "LIBSVM sets none (here mushrooms)" in done.stderr
        assert "install the same versions for all workers" in done.stderr
        assert not list(out.rglob("*.json"))
        done, out = judge(*options)
        assert done.returncode == 0, done.stderr
    # Two threads of one worker took turns.
    assert timeless(out) == alone
