"""Small runs: a problem of three workers, their halves, a session."""

import numpy as np
import pytest

from impl.compressors import (
    DitheredQuantizer,
    Independent,
    NestedDitheredQuantizer,
    PermK,
    RandK,
    StochasticQuantizer,
    TopK,
)
from impl.matrix_roots import MatrixRoots
from impl.problems import Logistic
from impl.wires import Session
from impl.wires.halves import (
    Alone,
    MarinaServer,
    MarinaWorker,
    MeanServer,
    MeanWorker,
    MemoryWorker,
    Plain,
    ShiftedServer,
    ShiftedWorker,
)
from impl.wires.halves.marina import Coins

SEED = (7, 8)
N, D = 3, 5


@pytest.fixture
def seed():
    return SEED


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    return Logistic(rng.standard_normal((N, 20, D)), rng.choice([-1.0, 1.0], (N, 20)), 0.1)


@pytest.fixture
def session():
    return Session({"run": "test"})


@pytest.fixture
def make(problem):
    """Return a function: fresh halves (server, workers) of a method by name."""

    def of(name, step_size=0.3, bits=32):
        parts = [problem.part(i) for i in range(N)]
        options = {"step_size": step_size, "point_bits": bits}
        start, roots = np.zeros(D), MatrixRoots.of_nodes(problem.smoothness)
        quantizers = [Alone(StochasticQuantizer(0.5), d=D, seed=SEED, worker=i) for i in range(N)]
        if name == "gd":
            plain = Plain(D, bits)
            return MeanServer(start, [plain] * N, **options), [MeanWorker(part, plain) for part in parts]
        if name == "dcgd":
            workers = [MeanWorker(part, item) for part, item in zip(parts, quantizers, strict=True)]
            return MeanServer(start, quantizers, **options), workers
        if name == "memory_gd":
            codecs = [Alone(TopK(2), d=D, seed=SEED, worker=i) for i in range(N)]
            workers = [MemoryWorker(part, item) for part, item in zip(parts, codecs, strict=True)]
            return MeanServer(start, codecs, **options), workers
        if name in ("diana", "diana_plus"):
            used = roots if name == "diana_plus" else None
            workers = [
                ShiftedWorker(
                    parts[i], quantizers[i], learning_rate=0.4, roots=None if used is None else roots.node(i)
                )
                for i in range(N)
            ]
            return ShiftedServer(start, quantizers, learning_rate=0.4, roots=used, **options), workers
        if name in ("marina", "marina_rand_k"):
            coins, joint = Coins(SEED, 0.3), PermK() if name == "marina" else Independent(RandK(2))
            workers = [MarinaWorker(parts[i], joint, coins, worker=i, n=N, bits=bits) for i in range(N)]
            return MarinaServer(start, joint, coins, bits=bits, **options), workers
        codecs = [
            Alone(codec, d=D, seed=SEED, worker=i)
            for i, codec in enumerate(
                [DitheredQuantizer(9), DitheredQuantizer(9), NestedDitheredQuantizer(9, 9)]
            )
        ]
        workers = [MeanWorker(part, item) for part, item in zip(parts, codecs, strict=True)]
        return MeanServer(start, codecs, nested=[2], **options), workers

    return of
