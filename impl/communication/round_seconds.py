"""Seconds of a round on a real link: the point of the server down, a message up."""

from collections.abc import Hashable
from typing import Any

from impl.communication.contract import CostModel, packets
from impl.errors import Problems
from impl.wires.link import HEADER, PACKET, Link

_FRAME = 8  # bytes of a frame beside its payload, at most (impl.wires.frame)


class RoundSeconds(CostModel):
    """C(P) = what a message of P bits takes up and a point takes down, delays, headers and frames included.

    Computing is no part of it. Every node has a link of its own.

    Args:
        link: The link of a node.
        point_bits: Bits of the point that the server sends.
    """

    unit = "seconds"

    def __init__(self, link: Link, point_bits: int) -> None:
        problems = Problems("RoundSeconds")
        whole = isinstance(point_bits, int) and not isinstance(point_bits, bool) and point_bits >= 0
        problems.require(whole, f"point_bits={point_bits!r} must be a whole number of at least 0")
        problems.raise_if_any()
        self.link, self.point_bits = link, point_bits
        self.payload_bits = 8 * PACKET
        down = -(-point_bits // 8) + _FRAME
        self._fixed = link.delay + (link.seconds(down) if link.downlink else 0.0)

    def __repr__(self) -> str:
        return f"RoundSeconds({self.link!r}, {self.point_bits})"

    def __call__(self, bits: Any) -> Any:
        size = packets(self._payload(bits), 8) + _FRAME
        return 8 * (size + HEADER * packets(size, PACKET)) / self.link.rate + self._fixed

    @property
    def empty(self) -> Any:
        return self(0)

    def _parameters(self) -> tuple[Hashable, ...]:
        return (self.link, self.point_bits)
