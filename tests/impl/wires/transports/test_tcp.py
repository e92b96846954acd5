"""Workers as processes: the same course, and faults of every kind end everywhere with a clear error."""

import json
import re
import socket
import subprocess
import sys
import time

import pytest

from impl.errors import ArgumentError
from impl.wires import LOOPBACK, Link
from impl.wires.channel import WireError
from impl.wires.transports import tcp
from impl.wires.transports.inprocess import run_in_process
from impl.wires.transports.nursery import Nursery
from impl.wires.transports.tcp import TcpChannel, run_over_tcp, spawned

ROUNDS = 5
FAULTY = """
import os, sys, time
from pathlib import Path
from impl.errors import ArgumentError
from impl.wires.channel import RECORD
from impl.wires.transports import nursery, worker_process
from impl.wires.transports.tcp import TcpChannel
from impl.wires.working import Working

folder, honest = Path(sys.argv[1]), worker_process.worked
answer, init = Working.answer, TcpChannel.__init__

def with_fault(fault, channels=[], answers=[]):
    def faulty(self, data):
        if fault == "raises" and self.round == 2:
            raise ArgumentError("x[3] = nan must be finite")
        if fault == "has a bug" and self.round == 2:
            raise RuntimeError("a bug")
        found = answer(self, data)
        answers.append(found)
        if self.round != 3:
            return found
        if fault == "dies":
            os._exit(7)
        if fault == "sleeps":
            time.sleep(60)
        if fault == "cut":
            return found[:-3]
        if fault == "damaged":
            return found[:-9] + bytes([found[-9] ^ 4]) + found[-8:]
        if fault == "late round":
            return answers[-2]
        if fault == "half a record":
            channels[0]._connection.sendall(RECORD.pack(0, 0, len(found)) + found[:4])
            os._exit(0)
        if fault == "no record":
            channels[0]._connection.sendall(b"\\xff" * 40)
            time.sleep(60)
        return found

    def remembered(self, *arguments):
        init(self, *arguments)
        channels.append(self)

    Working.answer, TcpChannel.__init__ = faulty, remembered

def worked(place, port, host, token):
    os.dup2(os.open(folder / f"stderr{place}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    if place == 1:
        fault = (folder / "fault").read_text()
        if fault == "never connects":
            time.sleep(60)
        if fault == "dies at once":
            os._exit(5)
        with_fault(fault)
        token = "guess" if fault == "wrong token" else token
    return honest(place, port, host, token)

if sys.argv[2:]:
    sys.exit(worked(int(sys.argv[2]), int(sys.argv[3]), nursery.HOST, sys.stdin.read()))
worker_process.worked = worked
nursery.main()
"""


@pytest.fixture(scope="module")
def spawn():
    """Return what starts the workers of many runs, as copies of one process where these can be had."""
    with Nursery() as made:
        yield made.spawn if Nursery.is_safe() else spawned


class Faulty(Nursery):
    """Workers of which number 1 has the fault that is in a file; standard error goes to files."""

    def __init__(self, folder):
        (folder / "faulty.py").write_text(FAULTY)
        self.folder, self.command = folder, [sys.executable, str(folder / "faulty.py"), str(folder)]
        self.cpu, self._asked, self.spawned = 0.0, 0, []
        self._process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, fault):
        (self.folder / "fault").write_text(fault)

        def remembered(place, port, token):
            # One fault is that of a process of its own.
            is_copy = self.is_safe() and (place, fault) != (1, "dies at once")
            self.spawned.append((self.spawn if is_copy else self.alone)(place, port, token))
            return self.spawned[-1]

        return remembered

    def alone(self, place, port, token):
        process = subprocess.Popen([*self.command, str(place), str(port)], stdin=subprocess.PIPE)
        process.stdin.write(token.encode())
        process.stdin.close()
        return process


@pytest.fixture(scope="module")
def all_faulty(tmp_path_factory):
    with Faulty(tmp_path_factory.mktemp("faulty")) as made:
        yield made


@pytest.fixture
def faulty(all_faulty):
    """Return a function of a fault: it spawns workers, of which number 1 has it."""
    yield all_faulty
    assert all(process.returncode is not None for process in all_faulty.spawned)
    all_faulty.spawned.clear()


def test_the_course_is_that_of_one_process(make, session, spawn):
    for name in ("gd", "diana_plus", "marina", "ndqsg"):
        course = run_in_process(*make(name), session, rounds=ROUNDS)
        told = []
        found = run_over_tcp(
            *make(name), session, link=LOOPBACK, rounds=ROUNDS, limit=30, spawn=spawn, observe=told.append
        )
        assert (found.status, found.reason) == ("done", "")
        assert found.same_course(course) == ""
        assert told == found.rounds
        assert [set(item) for item in found.reports] == [{"seconds", "cpu", "gradient", "wait"}] * 3
        seconds = [item.seconds for item in found.rounds]
        assert seconds == sorted(seconds)


