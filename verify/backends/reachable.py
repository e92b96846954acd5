"""Whether anybody listens at an address: libraries wait for minutes, or try for ever."""

import socket

from verify.errors import BackendError

PATIENCE = 10.0
"""Seconds that a scheduler has for its first answer."""


def check_reachable(address: str, default_port: int, *, greets: bool = False) -> None:
    """Raise unless a connection to `[SCHEME://]HOST[:PORT]` can be opened within `PATIENCE`.

    Args:
        address: Where the scheduler is.
        default_port: Its port where the address has none.
        greets: Whether a scheduler says something at once, so that another service can be told apart.

    Raises:
        BackendError: The address cannot be read, or nobody answers there.
    """
    host, port = _host_and_port(address, default_port)
    try:
        with socket.create_connection((host, port), timeout=PATIENCE) as connection:
            if greets and not connection.recv(1):
                raise unreachable(address, "something else is there")
    except OSError as error:
        raise unreachable(address, str(error.strerror or error)) from error


def unreachable(address: str, reason: str) -> BackendError:
    """Return the error of a scheduler that does not answer."""
    return BackendError(
        f"address={address!r}: no scheduler answers within {PATIENCE:g} s ({reason}); start it, or leave "
        "--address out for workers on this machine"
    )


def _host_and_port(address: str, default_port: int) -> tuple[str, int]:
    place = address.rpartition("://")[2].strip("/")
    host, colon, port = place.rpartition(":")
    if not colon:
        host, port = place, str(default_port)
    if not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise BackendError(f"address={address!r} must look like tcp://HOST:PORT or HOST:{default_port}")
    return host.strip("[]"), int(port)
