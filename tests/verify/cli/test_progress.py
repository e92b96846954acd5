"""The progress line: what it counts, the time left, and that nothing of it is left over."""

import os
import pty
import re
import subprocess
import sys

import pytest

from verify.cli.runs.progress import Pace, spoken


class Clock:
    """Seconds that a test sets."""

    now = 0.0

    def __call__(self):
        return self.now


def test_claims_and_units_are_counted():
    pace = Pace(1, Clock())
    assert pace.line() == "planning"
    pace.plan({("p/a", "exact", "1"): 2.0, ("p/a", "exact", "2"): 2.0, ("p/b", "run", "1"): 16.0}, known=3)
    pace.finish(("p/a", "exact", "1"))
    assert pace.line().startswith("0/2 claims, 1/3 units, ")
    pace.finish(("p/a", "exact", "2"))
    assert pace.line().startswith("1/2 claims, 2/3 units, ")


def test_the_time_left_is_that_of_earlier_records_then_that_of_this_run():
    clock = Clock()
    pace = Pace(2, clock)
    pace.plan({("p/a", "exact", "1"): 20.0, ("p/b", "exact", "1"): 60.0}, known=2)
    assert pace.seconds_left() == pytest.approx(40)  # on two processes
    clock.now = 30.0
    pace.finish(("p/a", "exact", "1"))
    assert pace.seconds_left() == pytest.approx(90)  # at the pace of this run
    assert pace.line() == "1/2 claims, 1/2 units, about 90 s left"


def test_without_earlier_records_nothing_is_promised():
    pace = Pace(1, Clock())
    pace.plan({("p/a", "exact", str(place)): 1.0 for place in range(10)}, known=0)
    assert pace.line() == "0/1 claims, 0/10 units, time left not known yet"


def test_units_that_are_kept_take_no_time():
    pace = Pace(1, Clock())
    pace.plan({("p/a", "exact", "1"): 0.0, ("p/a", "exact", "2"): 5.0}, known=1)
    pace.finish(("p/a", "exact", "1"))
    assert pace.seconds_left() == pytest.approx(5)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(3, "a few seconds left"), (44, "about 40 s left"), (95, "about 100 s left"), (180, "about 3 min left")],
)
def test_words_are_no_finer_than_what_is_known(seconds, words):
    assert spoken(seconds) == words


@pytest.mark.parametrize("columns", [80, 120])
def test_a_terminal_shows_one_line_and_keeps_none(tmp_path, columns):
    """The line is written over in place, is shorter than the terminal, and is gone at the end."""
    master, slave = pty.openpty()
    command = [
        sys.executable,
        "-m",
        "verify",
        "verify",
        "squant/steps",
        "--jobs",
        "1",
        "--out",
        str(tmp_path),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=slave, env=os.environ | {"COLUMNS": str(columns)}
    ) as process:
        os.close(slave)
        chunks = []
        while True:
            try:
                chunk = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not chunk:
                break
            chunks.append(chunk)
        out = process.stdout.read().decode()
    os.close(master)
    shown = b"".join(chunks).decode()
    assert process.returncode == 0, shown
    lines = re.split(r"\r\033\[K", shown)
    assert any("units, " in line for line in lines)
    assert max(len(line.splitlines()[0]) for line in lines if line) < columns
    assert lines[-1] == ""
    assert shown.count("\n") == 1  # that of the seed
    assert "\033" not in out
    assert max(map(len, out.splitlines())) <= columns
