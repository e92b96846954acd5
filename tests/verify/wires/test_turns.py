"""Turns of processes that measure seconds."""

import subprocess
import sys
import time

import pytest

from verify.errors import BusyError
from verify.wires import link_orders, link_runs, turns

HOLD = """
import sys, time
from pathlib import Path
from verify.wires import turns
turns.turn_file = lambda: Path(sys.argv[1])
with turns.own_turn() as exclusive:
    print(exclusive, flush=True)
    time.sleep(float(sys.argv[2]))
    print(time.monotonic(), flush=True)
"""


def holding(file, seconds):
    words = [sys.executable, "-c", HOLD, str(file), str(seconds)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "True\n"
    return process


def test_a_second_process_waits_for_the_first(tmp_path, monkeypatch):
    monkeypatch.setattr(turns, "turn_file", lambda: tmp_path / "turn")
    process = holding(tmp_path / "turn", 0.5)
    with turns.own_turn() as exclusive:
        assert exclusive
        begun = time.monotonic()  # of one clock for all processes
    assert begun >= float(process.communicate()[0])


def test_the_turn_of_a_process_that_dies_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(turns, "turn_file", lambda: tmp_path / "turn")
    process = holding(tmp_path / "turn", 600)
    process.kill()
    with turns.own_turn() as exclusive:
        assert exclusive
    process.communicate()


def test_without_a_file_nobody_waits(tmp_path, monkeypatch):
    other = tmp_path / "of somebody else"
    other.touch()
    (tmp_path / "turn").symlink_to(other)
    for file in (tmp_path / "turn", tmp_path / "no folder" / "turn"):
        monkeypatch.setattr(turns, "turn_file", lambda file=file: file)
        with turns.own_turn() as exclusive:
            assert not exclusive


def test_where_files_cannot_be_locked_nobody_waits(tmp_path, monkeypatch):
    def refused(file, how):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(turns, "turn_file", lambda: tmp_path / "turn")
    monkeypatch.setattr("fcntl.flock", refused)
    with turns.own_turn() as exclusive:
        assert not exclusive


def test_who_waits_too_long_is_told_for_whom(tmp_path, monkeypatch):
    monkeypatch.setattr(turns, "turn_file", lambda: tmp_path / "turn")
    monkeypatch.setattr(turns, "LIMIT", 0.3)
    process = holding(tmp_path / "turn", 600)
    with pytest.raises(BusyError, match=r"another process has measured for 0\.3 s; end it"), turns.own_turn():
        pass
    process.kill()
    process.communicate()


def test_whatever_measures_seconds_takes_its_turn(tmp_path, monkeypatch):
    monkeypatch.setattr(turns, "turn_file", lambda: tmp_path / "turn")
    monkeypatch.setattr(turns, "LIMIT", 0.3)
    monkeypatch.setattr(link_runs, "_known", {})
    problem = ("quadratic:6", 2, 0.1, "contiguous", 1e-2)
    process = holding(tmp_path / "turn", 600)
    with pytest.raises(BusyError):
        link_runs.measured(link_runs.Plan(problem, (("loopback", "gd", 2),), 1))
    with pytest.raises(BusyError):
        link_orders.few_rounds(problem, ["gd"], 1, 2, ("loopback", "loopback"))
    process.kill()
    process.communicate()
