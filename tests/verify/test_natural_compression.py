"""The foreign project in tests/foreign: judged with one and two processes, cited, stale after an edit."""

import functools
import json
import os
import shutil
from pathlib import Path

import pytest

NATURAL = Path(__file__).resolve().parents[1] / "foreign" / "natural"
LINES = 150
"""Lines that are not blank, in all."""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(NATURAL, folder / "natural", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def run(project, warm_boundcheck):
    environment = {**os.environ, "BOUNDCHECK_CLAIMS": "natural"}
    return functools.partial(warm_boundcheck, project, environment=environment)


def contents(folder):
    """Return the records without times."""
    found = {}
    for path in sorted(folder.glob("records/natural/*/*.json")):
        record = json.loads(path.read_text())
        found[path.name, record["claim"]] = {
            k: v for k, v in record.items() if k not in ("seconds", "digest")
        }
    return found


def test_it_is_short():
    lines = [line for path in NATURAL.rglob("*.py") for line in path.read_text().splitlines() if line.strip()]
    assert len(lines) <= LINES


def test_every_part_holds_by_proof_with_one_and_two_processes(project, run):
    for jobs in ("1", "2"):
        found = run("verify", "natural/*", "--jobs", jobs, "--out", f"out{jobs}", "--json")
        assert found.returncode == 0, found.stderr
        claims = json.loads(found.stdout)["claims"]
        assert [claim["verdict"] for claim in claims] == ["holds"] * 3
        assert all(
            part["verdict"] == "holds" and part["grade"] == "proof" for c in claims for part in c["parts"]
        )
        assert all(claim["mutants_rejected"] == claim["mutants_total"] > 0 for claim in claims)
    assert contents(project / "out1") == contents(project / "out2") != {}


def test_it_is_cited_and_stale_after_an_edit(project, run):
    cited = run("cite", "natural/omega", "--out", "out1")
    assert cited.returncode == 0, cited.stderr
    assert "natural" in cited.stdout
    assert "by proof" in cited.stdout or "proved" in cited.stdout
    path = project / "natural" / "compressor.py"
    path.write_text(path.read_text() + "\n# edited\n")
    listed = json.loads(run("list", "natural/*", "--out", "out1", "--json").stdout)["claims"]
    assert all(claim["stale"] for claim in listed)
