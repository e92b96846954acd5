"""The process of which workers are copies, kept by its user."""

import os
import signal

import pytest

from impl.wires.transports.nursery import Nursery
from verify.errors import NotMeasuredError
from verify.wires import nurseries

pytestmark = pytest.mark.skipif(not Nursery.is_safe(), reason="processes are copied on Linux only")


@pytest.fixture(autouse=True)
def _none_is_kept(monkeypatch):
    made = {}
    monkeypatch.setattr(nurseries, "_kept", made)
    yield
    for kept in made.values():
        kept.close()


def test_it_is_kept_while_it_lives():
    kept = nurseries.nursery()
    assert nurseries.nursery() is kept
    os.kill(kept._process.pid, signal.SIGKILL)
    kept._process.wait()
    again = nurseries.nursery()
    assert again is not kept
    assert again.lives


def test_each_scheduler_has_its_own(monkeypatch):
    kept = nurseries.nursery()
    monkeypatch.setattr(os, "sched_getscheduler", lambda process: 77)
    other = nurseries.nursery()
    assert other is not kept


def test_where_it_cannot_be_started_nothing_is_measured(monkeypatch):
    def refused(self):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(Nursery, "__init__", refused)
    with pytest.raises(NotMeasuredError, match=r"processes could not be started: .*temporarily unavailable"):
        nurseries.nursery()
