"""What a worker tells the server when its run ends otherwise than planned."""

import pytest

from impl.errors import ArgumentError, MessageError
from impl.wires import Link
from impl.wires.channel import WireError
from impl.wires.working import Working, work


class Failing:
    """Frames of the server, of which the second one cannot be answered; it keeps what is told."""

    def __init__(self, error):
        self.error, self.told, self.frames = error, [], 0

    def receive(self, limit):
        self.frames += 1
        if self.frames == 2:
            raise self.error
        return b"frame"

    def put(self, kind, data, stamp):
        self.sent = data

    def tell(self, **words):
        self.told.append(words)


class Once(Working):
    """Answers the first frame."""

    def answer(self, data):
        self.round += 1
        return data[::-1]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MessageError("it is another frame"), "it is another frame"),
        (ArgumentError("x[0] = nan must be finite"), "x[0] = nan must be finite"),
        (WireError("the server is gone"), "the server is gone"),
        (ZeroDivisionError("by nothing"), "ZeroDivisionError: by nothing"),
    ],
)
def test_the_server_is_told_who_failed_where_and_why(error, words):
    channel, working = Failing(error), Once(None, 3, None, point_bits=64)
    with pytest.raises(type(error), match=str(error).split(" ")[-1]):
        work(working, channel, link=Link(1e9), limit=1.0)
    assert channel.sent == b"emarf"
    assert channel.told == [{"failed": f"worker 3 failed in round 1: {words}"}]
