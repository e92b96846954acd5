"""Short ways and tiles of one vector: numbers, draws and errors of the general way."""

import numpy as np
import pytest

from impl import tiers
from impl.compressors import (
    BernoulliSparsifier,
    Compressor,
    DitheredQuantizer,
    NaturalCompression,
    StochasticQuantizer,
)
from impl.compressors.dithered import dithered_quantizer
from impl.compressors.rounding import stochastic_quantizer
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
]
every_quantizer = pytest.mark.parametrize("quantizer", QUANTIZERS, ids=repr)

needs_numba = pytest.mark.skipif(not tiers.is_installed(), reason="numba is not installed (extra fast)")


def vectors(dtype):
    """Yield ordinary vectors, and those of which the general way takes care."""
    rng = np.random.default_rng(0)
    for d in (1, 2, 3, 7, 1000, 1001, 2**14, 2**14 + 1, 2**15, 2**15 + 1, 50_000):
        yield rng.standard_normal(d).astype(dtype)
    yield np.zeros(5, dtype)
    yield np.array([0.0, -0.0, -3.0, 1e-30], dtype)
    yield np.array([np.finfo(dtype).tiny, 0], dtype)
    yield np.array([np.finfo(dtype).max / 3, -1], dtype)
    yield np.ones(10, dtype)[::2]
    yield np.ones((2, 3), dtype)


@every_quantizer
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("bits", [np.random.SFC64, np.random.Philox, np.random.MT19937])
def test_it_is_the_general_way(quantizer, dtype, bits, monkeypatch):
    for x in vectors(dtype):
        found = []
        for short in (True, False):
            if not short:
                monkeypatch.setattr(stochastic_quantizer, "rounded_vector", lambda *given: None)
                monkeypatch.setattr(dithered_quantizer, "dithered_vector", lambda *given: None)
            rng = np.random.Generator(bits(5))
            try:
                sampled = quantizer.sample(x, rng)
                found.append((sampled.tobytes(), sampled.dtype, sampled.shape, rng.random()))
            except ArgumentError as error:  # a norm that float32 does not hold
                found.append((str(error), rng.random()))
            monkeypatch.undo()
        assert found[0] == found[1]


@every_quantizer
def test_what_is_wrong_is_told_as_ever(quantizer):
    rng = np.random.default_rng(0)
    for x in (np.array([1, np.nan]), np.array([np.inf]), np.array([]), np.array(1.0), "x", [1j]):
        before = rng.bit_generator.state
        with pytest.raises(ArgumentError):
            quantizer.sample(x, rng)
        assert rng.bit_generator.state == before
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
@pytest.mark.parametrize("bits", [np.random.SFC64, np.random.MT19937])
@pytest.mark.parametrize(
    "quantizer",
    [
        NaturalCompression(),
        NaturalCompression(-3, 4),
        BernoulliSparsifier(0.1),
        BernoulliSparsifier(0.3, value_bits=32),
        "a chance per coordinate",
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
