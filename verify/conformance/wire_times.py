"""Whether messages arrive as their links say, and rounds take what their parts do."""

import math
import os
import socket
import threading
import time
from pathlib import Path

from impl.wires import Link, Outcome, Round
from impl.wires.channel import WireError
from impl.wires.model import Computing, Load, slowdown, usable_cores
from impl.wires.pace import Pace
from impl.wires.transports.tun_forwarder import Forwarder
from verify.authoring import Comparisons, eq
from verify.comparison import ROUNDS, printed
from verify.conformance.arguments import Calls
from verify.conformance.wire_courses import Told

_WORK = 0.01  # CPU seconds of each core, well above those of starting threads


def arrivals(judged: Told) -> Comparisons:
    """Compare when messages and packets arrive with what their links take, one after the other."""
    link, sizes = Link(1e5, 0.25), (0, 1, 1448, 1449, 5000)
    plain = [8 * (size + 66 * max(1, math.ceil(size / 1448))) / 1e5 for size in sizes]
    for size, seconds in zip(sizes, plain, strict=True):
        yield eq("arrivals on a link", float(judged(link.transmission(size))), seconds, ROUNDS)
        yield eq("arrivals on a link", float(judged(link.seconds(size))), seconds + 0.25, ROUNDS)
    free = Link(1e5, 0.25, downlink=False)
    for own, down in ((link, plain[2] + 0.25), (free, 0.0)):
        yield eq(
            "arrivals on a link", float(judged(own.round_trip(1448, 1449))), down + plain[3] + 0.25, ROUNDS
        )
    slow = Pace(Link(1e2, 0.25), 1e6)  # slow enough that each message waits for the one before
    first = slow.stamp(5000)
    for size, seconds in zip(sizes, plain, strict=True):
        stamp = slow.stamp(size)
        # The clock has whole nanoseconds.
        yield eq(
            "stamps one after the other",
            float(judged((stamp - first) / 1e9)),
            1e3 * seconds,
            printed(7),
        )
        first = stamp
    silent = [Pace(Link(math.inf), 1.0).stamp(9), Pace(link, 1.0, paced=False).stamp(9)]
    yield eq("stamps of messages at once", int(judged(max(silent))), 0)
    refused = 0
    try:
        Pace(Link(8.0), 60.0).stamp(1000)
    except WireError:
        refused = 1
    yield eq("messages that nobody would wait for", int(judged(refused)), 1)
    for given, downs in ((link, True), (free, False)):
        forwarder, clock = Forwarder(given, [3, 4, 7, 8]), {3: 0.0, 4: 0.0, 7: 0.0, 8: 0.0}
        pairs = [forwarder.other[device] for device in (3, 4, 7, 8)]
        yield eq("packets of other workers", int(judged(int(pairs != [7, 8, 3, 4]))), 0)
        yield eq("arrivals of packets", float(judged(forwarder.arrival(7, 100, 5.0))), 5.0, ROUNDS)
        forwarder.began = True
        for device, size, now in (
            (7, 100, 6.0),
            (7, 1500, 6.0),
            (8, 9, 6.001),
            (3, 40, 6.5),
            (3, 40, 6.5),
            (7, 1, 9.0),
        ):
            if device == 3 and not downs:
                arrival = now
            else:
                clock[device] = max(now, clock[device]) + 8 * (size + 14) / 1e5
                arrival = clock[device] + 0.25
            yield eq(
                "arrivals of packets", float(judged(forwarder.arrival(device, size, now))), arrival, ROUNDS
            )


