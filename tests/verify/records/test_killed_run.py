"""A run that is killed with signal 9 loses nothing that was finished."""

import os
import signal
import subprocess
import sys

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
