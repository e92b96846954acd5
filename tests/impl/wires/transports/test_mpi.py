"""Which ranks the server of an MPI program speaks to, by a communicator that only remembers."""

import sys
from types import SimpleNamespace

from impl.wires import LOOPBACK
from impl.wires.transports.mpi import serve_ranks


class Remembering:
    """A communicator that takes every message and brings none."""

    def __init__(self):
        self.ranks = []

    def Isend(self, message, rank, tag):
        self.ranks.append(rank)
        return SimpleNamespace(Test=lambda: True)

    def Improbe(self, rank, tag, status):
        return None


def test_worker_i_is_rank_i_plus_1(make, session, monkeypatch):
    fake = SimpleNamespace(MPI=SimpleNamespace(Status=object))
    monkeypatch.setitem(sys.modules, "mpi4py", fake)
    server, workers = make("gd")
    found = Remembering()
    ended = serve_ranks(found, server, workers, session, link=LOOPBACK, rounds=1, limit=0.01)
    assert ended.status == "failed"
    assert found.ranks[: len(workers)] == [i + 1 for i in range(len(workers))]
    assert "worker 0 sent no message" in ended.reason
