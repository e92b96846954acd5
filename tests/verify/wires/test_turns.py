"""Turns of processes that measure seconds."""

import subprocess
import sys
import time

from verify.wires import turns

HOLD = """
import sys, time
from pathlib import Path
from verify.wires import turns
turns.turn_file = lambda: Path(sys.argv[1])
with turns.own_turn() as exclusive:
    print(exclusive, flush=True)
    time.sleep(float(sys.argv[2]))
"""


def holding(file, seconds):
    words = [sys.executable, "-c", HOLD, str(file), str(seconds)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "True\n"
    return process


def test_a_second_process_waits_for_the_first(tmp_path, monkeypatch):
    monkeypatch.setattr(turns, "turn_file", lambda: tmp_path / "turn")
    process = holding(tmp_path / "turn", 0.5)
    start = time.monotonic()
    with turns.own_turn() as exclusive:
        assert exclusive
        assert time.monotonic() - start >= 0.3
    process.communicate()


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
