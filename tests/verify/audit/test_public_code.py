"""What docs/audit.md says of public code: every entry of our suites; reproductions run beside that code."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from verify.audit.judging import PEERS, judge_suites
from verify.audit.suite import SUITES, read_suite

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
OURS = {suite.project.name: suite for suite in map(read_suite, sorted(SUITES.glob("*.toml")))}
peers = pytest.mark.skipif(
    not os.environ.get(PEERS), reason=f"{PEERS} names no folder with the code of others"
)


def reproductions():
    """Yield the project of each block of Python on the page, its heading, and the block."""
    for section in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]:
        heading = section.partition("\n")[0]
        for place, block in enumerate(
            re.findall(r"^```python\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
        ):
            yield pytest.param(heading.partition(":")[0], block, id=f"{heading} {place}")


@pytest.mark.parametrize("project", OURS)
def test_the_table_has_every_entry_with_its_verdict(project):
    for entry in OURS[project].entries:
        rows = [
            line
            for line in PAGE.replace("\\", "").splitlines()
            if line.startswith(f"| {project} | {entry.name} |")
        ]
        assert len(rows) == 1, entry.name
        verdicts = [entry.expect] + ["not run"] * entry.note.startswith("needs ")
        assert any(f"| {verdict} |" in rows[0] for verdict in verdicts), rows[0]


@pytest.mark.parametrize("project", OURS)
def test_what_is_violated_is_described_with_its_upstream(project):
    headings = " ".join(re.findall(r"^### (.*)", PAGE, re.MULTILINE))
    suite = OURS[project]
    assert suite.project.commit[:7] in PAGE
    for entry in suite.entries:
        if entry.expect in ("violated", "refused"):
            assert entry.note, entry.name
            assert f"{project}: " in headings
            assert entry.name.partition(",")[0].partition(" as it is")[0] in headings, entry.name


def test_there_are_compressors_enough():
    assert len(OURS) >= 6
    assert sum(len(suite.entries) for suite in OURS.values()) >= 25


@peers
@pytest.mark.parametrize(("project", "block"), list(reproductions()))
def test_reproductions_run(project, block):
    folder = Path(os.environ[PEERS]) / OURS[project].project.folder
    environment = os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-c", block], env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]


@peers
@pytest.mark.parametrize("project", OURS)
def test_the_real_ones_are_as_they_were_found(project):
    found = judge_suites([OURS[project]], settings={"time_limit": 8.0})
    assert [item for item in found if not item.as_expected] == []
