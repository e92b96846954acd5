"""How far a run is: one line on a terminal, elsewhere a quiet one for each unit; always on standard error."""

import shutil
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import click

_PACE_AFTER = 0.05
"""Part of the expected time after which the pace of this run counts, no longer the number of processes."""


class Pace:
    """Claims and units that are done, and the time left by the seconds of earlier records.

    Args:
        jobs: Number of processes, -1 for all cores.
        clock: Seconds that pass.
    """

    def __init__(self, jobs: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        import os

        self.jobs = jobs if jobs > 0 else os.cpu_count() or 1
        self.clock = clock
        self.started = clock()
        self.expected: dict[tuple[str, str, str], float] = {}
        self.left: Counter[str] = Counter()
        self.units = self.claims = self.done = 0
        self.known = False

    def plan(self, expected: Mapping[tuple[str, str, str], float], known: int) -> None:
        """Take the units of the run with the CPU seconds expected of each, 0 where a record is kept.

        Args:
            expected: Seconds by key (claim, rung, instance).
            known: For how many of them an earlier record tells the seconds.
        """
        self.expected = dict(expected)
        self.left = Counter(key[0] for key in expected)
        self.units, self.claims = len(expected), len(self.left)
        self.total = sum(expected.values())
        self.known = 2 * known >= sum(seconds > 0 for seconds in expected.values())

    def finish(self, key: tuple[str, str, str]) -> None:
        """Count a unit as done."""
        self.done += 1
        self.expected.pop(key, None)
        self.left[key[0]] -= 1

    def seconds_left(self) -> float | None:
        """Return the seconds that the rest takes, None as long as nothing tells."""
        remaining = sum(self.expected.values())
        finished = self.total - remaining if self.units else 0.0
        if self.units and finished > _PACE_AFTER * self.total:
            return remaining * (self.clock() - self.started) / finished
        return remaining / self.jobs if self.known else None

    def line(self) -> str:
        """Return the line of a terminal."""
        if not self.units:
            return "planning"
        claims = sum(count <= 0 for count in self.left.values())
        return f"{claims}/{self.claims} claims, {self.done}/{self.units} units, {spoken(self.seconds_left())}"


def spoken(seconds: float | None) -> str:
    """Return a time left in words, no finer than it is known."""
    if seconds is None:
        return "time left not known yet"
    if seconds < 10:
        return "a few seconds left"
    if seconds < 100:
        return f"about {round(seconds, -1):.0f} s left"
    return f"about {seconds / 60:.0f} min left"


class ProgressLine:
    """The line on standard error while a run goes on.

    Args:
        jobs: Number of processes, -1 for all cores.
    """

    def __init__(self, jobs: int) -> None:
        self._pace = Pace(jobs)
        self._is_terminal = sys.stderr.isatty()
        self._stop = threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> "ProgressLine":
        if self._is_terminal:
            self._ticker.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_terminal:
            self._stop.set()
            self._ticker.join()
            self._put("")

    def announce(self, seed: int, profile: str, tier: str = "numpy") -> None:
        """Print the seed before anything runs, so that a hang can be reproduced."""
        if self._is_terminal:
            self._put("")
        drawn = "" if tier == "numpy" else f", tier {tier}"
        click.echo(f"seed {seed}, profile {profile}{drawn}", err=True)

    def plan(self, expected: Mapping[tuple[str, str, str], float], known: int) -> None:
        """Take the plan of the run; see `Pace.plan`."""
        self._pace.plan(expected, known)

    def update(self, how: str, record: Any, done: int, total: int) -> None:
        """Count a unit; this is the callback of the runner."""
        self._pace.finish((record["claim"], record["rung"], record["instance"]))
        if not self._is_terminal:
            unit = f"{record['claim']} {record['rung']}/{record['instance']}"
            spent = "cached" if how == "cached" else f"{record['seconds']:.1f} s"
            click.echo(f"{done:4d}/{total} {unit}: {record['verdict']} ({spent})", err=True)

    def _tick(self) -> None:
        while not self._stop.wait(0.25):
            self._put(self._pace.line())

    def _put(self, text: str) -> None:
        """Write over the line; it is shorter than the terminal, so that none is left over."""
        width = shutil.get_terminal_size().columns
        sys.stderr.write(f"\r\033[K{text[: width - 1]}")
        sys.stderr.flush()
