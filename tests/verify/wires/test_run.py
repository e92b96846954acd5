"""`boundcheck run`: what it tells, what it keeps, what it refuses."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from verify.cli import main

QUADRATIC = ["--problem", "quadratic:6", "-n", "2", "--accuracy", "1e-2"]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function: the command in a fresh folder."""
    monkeypatch.chdir(tmp_path)

    def of(*arguments):
        return CliRunner().invoke(main, ["run", *arguments], catch_exceptions=False)

    return of


@pytest.mark.parametrize("method", ["gd", "diana_plus:block", "ndqsg"])
def test_rounds_and_bytes_are_those_of_one_process(method, run, tmp_path):
    # The nodes differ too much for nested messages: no bound is known for them.
    more, code, status = (["--rounds", "9"], 1, "not reached") if method == "ndqsg" else ([], 0, "reached")
    for seed in ("0", "1"):
        found = {}
        for engine in ("inprocess", "tcp"):
            result = run(method, *QUADRATIC, *more, "--engine", engine, "--seed", seed, "--json")
            assert result.exit_code == code
            found[engine] = json.loads(result.stdout)
        same = ("rounds", "bytes_up", "bytes_down", "relative_gap", "status", "step_size")
        assert [found["tcp"][key] for key in same] == [found["inprocess"][key] for key in same]
        assert (found["tcp"]["relative_gap"] <= 1e-2) == (status == "reached")
        assert found["tcp"]["status"] == status
        assert len(found["tcp"]["workers"]) == 2
        lines = [json.loads(line) for line in (tmp_path / found["tcp"]["trace"]).read_text().splitlines()]
        assert lines[0]["task"]["seed"] == int(seed)
        assert len(lines) == found["tcp"]["rounds"] + 2
        assert sum(line["up"] for line in lines[1:-1]) == found["tcp"]["bytes_up"]
        assert lines[-1]["result"]["seconds"] == found["tcp"]["seconds"]


def test_the_table(run):
    found = run("gd", *QUADRATIC, "--engine", "inprocess")
    assert found.exit_code == 0
    assert "reached" in found.stdout
    assert "gd-quadratic_6-inprocess-0.jsonl" in found.stdout.replace("\n", "")
    csv = run("gd", *QUADRATIC, "--engine", "inprocess", "--format", "csv")
    assert csv.stdout.splitlines()[0] == (
        "method,engine,rounds,seconds,ms a round,bytes up,bytes down,gap,status"
    )


def test_too_few_rounds(run):
    found = run("gd", *QUADRATIC, "--rounds", "3")
    assert found.exit_code == 1
    assert "not reached: 3 rounds were not enough; give more by --rounds" in found.stderr


def test_a_run_that_diverges(run, monkeypatch):
    from verify.wires import methods

    monkeypatch.setattr(methods, "_server_options", lambda step, chosen: {"step_size": 1e9, "point_bits": 32})
    found = run("gd", *QUADRATIC, "--json")
    assert found.exit_code == 1
    document = json.loads(found.stdout)
    assert document["status"] == "diverged"
    assert f"after {document['rounds']} rounds ||x|| is " in document["reason"]
    assert "NaN" not in found.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gd", "--link", "0Mbit"], "link='0Mbit': the rate '0Mbit' must be positive"),
        (["nosuch"], "METHOD='nosuch' is unknown"),
        (["gd", "-n", "570"], "nodes=570 must be at most 569, the number of rows"),
        (["gd", "-n", "570", "--split", "label"], "nodes=570 must be at most 569, the number of rows"),
        (["gd", "--timeout", "0"], "timeout=0.0 must be a positive finite number"),
        (["gd", "--accuracy", "2"], "accuracy=2.0 must be between 0 and 1"),
        (
            ["gd", "--problem", "quadratic:4", "-n", "2", "--out", "/proc/nowhere"],
            "out='/proc/nowhere' cannot be",
        ),
        (["ndqsg", "-n", "1"], "METHOD='ndqsg' needs at least two workers"),
        (["gd", "--problem", "a9a"], "BOUNDCHECK_DATA"),
    ],
)
def test_what_the_user_can_mend(arguments, words, run, monkeypatch):
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    found = run(*arguments)
    assert found.exit_code == 2
    assert words in found.stderr
    assert found.stderr.startswith("Error: ")


