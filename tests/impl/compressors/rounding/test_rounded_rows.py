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
        StochasticQuantizer(0.5, blocks=[2, 2]),
        StochasticQuantizer([[0.5], [0.25]]),
        StochasticQuantizer(1 / 1000),
        StochasticQuantizer(2.0**110),
    ]
    assert [quantizer.repeated(rng, (3, 2, 4)) for quantizer in others] == [None] * 5
    assert StochasticQuantizer(0.5).repeated(rng, (3, 2, 0)) is None
    assert StochasticQuantizer([0.5, 1.0]).repeated(rng, (3, 2, 4)) is None


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
        repeated._lengths = repeated._lengths[:20]  # levels are 125 here
        found, bits = repeated(x)
        draws = quantizer.draw(own, shape)
        message = quantizer.message(x, draws)
        np.testing.assert_array_equal(found, quantizer.reconstruct(message))
        np.testing.assert_array_equal(bits, message.bits)
