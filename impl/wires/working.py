"""The rounds of a worker, over a channel of any kind."""

import time

from impl.errors import ArgumentError, MessageError
from impl.wires.channel import FRAME, Channel, Stopped, WireError
from impl.wires.frame import Place, Session
from impl.wires.halves.contract import Worker
from impl.wires.link import Link
from impl.wires.numbers import read_numbers
from impl.wires.pace import Pace


class Working:
    """Answers to the frames of the server.

    Args:
        worker: Its half.
        place: Its number.
        session: Frames.
        point_bits: Bits of a number of the point.
    """

    def __init__(self, worker: Worker, place: int, session: Session, *, point_bits: int) -> None:
        self.worker, self.place, self.session, self.point_bits = worker, place, session, point_bits
        self.round = 0

    def answer(self, data: bytes) -> bytes:
        """Return the frame of the next round.

        Raises:
            MessageError: The server's frame is not the one that is expected.
            ArgumentError: The own vector cannot be sent.
        """
        k = self.round
        reader = self.session.unpack(data, Place("down", self.place, k))
        x = read_numbers(reader, self.worker.part.d, self.point_bits)
        found = self.session.pack(self.worker.answer(k, x), Place("up", self.place, k))
        self.round += 1
        return found


def work(working: Working, channel: Channel, *, link: Link, limit: float) -> str:
    """Answer until the server ends the run; return why it ended, nothing where that was as planned.

    Raises:
        WireError: The server is gone, or late.
        MessageError: It sent something else than was expected.
        ArgumentError: The own vector cannot be sent.
        Exception: Whatever else goes wrong; the server is told of everything.
    """
    pace, start, cpu = Pace(link, limit), time.perf_counter(), time.process_time()
    try:
        while True:
            answer = working.answer(channel.receive(limit))
            channel.put(FRAME, answer, pace.stamp(len(answer)))
    except Stopped as stop:
        if not stop.reason or stop.reason.startswith("the run diverged"):
            channel.tell(
                seconds=time.perf_counter() - start,
                cpu=time.process_time() - cpu,
                gradient=working.worker.gradient_seconds,
                wait=channel.waited,
            )
        return stop.reason
    except Exception as error:
        expected = isinstance(error, MessageError | ArgumentError | WireError)
        words = str(error) if expected else f"{type(error).__name__}: {error}"
        channel.tell(failed=f"worker {working.place} failed in round {working.round}: {words}")
        raise