def test_a_link_holds_messages_up(make, session, spawn):
    link = Link(1e5, 0.02)
    options = {"rounds": ROUNDS, "limit": 30, "spawn": spawn}
    found = run_over_tcp(*make("gd"), session, link=link, **options)
    up, down = found.rounds[0].up // 3, found.rounds[0].down // 3
    least = ROUNDS * link.round_trip(down, up)
    assert least <= found.seconds
    free = run_over_tcp(*make("gd"), session, link=Link(1e5, 0.02, downlink=False), **options)
    assert ROUNDS * link.seconds(up) <= free.seconds


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("dies", "round 2: worker 1 is gone"),
        ("sleeps", "round 2: worker 1 sent no message within 3 s"),
        ("raises", "round 2: worker 1 failed in round 2: x[3] = nan must be finite"),
        ("has a bug", "round 2: worker 1 failed in round 2: RuntimeError: a bug"),
        ("cut", "the message from worker 1 in round 2 has 23 bytes and announces 26: it was cut"),
        ("damaged", "the message from worker 1 in round 2 was damaged, or belongs to another round"),
        ("late round", "the message from worker 1 in round 2 was damaged, or belongs to another round"),
        ("half a record", "round 2: worker 1 is gone: its connection ended in the middle of a message"),
        ("no record", "round 2: worker 1 announces a record of 4294967295 bytes: that is none"),
    ],
)
def test_a_fault_ends_the_run_everywhere_and_keeps_the_trace(fault, words, make, session, faulty):
    course, start = run_in_process(*make("gd"), session, rounds=ROUNDS), time.monotonic()
    limit = 3 if fault == "sleeps" else 20
    found = run_over_tcp(*make("gd"), session, link=LOOPBACK, rounds=ROUNDS, limit=limit, spawn=faulty(fault))
    assert time.monotonic() - start < 60  # the fault sleeps for as long
    assert found.status == "failed"
    assert words in found.reason
    assert len(found.rounds) == 2
    assert [x.tolist() for x in found.points] == [x.tolist() for x in course.points[:3]]
    for place in (0, 2):
        assert (faulty.folder / f"stderr{place}").read_text() == f"worker {place} stops: {found.reason}\n"


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("never connects", r"workers \[.*1.*\] have not connected within 3 s"),
        ("dies at once", "worker 1 ended with exit code 5 before it connected"),
        ("wrong token", "worker 1 ended with exit code 1 before it connected"),
    ],
)
def test_a_worker_that_does_not_come(fault, words, make, session, faulty, monkeypatch):
    server, workers = make("gd")
    if fault == "never connects":  # else it ends, which is not awaited
        monkeypatch.setattr(tcp, "START", 3.0)
    found = run_over_tcp(server, workers, session, link=LOOPBACK, rounds=5, limit=1, spawn=faulty(fault))
    assert found.status == "failed"
    assert re.search(words, found.reason)
    assert found.rounds == []
    assert len(found.points) == 1


def test_a_late_message_is_told_by_the_limit_of_the_round():
    listener = socket.create_server(("127.0.0.1", 0))
    with listener, socket.create_connection(listener.getsockname()) as one:
        channel = TcpChannel("worker 1", one)
        # Most of the 30 seconds went by while the messages of others were awaited.
        with pytest.raises(WireError, match=r"^worker 1 sent no message within 30 s$"):
            channel.receive(30.0, time.monotonic() + 0.05)
        with pytest.raises(WireError, match=r"^worker 1 sent no message within 0\.05 s$"):
            channel.receive(0.05)


def test_a_message_that_takes_too_long_on_its_link(make, session, spawn):
    found = run_over_tcp(*make("gd"), session, link=Link(10.0), rounds=5, limit=5, spawn=spawn)
    assert found.status == "failed"
    assert "a message of 26 bytes takes 73.6 s on its link, the limit is 5 s; raise the" in found.reason


def test_a_port_in_use(make, session):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(
            ArgumentError, match=f"port={port} cannot be had: Address already in use; leave it"
        ):
            run_over_tcp(*make("gd"), session, link=LOOPBACK, rounds=5, limit=5, port=port)
    with pytest.raises(ArgumentError, match="port=70000 cannot be had"):
        run_over_tcp(*make("gd"), session, link=LOOPBACK, rounds=5, limit=5, port=70000)


def test_strangers_at_the_port_are_sent_away(make, session, spawn):
    def watched(place, port, token):
        with socket.create_connection(("127.0.0.1", port)) as stranger:
            stranger.sendall(b"GET / HTTP/1.1\r\n\r\n" + b" " * 40)
        with socket.create_connection(("127.0.0.1", port)) as stranger:
            words = json.dumps({"worker": place, "token": "guess"}).encode()
            stranger.sendall(b"\x01" + bytes(8) + len(words).to_bytes(4, "little") + words)
        return spawn(place, port, token)

    found = run_over_tcp(*make("gd"), session, link=LOOPBACK, rounds=2, limit=20, spawn=watched)
    assert (found.status, found.reason) == ("done", "")
