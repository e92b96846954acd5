"""Checks on links, with runs that are made up: near the model, off it, and on a machine that is busy."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import theory
from impl.wires import Outcome, model
from impl.wires.transports import tcp
from verify.errors import BUSY, BusyError, NotMeasuredError
from verify.judging.judgement import judge_unit
from verify.judging.verdicts import judge_claim
from verify.running.runner import RunReport, unit_of
from verify.wires import link_runs

SEED = 20240601


@pytest.fixture
def judged(links_as_modelled):
    """Return a function: the record of the check on links; runs take `factor` times what the model says."""

    # Imports the checks, which take their functions before any of them is replaced.
    unit = unit_of("squant/real-links", "run", "breast-cancer")

    def of(**changes):
        links_as_modelled(**changes)
        return judge_unit(unit, "quick", SEED)

    return of


def test_near_the_model(judged):
    for factor in (0.8, 1.2):
        record = judged(factor=factor)
        assert record["verdict"] == "consistent", record["reason"]
        assert all(item["rejected"] for item in record["mutants"])
        ratios = record["witness"]["measured over modelled"]
        assert list(ratios.values()) == pytest.approx([factor] * 10)


def test_off_the_model(judged):
    record = judged(factor=1.3)
    assert record["verdict"] == "violated"
    failing = [label for label, item in record["labels"].items() if item["verdict"] == "violated"]
    assert failing == ["pairs near the model"]


def test_a_busy_machine_measures_nothing(judged):
    record = judged(slow=[3.0])
    assert (record["verdict"], record["mutants"], record["labels"]) == ("not_run", [], {})
    told = f"{BUSY}: a computation takes 3 times as long as its CPU time, 2 is allowed"
    assert record["reason"].startswith(told)
    result = judge_claim(theory.claim("squant/real-links"), [record])
    found = {part.label: part.verdict for part in result.parts}
    assert [found[label] for label in "efgh"] == ["not_run"] * 4
    assert not any("pinned" in reason for reason in result.reasons)


def test_a_machine_that_is_busy_after_each_run_measures_nothing(judged):
    record = judged(factor=1.3, slow=[1.0, 2.5])
    assert record["verdict"] == "not_run"
    assert "takes 2.5 times as long" in record["reason"]


def test_a_run_that_was_disturbed_is_made_again(monkeypatch):
    monkeypatch.setattr(model.Load, "stolen_since", lambda self, before: 0.0)
    probes = iter([1.0, 5.0, 3.0, 1.5, 1.9])
    monkeypatch.setattr(model, "slowdown", lambda: next(probes))
    made = []
    outcome = Outcome()
    assert link_runs._undisturbed(lambda: made.append(1) or outcome, True) == (outcome, 1.9)
    assert len(made) == 2


def test_others_that_compute_during_a_run_only_are_noticed(monkeypatch):
    monkeypatch.setattr(model.Load, "stolen_since", lambda self, before: 0.0)
    monkeypatch.setattr(model, "slowdown", lambda: 1.0)
    monkeypatch.setattr(model.Load, "others_since", lambda self, before, apart: 0.8)
    assert link_runs._undisturbed(Outcome, True)[1] == 1.0  # it runs before them
    with pytest.raises(BusyError, match="others took 80% of its cores during a run, 75% is allowed"):
        link_runs._undisturbed(Outcome, False)


def test_time_that_other_machines_take_is_noticed_though_nobody_runs_before(monkeypatch):
    monkeypatch.setattr(model, "slowdown", lambda: 1.0)
    monkeypatch.setattr(model.Load, "stolen_since", lambda self, before: 0.05)
    assert link_runs._undisturbed(Outcome, True)[1] == 1.0
    monkeypatch.setattr(model.Load, "stolen_since", lambda self, before: 0.06)
    with pytest.raises(BusyError, match="other machines took 6% of its cores during a run, 5% is allowed"):
        link_runs._undisturbed(Outcome, True)


def test_a_measurement_is_as_old_as_its_end(monkeypatch):
    clock, made = iter([1000.0, 1001.0]), []
    monkeypatch.setattr(link_runs, "_known", {})
    monkeypatch.setattr(link_runs, "_measure", lambda plan: made.append(plan) or "found")
    monkeypatch.setattr(link_runs.time, "monotonic", lambda: next(clock))
    plan = link_runs.Plan(("quadratic:6", 2, 0.1, "contiguous", 1e-2), (), 1)
    assert [link_runs.measured(plan) for _ in range(2)] == ["found", "found"]
    assert len(made) == 1


def test_processes_that_cannot_be_started_are_no_departure(monkeypatch):
    setting = link_runs.setting_of(("quadratic:6", 2, 0.1, "contiguous", 1e-2))

    def refused(place, port, token, host=tcp.HOST):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    def ended(place, port, token, host=tcp.HOST):
        return tcp.subprocess.Popen([tcp.sys.executable, "-c", "raise SystemExit(7)"])

    for spawn, words in ((refused, "temporarily unavailable"), (ended, "exit code 7")):
        monkeypatch.setattr(link_runs, "nursery", lambda spawn=spawn: SimpleNamespace(spawn=spawn))
        with pytest.raises(NotMeasuredError, match=f"processes could not be started: .*{words}") as raised:
            link_runs.over_tcp(setting, "gd", 0, model.LOOPBACK, 2)
        assert not isinstance(raised.value, BusyError)


def test_only_a_busy_machine_is_excused_and_only_in_the_quick_profile(judged):
    def report(result, profile):
        return RunReport((result,), profile, SEED, 0, Path())

    record = judged(slow=[3.0])
    measured = theory.claim("squant/real-links")
    good = [replace(part, verdict="consistent") for part in judge_claim(measured, [record]).parts[:4]]
    bad = list(judge_claim(measured, [record]).parts[4:])
    result = replace(judge_claim(measured, [record]), verdict="not_run", parts=(*good, *bad))
    assert report(result, "quick").exit_code == 0
    assert report(result, "full").exit_code == 3
    other = replace(result, records=({**record, "reason": "processes could not be started"},))
    assert report(other, "quick").exit_code == 3
    assert report(replace(result, records=(record, *other.records)), "quick").exit_code == 3
    violated = replace(good[0], verdict="violated")
    assert report(replace(result, parts=(violated, *bad)), "quick").exit_code == 3


def test_a_run_that_leaves_its_course_violates_part_d(judged):
    record = judged(spoil=True)
    assert record["verdict"] == "violated"
    assert list(record["labels"]) == ["runs that leave the course of one process"]
    assert "bytes up" in record["witness"]["gd over 1Mbit,10ms, seed 0"]


def test_a_claim_on_no_measurement_is_not_excused(judged):
    record = judged(slow=[3.0])
    other = replace(theory.claim("squant/real-links"), measured=False)
    result = judge_claim(other, [record])
    assert result.verdict == "untested"
    assert any("is gone" in reason for reason in result.reasons)
    assert not replace(result, verdict="not_run").is_only_busy
