"""Packets between namespaces: the same course, links by the packet, faults; and the forwarder by hand."""

import ctypes
import os
import socket
import time

import pytest

from impl.errors import ArgumentError
from impl.wires import LOOPBACK, Link
from impl.wires.transports import tun
from impl.wires.transports.inprocess import run_in_process
from impl.wires.transports.tun import NotPermittedError, require_tunnels, run_over_tun

ROUNDS = 5


@pytest.fixture
def tunnels():
    """Skip where there are none."""
    try:
        require_tunnels()
    except NotPermittedError as error:
        pytest.skip(str(error))


@pytest.mark.usefixtures("tunnels")
@pytest.mark.parametrize(("name", "downlink"), [("marina", True), ("gd", False)])
def test_the_course_is_that_of_one_process_and_links_hold_packets_back(name, downlink, make, session):
    link = Link(2e5, 0.005, downlink=downlink)
    course = run_in_process(*make(name), session, rounds=ROUNDS)
    found = run_over_tun(*make(name), session, link=link, rounds=ROUNDS, limit=30)
    assert (found.status, found.reason) == ("done", "")
    assert found.same_course(course) == ""
    least = sum(link.round_trip(item.down // 3, item.longest) for item in course.rounds)
    assert found.seconds >= least
    assert "bc0" not in [name for _, name in socket.if_nameindex()]


@pytest.mark.usefixtures("tunnels")
def test_a_worker_that_is_killed_ends_the_run(make, session, monkeypatch):
    processes, spawned = [], tun.spawned

    def remembered(*arguments):
        processes.append(spawned(*arguments))
        return processes[-1]

    def kill(_):
        processes[1].kill()

    monkeypatch.setattr(tun, "spawned", remembered)
    start = time.monotonic()
    found = run_over_tun(*make("gd"), session, link=LOOPBACK, rounds=500, limit=5, observe=kill)
    assert time.monotonic() - start < 30
    assert found.status == "failed"
    assert "worker 1 is gone" in found.reason
    assert 1 <= len(found.rounds) < 500
    assert all(process.poll() is not None for process in processes)


def test_without_rights_the_reason_is_told(monkeypatch):
    class Library:
        def unshare(self, _):
            ctypes.set_errno(1)
            return -1

    monkeypatch.setattr(tun.ctypes, "CDLL", lambda *_, **__: Library())
    with pytest.raises(NotPermittedError, match=r"can be had \(unshare: Operation not permitted\); root can"):
        require_tunnels()


def test_too_many_workers(make, session):
    server, workers = make("gd")
    with pytest.raises(ArgumentError, match="n=300 must be at most 250 with TUN devices"):
        run_over_tun(server, workers * 100, session, link=LOOPBACK, rounds=1, limit=1)


@pytest.mark.usefixtures("tunnels")
def test_an_act_within_a_namespace_ends_where_it_began():
    def here():
        return os.stat("/proc/thread-self/ns/net").st_ino

    home, open_before = here(), len(os.listdir("/proc/self/fd"))
    with tun._own_namespace() as namespace:
        pass
    try:
        assert here() == home
        assert tun._within(namespace, here) == os.fstat(namespace).st_ino != home
        assert here() == home
    finally:
        os.close(namespace)
    assert len(os.listdir("/proc/self/fd")) == open_before
