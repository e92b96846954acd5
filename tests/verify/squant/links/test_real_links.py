"""Checks on links, with runs that are made up: near the model, off it, and on a machine that is busy."""

from dataclasses import replace

import pytest

import theory
from impl.wires import model
from verify.experiments.squant import link_runs
from verify.judgement import judge_unit
from verify.runner import unit_of
from verify.verdicts import judge_claim

SEED = 20240601


@pytest.fixture
def judged(monkeypatch):
    """Return a function: the record of the check on links; runs take `factor` times what the model says."""

    def computed(course):
        return 0.001 if min(item.longest for item in course.rounds) > 100 else 0.004  # whole gradients

    def of(factor=1.0, slow=1.0, spoil=False):
        def over_tcp(setting, method, seed, link, rounds):
            found = link_runs.course(setting, method, seed, rounds)
            n, seconds, made = setting.n, 0.0, []
            for item in found.rounds:
                seconds += factor * (computed(found) + link.round_trip(item.down // n, item.longest))
                made.append(replace(item, seconds=seconds, up=item.up + spoil))
            return replace(found, rounds=made)

        monkeypatch.setattr(link_runs, "over_tcp", over_tcp)
        monkeypatch.setattr(link_runs, "_known", {})
        monkeypatch.setattr(model, "slowdown", lambda: slow)
        monkeypatch.setattr(model, "empty_round", lambda n, d: model.Computing(0.0, 0.0))
        monkeypatch.setattr(
            model.Computing, "of", classmethod(lambda cls, course: cls(0.0, computed(course)))
        )
        return judge_unit(unit_of("squant/real-links", "run", "breast-cancer"), "quick", SEED)

    return of


def test_near_the_model(judged):
    for factor in (0.8, 1.2):
        record = judged(factor)
        assert record["verdict"] == "consistent", record["reason"]
        assert all(item["rejected"] for item in record["mutants"])
        ratios = record["witness"]["measured over modelled"]
        assert list(ratios.values()) == pytest.approx([factor] * 10)


def test_off_the_model(judged):
    record = judged(1.3)
    assert record["verdict"] == "violated"
    failing = [label for label, item in record["labels"].items() if item["verdict"] == "violated"]
    assert failing == ["pairs near the model"]


def test_a_busy_machine_measures_nothing(judged):
    record = judged(slow=3.0)
    assert (record["verdict"], record["mutants"], record["labels"]) == ("not_run", [], {})
    assert "a computation takes 3 times as long as its CPU time, 2 is allowed" in record["reason"]
    result = judge_claim(theory.claim("squant/real-links"), [record])
    found = {part.label: part.verdict for part in result.parts}
    assert [found[label] for label in "efgh"] == ["not_run"] * 4
    assert not any("pinned" in reason for reason in result.reasons)


def test_a_run_that_leaves_its_course_is_no_measurement(judged):
    record = judged(spoil=True)
    assert record["verdict"] == "inconclusive"
    assert "gd over 1Mbit,10ms: " in record["reason"]
    assert "bytes up" in record["reason"]
