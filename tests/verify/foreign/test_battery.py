"""The battery of docs/battery.md: a dozen of its cases, how it measures faults, and its runner."""

import json
import sys

import pytest

from benchmarks.foreign_battery import __main__ as runner
from benchmarks.foreign_battery.judging import false_alarms, judged, table
from verify.errors import UsageError

CASES = {(family, case.name): case for family, case in judged.cases()}

QUICK = [
    ("scaling", "scaled by 0.95", 64),
    ("scaling", "messages lost", 64),
    ("rounding", "no top level", 4096),
    ("rounding", "uniforms of 4 bits", 64),
    ("sparsifiers", "last entry never kept", 64),
    ("sparsifiers", "blocks that do not divide d", 64),
    ("norms", "norm floored at 1e-2", 4096),
    ("layout", "entry 17 dropped", 64),
    ("layout", "padding read as data", 64),
    ("dtypes", "five levels in two bits", 64),
    ("dtypes", "float16 overflow", 64),
    ("constants", "rounding: omega / 1.05", 64),
    ("constants", "bits of entries only", 64),
    ("constants", "own variance times 0.97", 64),
    ("nodes", "two nodes share a seed", 64),
    ("memories", "memory of one half", 64),
]


def test_there_are_enough_of_them():
    assert len(CASES) == sum(1 for _ in judged.cases())
    assert sum(not case.right for case in CASES.values()) >= 60
    assert sum(case.right for case in CASES.values()) >= 30


@pytest.mark.parametrize(("family", "name", "d"), QUICK, ids=[f"{item[0]}, {item[1]}" for item in QUICK])
def test_a_fault_is_refuted(family, name, d):
    found = judged.judge(family, CASES[family, name], d)
    assert found.size >= judged.LEAST
    assert found.verdict in ("violated", "refused"), found
    assert found.why
    assert not found.missed


@pytest.mark.parametrize(
    "name", ["rand-k", "one uniform for all", "seldom all", "top-k", "with a fixed memory"]
)
def test_a_right_one_is_not(name):
    found = judged.judge("right", CASES["right", name], 64, resolution=0.1, samples=2**13)
    assert found.verdict in ("consistent", "inconclusive"), found
    assert not found.missed


@pytest.mark.parametrize(
    ("family", "name", "size"),
    [
        ("scaling", "scaled by 0.95", 0.05),  # omega = 1: the bias over the norm
        ("layout", "last entry dropped", 1.0),
        ("sparsifiers", "rand-k unscaled", 0.75 / 3**0.5),
        ("constants", "rounding: omega / 1.05", 0.05),
        ("constants", "own variance times 0.5", 1.0),
        ("nodes", "shared seeds", 3.0),  # n - 1
    ],
)
def test_the_size_of_a_fault_is_measured(family, name, size):
    assert CASES[family, name].size(64) == pytest.approx(size, rel=0.05)


def _found(**changed):
    values = {
        "family": "scaling",
        "name": "a",
        "fault": "wrong",
        "d": 64,
        "size": 0.05,
        "verdict": "violated",
        "seconds": 1.0,
        "why": "",
    }
    return judged.Judged(**(values | changed))


@pytest.mark.parametrize(
    ("changed", "missed"),
    [
        ({}, False),
        ({"verdict": "refused"}, False),
        ({"verdict": "consistent"}, True),
        ({"verdict": "inconclusive"}, True),
        ({"seconds": 21.0}, True),
        ({"verdict": "consistent", "size": 0.019}, False),
        ({"fault": "", "size": 0.0, "verdict": "consistent"}, False),
        ({"fault": "", "size": 0.0, "verdict": "violated"}, True),
        ({"fault": "", "size": 0.0, "verdict": "refused"}, True),
    ],
)
def test_what_counts_as_missed(changed, missed):
    assert _found(**changed).missed == missed
    assert ("(missed)" in table.page([_found(**changed)], [], "none", "today")) == missed


def test_the_runner_goes_on_where_it_ended(tmp_path, monkeypatch, capsys):
    results, page = tmp_path / "battery.jsonl", tmp_path / "battery.md"
    monkeypatch.setattr(
        sys, "argv", ["battery", "scaling/*clipped", "--results", str(results), "--write", str(page)]
    )
    calls = []

    def judge(family, case, d):
        calls.append((family, case.name, d))
        return _found(family=family, name=case.name, d=d)

    monkeypatch.setattr(judged, "judge", judge)
    assert runner.main() == 0
    assert len(calls) == len(results.read_text().splitlines()) == 4
    assert "| scaling: input clipped | wrong | 64 | 5.0% | violated | 1.0 |" in page.read_text()
    assert runner.main() == 0
    assert len(calls) == 4
    first = results.read_text().splitlines()[0]
    results.write_text(first + "\n")
    monkeypatch.setattr(sys, "argv", [*sys.argv, "--known"])
    assert runner.main() == 0
    assert len(calls) == 4  # nothing was judged
    assert page.read_text().count("Not judged with these sources: ") == 1
    sys.argv.pop()
    line = json.loads(first) | {"verdict": "consistent"}
    results.write_text(json.dumps(line))
    assert runner.main() == 1
    assert len(calls) == 7
    assert "Missed: scaling/input clipped at d=64." in capsys.readouterr().out


def test_false_alarms_are_looked_for_and_counted(tmp_path, monkeypatch):
    results = tmp_path / "alarms.jsonl"
    monkeypatch.setattr(false_alarms, "SAMPLES", 64)
    assert false_alarms.look(3, results, "a") == 0
    assert "3 of 10000 runs were made, 0 false alarms" in false_alarms.summary(results, "a")

    def refuse(*_, **__):
        raise UsageError("no")

    monkeypatch.setattr(false_alarms, "check_compressor", refuse)
    assert false_alarms.look(3, results, "a") == 0  # they are there already
    assert false_alarms.look(2, results, "b") == 1
    assert "2 false alarms" in false_alarms.summary(results, "b")
    assert false_alarms.summary(results, "c") == "No run of these sources is recorded."
