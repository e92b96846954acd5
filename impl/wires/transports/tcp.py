"""Workers as processes of this machine, over TCP on the loopback interface."""

import json
import pickle
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from impl.errors import ArgumentError
from impl.wires.channel import LARGEST, RECORD, SETUP, WORDS, Channel, WireError, use_sharp_timers, words_of
from impl.wires.frame import Session
from impl.wires.halves.contract import Server, Worker
from impl.wires.link import Link
from impl.wires.outcome import Outcome, Round
from impl.wires.serving import serve
from impl.wires.transports.nursery import HOST, Copy, Nursery

START = 60.0
"""Seconds for workers to start, where the limit of messages is less: a busy machine starts them slowly."""
_GRACE = 2.0  # seconds for a worker to end by itself, then after SIGTERM

Process = subprocess.Popen[bytes] | Copy
Spawn = Callable[[int, int, str], Process]
"""Starts a worker, from its number, the port and the token that it must show."""


class TcpChannel(Channel):
    """A connected socket.

    Args:
        peer: The other end, in words.
        connection: The socket; closed with the channel.
    """

    def __init__(self, peer: str, connection: socket.socket) -> None:
        super().__init__(peer)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection = connection
        self._held = bytearray()

    def put(self, kind: int, data: bytes, stamp: int = 0) -> None:
        try:
            self._connection.sendall(RECORD.pack(kind, stamp, len(data)) + data)
        except TimeoutError:
            raise WireError(f"{self.peer} takes no message of {len(data)} bytes") from None
        except OSError as error:
            raise WireError(f"{self.peer} is gone: {error.strerror or error}") from None

    def take(self, limit: float, deadline: float | None = None) -> tuple[int, int, bytes]:
        deadline = time.monotonic() + limit if deadline is None else deadline
        kind, stamp, size = RECORD.unpack(self._read(RECORD.size, deadline, limit))
        if size > LARGEST:
            raise WireError(f"{self.peer} announces a record of {size} bytes: that is none")
        return kind, stamp, self._read(size, deadline, limit)

    def close(self) -> None:
        self._connection.close()

    def _read(self, size: int, deadline: float, limit: float) -> bytes:
        while len(self._held) < size:
            left = deadline - time.monotonic()
            if left <= 0:
                raise WireError(f"{self.peer} sent no message within {limit:.3g} s")
            self._connection.settimeout(left)
            try:
                more = self._connection.recv(1 << 16)
            except TimeoutError:
                continue
            except OSError as error:
                raise WireError(f"{self.peer} is gone: {error.strerror or error}") from None
            if not more:
                where = "in the middle of a message" if self._held else "without a word"
                raise WireError(f"{self.peer} is gone: its connection ended {where}")
            self._held += more
        found = bytes(self._held[:size])
        del self._held[:size]
        return found


@dataclass(frozen=True)
class Setup:
    """What a worker is given at the start: its half with its own part of the data, and what all agree on."""

    worker: Worker
    place: int
    words: dict[str, Any]
    point_bits: int
    link: Link
    limit: float  # longer than that of the server, which is to be the one that tells what happened

    def packed(self) -> bytes:
        """Return its bytes."""
        return pickle.dumps(self, protocol=pickle.HIGHEST_PROTOCOL)


