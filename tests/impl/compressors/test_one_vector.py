"""Short ways and tiles of one vector: numbers, draws and errors of the general way."""

import numpy as np
import pytest

from impl import tiers
from impl.compressors import (
    AtomicSparsification,
    BernoulliSparsifier,
    Compressor,
    DitheredQuantizer,
    Draws,
    GreedySparsification,
    NaturalCompression,
    NestedDitheredQuantizer,
    OneBit,
    RandK,
    StochasticQuantizer,
    TernGrad,
    TopK,
    TopKSigns,
)
from impl.errors import ArgumentError

QUANTIZERS = [
    StochasticQuantizer(1 / 16),
    StochasticQuantizer(1),
    StochasticQuantizer(3.0, norm_bits=32),
    DitheredQuantizer(1),
    DitheredQuantizer(3),
    DitheredQuantizer(2**24),
    DitheredQuantizer(2, points=2),
    DitheredQuantizer(2, points=3),
    TernGrad(),
    TernGrad(norm_bits=32),
    TernGrad(2.5),
    TernGrad(0.5),
    OneBit(),
    OneBit(norm_bits=32),
    NaturalCompression(),
    NaturalCompression(-3, 4),
    NaturalCompression(-140, -100),
    TopK(1),
    TopK(3),
    TopK(600),
    TopK(3, value_bits=32),
    TopKSigns(3, scale="mean"),
    RandK(1),
    RandK(600),
    RandK(3, value_bits=32),
]
every_quantizer = pytest.mark.parametrize("quantizer", QUANTIZERS, ids=repr)

needs_numba = pytest.mark.skipif(not tiers.is_installed(), reason="numba is not installed (extra fast)")
every_tier = pytest.mark.parametrize("tier", ["numpy", pytest.param("fused", marks=needs_numba)])


def vectors(dtype):
    """Yield ordinary vectors, and those of which the general way takes care."""
    rng = np.random.default_rng(0)
    for d in (1, 2, 3, 7, 1000, 1001, 2**14, 2**14 + 1, 2**15, 2**15 + 1, 50_000):
        yield rng.standard_normal(d).astype(dtype)
    yield np.zeros(5, dtype)
    yield rng.integers(-2, 3, 1000).astype(dtype)  # equals of all sizes
    yield 2.0 ** rng.integers(-9, 2, 100).astype(dtype) * rng.choice([-1, 0, 1], 100).astype(dtype)
    yield np.array([0.0, -0.0, -3.0, 1e-30], dtype)
    yield np.array([np.finfo(dtype).smallest_subnormal, -1, -np.finfo(dtype).tiny], dtype)
    yield np.array([np.finfo(dtype).tiny, 0], dtype)
    yield np.array([np.finfo(dtype).max / 3, -1], dtype)
    yield np.ones(10, dtype)[::2]
    yield np.ones((2, 3), dtype)


def found(call, bits):
    """Return what a call with a generator makes or raises, and what the generator draws next."""
    rng = np.random.Generator(bits(5))
    try:
        sampled = call(rng)
        return sampled.tobytes(), sampled.dtype, sampled.shape, rng.random()
    except ArgumentError as error:  # such as a norm that float32 does not hold
        return type(error), str(error), rng.random()


@every_quantizer
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("bits", [np.random.Philox, np.random.SFC64, np.random.MT19937])
@every_tier
def test_it_is_the_general_way(quantizer, dtype, bits, tier):
    for x in vectors(dtype):
        short = found(lambda rng, x=x: quantizer.sample(x, rng, tier=tier), bits)
        assert short == found(lambda rng, x=x: quantizer.sample(x, rng, (), tier=tier), bits)


