"""What docs/audit.md says of public code: every entry of our suites; reproductions run beside that code."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from verify.audit.judging import PEERS, judge_suites
from verify.audit.results import OUR_CONSTANT
from verify.audit.suite import SUITES, read_suite

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
OURS = {suite.project.name: suite for suite in map(read_suite, sorted(SUITES.glob("*.toml")))}
peers = pytest.mark.skipif(
    not os.environ.get(PEERS), reason=f"{PEERS} names no folder with the code of others"
)


BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
LIMITS = {
    name: float(seconds)
    for names, seconds in re.findall(r"^boundcheck audit (.+) --time-limit (\d+)", PAGE, re.MULTILINE)
    for name in names.split()
}


def methods(entry):
    """Return the methods that make the compressor, where one class has several."""
    return [*entry.then, *entry.arguments.get("then", ())]


def names_of(entry):
    """Return what a block that shows the entry names: its memory where it has one, else its object."""
    target = entry.memory or entry.arguments.get("memory") or entry.object
    return [target.partition(":")[2], *methods(entry)]


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
        assert ("(our constant)" in rows[0]) == entry.source.startswith(OUR_CONSTANT), rows[0]
        assert entry.expect_reason in rows[0]
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
            assert entry.expect_reason, entry.name
            assert any(all(name in block for name in names_of(entry)) for block in BLOCKS), entry.name
            assert f"{project}: " in headings
            assert entry.name.partition(",")[0].partition(" as it is")[0] in headings, entry.name


def test_the_page_counts_entries_and_compressors():
    entries = [(suite.project.name, entry) for suite in OURS.values() for entry in suite.entries]
    compressors = {
        (project, entry.object, *(re.sub("_?FP(32|64)$", "", name) for name in methods(entry)))
        for project, entry in entries
    }
    counts = f"{len(entries)} entries ({len(compressors)} compressors"
    assert counts in PAGE
    assert counts in " ".join((ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split())


def test_the_page_says_how_long_each_suite_was_judged():
    assert sorted(LIMITS) == sorted(suite.path.stem for suite in OURS.values())


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
    found = judge_suites([OURS[project]], settings={"time_limit": LIMITS[OURS[project].path.stem]})
    assert [item for item in found if not item.as_expected] == []