def spawned(place: int, port: int, token: str, host: str = HOST) -> subprocess.Popen[bytes]:
    """Start a worker of this interpreter; the token does not show among the arguments."""
    words = [sys.executable, "-m", "impl.wires.transports.worker_process", str(place), str(port), host]
    process = subprocess.Popen(words, stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(token.encode())
    process.stdin.close()
    return process


def run_over_tcp(
    server: Server,
    workers: Sequence[Worker],
    session: Session,
    *,
    link: Link,
    rounds: int,
    limit: float,
    port: int = 0,
    spawn: Spawn | None = None,
    listen: Callable[[int], socket.socket] | None = None,
    ready: Callable[[], None] | None = None,
    observe: Callable[[Round], None] | None = None,
) -> Outcome:
    """Run with each worker in a process of its own; see `serve`.

    Args beyond those: `port` on the loopback interface, 0 for any; `spawn` starts a worker, by default as
    a copy of one process that ends with the run, where the system can do that; `listen` listens at a port
    elsewhere than on the loopback interface; `ready` is called before the first round.

    Raises:
        ArgumentError: The port cannot be had.
    """
    use_sharp_timers()
    token = secrets.token_hex(16)
    with ExitStack() as stack:
        listener = stack.enter_context((listen or listening)(port))
        if spawn is None:
            spawn = stack.enter_context(Nursery()).spawn if Nursery.is_safe() else spawned
        processes: list[Process] = []
        stack.callback(_end, processes)
        for place in range(len(workers)):
            processes.append(spawn(place, listener.getsockname()[1], token))
        try:
            channels = _connected(listener, processes, token, max(START, limit))
        except WireError as error:
            return Outcome("failed", str(error), points=[server.x])
        for channel in channels:
            stack.callback(channel.close)
        try:
            for place, (channel, worker) in enumerate(zip(channels, workers, strict=True)):
                setup = Setup(worker, place, session.words, server.point_bits, link, 2 * limit)
                channel.put(SETUP, setup.packed())
            for channel in channels:
                channel.words(max(START, limit))  # ready: imports and set-up are no part of the run
            if ready is not None:
                ready()
        except WireError as error:
            return Outcome("failed", f"before the first round: {error}", points=[server.x])
        return serve(server, channels, session, link=link, rounds=rounds, limit=limit, observe=observe)


def listening(port: int, host: str = HOST) -> socket.socket:
    """Listen at a port.

    Raises:
        ArgumentError: The port cannot be had.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        why = getattr(error, "strerror", None) or error
        raise ArgumentError(f"port={port} cannot be had: {why}; leave it out for a free one") from None
    listener.listen()
    return listener


def _connected(
    listener: socket.socket, processes: Sequence[Process], token: str, limit: float
) -> list[Channel]:
    """Return the channels of all workers, in their order, each with the token."""
    found: dict[int, Channel] = {}
    deadline = time.monotonic() + limit
    listener.settimeout(0.1)
    try:
        while len(found) < len(processes):
            for place, process in enumerate(processes):
                if place not in found and process.poll() is not None:
                    raise WireError(
                        f"worker {place} ended with exit code {process.returncode} before it connected"
                    )
            if time.monotonic() > deadline:
                missing = [place for place in range(len(processes)) if place not in found]
                raise WireError(f"workers {missing} have not connected within {limit:g} s")
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            place, channel = _introduced(connection, token, limit)
            if channel is not None and place not in found and 0 <= place < len(processes):
                found[place] = channel
    except BaseException:
        for channel in found.values():
            channel.close()
        raise
    return [found[place] for place in range(len(processes))]


def _introduced(connection: socket.socket, token: str, limit: float) -> tuple[int, Channel | None]:
    """Return the number and channel of a worker that shows the token; anybody else is sent away."""
    channel = TcpChannel("a worker", connection)
    try:
        kind, _, data = channel.take(limit)
        words = words_of(data, "a worker") if kind == WORDS else {}
        place = words.get("worker")
        if isinstance(place, int) and secrets.compare_digest(str(words.get("token")), token):
            channel.peer = f"worker {place}"
            return place, channel
    except WireError:
        pass  # a stranger, or one that stopped half-way: sent away like one with a wrong token
    channel.close()
    return -1, None


def introduce(channel: Channel, place: int, token: str) -> None:
    """Show the token to the server."""
    channel.put(WORDS, json.dumps({"worker": place, "token": token}).encode())


def _end(processes: Sequence[Process]) -> None:
    """Wait for the processes shortly, then end them."""
    for stop in ("", "terminate", "kill"):
        deadline = time.monotonic() + _GRACE
        for process in processes:
            if process.poll() is None and stop:
                getattr(process, stop)()
        for process in processes:
            try:
                process.wait(max(0.01, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                continue
