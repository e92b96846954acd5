"""Links of packets between network namespaces: for root on Linux, where a kernel sends every packet itself.

Server and workers are in namespaces of their own, joined by TUN devices. Another process takes each packet
out of the one device, holds it back as a link of this rate and delay would, one queue for each direction, and
puts it into the other. Namespaces have no names and go with the processes that are in them.
"""

import ctypes
import fcntl
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from impl.errors import ArgumentError
from impl.wires.frame import Session
from impl.wires.halves.contract import Server, Worker
from impl.wires.link import LOOPBACK, Link
from impl.wires.outcome import Outcome, Round
from impl.wires.transports.tcp import listening, run_over_tcp, spawned

MOST_WORKERS = 250
_CLONE_NEWNET = 0x40000000
_TUNSETIFF, _SIOCSIFADDR, _SIOCSIFNETMASK, _SIOCSIFFLAGS = 0x400454CA, 0x8916, 0x891C, 0x8914
_IFF_UP, _IFF_RUNNING, _IFF_TUN_NO_PI = 0x1, 0x40, 0x1001


class NotPermittedError(ArgumentError):
    """Namespaces or TUN devices cannot be had here."""


def require_tunnels() -> None:
    """Try whether a namespace with a TUN device can be had.

    Raises:
        NotPermittedError: It cannot, with the reason.
    """
    with _own_namespace():
        os.close(_device("bc0", "10.77.0.1"))


def run_over_tun(
    server: Server,
    workers: Sequence[Worker],
    session: Session,
    *,
    link: Link,
    rounds: int,
    limit: float,
    observe: Callable[[Round], None] | None = None,
    ready: Callable[[], None] | None = None,
) -> Outcome:
    """Run with each worker in a namespace of its own; see `serve`.

    Set-up is not held back: links begin with the first round.

    Raises:
        NotPermittedError: Namespaces or TUN devices cannot be had.
        ArgumentError: There are too many workers.
    """
    if len(workers) > MOST_WORKERS:
        raise ArgumentError(f"n={len(workers)} must be at most {MOST_WORKERS} with TUN devices")
    devices: list[int] = []
    namespaces: list[int] = []
    try:
        with _own_namespace() as home:
            namespaces.append(home)
            devices += [_device(f"bc{i}", f"10.77.{i}.1") for i in range(len(workers))]
        for i in range(len(workers)):
            with _own_namespace() as own:
                namespaces.append(own)
                devices.append(_device("bc0", f"10.77.{i}.2"))
        with _forwarder(devices, link) as forwarder:
            return run_over_tcp(
                server,
                workers,
                session,
                link=LOOPBACK,
                rounds=rounds,
                limit=limit,
                observe=observe,
                listen=lambda port: _within(
                    namespaces[0], lambda: listening(port, "0.0.0.0")
                ),  # in a namespace that nobody else is in
                spawn=lambda i, port, token: _within(
                    namespaces[i + 1], lambda: spawned(i, port, token, f"10.77.{i}.1")
                ),
                ready=lambda: _begin(forwarder, ready),
            )
    finally:
        for file in (*devices, *namespaces):
            os.close(file)


@contextmanager
def _forwarder(devices: Sequence[int], link: Link) -> "Iterator[subprocess.Popen[bytes]]":
    numbers = [str(file) for file in devices]
    words = [repr(link.rate), repr(link.delay), str(int(link.downlink)), *numbers]
    process = subprocess.Popen(
        [sys.executable, "-m", "impl.wires.transports.tun_forwarder", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=tuple(devices),
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


def _begin(forwarder: "subprocess.Popen[bytes]", ready: Callable[[], None] | None) -> None:
    """Let links hold packets back from now on, and tell who wants to know."""
    assert forwarder.stdin is not None
    assert forwarder.stdout is not None
    forwarder.stdin.write(b"!")
    forwarder.stdin.flush()
    forwarder.stdout.read(1)
    if ready is not None:
        ready()


@contextmanager
def _own_namespace() -> Iterator[int]:
    """Put this thread into a new namespace for a while; yields its descriptor, which the caller closes."""
    home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    try:
        _call("unshare", _CLONE_NEWNET)
        try:
            yield os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        finally:
            _call("setns", home, _CLONE_NEWNET)
    finally:
        os.close(home)


def _within(namespace: int, act: Callable[[], Any]) -> Any:
    """Return what an act returns in a namespace; sockets and processes that it makes stay there."""
    home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    try:
        _call("setns", namespace, _CLONE_NEWNET)
        try:
            return act()
        finally:
            _call("setns", home, _CLONE_NEWNET)
    finally:
        os.close(home)


def _call(name: str, *arguments: int) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    try:
        failed = getattr(library, name)(*arguments)
    except AttributeError:
        raise NotPermittedError("network namespaces are of Linux only") from None
    if failed:
        reason = os.strerror(ctypes.get_errno())
        raise NotPermittedError(f"no network namespace can be had ({name}: {reason}); root can have them")


def _device(name: str, address: str) -> int:
    """Return the descriptor of a new TUN device of this namespace, with an address, up."""
    try:
        file = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    except OSError as error:
        raise NotPermittedError(f"no TUN device can be had: {error.strerror}; root can have them") from None
    try:
        fcntl.ioctl(file, _TUNSETIFF, struct.pack("16sH14x", name.encode(), _IFF_TUN_NO_PI))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
            for request, value in ((_SIOCSIFADDR, address), (_SIOCSIFNETMASK, "255.255.255.0")):
                packed = struct.pack("16sH2x4s8x", name.encode(), socket.AF_INET, socket.inet_aton(value))
                fcntl.ioctl(control, request, packed)
            flags = struct.pack("16sH14x", name.encode(), _IFF_UP | _IFF_RUNNING)
            fcntl.ioctl(control, _SIOCSIFFLAGS, flags)
    except OSError as error:
        os.close(file)
        raise NotPermittedError(f"no TUN device can be had: {error.strerror}; root can have them") from None
    return file