def forwarding(judged: Told) -> Comparisons:
    """Compare which packets leave which devices, in what order and not before they arrive, with those put in.

    Two workers: packets of their devices and of the server's go to the other end, as datagrams of sockets.
    """
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(4)]
    (told, tell), (hear, answer) = os.pipe(), os.pipe()
    for inner, outer in pairs:
        inner.setblocking(False)
        outer.settimeout(10.0)
    forwarder = Forwarder(Link(1e5, 0.02), [inner.fileno() for inner, _ in pairs])
    thread = threading.Thread(target=forwarder.run, args=(told, answer), daemon=True)
    thread.start()
    server, worker = pairs[0][1], pairs[2][1]
    try:
        pairs[1][1].send(b"early")
        early = pairs[3][1].recv(99)
        os.write(tell, b"?")
        begun = os.read(hear, 9)
        start, sent = time.monotonic(), [bytes([k]) * 100 for k in range(3)]
        for packet in sent:
            worker.send(packet)
        found = [server.recv(999) for _ in sent]
        taken = time.monotonic() - start
    finally:
        os.close(tell)
        thread.join(10.0)
    yield eq("packets of other workers", int(judged(int((early, begun) != (b"early", b"!")))), 0)
    yield eq("packets of other workers", int(judged(int(found != sent))), 0)
    least = 3 * 8 * 114 / 1e5 + 0.02
    yield eq("packets of other workers", int(judged(int(taken < least))), 0)
    yield eq("ends of runs", int(judged(int(not thread.is_alive()))), 1, witness={"what": "forwarder"})
    for inner, outer in pairs:
        inner.close()
        outer.close()
    for end in (told, hear, answer):
        os.close(end)


def computing(judged: Told) -> Comparisons:
    """Compare what rounds compute, and what others do meanwhile, with the sums of their parts."""
    rounds = [Round(0.0, 1, 1, 1, cpu) for cpu in (0.5, 0.75, 4.0)]
    busy = [{"busy": 0.125}, {"busy": 0.25}]
    found, more = Computing.of(Outcome(rounds=rounds, reports=busy)), Computing(0.5, 0.25)
    whole, idle = found + more, Computing.of(Outcome(rounds=rounds[:1], reports=2 * busy))
    many = max(1.0, 9 / usable_cores())
    values = (
        *((found.worker, 0.1875), (found.server, 0.375), (whole.worker, 0.6875), (whole.server, 0.625)),
        *(
            (idle.server, 0.0),
            (more.seconds(6, 4), 1.0),
            (more.seconds(2, 4), 0.75),
            (more.seconds(4, 4), 0.75),
        ),
        ((more.seconds(9) - 0.25) / many, 0.5),  # the same on any number of cores
    )
    before, cores = Load(100.0, 10.0, 50.0), os.cpu_count() or 1
    loads = (
        (Load(100.0 + 4 * cores, 10.0 + cores, 60.0), 0.3),
        *((Load(100.0, 20.0, 60.0), 0.0), (Load(None, 10.0, 60.0), 0.0), (Load(200.0, 10.0, 50.0), 0.0)),
    )
    for own, stated in (*values, *((load.others_since(before), share) for load, share in loads)):
        yield eq("arrivals and computing", float(judged(own)), stated, ROUNDS)
    began = time.process_time()
    waited = slowdown(_WORK)
    worked = (time.process_time() - began) / (_WORK * usable_cores())
    yield eq("ends of runs", int(judged(int(worked >= 1 and waited > 0))), 1, witness={"what": "slowdown"})
    told = [_ticks()]
    now = Load.now()
    told.append(_ticks())
    later = Load.now()
    grown = now.all is None or later.all is None or 0 < now.all <= later.all
    between = now.all is None or told[0] <= now.all <= told[1]
    sound = now.when <= later.when and now.own <= later.own and grown and between
    share = later.others_since(Load(None, now.own, now.when))
    yield eq("ends of runs", int(judged(int(sound and share == 0))), 1, witness={"what": "load"})


def _ticks() -> float:
    """Return the seconds that all cores have computed, 0 where the system does not say."""
    file = Path("/proc/stat")
    if not file.is_file():
        return 0.0
    user, nice, system, _idle, _waiting, *rest = (int(word) for word in file.read_text().split()[1:9])
    return (user + nice + system + sum(rest)) / os.sysconf("SC_CLK_TCK")


def links_inside() -> Calls:
    """Return calls that are taken."""
    return {
        **{f"rate={rate}": lambda rate=rate: Link(rate) for rate in (1, 1e-3, math.inf)},
        **{f"delay={delay}": lambda delay=delay: Link(1, delay) for delay in (0, 0.5, 1e3)},
    }


def links_outside() -> Calls:
    """Return calls that are refused."""
    return {
        **{f"rate={rate}": lambda rate=rate: Link(rate) for rate in (0, -1, math.nan)},
        **{f"delay={item}": lambda item=item: Link(1, item) for item in (-1e-9, math.inf, math.nan)},
    }
