"""Whether channels over sockets carry what is put into them, and end when their other ends do."""

import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from impl.problems import Quadratic
from impl.wires import Link, Session
from impl.wires.channel import FRAME, LARGEST, SETUP, WORDS, WireError
from impl.wires.halves.codecs import Plain
from impl.wires.halves.mean import MeanServer, MeanWorker
from impl.wires.transports.tcp import TcpChannel, introduce, run_over_tcp
from verify.authoring import Comparisons, eq
from verify.conformance.wire_courses import Told

_LIMIT = 10.0  # seconds, far more than anything here takes


class _Pair(socket.socket):
    """An end of a pair, which has no packets to delay; it only keeps what it is told about them."""

    told: tuple[Any, ...] = ()

    def setsockopt(self, *options: Any) -> None:
        self.told = options


def _ends() -> tuple[TcpChannel, socket.socket, _Pair]:
    """Return a channel over a socket, the socket of its other end, and its own."""
    own, other = socket.socketpair()
    other.settimeout(_LIMIT)
    pair = _Pair(own.family, own.type, own.proto, own.detach())
    return TcpChannel("the peer", pair), other, pair


def channels(judged: Told) -> Comparisons:
    """Compare records of a channel with their bytes, and how a channel ends with how its other end does."""
    data = bytes(range(200))
    record = struct.pack("<BqI", FRAME, 0, len(data)) + data
    channel, other, own = _ends()
    channel.put(FRAME, data)
    found = {"sent": other.recv(999) == record}
    found["without delay"] = own.told == (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    other.sendall(record[:7])
    other.sendall(record[7:] + record[:20])
    found["received"] = channel.take(_LIMIT) == (FRAME, 0, data)
    other.sendall(record[20:] + record)
    found["received in parts"] = channel.receive(_LIMIT) == data
    # A busy machine may hold up one of three; where nothing says when, none is held back.
    waits = []
    for _ in range(3):
        other.sendall(record)
        before = channel.waited
        channel.receive(_LIMIT)
        waits.append(channel.waited - before)
    found["at once"] = min(waits) < 0.9 and channel.take(_LIMIT) == (FRAME, 0, data)
    # A stamp holds a frame back, and the channel counts as waiting what its caller does: nearly all of 20 ms
    # in one of three tries, so that a busy machine does not matter.
    shares, held = [], True
    for _ in range(3):
        stamp, before = time.monotonic_ns() + 20_000_000, channel.waited
        other.sendall(struct.pack("<BqI", FRAME, stamp, len(data)) + data)
        began = time.monotonic_ns()
        channel.receive(_LIMIT)
        held &= time.monotonic_ns() >= stamp
        shares.append(1e9 * (channel.waited - before) / (time.monotonic_ns() - began))
    found["not before its stamp"], found["all that it waits"] = held, 0.9 < max(shares) <= 1
    start = time.monotonic()
    found["nothing in time"] = "within 0.05 s" in _said(lambda: channel.take(0.05))
    found["no sooner"] = time.monotonic() - start >= 0.05
    other.sendall(struct.pack("<BqI", FRAME, 0, LARGEST)[:-1])
    other.shutdown(socket.SHUT_WR)
    found["ends in the middle"] = "in the middle" in _said(lambda: channel.take(_LIMIT))
    channel.close()
    found["lets go"] = not other.recv(1)
    other.close()
    for what, words, sent in (
        ("ends before", "without a word", b""),
        ("too long", "that is none", struct.pack("<BqI", FRAME, 0, LARGEST + 1)),
        ("no words", "cannot be read", struct.pack("<BqI", WORDS, 0, 3) + b"[1]"),
        ("failed", "it rains", struct.pack("<BqI", WORDS, 0, 22) + b'{"failed": "it rains"}'),
        ("another kind", "kind 7", struct.pack("<BqI", 7, 0, 0)),
    ):
        channel, other, _ = _ends()
        other.sendall(sent)
        other.shutdown(socket.SHUT_WR)
        found[what] = words in _said(partial(channel.receive, _LIMIT))
        other.close()
        found[f"{what}, gone"] = "is gone" in _said(partial(channel.put, FRAME, data))
        channel.tell(stop="")  # to nobody
        channel.close()
    for what, kept in found.items():
        yield eq("ends of runs", int(judged(int(kept))), 1, witness={"channel": what})


def _said(call: Callable[[], Any]) -> str:
    """Return what the error of a channel says, nothing where there is none."""
    try:
        call()
    except WireError as error:
        return str(error)
    return ""


class _Started:
    """A thread in the place of a process; nobody can end it."""

    def __init__(self, work: Callable[[], None]) -> None:
        self.pid, self.returncode, self.asked = 0, 0, list[str]()
        self._thread = threading.Thread(target=work, daemon=True)
        self._thread.start()

    def poll(self) -> int | None:
        return None if self._thread.is_alive() else self.returncode

    def wait(self, timeout: float) -> int:
        self._thread.join(timeout)
        if self.poll() is None:
            raise subprocess.TimeoutExpired("a thread", timeout)
        return self.returncode

    def terminate(self) -> None:
        self.asked.append("terminate")

    def kill(self) -> None:
        self.asked.append("kill")


class _Stubborn(_Started):
    """One that ends where it is killed alone, whatever its thread does."""

    def poll(self) -> int | None:
        return -9 if "kill" in self.asked else None

    def wait(self, timeout: float) -> int:
        self._thread.join(timeout)
        if self.poll() is None:
            raise subprocess.TimeoutExpired("a stubborn thread", timeout)
        return -9


def connections(judged: Told) -> Comparisons:
    """Compare how a run ends that fails before its first round: its workers are let go and end themselves.

    The second one, which does not, is ended. Nobody without the token is taken for a worker.
    """
    codec, problem = Plain(1, 64), Quadratic([[1.0], [2.0]])
    server = MeanServer(np.zeros(1), [codec] * 2, step_size=0.5, point_bits=64)
    workers = [MeanWorker(problem.part(i), codec) for i in range(2)]
    seen: dict[str, Any] = {}
    started: list[Any] = []

    def connected(port: int, place: int, token: str) -> TcpChannel:
        channel = TcpChannel("the server", socket.create_connection(("127.0.0.1", port), _LIMIT))
        introduce(channel, place, token)
        return channel

    def work(place: int, port: int, token: str) -> None:
        if place:
            stranger = connected(port, 0, "another")
            seen["stranger"] = _said(lambda: stranger.take(_LIMIT))
            stranger.close()
        channel = connected(port, place, token)
        seen[f"kind {place}"] = channel.take(_LIMIT)[0]
        channel.tell(ready=True)
        seen[f"end {place}"] = _said(lambda: channel.take(_LIMIT))
        channel.close()

    def spawn(place: int, port: int, token: str) -> Any:
        started.append((_Stubborn if place else _Started)(partial(work, place, port, token)))
        return started[-1]

    def ready() -> None:
        raise WireError("it rains")

    session = Session({"run": "connections"})
    found = run_over_tcp(
        server, workers, session, link=Link(1e9), rounds=2, limit=_LIMIT, spawn=spawn, ready=ready
    )
    states = {
        "failed": found.status == "failed" and "before the first round: it rains" in found.reason,
        "at its start": len(found.points) == 1 and not found.rounds,
        "set up": seen.get("kind 0") == seen.get("kind 1") == SETUP,
        "sent away": "is gone" in seen.get("stranger", ""),
        "let go": all("is gone" in seen.get(f"end {place}", "") for place in range(2)),
        "by itself": not started[0].asked and started[0].poll() == 0,
        "by force": started[1].asked == ["terminate", "kill"],
    }
    for what, kept in states.items():
        yield eq("ends of runs", int(judged(int(kept))), 1, witness={"connections": what})
