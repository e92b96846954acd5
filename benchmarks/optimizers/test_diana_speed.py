"""DIANA on a small problem: all clients and 100 replicates at once against plain loops over clients."""

import time

import numpy as np
import pytest

from benchmarks.targets import Known
from impl import tiers
from impl.compressors import StochasticQuantizer
from impl.optimizers import diana
from impl.problems import Quadratic

CLIENTS, D, ROUNDS, REPLICATES, LEVELS = 10, 50, 100, 100, 4
STEP, LEARNING_RATE = 0.05, 0.2
FASTER = 18.0  # wanted
KNOWN = {"numpy": Known("passes", wide=12.9, narrow=15.3), "fused": Known("passes", wide=16.7)}

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    roots = rng.standard_normal((CLIENTS, D, D))
    matrices = roots @ roots.transpose(0, 2, 1) / D + 0.1 * np.eye(D)
    return Quadratic(matrices, rng.standard_normal((CLIENTS, D)))


def plain_loop(problem):
    """Run one replicate client by client, as one would write it with numpy: no bits, no traces, no checks."""
    rng = np.random.default_rng(0)
    A, b = problem.matrices, problem.linear
    x, h = np.zeros(D), np.zeros((CLIENTS, D))
    for _ in range(ROUNDS):
        g = np.zeros(D)
        for i in range(CLIENTS):
            difference = A[i] @ x - b[i] - h[i]
            N = np.linalg.norm(difference)
            v = np.abs(difference) * (LEVELS / N)
            floor = np.floor(v)
            decoded = np.sign(difference) * (floor + (rng.random(D) < v - floor)) * (N / LEVELS)
            g += h[i] + decoded
            h[i] += LEARNING_RATE * decoded
        x = x - STEP * g / CLIENTS
    return x


def batched(problem, replicates, rounds=ROUNDS):
    return diana(
        problem,
        StochasticQuantizer(1 / LEVELS),
        step_size=STEP,
        learning_rate=LEARNING_RATE,
        rounds=rounds,
        rng=np.random.default_rng(0),
        replicates=replicates,
    )


@pytest.mark.parametrize("tier", tiers.TIERS)
def test_replicates_together_are_faster_than_loops_over_clients(problem, cpu_ratio, require, tier):
    if tier == "fused":
        pytest.importorskip("numba")

    def replicates():
        with tiers.tier(tier):
            return batched(problem, REPLICATES)

    # Gate: both come as close to the solution, so that no candidate is fast because it does less.
    distances = replicates().distance_sq[:, -1]
    assert np.sum((plain_loop(problem) - problem.solution) ** 2) < 4 * distances.max()
    measured = cpu_ratio(lambda: plain_loop(problem), replicates)
    one, ratio = measured.b_ms / REPLICATES, measured.ratio * REPLICATES
    print(f"\nms per replicate: loop {measured.a_ms:.1f}, batched {one:.2f}; ratio {ratio:.1f}")
    require(ratio, FASTER, KNOWN[tier])


def test_a_round_allocates_nothing_that_grows(problem):
    """The peak of memory beyond the traces is that of a short run."""
    import tracemalloc

    def peak(rounds):
        tracemalloc.start()
        result = batched(problem, 20, rounds)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        traces = (result.objective, result.gradient_norm_sq, result.distance_sq, result.bits)
        kept = sum(trace.nbytes for trace in (*traces, result.bits_slowest, result.shift_distance_sq))
        return most - kept

    batched(problem, 20)  # tables of codes are made once
    start = time.process_time()
    short, long = peak(100), peak(1000)
    print(f"\npeaks beside the traces: {short} and {long} bytes, {time.process_time() - start:.1f} s")
    assert long < 1.05 * short
