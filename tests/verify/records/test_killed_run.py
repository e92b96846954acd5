"""A run that is killed with signal 9 loses nothing that was finished."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "from verify.cli import main; main()", "verify", "squant/var", "--jobs", "1"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill -9")
def test_a_killed_run_resumes_without_repeating(tmp_path, timeless, variance_run):
    command = [*COMMAND, "--out", str(tmp_path)]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    finished = []
    with process:
        for line in process.stderr:
            if "squant/var" in line:
                finished.append(line.split()[2].rstrip(":"))
            if len(finished) == 4:
                os.killpg(process.pid, signal.SIGKILL)
                break
    assert process.returncode == -signal.SIGKILL
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")}
    assert 4 <= len(kept) < len(timeless(variance_run))

    resumed = subprocess.run([*command, "--resume"], capture_output=True, text=True, check=False)
    assert resumed.returncode == 0, resumed.stderr
    cached = [
        line.split()[2].rstrip(":") for line in resumed.stderr.splitlines() if line.endswith("(cached)")
    ]
    assert len(cached) == len(kept)
    assert set(finished) <= set(cached)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert timeless(tmp_path) == timeless(variance_run)


def _alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="workers are copies, seen in /proc, on Linux"
)
@pytest.mark.parametrize("killed", ["SIGTERM", "SIGKILL"])
def test_the_workers_of_a_killed_run_end_with_it(tmp_path, killed):
    command = [*COMMAND[:-1], "2", "--out", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    with process:
        next(line for line in process.stderr if "squant/var" in line)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.send_signal(getattr(signal, killed))
    assert len(children) == 2
    patience = time.monotonic() + 30  # a busy machine
    while any(map(_alive, children)) and time.monotonic() < patience:
        time.sleep(0.1)
    assert not any(map(_alive, children))
