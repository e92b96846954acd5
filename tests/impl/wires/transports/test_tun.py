"""Packets between namespaces: the same course, links by the packet, faults; and the forwarder by hand."""

import ctypes
import os
import socket
import threading
import time

import pytest

from impl.errors import ArgumentError
from impl.wires import LOOPBACK, Link
from impl.wires.transports import tun
from impl.wires.transports.inprocess import run_in_process
from impl.wires.transports.tun import NotPermittedError, require_tunnels, run_over_tun
from impl.wires.transports.tun_forwarder import ETHERNET, Forwarder

ROUNDS = 5


@pytest.fixture
def tunnels():
    """Skip where there are none."""
    try:
        require_tunnels()
    except NotPermittedError as error:
        pytest.skip(str(error))


@pytest.mark.usefixtures("tunnels")
@pytest.mark.parametrize("downlink", [True, False])
def test_the_course_is_that_of_one_process_and_links_hold_packets_back(downlink, make, session):
    link = Link(2e5, 0.005, downlink=downlink)
    for name in ("gd", "marina"):
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


def test_arrivals_by_hand():
    forwarder = Forwarder(Link(1e6, 0.01, downlink=False), [3, 4, 5, 6])
    assert forwarder.arrival(5, 100, 7.0) == 7.0  # not yet begun
    forwarder.began = True
    each = 8 * (100 + ETHERNET) / 1e6
    assert forwarder.arrival(5, 100, 7.0) == pytest.approx(7.0 + each + 0.01)
    assert forwarder.arrival(5, 100, 7.0) == pytest.approx(7.0 + 2 * each + 0.01)  # behind the first one
    assert forwarder.arrival(6, 100, 7.0) == pytest.approx(7.0 + each + 0.01)  # of another worker
    assert forwarder.arrival(3, 100, 7.0) == 7.0  # a free downlink
    assert forwarder.other == {3: 5, 4: 6, 5: 3, 6: 4}


def test_packets_are_forwarded_in_their_order():
    # Sockets that keep the bounds of packets stand for the devices.
    (server, one), (worker, two) = (socket.socketpair(type=socket.SOCK_SEQPACKET) for _ in range(2))
    for item in (one, two):
        item.setblocking(False)
    control, told = socket.socketpair()
    answer, answered = socket.socketpair()
    forwarder = Forwarder(Link(1e5, 0.02), [one.fileno(), two.fileno()])
    thread = threading.Thread(target=forwarder.run, args=(told.fileno(), answer.fileno()))
    thread.start()
    try:
        control.send(b"!")
        assert answered.recv(1) == b"!"
        start = time.monotonic()
        for packet in (b"a" * 50, b"b" * 50):
            server.send(packet)
        assert worker.recv(100) == b"a" * 50
        assert worker.recv(100) == b"b" * 50
        assert time.monotonic() - start >= 0.02 + 2 * 8 * (50 + ETHERNET) / 1e5
        worker.send(b"c")
        assert server.recv(100) == b"c"
    finally:
        control.close()
        thread.join(10)
        for item in (server, one, worker, two, told, answer, answered):
            item.close()
    assert not thread.is_alive()


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
