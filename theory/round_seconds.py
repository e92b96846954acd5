"""Seconds of a round on real links: delays, packets with headers, and what is computed."""

from typing import Any

HEADER = 66
"""Bytes of headers of a packet: Ethernet, IPv4 and TCP with time stamps."""


def packet(u: Any, R: Any) -> Any:
    """Return the seconds of a packet with u bytes over R bits a second."""
    return 8 * (u + HEADER) / R


def both_ways(delta: Any, b: Any, u: Any, R: Any, c: Any) -> Any:
    """Return the seconds of a round: the point of b bytes down, at most u bytes of a worker up."""
    return 2 * delta + packet(b, R) + packet(u, R) + c


def free_downlink(delta: Any, u: Any, R: Any, c: Any) -> Any:
    """Return them where the point is free."""
    return delta + packet(u, R) + c
