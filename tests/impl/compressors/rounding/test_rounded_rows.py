"""Messages round after round against `draw`, `message` and `reconstruct`: the same numbers bit for bit."""

import numpy as np
import pytest

from impl import tiers
from impl.compressors import StochasticQuantizer
from impl.compressors.rounding.rounded_rows import KernelRows

QUANTIZERS = [
    StochasticQuantizer(1.0),
    StochasticQuantizer(1 / 16, code="dense-gamma"),
    StochasticQuantizer(0.25, norm_bits=32, code="sparse-omega"),
    StochasticQuantizer(np.linspace(0.1, 2, 37)),
]


@pytest.fixture(params=tiers.TIERS)
def drawn_by(request):
    if request.param == "fused":
        pytest.importorskip("numba")
    with tiers.tier(request.param):
        yield request.param


@pytest.mark.parametrize("quantizer", QUANTIZERS, ids=repr)
@pytest.mark.parametrize("shape", [(37,), (1, 3, 37), (500, 2, 37)])
def test_rounds_give_what_single_messages_give(quantizer, shape, drawn_by):
    rng, own, values = (np.random.default_rng(seed) for seed in (4, 4, 5))
    repeated = quantizer.repeated(rng, shape)
    for scale in (
        1.0,
        1e-250,
        0.0,
        1e-3,
        1e250,
    ):  # zero, and norms near the ends of the range, go the other way
        x = scale * values.standard_normal(shape)
        if scale == 1e-3:
            x.flat[::3] *= -0.0
        if quantizer.norm_bits == 32 and scale in (1e-250, 1e250):
            continue
        found, bits = repeated(x)
        draws = quantizer.draw(own, shape)
        message = quantizer.message(x, draws)
        expected = quantizer.reconstruct(message)
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))
        np.testing.assert_array_equal(bits, message.bits)
    assert rng.random() == own.random()


def test_what_is_not_simple_goes_the_general_way():
    rng = np.random.default_rng(0)
    others = [
        StochasticQuantizer(0.5, norm="max"),
        StochasticQuantizer(0.5, blocks=[2, 3]),
        StochasticQuantizer([[0.5], [0.25], [0.5]]),
        StochasticQuantizer(1 / 1000),
        StochasticQuantizer(2.0**110),
    ]
    assert StochasticQuantizer(0.5).repeated(rng, (3, 2, 0)) is None
    assert StochasticQuantizer([0.5, 1.0]).repeated(rng, (3, 2, 4)) is None
    assert [quantizer.repeated(rng, (3, 2, 4)) for quantizer in others] == [None] * 5
    assert StochasticQuantizer([[0.5]]).repeated(rng, (4,)) is None
    assert StochasticQuantizer(0.5).repeated(rng, (2, 2**15)) is None


def test_a_kernel_takes_one_norm_and_equal_nodes_only():
    pytest.importorskip("numba")
    with tiers.tier("fused"):
        for quantizer in (StochasticQuantizer(0.5, blocks=[2, 2]), StochasticQuantizer([[0.5], [0.25]])):
            assert quantizer.repeated(np.random.default_rng(0), (3, 2, 4)) is None


NODES = [
    StochasticQuantizer(0.5),
    StochasticQuantizer([[0.5], [0.25], [1.5]], norm_bits=32),
    StochasticQuantizer(np.linspace(0.1, 2, 36).reshape(3, 12)),
    StochasticQuantizer(0.5, blocks=[4, 4, 4]),
    StochasticQuantizer([0.5, 0.25, 1.0], blocks=[4, 4, 4], code="dense-gamma"),
    StochasticQuantizer(np.linspace(0.1, 2, 9).reshape(3, 3), blocks=[5, 4, 3], norm_bits=32),
    StochasticQuantizer(np.linspace(0.1, 2, 36).reshape(3, 12), blocks=[4, 4, 4]),
]


@pytest.mark.parametrize("quantizer", NODES, ids=repr)
@pytest.mark.parametrize("replicates", [1, 5, 700])
def test_nodes_and_blocks_give_what_single_messages_give(quantizer, replicates):
    shape = (replicates, 3, 12)
    rng, own, values = (np.random.default_rng(seed) for seed in (4, 4, 5))
    repeated = quantizer.repeated(rng, shape)
    before, after = values.uniform(0.5, 2, (2, 3, 12))
    for scale in (1.0, 1e-3, 0.0, 1.0):
        x = scale * values.standard_normal(shape)
        assert_same_messages(quantizer, repeated(x), x, own)
        decoded, bits = assert_same_messages(quantizer, None, x * before, own)
        mean, counted = repeated.mean(x, (before, after))
        np.testing.assert_array_equal(mean, (decoded * after).mean(axis=-2))
        np.testing.assert_array_equal(counted, bits)
        decoded, bits = assert_same_messages(quantizer, None, x, own)
        np.testing.assert_array_equal(repeated.mean(x, (None, None))[0], decoded.mean(axis=-2))
    assert rng.random() == own.random()


@pytest.mark.parametrize("quantizer", [StochasticQuantizer(1.0), StochasticQuantizer(0.5, blocks=[2500] * 4)])
def test_long_vectors_of_many_nodes_are_cut_between_nodes(quantizer):
    shape = (2, 15, 10_000)  # nodes of a replicate are several tiles, all are counted a tile at a time
    rng, own = np.random.default_rng(4), np.random.default_rng(4)
    x = np.random.default_rng(5).standard_normal(shape)
    repeated = quantizer.repeated(rng, shape)
    assert_same_messages(quantizer, repeated(x), x, own)
    decoded, bits = assert_same_messages(quantizer, None, x, own)
    mean, counted = repeated.mean(x, (None, None))
    np.testing.assert_array_equal(mean, decoded.mean(axis=-2))
    np.testing.assert_array_equal(counted, bits)


def assert_same_messages(quantizer, found, x, rng):
    """Hold decoded vectors and bits, if there are any, against single messages; return these."""
    draws = quantizer.draw(rng, x.shape)
    message = quantizer.message(x, draws)
    expected = quantizer.reconstruct(message), message.bits
    if found is not None:
        np.testing.assert_array_equal(found[0], expected[0])
        np.testing.assert_array_equal(np.signbit(found[0]), np.signbit(expected[0]))
        np.testing.assert_array_equal(found[1], expected[1])
    return expected


def test_a_kernel_leaves_to_the_code_what_is_no_ordinary_number():
    """Words beyond its table, and vectors longer than the uniforms that it makes at a time."""
    pytest.importorskip("numba")
    quantizer, shape = StochasticQuantizer(1 / 250), (3, 2, 4)
    rng, own = np.random.default_rng(1), np.random.default_rng(1)
    x = np.full(shape, 1.0)
    with tiers.tier("fused"):
        repeated = quantizer.repeated(rng, shape)
        assert isinstance(repeated, KernelRows)
        assert quantizer.repeated(rng, (2, 2**10 + 1)) is None
        repeated._code_lengths = repeated._code_lengths[:20]  # levels are 125 here
        found, bits = repeated(x)
        draws = quantizer.draw(own, shape)
        message = quantizer.message(x, draws)
        np.testing.assert_array_equal(found, quantizer.reconstruct(message))
        np.testing.assert_array_equal(bits, message.bits)
