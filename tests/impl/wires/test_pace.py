"""What links take, and when messages are to arrive."""

import math
import time

import pytest

from impl.errors import ArgumentError
from impl.wires import LOOPBACK, Link
from impl.wires.channel import WireError
from impl.wires.pace import Pace


def test_messages_queue_on_a_link():
    pace, before = Pace(Link(1e6, 0.5), 9.0), time.monotonic()
    first, second = pace.stamp(1000), pace.stamp(500)
    after = time.monotonic()
    one, two = 8 * 1066 / 1e6, 8 * 566 / 1e6
    assert before + one + 0.5 - 1e-6 <= first / 1e9 <= after + one + 0.5
    assert second - first == pytest.approx(1e9 * two, abs=2)
    with pytest.raises(WireError, match=r"a message of 10 bytes takes 0.501 s .* the limit is 0.4 s"):
        Pace(Link(1e6, 0.5), 0.4).stamp(10)
    assert Pace(LOOPBACK, 9.0).stamp(1000) == 0
    assert Pace(Link(1e6, 0.5), 0.1, paced=False).stamp(1000) == 0


@pytest.mark.parametrize(
    ("rate", "delay", "words"),
    [
        (0, 0, "rate=0"),
        (-1.0, 0, "rate=-1.0"),
        (math.nan, 0, "rate=nan"),
        (1, -1, "delay=-1"),
        (1, math.inf, "delay=inf"),
    ],
)
def test_links_that_are_none(rate, delay, words):
    with pytest.raises(ArgumentError, match=words):
        Link(rate, delay)
