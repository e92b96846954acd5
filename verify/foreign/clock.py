"""How long a check has worked: time that other processes took from it counts a quarter."""

import time

SHARE = 0.25
"""Part of the wall-clock time that counts at least, so that a sleeping compressor ends as well."""


class Clock:
    """Seconds of work since the start, and whether a limit is passed.

    Args:
        limit: Seconds.
    """

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self._wall, self._work = time.monotonic(), time.process_time()

    @property
    def seconds(self) -> float:
        """Return seconds of this process, at least a quarter of what has passed, at most all of it."""
        wall = time.monotonic() - self._wall
        return min(wall, max(time.process_time() - self._work, SHARE * wall))

    def over(self, share: float = 1.0) -> bool:
        """Return whether this share of the limit has passed."""
        return self.seconds > share * self.limit