@pytest.mark.parametrize(
    "quantizer",
    [
        NestedDitheredQuantizer(3, 3),
        NestedDitheredQuantizer(1, 2, 0.9),
        NestedDitheredQuantizer(2, 6, points=2),
        NestedDitheredQuantizer(3, 4, range_aware=True),
        NestedDitheredQuantizer(2**24, 2**31),
    ],
    ids=repr,
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@every_tier
def test_so_it_is_beside_side_information(quantizer, dtype, tier):
    far, bits = np.random.default_rng(1).standard_normal(50_000) * 30, np.random.SFC64
    for x in vectors(dtype):
        wide = x.astype(np.float64)
        huge = np.clip(wide, -1e280, 1e280) * 1e18
        sides = [wide * 1.01, x, huge, np.full(x.shape, 1e308), wide * 1e-300, 0.25, [1.0, 2.0], None]
        if x.ndim == 1:
            sides += [far[: len(x)], np.where(np.arange(len(x)) == 2, np.nan, wide)]
        for y in sides:
            with np.errstate(over="ignore"):
                short = found(lambda rng, x=x, y=y: quantizer.sample(x, rng, side=y, tier=tier), bits)
                general = found(lambda rng, x=x, y=y: quantizer.sample(x, rng, (), y, tier=tier), bits)
            assert short == general


@every_quantizer
def test_what_is_wrong_is_told_as_ever(quantizer):
    rng = np.random.default_rng(0)
    for x in (np.array([1, np.nan]), np.array([np.inf]), np.array([]), np.array(1.0), "x", [1j]):
        before = rng.bit_generator.state
        with pytest.raises(ArgumentError):
            quantizer.sample(x, rng)
        assert rng.bit_generator.state == before
    if not isinstance(quantizer, OneBit | TopK):  # these draw nothing
        with pytest.raises(ArgumentError, match=r"numpy\.random\.Generator"):
            quantizer.sample(np.ones(3), np.random)
    with pytest.raises(ArgumentError, match="tier='fast' is unknown"):
        quantizer.sample(np.ones(3), rng, tier="fast")


def told(call):
    """Return what a call makes, or what it raises."""
    try:
        return call().tobytes()
    except ArgumentError as error:
        return type(error), str(error)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("bits", [np.random.Philox, np.random.SFC64, np.random.MT19937])
@pytest.mark.parametrize(
    "quantizer",
    [
        NaturalCompression(),
        NaturalCompression(-3, 4),
        BernoulliSparsifier(0.1),
        BernoulliSparsifier(0.3, value_bits=32),
        "a chance per coordinate",
        AtomicSparsification(900),
        AtomicSparsification(20.5, value_bits=32),
        GreedySparsification(0.05),
        GreedySparsification(0.3, rounds=4, value_bits=32),
    ],
    ids=str,
)
@pytest.mark.parametrize("tier", ["numpy", pytest.param("fused", marks=needs_numba)])
def test_tiles_are_the_whole_vector(tier, quantizer, dtype, bits):
    rng, given = np.random.default_rng(0), quantizer
    for d in (2**15, 2**15 + 1, 2**16, 100_001):
        if isinstance(given, str):
            quantizer = BernoulliSparsifier(np.linspace(0.1, 1, d))
        x = rng.uniform(-16, 16, d).astype(dtype)
        whole, tiled = np.random.Generator(bits(7)), np.random.Generator(bits(7))
        with tiers.tier(tier):
            expected = quantizer.compress(x, quantizer.draw(whole, x.shape, x.dtype))
        sampled = quantizer.sample(x, tiled, tier=tier)
        assert sampled.dtype == dtype
        assert sampled.tobytes() == expected.tobytes()
        assert whole.random() == tiled.random()
    for wrong in (np.nan, np.inf, 1e300 if dtype == np.float64 else 3e38):
        x[90_000] = wrong
        if isinstance(quantizer, BernoulliSparsifier) and quantizer.value_bits == 64 and np.isfinite(wrong):
            x[90_000] = np.finfo(dtype).max  # its quotient exceeds the range

        def whole_vector(x=x):
            return Compressor.sample(quantizer, x, np.random.default_rng(0), tier=tier)

        def in_tiles(x=x):
            return quantizer.sample(x, np.random.default_rng(0), tier=tier)

        assert told(whole_vector) == told(in_tiles)


class OfItsNorm(AtomicSparsification):
    """What is kept, over the norm of the whole vector."""

    def compress(self, x, draws, side=None):
        return super().compress(x, draws) / np.linalg.norm(x)


class Undrawn(GreedySparsification):
    """The same draws for all."""

    def draw(self, rng, shape, dtype=np.float64):
        return Draws(private=np.full(shape, 0.25, dtype))


class OneLevel(AtomicSparsification):
    """A level of its own."""

    def _levels(self, sizes):
        return np.full((*sizes.shape[:-1], 1), 7.0)


@pytest.mark.parametrize(
    "quantizer", [OfItsNorm(900), Undrawn(0.05), OneLevel(900)], ids=lambda item: type(item).__name__
)
def test_what_a_subclass_changes_shows_in_long_vectors(quantizer):
    x = np.random.default_rng(0).standard_normal(40_000)
    draws, batch = (quantizer.draw(np.random.default_rng(1), shape) for shape in (x.shape, (1, len(x))))
    expected = quantizer.compress(x, draws).tobytes()
    assert quantizer.sample(x, np.random.default_rng(1)).tobytes() == expected
    assert quantizer.compress(x[None], batch)[0].tobytes() == expected
