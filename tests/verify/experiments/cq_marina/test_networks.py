"""MARINA on networks: constants along gradient descent, quantizers by blocks, and what is counted."""

import numpy as np
import pytest

from impl.compressors import IndependentQuantizer
from impl.networks import FullyConnected
from impl.problems import NetworkLoss, SmoothnessConstants, load_digits
from verify.experiments.cq_marina.networks import (
    BLOCK,
    Blocks,
    block_error,
    descent,
    measured_constants,
    network_method,
)

UNIT = SmoothnessConstants(2.0, 2.5, 1.5, 1.5)


def small_problem(n=4):
    data = load_digits()
    return NetworkLoss(FullyConnected((64, 2, 10)), data.features[:40], data.labels[:40], n)


def test_blocks_are_quantized_on_their_own():
    joint, x = IndependentQuantizer("binary", norm_bits=32), np.arange(1.0, 25).reshape(1, 2, 12)
    x[..., 4:8] = 0
    blocks, rng = Blocks(joint, 4), np.random.default_rng(3)
    decoded, bits = blocks.compress_counted(x, blocks.draw(rng, x.shape))
    assert bits.tolist() == [[3 * 36, 3 * 36]]
    for client in range(2):
        for first in (0, 4, 8):
            part, norm = (
                decoded[0, client, first : first + 4],
                np.linalg.norm(x[0, client, first : first + 4]),
            )
            np.testing.assert_allclose(abs(part), norm, rtol=1e-6)


def test_error_of_blocks_is_the_sum_of_theirs():
    inputs = np.random.default_rng(4).standard_normal((3, 8))
    joint = IndependentQuantizer("binary")
    # (d - 1) / n times the mean of the squared norms, with d = 4 in each block.
    assert block_error(joint, 4, inputs) == pytest.approx(3 / 3 * (inputs**2).sum() / 3, rel=1e-12)


def test_constants_are_the_largest_ratios():
    problem = small_problem()
    start = problem.start(np.random.default_rng(5))[0]
    found = measured_constants(problem, start, 0.3, 1)
    moved = start - 0.3 * problem.gradient(start)
    differences = problem.gradients(moved) - problem.gradients(start)
    length = np.linalg.norm(moved - start)
    assert found.L_minus == pytest.approx(np.linalg.norm(differences.mean(axis=0)) / length, rel=1e-12)
    assert found.L_plus**2 == pytest.approx(found.L_minus**2 + found.L_pm**2, rel=1e-12)
    longer = measured_constants(problem, start, 0.3, 6)
    assert longer.L_minus >= found.L_minus


@pytest.mark.parametrize(
    ("name", "noise", "message"),
    [
        # n = 4, d = 160: RandK and PermK send 40 numbers, quantizers 4 norms and 160 bits.
        ("rand_k", (160 / 40 - 1) / 4 * 2.5**2, 32 * 40),
        ("perm_k", 1.5**2, 32 * 40),
        ("independent", (BLOCK - 1) / 4 * 2.5**2, 4 * 32 + 160),
    ],
)
def test_noise_and_message_by_hand(name, noise, message):
    method = network_method(small_problem(), name, UNIT)
    assert method.chi == pytest.approx(noise, rel=1e-12)
    assert method.message_bits == message
    p = method.probability
    assert method.step_size == pytest.approx(1 / (2 + np.sqrt((1 - p) / p * noise)), rel=1e-12)
    x = method.problem.start(np.random.default_rng(6), 2)
    result = method.run(np.random.default_rng(7), rounds=3, replicates=2, start=x)
    sent = np.diff(result.bits, axis=1)[:, 1:]
    assert set(sent.ravel()) <= {float(message), 32.0 * 160}


def test_descent_moves_along_the_gradient():
    problem = small_problem()
    x = problem.start(np.random.default_rng(8), 2)
    found = descent(problem, x, 0.1, 1)
    assert found[:, 0] == pytest.approx((problem.gradient(x) ** 2).sum(axis=-1), rel=1e-12)
    after = problem.gradient(x - 0.1 * problem.gradient(x))
    assert found[:, 1] == pytest.approx((after**2).sum(axis=-1), rel=1e-12)
