"""The planner held against what was measured."""

import json
import math
from pathlib import Path

import pytest

from verify.planning import computing
from verify.planning.judged import NEAR, decisions, page
from verify.planning.links import link
from verify.planning.problems import problem
from verify.planning.ranked import ranked
from verify.planning.setting import FLOAT_BITS, Setting

MEASURED = Path(__file__).parents[3] / "docs" / "planner.jsonl"


def line(method, bound, modelled, seconds, link="1Mbit"):
    return json.dumps(
        {
            "problem": "p",
            "link": link,
            "method": method,
            "bound": bound,
            "modelled": modelled,
            "seconds": seconds,
        }
    )


def test_decisions_by_hand():
    lines = ['{"machine": "m"}', line("a", 5.0, 2.0, 3.0), line("b", 7.0, 1.9, 2.0)]
    (found,) = decisions([*lines, line("c", 4.0, None, None), line("d", None, 9.0, 9.0)])
    assert (found.cases, found.best, found.seconds) == (3, "b", 2.0)
    assert (found.bounded, found.bounded_ratio) == ("c", math.inf)
    assert (found.tried, found.tried_ratio, found.worst_model) == ("b", 1.0, 1.5)
    (other,) = decisions(lines)
    assert (other.bounded, other.bounded_ratio) == ("a", 1.5)
    text = "\n".join(page(lines))
    assert "1 decisions, 2 measured cases" in text
    assert "| p | 1Mbit | b | 2 | b | 1.00 | a | **1.50** |" in text


def test_the_first_choice_is_near_the_fastest_on_what_was_measured():
    found = decisions(MEASURED.read_text(encoding="utf-8").splitlines())
    assert sum(item.cases for item in found) >= 60
    assert sum(item.tried_ratio <= NEAR for item in found) >= 0.8 * len(found)
    assert all(abs(item.worst_model - 1) <= 0.25 for item in found)


@pytest.mark.parametrize("words", ["10Mbit,5ms", "20kbit,1ms,uplink"])
def test_the_planner_still_chooses_what_was_near_the_fastest(words, monkeypatch):
    rows = [json.loads(item) for item in MEASURED.read_text(encoding="utf-8").splitlines()]
    mine = {
        row["method"]: row
        for row in rows
        if (row.get("problem"), row.get("link")) == ("breast-cancer", words)
    }
    monkeypatch.setattr(computing.Computing, "__init__", lambda self, setting: None)
    monkeypatch.setattr(
        computing.Computing, "of", lambda self, item: mine[item.method if item.wire else "GD"]["computing"]
    )
    made = problem("breast-cancer", 6, 0.02)
    first = ranked(Setting(made, link(words, FLOAT_BITS * made.d), 1e-2))[0]
    best = min(row["seconds"] for row in mine.values() if row["seconds"] is not None)
    chosen = mine[first.prediction.method]
    assert chosen["seconds"] <= NEAR * best
    assert first.trial_rounds == chosen["rounds"]
    assert first.trial == pytest.approx(chosen["modelled"], rel=1e-4)
