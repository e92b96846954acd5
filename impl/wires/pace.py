"""When messages arrive on a link that is not there: one after the other in each direction."""

import time

from impl.wires.channel import WireError
from impl.wires.link import Link


class Pace:
    """One direction of the link of one worker.

    Args:
        link: The link.
        limit: Seconds after which a message is awaited no longer.
        paced: Whether messages of this direction are held up.
    """

    def __init__(self, link: Link, limit: float, *, paced: bool = True) -> None:
        self.link, self.limit, self.paced = link, limit, paced and link.is_paced
        self._free = 0.0

    def stamp(self, size: int) -> int:
        """Return when a message that is sent now arrives, in nanoseconds of the clock, 0 for at once.

        Raises:
            WireError: Nobody would wait for it so long.
        """
        if not self.paced:
            return 0
        now = time.monotonic()
        self._free = max(now, self._free) + self.link.transmission(size)
        arrival = self._free + self.link.delay
        if arrival - now > self.limit:
            raise WireError(
                f"a message of {size} bytes takes {arrival - now:.3g} s on its link, the limit is "
                f"{self.limit:g} s; raise the limit or take a faster link"
            )
        return int(1e9 * arrival)
