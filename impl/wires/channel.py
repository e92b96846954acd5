"""Channels between the server and one worker: records that arrive no sooner than they are stamped."""

import json
import struct
import time
from abc import ABC, abstractmethod
from typing import Any

RECORD = struct.Struct("<BqI")
"""Kind, nanoseconds of the arrival by the clock of the machine or 0, and bytes that follow. No part of a
frame and not counted: a deployment needs none of it, as frames tell their lengths."""
FRAME, WORDS, SETUP = 0, 1, 2
LARGEST = 2**31
"""Bytes of a record; a longer one is no record."""


class WireError(Exception):
    """The other end is gone, late, or tells that it failed."""


class Stopped(WireError):
    """The server ends the run; `reason` is empty where that is as planned."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Channel(ABC):
    """One end.

    Args:
        peer: The other end, in words.
    """

    def __init__(self, peer: str) -> None:
        self.peer = peer
        self.waited = 0.0

    @abstractmethod
    def put(self, kind: int, data: bytes, stamp: int = 0) -> None:
        """Send a record.

        Raises:
            WireError: The other end is gone, or does not take it in time.
        """

    @abstractmethod
    def take(self, limit: float, deadline: float | None = None) -> tuple[int, int, bytes]:
        """Return kind, stamp and data of the next record.

        Args:
            limit: Seconds, as messages tell them.
            deadline: When they end, by the monotonic clock; by default they begin now.

        Raises:
            WireError: The other end is gone, or there is no record after so many seconds.
        """

    def close(self) -> None:  # noqa: B027  # not every channel holds something
        """Let go of what the channel holds."""

    def tell(self, **words: Any) -> None:
        """Send words beside the frames; a peer that is gone is told nothing."""
        try:
            self.put(WORDS, json.dumps(words).encode())
        except WireError:
            return

    def receive(self, limit: float, deadline: float | None = None) -> bytes:
        """Return the next frame, when it is to arrive; arguments as of `take`.

        Raises:
            WireError: As of `take`.
            Stopped: The server ends the run.
        """
        start = time.monotonic_ns()
        kind, stamp, data = self.take(limit, deadline)
        if kind == WORDS:
            raise self._said(words_of(data, self.peer))
        if kind != FRAME:
            raise WireError(f"{self.peer} sent a record of kind {kind} where a frame was expected")
        ahead = (stamp - time.monotonic_ns()) / 1e9 if stamp else 0.0
        if ahead > 0:
            time.sleep(ahead)
        self.waited += (time.monotonic_ns() - start) / 1e9
        return data

    def words(self, limit: float) -> dict[str, Any]:
        """Return the next words; frames before them are dropped.

        Raises:
            WireError: As of `take`.
        """
        deadline = time.monotonic() + limit
        while True:
            kind, _, data = self.take(limit, deadline)
            if kind == WORDS:
                return words_of(data, self.peer)

    def _said(self, words: dict[str, Any]) -> WireError:
        if "stop" in words:
            return Stopped(str(words["stop"]))
        return WireError(str(words.get("failed", f"{self.peer} sent unexpected words")))


def words_of(data: bytes, peer: str) -> dict[str, Any]:
    """Return the words of a record.

    Raises:
        WireError: They are none.
    """
    try:
        found = json.loads(data)
    except ValueError as error:
        raise WireError(f"{peer} sent words that cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise WireError(f"{peer} sent words that cannot be read: {found!r}")
    return found


def use_sharp_timers() -> None:
    """Let sleeps of this process end when they should, where the system has an option for it."""
    import ctypes
    import sys

    if sys.platform == "linux":
        _SET_TIMERSLACK = 29
        ctypes.CDLL(None).prctl(_SET_TIMERSLACK, 1, 0, 0, 0)
