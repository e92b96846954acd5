"""Priority over other processes: inherited, taken back, and left out where it is not permitted."""

import os
import subprocess
import sys

import pytest

from impl.wires.priority import before_others

SCHEDULER = "import os; print(os.sched_getscheduler(0))"


@pytest.mark.skipif(not hasattr(os, "sched_setscheduler"), reason="this system has no such schedulers")
def test_processes_that_are_started_have_it_and_it_ends():
    before = os.sched_getscheduler(0)
    with before_others() as is_so:
        told = subprocess.run([sys.executable, "-c", SCHEDULER], capture_output=True, text=True, check=True)
        assert int(told.stdout) == (os.SCHED_RR if is_so else before)
    assert os.sched_getscheduler(0) == before
    with pytest.raises(KeyError), before_others():
        raise KeyError
    assert os.sched_getscheduler(0) == before


@pytest.mark.parametrize("error", [PermissionError, AttributeError])
def test_where_it_is_not_permitted_all_stays(error, monkeypatch):
    def refuse(*_):
        raise error

    monkeypatch.setattr(os, "sched_setscheduler", refuse, raising=False)
    with before_others() as is_so:
        assert is_so is False
