"""Plans on real links: seconds of rounds, and what this machine computes."""

import json
import math
from dataclasses import replace
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from impl.communication import RoundSeconds
from verify.cli import main
from verify.errors import UsageError
from verify.planning import computing
from verify.planning.links import link
from verify.planning.problems import problem
from verify.planning.processes import on_processes
from verify.planning.ranked import ranked
from verify.planning.setting import Setting
from verify.planning.trials import trial
from verify.wires.links import real_link

D = 6


@pytest.fixture
def computed(monkeypatch):
    """Let each method compute for as long as its name has letters, in milliseconds."""
    monkeypatch.setattr(computing.Computing, "__init__", lambda self, setting: None)
    monkeypatch.setattr(computing.Computing, "of", lambda self, item: len(item.method) / 1e3)


def setting(text="1Mbit,10ms", nodes=3, d=D):
    return Setting(problem(f"quadratic:{d}", nodes, 0.1), link(text, 32 * d), 1e-2)


def test_a_real_link_is_a_cost_of_rounds():
    assert link("1Mbit,10ms", 100) == RoundSeconds(real_link("1Mbit,10ms"), 100)
    assert link("loopback") == RoundSeconds(real_link("loopback"), 0)
    with pytest.raises(UsageError, match="the rate '0Mbit' must be positive"):
        link("0Mbit")
    with pytest.raises(UsageError, match=r"or RATE\[,DELAY\]\[,uplink\]"):
        link("fast")


def test_computing_is_added_to_every_round(computed):
    made = setting()
    assert made.on_a_real_link
    rows = ranked(made, run=True, most_rounds=500)
    for row in rows:
        item = row.prediction
        if item.rounds is None:
            continue
        each = len(item.method) / 1e3
        assert item.cost >= item.rounds * (each + made.price(0))
        assert ("computing as of GD" in item.note) == (item.wire is None)
        if row.cost is not None:
            assert row.rounds * (each + made.price(0)) <= row.cost <= item.cost * (1 + 1e-9)
    whole = next(row.prediction for row in rows if row.prediction.method == "GD")
    assert whole.cost == pytest.approx(whole.rounds * (2 / 1e3 + made.price(32 * D)))


def test_the_server_waits_for_the_longest_message_of_perm_k(computed):
    made = setting("1kbit,1us", 4)  # six entries for four nodes: two, two, one and one
    row = next(row for row in ranked(made) if "PermK" in row.prediction.method)
    p = float(row.prediction.method.rpartition("p=")[2])
    each = len(row.prediction.method) / 1e3 + p * made.price(32 * D) + (1 - p) * made.price(2 * 32)
    assert row.prediction.cost == pytest.approx(made.price(32 * D) + row.prediction.rounds * each)


def test_order_depends_on_the_link(computed):
    fast, slow = (
        [row.prediction.method for row in ranked(setting(text, 2, 12))] for text in ("1Gbit,1us", "1kbit,1us")
    )
    assert fast.index("GD") < slow.index("GD")


def test_methods_with_halves_name_them(computed):
    for row in ranked(setting()):
        item, without = row.prediction, ("random entries", "greedy entries", "CAT-ST", "GD with memory")
        # Methods with memory have halves, but have not been held against runs on processes.
        assert (item.wire is not None) == (item.method.split(",")[0] not in without)


def test_the_command_plans_in_seconds():
    arguments = ["plan", "--problem", "quadratic:4", "-n", "2", "--link", "1Mbit,1ms", "--json"]
    found = CliRunner().invoke(main, arguments, catch_exceptions=False)
    document = json.loads(found.stdout)
    assert document["unit"] == "seconds"
    costs = [item["trial_cost"] or item["predicted_cost"] or math.inf for item in document["methods"]]
    assert costs == sorted(costs)
    assert document["methods"][0]["trial_rounds"] > 0
    assert all(cost > 0 for cost in costs)


def test_a_trial_is_priced_by_hand(computed):
    made = setting()
    whole = next(row for row in ranked(made) if row.prediction.method == "GD")
    each = 2 / 1e3 + real_link("1Mbit,10ms").round_trip(4 * D + 6, 4 * D + 6)  # six bytes frame a message
    assert whole.trial == pytest.approx(whole.trial_rounds * each)
    assert whole.trial < whole.prediction.cost
    assert whole.trial_rounds < whole.prediction.rounds
    assert all(row.trial is None for row in ranked(made, trials=False))


def test_a_trial_ends_where_it_is_late(computed):
    made = setting()
    prediction = next(row.prediction for row in ranked(made, trials=False) if row.prediction.method == "GD")
    link = real_link("1Mbit,10ms")
    each = 2 / 1e3 + link.round_trip(4 * D + 6, 4 * D + 6)
    whole = trial(made, prediction, link, 2 / 1e3, math.inf)
    assert whole.seconds == whole.at_least == pytest.approx(len(whole.course.rounds) * each)
    late = trial(made, prediction, link, 2 / 1e3, 2.5 * each)
    assert late.seconds == math.inf
    assert len(late.course.rounds) == 3


def test_a_trace_that_is_cut_is_told_beside_what_was_measured(computed, monkeypatch):
    made = setting()
    row = next(row for row in ranked(made) if row.prediction.wire is not None)
    found = SimpleNamespace(
        outcome=SimpleNamespace(rounds=[1, 2], seconds=3.0),
        status="reached",
        trace_problem="the disk is full",
    )
    monkeypatch.setattr("verify.wires.running.run", lambda task: found)
    told = on_processes(made, replace(row, trial=1.0), "tcp", 10, 0, "quadratic:6")
    assert (told.status, told.rounds, told.cost) == ("reached", 2.0, 3.0)
    assert told.prediction.note.endswith("its trace is cut: the disk is full")
    found.trace_problem = ""
    whole = on_processes(made, replace(row, trial=1.0), "tcp", 10, 0, "quadratic:6")
    assert whole.prediction.note == row.prediction.note
