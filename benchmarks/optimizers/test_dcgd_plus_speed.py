"""DCGD+ for all nodes at once against a loop over nodes, and many replicates against one by one: phishing."""

import numpy as np
import pytest

from impl.compressors import StochasticQuantizer
from impl.matrix_roots import MatrixRoots
from impl.optimizers import dcgd_plus, dcgd_plus_reference
from impl.problems import Logistic, label_sorted_split, load_libsvm

NODES, ROUNDS = 20, 12
# The loop takes at least this many times the CPU time.
NODES_FASTER, REPLICATES_FASTER = 1.5, 4.0

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def problem(libsvm_folder):
    made = Logistic(*label_sorted_split(*load_libsvm("phishing", libsvm_folder), NODES), 5e-3)
    assert made.solution.shape == (68,)  # computed here, not while the clock runs
    return made


def test_batched_nodes_are_faster_than_a_loop(problem, cpu_ratio):
    compressor = StochasticQuantizer(steps=1.0)
    step_size = 1 / (problem.L + 2 * np.sqrt(problem.d) * problem.L_nodes.max() / NODES)

    def loop():
        return dcgd_plus_reference(
            problem, [compressor] * NODES, step_size=step_size, rounds=ROUNDS, rng=np.random.default_rng(0)
        )

    def batched():
        return dcgd_plus(
            problem, compressor, step_size=step_size, rounds=ROUNDS, rng=np.random.default_rng(0)
        )

    # Gate: the same run, so that no candidate is fast because it does less.
    np.testing.assert_allclose(batched().x, loop().x, rtol=1e-9)
    np.testing.assert_allclose(batched().bits, loop().bits)
    ratio = cpu_ratio(loop, batched).ratio
    print(f"ratio {ratio:.2f}")
    assert ratio >= NODES_FASTER, f"batched nodes are only {ratio:.2f} times as fast as the loop"


def test_replicates_in_one_array_are_faster_than_one_by_one(problem, cpu_ratio):
    compressor, replicates, rounds = StochasticQuantizer(steps=1.0), 100, 4
    roots = MatrixRoots.of_nodes(problem.smoothness)

    def run(rng, count):
        return dcgd_plus(
            problem, compressor, step_size=0.1, rounds=rounds, rng=rng, replicates=count, smoothness=roots
        )

    def one_by_one():
        rng = np.random.default_rng(0)
        return [run(rng, 1) for _ in range(replicates)]

    def together():
        return run(np.random.default_rng(0), replicates)

    assert together().x.shape == (replicates, problem.d)
    measured = cpu_ratio(one_by_one, together)
    ratio, evaluations = measured.ratio, replicates * (rounds + 1)
    print(
        f"ratio {ratio:.2f}; ms per replicate and round: one by one {measured.a_ms / evaluations:.3f}, "
        f"together {measured.b_ms / evaluations:.3f}"
    )
    assert ratio >= REPLICATES_FASTER, (
        f"replicates in one array are only {ratio:.2f} times as fast as one by one"
    )
