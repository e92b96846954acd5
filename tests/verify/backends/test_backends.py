"""Options, and workers that cannot be had."""

import os
import socket
import threading
import time

import pytest

from verify.backends import BACKENDS, check_backend, copies, missing_library, open_pool, reachable
from verify.errors import BackendError, UsageError
from verify.running.runner import verify

SET = {"here": False}


def seen(number):
    return number, SET["here"], os.getpid()


def through(pool):
    return [future.result() for future in [pool.submit(seen, number) for number in range(5)]]


def test_a_copy_has_what_this_process_has(monkeypatch):
    monkeypatch.setitem(SET, "here", True)
    with copies.pool(2, None) as pool:
        found = through(pool)
    assert [number for number, _, _ in found] == list(range(5))
    assert all(here for _, here, _ in found)
    assert os.getpid() not in {process for _, _, process in found}


def test_with_threads_about_nothing_is_copied():
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    try:
        assert not copies.copies_are_safe()
    finally:
        end.set()
        thread.join()


@pytest.mark.parametrize(
    ("backend", "address", "words"),
    [
        ("slurm", None, "backend='slurm' must be one of loky, dask, ray, mpi"),
        ("loky", "tcp://here:1", "address='tcp://here:1' is for the backends dask and ray, not for loky"),
        ("mpi", "here:1", "is for the backends dask and ray, not for mpi"),
        (None, "here:1", "is for the backends dask and ray, not for this machine alone"),
    ],
)
def test_bad_options_are_named(backend, address, words, tmp_path):
    assert words in check_backend(backend, address)[0]
    with pytest.raises(UsageError, match=words):
        verify("squant/var", out=tmp_path / "out", backend=backend, address=address)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("backend", ["dask", "ray"])
@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("tcp://127.0.0.1:1", "no scheduler answers within 10 s"),
        ("no.such.host.invalid:8786", "no scheduler answers within 10 s"),
        ("here:port", "must look like tcp://HOST:PORT"),
        (":80", "must look like tcp://HOST:PORT"),
        ("here:70000", "must look like tcp://HOST:PORT"),
    ],
)
def test_an_unreachable_scheduler_is_one_error_in_bounded_time(backend, address, words):
    pytest.importorskip({"dask": "distributed"}.get(backend, backend), reason=f"extra {backend}")
    started = time.monotonic()
    with pytest.raises(BackendError, match=words) as caught, open_pool(backend, 1, address, 1):
        pass
    assert address in str(caught.value)
    assert time.monotonic() - started < 60


def test_a_scheduler_is_told_from_something_else_by_its_greeting(monkeypatch):
    monkeypatch.setattr(reachable, "PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        reachable.check_reachable(address, 1)
        with pytest.raises(BackendError, match=r"no scheduler answers within 0\.5 s .timed out."):
            reachable.check_reachable(address, 1, greets=True)


def test_a_missing_library_names_its_extra():
    error = missing_library("dask", ImportError("No module named 'dask'"))
    assert "backend='dask'" in str(error)
    assert "pip install 'boundcheck[dask]'" in str(error)


def test_every_backend_has_its_module():
    assert list(BACKENDS) == ["loky", "dask", "ray", "mpi"]
    for name in BACKENDS:
        module = __import__(f"verify.backends.{name}", fromlist=["pool"])
        assert callable(module.pool)
