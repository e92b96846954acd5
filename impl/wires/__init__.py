"""Methods on real processes: halves of workers and servers, sessions between them, links that are paced."""

from impl.wires.frame import Place, Session
from impl.wires.link import LOOPBACK, Link
from impl.wires.outcome import Outcome, Round

__all__ = ["LOOPBACK", "Link", "Outcome", "Place", "Round", "Session"]
