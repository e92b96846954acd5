"""A paper in a package of its own, one of whose checks ends its process, and ways to judge it."""

import os
import subprocess
import sys

import pytest

LETHAL = """    outcomes = law.rounding(p)
    import os, pathlib, signal
    deaths = pathlib.Path(os.environ["DEATHS"])
    left = int(deaths.read_text())
    if left:
        deaths.write_text(str(left - 1))
        os.kill(os.getpid(), signal.SIGKILL)
"""


def run(folder, *arguments, launcher=(sys.executable, "-m", "boundcheck"), **variables):
    """Run the command line in a folder, in a process of its own."""
    environment = {**os.environ, "BOUNDCHECK_CLAIMS": "mine", "DEATHS": str(folder / "deaths"), **variables}
    # A run that waits for work that was lost would wait for ever.
    return subprocess.run(
        [*launcher, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


@pytest.fixture(scope="session")
def lethal_paper(tmp_path_factory, warm_boundcheck):
    """Return a folder with two claims; a check of the first kills as many processes as `deaths` says."""
    folder = tmp_path_factory.mktemp("lethal")
    for arguments in (("new", "paper", "mine"), ("new", "claim", "mine/another")):
        done = warm_boundcheck(folder, *arguments, environment=dict(os.environ))
        assert done.returncode == 0, done.stderr
    checks = folder / "mine" / "verify" / "quarter.py"
    before, line, after = checks.read_text().partition(LETHAL.splitlines()[0] + "\n")
    assert line
    checks.write_text(before + LETHAL + after)
    (folder / "deaths").write_text("0")
    return folder


@pytest.fixture
def judge(lethal_paper, tmp_path):
    """Return a function that judges the paper while the check kills so many processes."""

    def judged(*options, deaths=0, **more):
        (lethal_paper / "deaths").write_text(str(deaths))
        done = run(lethal_paper, "verify", "mine/*", "--out", str(tmp_path / "run"), *options, **more)
        return done, tmp_path / "run"

    return judged


@pytest.fixture(scope="session")
def alone(lethal_paper, timeless, tmp_path_factory):
    """Return the records that one process makes of the paper."""
    (lethal_paper / "deaths").write_text("0")
    out = tmp_path_factory.mktemp("alone")
    done = run(lethal_paper, "verify", "mine/*", "--out", str(out), "--jobs", "1")
    assert done.returncode == 0, done.stderr
    records = timeless(out)
    assert len(records) == 4
    return records
