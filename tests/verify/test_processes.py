"""Copies of the process where that is safe, else processes of joblib's: the results are the same."""

import os
import threading

import joblib
import pytest

from verify.processes import in_processes

SET = {"here": False}


def seen(number):
    return number, SET["here"], os.getpid()


@pytest.fixture
def changed(monkeypatch):
    """Change what a new process would load as it was."""
    monkeypatch.setitem(SET, "here", True)


def test_a_copy_has_what_this_process_has(changed):
    found = list(in_processes(seen, range(5), 2))
    assert sorted(number for number, _, _ in found) == list(range(5))
    assert all(here for _, here, _ in found)
    assert os.getpid() not in {process for _, _, process in found}


def test_with_threads_about_nothing_is_copied(changed):
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    try:
        found = list(in_processes(seen, range(5), 2))
    finally:
        end.set()
        thread.join()
    assert sorted(number for number, _, _ in found) == list(range(5))
    assert not any(here for _, here, _ in found)


def test_the_backend_that_joblib_was_told_is_taken(changed):
    with joblib.parallel_config("threading"):
        found = list(in_processes(seen, range(5), 2))
    assert {process for _, _, process in found} == {os.getpid()}


def test_an_error_is_raised_here(changed):
    with pytest.raises(ZeroDivisionError):
        list(in_processes((1).__truediv__, [1, 0, 2], 2))
