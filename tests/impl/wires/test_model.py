"""The model of seconds: its parts by hand, and an empty round."""

import pytest

from impl.wires import Link, Outcome, Round
from impl.wires.inprocess import run_in_process
from impl.wires.model import Computing, empty_round, modelled_seconds, usable_cores


def course():
    rounds = [Round(0.010, 70, 300, 30), Round(0.030, 50, 300, 20), Round(0.035, 50, 300, 20)]
    return Outcome(rounds=rounds, reports=[{"busy": 0.002}, {"busy": 0.004}])


def test_computing_is_parted_by_hand():
    parts = Computing.of(course())
    assert parts.worker == pytest.approx(0.003)
    assert parts.server == pytest.approx(0.010 - 0.006)  # the median round, less both workers
    assert parts.seconds(2, 0.001, cores=2) == pytest.approx(0.001 + 0.004 + 0.003)
    assert parts.seconds(6, 0.001, cores=2) == pytest.approx(0.001 + 0.004 + 3 * 0.003)
    assert parts.seconds(6, 0.001) == pytest.approx(0.005 + 0.003 * max(1, 6 / usable_cores()))


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


def test_an_empty_round_takes_some_time():
    assert 0 < empty_round(2, 3) < 1
