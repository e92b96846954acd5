"""Kernels of stochastic rounding against the numpy forms, bit for bit from the same uniforms."""

import numpy as np
import pytest

import impl
from impl.compressors import Draws, StochasticQuantizer, TernGrad
from impl.errors import ArgumentError

QUANTIZERS = [
    StochasticQuantizer(1),
    StochasticQuantizer(1 / 16),
    StochasticQuantizer(1e-9),
    StochasticQuantizer([0.5, 0.1], blocks=[100, 1500]),
    StochasticQuantizer(np.linspace(0.01, 2, 1600)),
    StochasticQuantizer([[0.5], [0.01], [0.2]]),
    StochasticQuantizer(1 / 7, norm="max", norm_bits=32),
    TernGrad(),
    TernGrad(1.5),
]


def vectors(shape, dtype, seed=0):
    x = np.random.default_rng(seed).standard_normal(shape).astype(dtype)
    x[..., 7] = 0
    return x


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("compressor", QUANTIZERS, ids=repr)
def test_a_kernel_is_the_numpy_form_bit_for_bit(compressor, dtype):
    x = vectors((2, 3, 1600), dtype)
    for shape in ((2, 3, 1600), (2, 2, 3, 1600)):
        with impl.tier("fused"):
            draws = compressor.draw(np.random.default_rng(1), shape, dtype)
        same = Draws(private=np.array(draws.private))
        fused, plain = compressor.compress(x, draws), compressor.compress(x, same)
        assert fused.dtype == dtype
        assert fused.tobytes() == plain.tobytes()
        fused, plain = compressor.message(x, draws), compressor.message(x, same)
        assert fused.symbols.dtype == np.int64
        assert fused.symbols.tobytes() == plain.symbols.tobytes()
        assert np.array_equal(fused.bits, plain.bits)


@pytest.mark.parametrize("compressor", [StochasticQuantizer(1 / 4), TernGrad()], ids=repr)
def test_tiles_and_blocks_do_not_show(compressor):
    # More coordinates than a tile of a kernel holds, and lengths that its blocks do not divide.
    for shape in ((2**17 + 1029,), (3, 70_001), (50, 3)):
        x = vectors((*shape[:-1], max(8, shape[-1])), np.float32)
        with impl.tier("fused"):
            draws = compressor.draw(np.random.default_rng(2), (2, *x.shape), np.float32)
        expected = compressor.compress(x, Draws(private=np.array(draws.private)))
        assert compressor.compress(x, draws).tobytes() == expected.tobytes()
        sampled = compressor.sample(x, np.random.default_rng(2), 2, tier="fused")
        assert sampled.tobytes() == expected.tobytes()


@pytest.mark.parametrize("compressor", [StochasticQuantizer(1 / 4), TernGrad()], ids=repr)
def test_uniforms_of_another_dtype_are_used_as_they_are(compressor):
    x = vectors((3, 20), np.float32)
    with impl.tier("fused"):
        draws = compressor.draw(np.random.default_rng(2), (2, 3, 20), np.float64)
    expected = compressor.compress(x, Draws(private=np.array(draws.private)))
    assert compressor.compress(x, draws).tobytes() == expected.tobytes()


@pytest.mark.parametrize("compressor", [StochasticQuantizer(1 / 4), TernGrad()], ids=repr)
def test_both_tiers_have_streams_of_their_own(compressor):
    x = vectors(100, np.float64)
    tiers = [compressor.sample(x, np.random.default_rng(1), 5, tier=tier) for tier in ("numpy", "fused")]
    assert not np.array_equal(*tiers)
    assert np.array_equal(tiers[0], compressor.sample(x, np.random.default_rng(1), 5))
    rng = np.random.default_rng(1)
    first, second = (compressor.sample(x, rng, 5, tier="fused") for _ in range(2))
    assert np.array_equal(first, tiers[1])
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("compressor", [StochasticQuantizer(1 / 4), TernGrad()], ids=repr)
@pytest.mark.parametrize(
    "x",
    [[1.0, np.nan], [np.inf, 0.0], [[1.0, 2.0], [3.0]], "abc", [1j], [], np.float32([3e38, 3e38]), 3.0],
    ids=repr,
)
def test_both_tiers_refuse_with_the_same_words(compressor, x):
    said = []
    for tier in ("numpy", "fused"):
        with pytest.raises(ArgumentError) as error:
            compressor.sample(x, np.random.default_rng(1), 2, tier=tier)
        said.append((type(error.value), str(error.value)))
    assert said[0] == said[1]


def test_samples_without_coordinates_are_empty():
    for size, shape in ((0, (5,)), (2, (0, 5))):
        x = np.ones(shape)
        for compressor in (StochasticQuantizer(1 / 4), TernGrad()):
            found = compressor.sample(x, np.random.default_rng(1), size, tier="fused")
            assert found.shape == (size, *shape)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("norm_bits", [32, 64])
def test_the_short_way_of_one_vector_is_the_general_one(dtype, norm_bits):
    quantizer = StochasticQuantizer(1 / 5, norm_bits=norm_bits)
    x = vectors(5000, dtype)
    sizes = [1, 1e-20, 1e-36, 1e30] if dtype == np.float32 else [1, 1e-36, 1e30, 1e-300, 1e300]
    for given in (x, x[:8], x[::2], x[:1], 0 * x, x.tolist(), *(dtype(size) * x for size in sizes)):
        short = outcome(quantizer, given)
        assert short == outcome(quantizer, np.asarray(given)[None])


def outcome(quantizer, x):
    """Return the sample as bytes and where its generator is then, or None and what was said."""
    rng = np.random.default_rng(1)
    try:
        return quantizer.sample(x, rng, tier="fused").tobytes(), rng.random()
    except ArgumentError as error:
        return None, str(error)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [0.0, 1.0, 1e-30, 1e30])
def test_exact_variances_of_both_tiers_are_equal_up_to_rounding(dtype, size):
    for quantizer in (StochasticQuantizer(1 / 4), StochasticQuantizer(1 / 7, norm="max")):
        for shape in ((1600,), (2, 3, 1600), (0, 1600)):
            x = (size * vectors((*shape[:-1], 1600), np.float64)).astype(dtype)
            expected = quantizer.variance(x)
            with impl.tier("fused"):
                found = quantizer.variance(x)
            assert np.shape(found) == np.shape(expected)
            # Sums of 1600 numbers in another order.
            np.testing.assert_allclose(found, expected, rtol=1e-13)


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_exact_variances_at_the_ends_of_the_range(size):
    x = size * vectors((1600,), np.float64)
    expected = StochasticQuantizer(1 / 4).variance(x)
    with impl.tier("fused"):
        assert StochasticQuantizer(1 / 4).variance(x) == pytest.approx(expected, rel=1e-13)


def test_weights_steps_and_blocks_go_the_general_way():
    x, weight = vectors((1600,), np.float64), np.linspace(0, 1, 1600)
    for quantizer in (StochasticQuantizer(1 / 4), StochasticQuantizer([0.5, 0.1], blocks=[100, 1500])):
        expected = quantizer.variance(x), quantizer.variance(x, weight)
        with impl.tier("fused"):
            assert quantizer.variance(x) == pytest.approx(expected[0], rel=1e-13)
            assert quantizer.variance(x, weight) == expected[1]
