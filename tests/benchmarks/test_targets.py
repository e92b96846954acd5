"""Verdicts of benchmarks: what was not measured is not reached, and a known miss may not get worse."""

import re
import sys
from pathlib import Path

import pytest

from benchmarks.targets import MARGIN, Known, Measured, judge

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.mark.parametrize("what", ["naive", "peer torch", "copy", "ms", "numpy ms"])
def test_what_was_not_measured_is_not_reached(what):
    for known in (None, Known("calls", 1.0, 1.0)):
        assert judge(what, 5, Measured(), known, wide=True).state == "not measured"


def test_ratios_are_at_least_copies_and_times_at_most():
    for what, good, bad in [("naive", 6, 4), ("copy", 4, 6), ("ms", 4, 6), ("numpy ms", 4, 6)]:
        assert judge(what, 5, Measured(good), None, wide=True).state == "reached"
        assert judge(what, 5, Measured(bad), None, wide=True).state == "missed"


@pytest.mark.parametrize("wide", [False, True])
def test_a_known_miss_that_got_worse_is_no_known_miss(wide):
    known = Known("calls", **{"wide" if wide else "narrow": 3.0})
    other = {"wide": not wide}
    for value, state in [(3.0, "known miss"), (3.1 / MARGIN, "known miss"), (2.9 / MARGIN, "missed")]:
        assert judge("naive", 5, Measured(value), known, wide=wide).state == state
    assert judge("naive", 5, Measured(3.0), known, **other).state == "missed"
    for copies, state in [(3.0, "known miss"), (2.9 * MARGIN, "known miss"), (3.1 * MARGIN, "missed")]:
        assert judge("ms", 5, Measured(8.0, copies), known, wide=wide).state == state
    assert judge("ms", 5, Measured(8.0), known, wide=wide).state == "missed"


def test_each_known_miss_has_its_reason_in_the_readme(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    from known_misses import KNOWN

    for name in ("known_misses", "targets"):
        monkeypatch.delitem(sys.modules, name)
    section = (FOLDER / "README.md").read_text(encoding="utf-8").split("## What limits what is missed")[1]
    first = re.findall(r"^\| ([^|]*) \|", section.split("\n## ")[0], re.M)
    reasons = {
        reason for row in KNOWN.values() for known in row.values() for reason in known.reason.split(", ")
    }
    assert len(reasons) > 5
    for reason in reasons:
        assert any(reason in cell.split(": ")[-1] for cell in first), reason
    assert all(known.wide or known.narrow for row in KNOWN.values() for known in row.values())
