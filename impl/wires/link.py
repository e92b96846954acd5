"""A link between a worker and the server: rate, delay, and what packets cost beside their payload."""

import math
from dataclasses import dataclass

from impl.errors import Problems

HEADER = 66
"""Bytes of Ethernet, IP and TCP around the payload of a packet, timestamps included."""
PACKET = 1448
"""Payload bytes of a full packet of 1514."""


@dataclass(frozen=True)
class Link:
    """What a message takes in each direction: delay + 8 (bytes + 66 for each packet) / rate.

    Args:
        rate: Bits a second, positive; infinite where messages take the delay alone.
        delay: Seconds in one direction.
        downlink: Whether the server's messages are held up, too; those of the workers always are.
    """

    rate: float
    delay: float = 0.0
    downlink: bool = True

    def __post_init__(self) -> None:
        problems = Problems("Link")
        problems.require(
            self.rate > 0, f"rate={self.rate!r} must be positive, in bits a second, such as 1e6 for 1Mbit"
        )
        problems.require(
            0 <= self.delay < math.inf, f"delay={self.delay!r} must be a finite number of seconds, at least 0"
        )
        problems.raise_if_any()

    @property
    def is_paced(self) -> bool:
        """Whether anything is held up at all."""
        return self.rate < math.inf or self.delay > 0

    def transmission(self, size: int) -> float:
        """Return the seconds for which a message of so many bytes occupies the link."""
        return 8 * (size + HEADER * max(1, -(-size // PACKET))) / self.rate

    def seconds(self, size: int) -> float:
        """Return the seconds from sending a message on a free link to its arrival."""
        return self.transmission(size) + self.delay

    def round_trip(self, down: int, up: int) -> float:
        """Return the seconds of the messages of a round, of so many bytes down and up."""
        return self.seconds(up) + (self.seconds(down) if self.downlink else 0.0)


LOOPBACK = Link(math.inf)
"""Messages as fast as the machine is."""
