"""Ranks of an MPI program: the same course as in one process, and faults that end everywhere."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mpi4py", reason="mpi4py is not installed (extra mpi)")
MPIEXEC = Path(sys.executable).with_name("mpiexec")
if not MPIEXEC.is_file():
    pytest.skip("mpiexec is not beside this interpreter (extra mpi)", allow_module_level=True)

RUN = ["run", "diana_plus:block", "--problem", "quadratic:6", "-n", "2", "--accuracy", "1e-2", "--seed", "3"]
FAULTY = """
import os, sys, time
from impl.wires import working

fault, answer = sys.argv.pop(), working.Working.answer

def faulty(self, data):
    # Not in the process of the server, which runs alone first.
    if self.place == 1 and self.round == 3 and os.environ.get("PMI_RANK") == "2":
        if fault == "raises":
            raise RuntimeError("a bug")
        if fault == "dies":
            os._exit(7)
        time.sleep(300)
    return answer(self, data)

working.Working.answer = faulty
from verify.cli import main
main(prog_name="boundcheck")
"""


def started(folder, ranks, *arguments, program=("-m", "boundcheck"), fault=()):
    command = [str(MPIEXEC), "-n", str(ranks), sys.executable, *program, *arguments, *fault]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=120, env=environment, check=False
    )


def lines_of(folder):
    (trace,) = folder.glob("*.jsonl")
    return [json.loads(line) for line in trace.read_text().splitlines()]


def test_the_course_is_that_of_one_process(tmp_path):
    found = started(tmp_path, 3, *RUN, "--engine", "mpi", "--json", "--out", "mpi")
    assert (found.returncode, found.stderr) == (0, "")
    document = json.loads(found.stdout)
    command = [sys.executable, "-m", "boundcheck", *RUN, "--engine", "inprocess", "--json", "--out", "own"]
    own = json.loads(subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout)
    same = ("rounds", "bytes_up", "bytes_down", "relative_gap", "status", "step_size", "problem")
    assert [document[key] for key in same] == [own[key] for key in same]
    one, two = (lines_of(tmp_path / name)[1:-1] for name in ("mpi", "own"))
    assert [(line["up"], line["down"]) for line in one] == [(line["up"], line["down"]) for line in two]
    assert len(document["workers"]) == 2


def test_another_number_of_ranks_is_an_error_of_each(tmp_path):
    found = started(tmp_path, 2, *RUN, "--engine", "mpi")
    assert found.returncode == 2
    assert (
        found.stderr.count("with n=2 workers needs 3 ranks, there are 2; start it by `mpiexec -n 3 py") == 2
    )


def test_an_error_of_the_user_ends_all_ranks(tmp_path):
    found = started(tmp_path, 3, "run", "gd", "--problem", "nosuch", "-n", "2", "--engine", "mpi")
    assert found.returncode == 2
    assert "Error: problem='nosuch' is unknown" in found.stderr
    for place in (0, 1):
        assert f"worker {place} stops: there is no run: problem='nosuch' is unknown" in found.stderr


@pytest.mark.parametrize(
    ("fault", "words", "others"),
    [
        ("raises", "round 3: worker 1 failed in round 3: RuntimeError: a bug", True),
        ("sleeps", "round 3: worker 1 sent no message within 3 s", True),
        (
            "dies",
            None,
            False,
        ),  # MPI itself ends everything; whether it says so, or passes on the code, varies
    ],
)
def test_a_fault_ends_all_ranks_and_keeps_the_trace(fault, words, others, tmp_path):
    (tmp_path / "faulty.py").write_text(FAULTY)
    found = started(
        tmp_path,
        3,
        *RUN,
        "--engine",
        "mpi",
        "--timeout",
        "3",
        "--out",
        ".",
        program=["faulty.py"],
        fault=[fault],
    )
    assert found.returncode != 0
    text = found.stdout + found.stderr
    if words is None:
        assert found.returncode == 7 or "BAD TERMINATION" in text
    else:
        assert f"failed: {words}" in found.stderr
    if others:
        assert f"worker 0 stops: {words}" in found.stderr
    lines = lines_of(tmp_path)
    assert sum("up" in line for line in lines) == 3
    assert ("result" in lines[-1]) == (words is not None)
