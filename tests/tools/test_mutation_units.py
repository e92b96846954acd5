"""Marks of statements, and mutants that are put into live functions."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools.mutation.live import put
from tools.mutation.marks import marked
from tools.mutation.operators import mutants_of
from tools.mutation.units import shown, worse

SOURCE = '''"""A module."""

from functools import cache


class Counter:
    def __init__(self, start=3):
        self.at = start

    @property
    def twice(self):
        return 2 * self.at

    @cache
    def above(self, bound):
        if self.at > bound:
            return "above"
        return "below"
'''


@pytest.fixture
def tree(tmp_path):
    folder = tmp_path / "tree"
    (folder / "impl").mkdir(parents=True)
    (folder / "impl" / "__init__.py").touch()
    (folder / "impl" / "counter.py").write_text(SOURCE)
    return folder


def test_statements_that_ran_are_marked_in_all_processes(tree, tmp_path):
    told = marked(tree, tmp_path / "marked")
    code = "import impl.counter as c; assert c.Counter(1).above(5) == 'below'"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path / "marked", check=True)
    seen = (tmp_path / "marked" / "marks.bin").read_bytes()
    lines = [line for (_, line), mark in zip(json.loads(told.read_text()), seen, strict=True) if mark]
    assert lines == [8, 16, 18]


def test_mutants_are_put_into_methods_properties_and_caches(tmp_path, monkeypatch):
    (tmp_path / "some_counter.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("some_counter")
    mutants = mutants_of("some_counter.py", SOURCE.encode())
    for mutant in mutants:
        if mutant.before == "2 * self.at" or (mutant.before == "self.at > bound" and "<=" in mutant.after):
            assert put(mutant, SOURCE.encode())
    assert module.Counter(4).twice == 0.5
    assert module.Counter(4).above(2) == "below"
    assert not put(next(item for item in mutants if item.before == "3"), SOURCE.encode())


def case(**changes):
    label = {"verdict": "holds", "fixed": ["eq", 0.0, 3], "means": [1.0, 1.0]}
    return {"verdict": "holds", "grade": "exact", "reason": "", "labels": {"a": label | changes}}


def test_cases_are_worse_by_verdict_count_or_mean():
    assert worse("exact", case(), case()) == ""
    assert worse("exact", case(means=[1.0 + 1e-9, 1.0]), case()) == ""
    assert "means" in worse("exact", case(means=[1.001, 1.0]), case())
    assert worse("run", case(means=[1.001, 1.0]), case()) == ""
    assert worse("adversarial", case(means=[7.0, 1.0]), case()) == ""
    assert "instead" in worse("exact", case(fixed=["eq", 0.0, 2]), case())
    assert worse("exact", case(verdict="violated"), case()) == "a: violated"
    assert worse("exact", case() | {"verdict": "inconclusive"}, case()).startswith("inconclusive")
    assert worse("exact", case() | {"labels": {}}, case()) == "other labels"


class Judging:
    """Sees a mutant or not, as a campaign of the full profile would."""

    def __init__(self, **found):
        self.found = found

    def judged(self, mutant):
        row = {"id": mutant, "outcome": "survivor", "by": "", "detail": "", "claims": 3, "not_run": 1}
        return row | {"cpu": 0.5, "seconds": 0.7} | self.found


def test_the_full_profile_adds_to_a_row_and_keeps_a_survivor(tmp_path):
    told = {"id": "some", "full": 3, "full_not_run": 1, "full_cpu": 0.5}
    assert shown(Judging(), "some", "full") == told
    killed = {"outcome": "verify", "by": "a/exact/by-kernels", "detail": "violated"}
    assert shown(Judging(**killed), "some", "full") == told | killed
    assert shown(Judging(), "some", "quick")["cpu"] == 0.5


def test_checks_of_the_full_profile_alone_and_those_with_data():
    code = (
        "from tools.mutation.units import enter, units\n"
        "from pathlib import Path\n"
        "for data, profile in ((None, 'quick'), (Path('theory'), 'full')):\n"
        "    enter(Path().resolve(), data)\n"
        "    asked = units(['cq_marina/logreg', 'ndqsg/coded-size'], 'exact/w*', profile)\n"
        "    print(*('/'.join(key) for key in asked))\n"
    )
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    quick, full = (set(line.split()) for line in ran.stdout.splitlines())
    assert quick & full == {"ndqsg/coded-size/exact/words-by-kernels"}
    assert "ndqsg/coded-size/exact/words" in quick
    assert "cq_marina/logreg/exact/w8a-50" in full
