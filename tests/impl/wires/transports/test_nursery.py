"""Workers as copies of one process."""

import os
import signal
import socket
import subprocess
import time

import pytest

from impl.wires import LOOPBACK
from impl.wires.transports import nursery as transports_nursery
from impl.wires.transports.nursery import LOST, Nursery
from impl.wires.transports.tcp import _introduced, listening, run_over_tcp, spawned

pytestmark = pytest.mark.skipif(not Nursery.is_safe(), reason="processes are copied on Linux only")
TOKEN = "a" * 32


@pytest.fixture
def nursery():
    with Nursery() as made:
        yield made


@pytest.fixture
def port():
    """Return a port at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def test_a_copy_introduces_itself_and_ends_with_its_connection(nursery):
    with listening(0) as listener:
        process = nursery.spawn(3, listener.getsockname()[1], TOKEN)
        assert process.poll() is None
        place, channel = _introduced(listener.accept()[0], TOKEN, 20.0)
    assert (place, process.returncode) == (3, None)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.01)
    channel.close()
    assert process.wait(20.0) == 1
    assert process.poll() == 1
    assert 0 < nursery.cpu < 5


def test_a_copy_can_be_ended(nursery):
    with listening(0) as listener:
        for end, code in (("terminate", -signal.SIGTERM), ("kill", -signal.SIGKILL)):
            process = nursery.spawn(0, listener.getsockname()[1], TOKEN)
            getattr(process, end)()
            assert process.wait(20.0) == code
            getattr(process, end)()  # nobody else gets the signal


def test_a_copy_says_in_one_line_why_it_stops(port, capfd):
    with Nursery() as nursery:
        assert nursery.cpu == 0  # before a worker has ended
        assert nursery.spawn(5, port, TOKEN).wait(20.0) == 1
    told = capfd.readouterr()
    assert told.out == ""
    assert told.err.startswith("worker 5 stops: ")
    assert told.err.count("\n") == 1


def test_a_signal_of_the_terminal_is_for_workers(nursery):
    with listening(0) as listener:
        process = nursery.spawn(0, listener.getsockname()[1], TOKEN)
        with listener.accept()[0]:
            for pid in (nursery._process.pid, process.pid):
                os.kill(pid, signal.SIGINT)
            assert process.wait(20.0) == 1
    assert nursery.lives


def test_an_answer_that_nobody_read_is_none_to_the_next_request(nursery):
    nursery._asked += 1
    nursery._process.stdin.write(f'[{nursery._asked}, "poll", 1]\n'.encode())
    with listening(0) as listener:
        process = nursery.spawn(0, listener.getsockname()[1], TOKEN)
        assert process.poll() is None
        process.kill()
        assert process.wait(20.0) == -signal.SIGKILL


def test_one_that_has_died_is_told(nursery):
    with listening(0) as listener:
        process = nursery.spawn(0, listener.getsockname()[1], TOKEN)
        nursery._process.kill()
        nursery._process.wait()
        assert not nursery.lives
        assert process.poll() == LOST
        with pytest.raises(ChildProcessError, match="the process that starts workers has ended"):
            nursery.spawn(1, listener.getsockname()[1], TOKEN)


def test_what_cannot_be_done_is_an_error_of_the_system(nursery):
    with pytest.raises(ChildProcessError):
        nursery.ask("poll", os.getpid())
    assert nursery.lives


def test_a_run_of_copies_is_that_of_processes_of_their_own(make, session):
    runs = [
        run_over_tcp(*make("dqsg"), session, link=LOOPBACK, rounds=4, limit=20.0, spawn=spawn)
        for spawn in (None, spawned)
    ]
    assert [found.status for found in runs] == ["done", "done"]
    assert not runs[0].same_course(runs[1])


def test_a_run_leaves_no_process(make, session, monkeypatch):
    started, spawn, begin = [], Nursery.spawn, Nursery.__init__

    def remembered(self, *arguments):
        started.append((found := spawn(self, *arguments)).pid)
        return found

    def begun(self):
        begin(self)
        started.append(self._process.pid)

    monkeypatch.setattr(Nursery, "spawn", remembered)
    monkeypatch.setattr(Nursery, "__init__", begun)
    run_over_tcp(*make("gd"), session, link=LOOPBACK, rounds=2, limit=20.0)
    assert len(started) == 1 + 3
    for pid in started:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_one_that_hangs_is_ended(monkeypatch):
    monkeypatch.setattr(transports_nursery, "_GRACE", 0.2)
    hanging = Nursery()
    hanging.wait_until_ready()
    os.kill(hanging._process.pid, signal.SIGSTOP)
    start = time.monotonic()
    hanging.close()
    assert time.monotonic() - start < 20
    assert not hanging.lives