def test_without_mpi_the_engine_says_what_is_missing(run, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "mpi4py", None)
    found = run("gd", "--engine", "mpi")
    assert found.exit_code == 2
    assert "engine='mpi' needs mpi4py and an MPI library" in found.stderr
    assert "pip install 'boundcheck[mpi]'" in found.stderr


def test_rows_by_label(run):
    one = json.loads(run("gd", "--accuracy", "0.3", "--engine", "inprocess", "--json").stdout)
    two = json.loads(
        run("gd", "--accuracy", "0.3", "--engine", "inprocess", "--split", "label", "--json").stdout
    )
    assert one["problem"]["n"] == two["problem"]["n"] == 6
    assert one["problem"]["L"] != two["problem"]["L"]


@pytest.mark.parametrize("lacking", ["rights", "Unix"])
def test_without_namespaces_the_clock_holds_messages_back(lacking, run, monkeypatch):
    import sys

    from impl.wires.transports import tun

    if lacking == "Unix":
        monkeypatch.setitem(sys.modules, "impl.wires.transports.tun", None)
    else:
        monkeypatch.setattr(tun, "require_tunnels", _refuse)
    found = run("gd", *QUADRATIC, "--engine", "tun", "--link", "10Mbit", "--json")
    assert found.exit_code == 0
    document = json.loads(found.stdout)
    assert document["engine"] == "tcp"
    assert document["status"] == "reached"
    assert document["note"] in found.stderr
    assert document["note"].startswith("engine tun")
    assert document["note"].endswith("messages are held back by the clock")


def _refuse():
    from impl.wires.transports.tun import NotPermittedError

    raise NotPermittedError("no network namespace can be had (unshare: Operation not permitted)")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gd", *QUADRATIC, "--levels", "3"], "--levels changes nothing for gd"),
        (["dqsg", *QUADRATIC, "--probability", "0.3"], "--probability changes nothing for dqsg"),
        (["gd", *QUADRATIC, "--split", "label"], "--split changes nothing for a quadratic"),
        (["gd", *QUADRATIC, "--engine", "inprocess", "--link", "1Mbit"], "--link changes nothing"),
        (["gd", *QUADRATIC, "--engine", "inprocess", "--port", "7000"], "--port changes nothing"),
    ],
)
def test_options_without_effect_are_refused(run, arguments, words):
    found = CliRunner().invoke(main, ["run", *arguments])
    assert found.exit_code == 2
    assert words in found.output


def test_another_run_keeps_the_trace_of_the_first(run, tmp_path):
    traces = [
        json.loads(run("gd", *QUADRATIC, "--engine", "inprocess", "--accuracy", part, "--json").stdout)[
            "trace"
        ]
        for part in ("0.5", "0.1", "0.5")
    ]
    assert len(set(traces)) == 3
    lines = [len((tmp_path / trace).read_text().splitlines()) for trace in traces]
    assert lines[0] == lines[2] <= lines[1]


@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
@pytest.mark.parametrize(("room", "whole"), [(10, None), (600, False), (1 << 20, True)])
def test_a_disk_that_fills_up_costs_the_trace_not_the_run(room, whole, tmp_path):
    import resource

    found = subprocess.run(
        [sys.executable, "-m", "verify", "run", "gd", *QUADRATIC, "--engine", "inprocess", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # what Python keeps would be cut, too
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )
    assert "Traceback" not in found.stderr
    document = json.loads(found.stdout)
    if whole is None:
        assert found.returncode == 2
        assert "out='.boundcheck/runs' cannot be written (File too large); make room" in document["error"]
        assert not list((tmp_path / ".boundcheck/runs").iterdir())
        return
    assert document["status"] == "reached"
    lines = [json.loads(line) for line in (tmp_path / document["trace"]).read_text().splitlines()]
    assert (len(lines) == document["rounds"] + 2) == whole
    assert (found.returncode, document["trace_problem"] == "") == ((0, True) if whole else (2, False))
    assert ("Error: the trace is cut: out='.boundcheck/runs'" in found.stderr) != whole
