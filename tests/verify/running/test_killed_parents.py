"""Processes that a verb has started end when it is killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SLOW = """
import pathlib, time


def same(x, rng=None):
    pathlib.Path("begun").touch()
    time.sleep(600)
    return x
"""
SUITE = """
[project]
name = "mine"

[[compressor]]
name = "same"
object = "slow:same"
claims = {lossless = true}
source = "here"
"""
AUDIT = ["audit", "suite.toml"]
CHECK = ["check", "slow:same", "-d", "3", "--lossless", "--time-limit", "500"]
LOKY = ["verify", "squant/var", "squant/steps", "--jobs", "2", "--backend", "loky"]
COPIES = ["verify", "squant/var", "--jobs", "2"]

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are seen in /proc")


def alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except FileNotFoundError:
        return False


def children(process):
    tasks = Path(f"/proc/{process}/task").iterdir()
    return [child for task in tasks for child in (task / "children").read_text().split()]


def within(seconds, holds):
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.1)
    return holds()


@pytest.mark.parametrize("killed", ["SIGTERM", "SIGKILL"])
@pytest.mark.parametrize(
    "arguments",
    [AUDIT, CHECK, LOKY, COPIES],
    ids=["audit", "check", "loky", "copies"],
)
def test_children_end_with_a_verb_that_is_killed(tmp_path, arguments, killed):
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "suite.toml").write_text(SUITE)
    path = os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", "")))
    process = subprocess.Popen(
        [sys.executable, "-m", "verify", *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        if arguments[0] == "verify":
            next(line for line in process.stderr if "squant/" in line)
        else:
            assert within(60, (tmp_path / "begun").exists)
        started = children(process.pid)
        process.send_signal(getattr(signal, killed))
        try:
            process.wait(30)
        finally:
            process.kill()
        ended = within(30, lambda: not any(map(alive, started)))
        for child in filter(alive, started):
            os.kill(int(child), signal.SIGKILL)  # they hold the pipe of this test
    assert len(started) == 2 if arguments is COPIES else started
    assert ended
