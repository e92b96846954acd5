"""Rounds of the correlated quantizer against `draw` and `compress_counted`: the same numbers bit for bit."""

import numpy as np
import pytest

from impl import tiers
from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from impl.optimizers.client_compression import ClientRounds

BINARY = CorrelatedQuantizer("binary")


@pytest.mark.parametrize("shape", [(2, 5), (1, 20, 68), (7, 300, 3)])
def test_rounds_give_what_single_calls_give(shape):
    rng, own, values = (np.random.default_rng(seed) for seed in (4, 4, 5))
    rounds = BINARY.rounds(rng, shape)
    for scale in (1.0, 1e-250, 0.0, 1e-3, 1e250, 1.0):  # zero, and norms near the ends, go the other way
        x = scale * values.standard_normal(shape)
        rounds.draw()
        found, bits = rounds.compress(x)
        expected, counted = BINARY.compress_counted(x, BINARY.draw(own, shape))
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))
        np.testing.assert_array_equal(bits, counted)
    rounds.draw()  # a round of full gradients
    BINARY.draw(own, shape)
    assert rng.random() == own.random()


def test_what_is_not_simple_goes_the_general_way():
    rng = np.random.default_rng(0)
    for other in (CorrelatedQuantizer("ternary"), CorrelatedQuantizer("binary", norm_bits=32)):
        assert other.rounds(rng, (3, 4)) is None
    for shape in ((1, 4), (3, 0), (2, 5000), (2, 200, 400), (4,)):
        assert BINARY.rounds(rng, shape) is None
    with tiers.tier("fused"):
        assert BINARY.rounds(rng, (3, 4)) is None


@pytest.mark.parametrize("quantizer", [BINARY, IndependentQuantizer("binary")], ids=repr)
def test_clients_are_compressed_either_way(quantizer):
    rng, own = np.random.default_rng(2), np.random.default_rng(2)
    x = own.standard_normal((2, 3, 6))
    rng.standard_normal((2, 3, 6))
    rounds = ClientRounds(quantizer, rng, x.shape)
    rounds.draw()
    for found, expected in zip(
        rounds.compress(x), quantizer.compress_counted(x, quantizer.draw(own, x.shape)), strict=True
    ):
        np.testing.assert_array_equal(found, expected)
