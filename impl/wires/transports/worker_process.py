"""A worker: `python -m impl.wires.transports.worker_process NUMBER PORT [HOST]`, its token on stdin."""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(
        _name, "1"
    )  # one process for each worker: their threads would only get in each other's way

import pickle  # noqa: E402  # numpy reads these variables when it is imported
import socket  # noqa: E402
import sys  # noqa: E402

from impl.errors import ArgumentError, MessageError  # noqa: E402
from impl.wires.channel import SETUP, WORDS, Channel, Stopped, WireError, use_sharp_timers, words_of  # noqa: E402
from impl.wires.frame import Session  # noqa: E402
from impl.wires.transports.nursery import HOST  # noqa: E402
from impl.wires.transports.tcp import Setup, TcpChannel, introduce  # noqa: E402
from impl.wires.working import Working, work  # noqa: E402

_CONNECT = 60.0  # seconds for the server to answer and to send the set-up


def main() -> int:
    """Work for one run, as the arguments say."""
    return worked(int(sys.argv[1]), int(sys.argv[2]), (*sys.argv[3:], HOST)[0], sys.stdin.read())


def worked(place: int, port: int, host: str, token: str) -> int:
    """Work for one run; 1, with one line on standard error, where it ends otherwise than planned."""
    try:
        channel = TcpChannel("the server", socket.create_connection((host, port), _CONNECT))
        introduce(channel, place, token)
        reason = answer(channel, _CONNECT)
    except (WireError, MessageError, ArgumentError, OSError) as error:
        reason = str(error)
    except KeyboardInterrupt:
        reason = "the run was interrupted"
    if reason:
        print(f"worker {place} stops: {reason}", file=sys.stderr)  # noqa: T201  # its only way to say it
    return 1 if reason else 0


def answer(channel: Channel, limit: float) -> str:
    """Take the set-up and work; return why the run ended, nothing where that was as planned."""
    kind, _, data = channel.take(limit)
    if kind == WORDS:
        return str(words_of(data, channel.peer).get("stop", "the server sent no set-up"))
    if kind != SETUP:
        raise WireError("the server sent no set-up")
    setup = pickle.loads(data)  # from the server that started this process
    if not isinstance(setup, Setup):
        raise WireError("the server sent no set-up")
    use_sharp_timers()
    working = Working(setup.worker, setup.place, Session(setup.words), point_bits=setup.point_bits)
    channel.tell(ready=True)
    try:
        return work(working, channel, link=setup.link, limit=setup.limit)
    except Stopped as stop:
        return stop.reason


if __name__ == "__main__":
    sys.exit(main())
