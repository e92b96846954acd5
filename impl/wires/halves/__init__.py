"""Both halves of each method: what a worker does with its own data, and the server with messages."""

from impl.wires.halves.codecs import Alone, Plain
from impl.wires.halves.contract import Server, Worker
from impl.wires.halves.marina import MarinaServer, MarinaWorker
from impl.wires.halves.mean import MeanServer, MeanWorker
from impl.wires.halves.memory import MemoryWorker
from impl.wires.halves.shifted import ShiftedServer, ShiftedWorker

__all__ = [
    "Alone",
    "MarinaServer",
    "MarinaWorker",
    "MeanServer",
    "MeanWorker",
    "MemoryWorker",
    "Plain",
    "Server",
    "ShiftedServer",
    "ShiftedWorker",
    "Worker",
]
