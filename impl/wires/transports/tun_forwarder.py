"""The links themselves: `python -m impl.wires.transports.tun_forwarder RATE DELAY DOWNLINK DEVICE ...`.

The first half of the devices are those of the server, one for each worker; the others are the workers'. A
byte on standard input lets the links begin to hold packets back, and is answered by one. It ends with its
input.
"""

import heapq
import os
import select
import sys
import time

from impl.wires.channel import use_sharp_timers
from impl.wires.link import Link

ETHERNET = 14
"""Bytes of a header that packets of a TUN device have not."""
_SIZE = 1 << 16


def main() -> int:
    """Forward packets until the input ends."""
    rate, delay, downlink, *numbers = sys.argv[1:]
    link, devices = Link(float(rate), float(delay), downlink=downlink == "1"), [int(item) for item in numbers]
    use_sharp_timers()
    Forwarder(link, devices).run(0, 1)
    return 0


class Forwarder:
    """Takes packets from devices and puts them into others, when they arrive.

    Args:
        link: Of each worker.
        devices: Descriptors, those of the server first.
    """

    def __init__(self, link: Link, devices: list[int]) -> None:
        half = len(devices) // 2
        self.link, self.downs = link, frozenset(devices[:half])
        pairs = list(zip(devices[:half], devices[half:], strict=True))
        self.other = {**dict(pairs), **{worker: server for server, worker in pairs}}
        self.free = dict.fromkeys(devices, 0.0)
        self.began = False
        self._waiting: list[tuple[float, int, int, bytes]] = []
        self._count = 0

    def run(self, told: int, answer: int) -> None:
        """Forward until the descriptor `told` ends; a byte on it begins, and is answered."""
        while True:
            left = max(0.0, self._waiting[0][0] - time.monotonic()) if self._waiting else None
            ready, _, _ = select.select([told, *self.other], [], [], left)
            for device in ready:
                if device != told:
                    self._take(device)
                elif os.read(told, 1):
                    self.began = True
                    os.write(answer, b"!")
                else:
                    return
            self._put()

    def _take(self, device: int) -> None:
        """Take all packets of a device, each with the time of its arrival."""
        while True:
            try:
                packet = os.read(device, _SIZE)
            except BlockingIOError:
                return
            arrival = self.arrival(device, len(packet), time.monotonic())
            self._count += 1  # packets of one instant stay in their order
            heapq.heappush(self._waiting, (arrival, self._count, self.other[device], packet))

    def arrival(self, device: int, size: int, now: float) -> float:
        """Return when a packet from a device arrives."""
        if not self.began or (device in self.downs and not self.link.downlink):
            return now
        self.free[device] = max(now, self.free[device]) + 8 * (size + ETHERNET) / self.link.rate
        return self.free[device] + self.link.delay

    def _put(self) -> None:
        while self._waiting and self._waiting[0][0] <= time.monotonic():
            _, _, device, packet = heapq.heappop(self._waiting)
            try:
                os.write(device, packet)
            except OSError:
                continue  # a device that is full or going loses packets, as links do


if __name__ == "__main__":
    sys.exit(main())
