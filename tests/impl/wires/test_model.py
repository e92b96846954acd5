"""The model of seconds: its parts by hand, and an empty round."""

import time

import pytest

from impl.wires import Link, Outcome, Round
from impl.wires.model import Computing, Load, empty_round, modelled_seconds, slowdown
from impl.wires.transports.inprocess import run_in_process


def course():
    rounds = [Round(1, 70, 300, 30, 0.01), Round(3, 50, 300, 20, 0.02), Round(4, 50, 300, 20, 0.005)]
    return Outcome(rounds=rounds, reports=[{"busy": 0.002}, {"busy": 0.004}])


def test_messages_are_priced_by_hand():
    link = Link(1e6, 0.01)
    down, up = 8 * (150 + 66) / 1e6, [8 * (size + 66) / 1e6 for size in (30, 20, 20)]
    assert modelled_seconds(course(), link, 0.5) == pytest.approx(1.5 + 3 * (0.02 + down) + sum(up))
    free = Link(1e6, 0.01, downlink=False)
    assert modelled_seconds(course(), free, 0.0) == pytest.approx(3 * 0.01 + sum(up))


def test_a_course_has_all_that_the_model_needs(make, session):
    server, workers = make("diana")
    found = run_in_process(server, workers, session, rounds=9)
    parts = Computing.of(found)
    assert 0 < parts.worker < found.seconds
    assert 0 <= parts.server < found.seconds
    for item in found.rounds:
        assert item.up / 3 <= item.longest < item.up
        assert 0 < item.cpu < 1


def test_waiting_is_no_computing(make, session, monkeypatch):
    server, workers = make("gd")
    gradient = type(workers[0].part).gradients
    monkeypatch.setattr(
        type(workers[0].part), "gradients", lambda self, x: time.sleep(0.02) or gradient(self, x)
    )
    found = run_in_process(server, workers, session, rounds=5)
    assert found.seconds > 5 * 3 * 0.02
    assert Computing.of(found).seconds(3) < 0.02


def test_an_empty_round_takes_some_time():
    found = empty_round(2, 3)
    assert 0 < found.worker < 1
    assert 0 < found.server < 1


def test_slowdown_is_that_of_the_clock():
    assert slowdown(0.01) >= 0.99


def test_the_share_of_other_machines_is_what_they_have_stolen_since(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    before = Load(100.0, 10.0, 50.0, 7.0)
    assert Load(116.0, 14.0, 55.0, 8.0).stolen_since(before) == pytest.approx(1 / (4 * 5))
    assert Load(None, 14.0, 50.0, 8.0).stolen_since(before) == 0.0
    assert Load(116.0, 14.0, 50.01, 7.02).stolen_since(before) == 0.0  # ticks are coarse


def test_what_this_process_computes_is_its_own():
    before, start = Load.now(), time.thread_time()
    while time.thread_time() - start < 0.05:
        pass
    after = Load.now()
    assert after.own - before.own >= 0.03
    assert after.others_since(before) <= 1.5
