"""Mutants are handed to the test files that name what they change."""

import os
import subprocess
import sys
from pathlib import Path

from tools.mutation.campaign import append, latest
from tools.mutation.handed import promise, public_names
from tools.mutation.operators import mutants_of

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "def twice(x):\n    return _sum(x, x)\n\n\ndef _sum(a, b):\n    return a + b\n"


def test_files_that_name_the_module_or_the_function_promise_more():
    mutant = next(
        item for item in mutants_of("impl/pair/adding.py", SOURCE.encode()) if item.before == "a + b"
    )
    names = public_names(SOURCE.encode())
    assert names == ["twice"]
    both = promise("from impl.pair.adding import twice, _sum", mutant, names)
    module = promise("from impl.pair.adding import *", mutant, names)
    user = promise("from impl.pair import twice", mutant, names)
    assert both > module > user > 0
    assert promise("from impl.pair import thrice", mutant, names) == 0
    assert promise("tests/impl/pair/test_thrice.py", mutant, names) == 1


def test_a_survivor_is_seen_by_a_test_and_not_by_one_that_fails_anyway(tmp_path):
    test = "def test_broken():\n    assert twice(1) == 3\n\n\ndef test_twice():\n    assert twice(3) == 6\n"
    files = {
        "pytest.ini": "[pytest]\n",
        "impl/__init__.py": "",
        "impl/adding.py": SOURCE,
        "theory/__init__.py": "def claims(pattern):\n    return ()\n",
        "verify/__init__.py": "",
        "tests/test_twice.py": f"from impl.adding import twice\n\n\n{test}",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    mutant = next(item for item in mutants_of("impl/adding.py", SOURCE.encode()) if item.before == "a + b")
    state = tmp_path / "state.jsonl"
    append(state, f'{{"id": "{mutant.id}", "outcome": "survivor"}}')
    options = ["--state", str(state), "--folder", str(tmp_path / "tree"), "--cap", "20"]
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "MUTATION_LIBRARIES": "pytest",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    command = [sys.executable, "-m", "tools.mutation.handed", *options]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    row = latest(state)[mutant.id]
    assert (row["outcome"], row["by"]) == ("tests", "tests/test_twice.py")
    assert "test_twice" in row["detail"]


JUDGE = """from types import SimpleNamespace


def verify(ids, out, jobs, progress):
    from impl.adding import twice

    holds = twice(3) == 6
    for name in ids:
        row = {"claim": name, "rung": "exact", "instance": "sums"}
        progress("done", {**row, "verdict": "holds" if holds else "violated"})
    claims = [SimpleNamespace(verdict="holds", reasons=()) for name in ids]
    return SimpleNamespace(claims=claims, exit_code=0)
"""


def test_a_survivor_is_seen_by_claims_and_told_by_their_record(tmp_path):
    files = {
        "impl/__init__.py": "",
        "impl/adding.py": SOURCE,
        "theory/__init__.py": "def claims(pattern):\n    return ()\n",
        "verify/__init__.py": JUDGE,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    mutants = mutants_of("impl/adding.py", SOURCE.encode())
    state = tmp_path / "state.jsonl"
    for mutant in mutants:
        append(state, f'{{"id": "{mutant.id}", "outcome": "survivor"}}')
    options = ["--state", str(state), "--folder", str(tmp_path / "tree"), "--claims", "some/sums some/others"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MUTATION_LIBRARIES": "json"}
    command = [sys.executable, "-m", "tools.mutation.handed", *options]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    rows = latest(state)
    assert all("claim_cpu" in row for row in rows.values())
    (row,) = (rows[item.id] for item in mutants if item.before == "a + b" and "-" in item.after)
    assert row["outcome"] == "verify"
    assert row["detail"].startswith("some/sums/exact/sums: violated")
