"""Stochastic rounding at the scale of the largest entry: goldens, levels, exact law, messages, mistakes."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from impl.compressors import Draws, Key, StochasticQuantizer
from impl.errors import ArgumentError, MessageError

F = Fraction


def rounding(M, **options):
    return StochasticQuantizer(F(1, M), norm="max", **options)


def test_golden_relative_variances():
    places = (np.arange(1000) + 0.5) / 1000
    sparse = np.zeros(1000)
    sparse[:50] = stats.norm.ppf((np.arange(50) + 0.5) / 50)
    for x, one, three in [
        (stats.norm.ppf(places), 1.6282979870824, 0.2005220130163),
        (stats.laplace.ppf(places), 2.4716956313059, 0.4088310581870),
        (sparse, 0.8935192451693, 0.0998728093114),
    ]:
        # The digits that are given, and quantiles to 1e-13.
        assert rounding(1).variance(x) / (x @ x) == pytest.approx(one, rel=1e-12)
        assert rounding(3).variance(x) / (x @ x) == pytest.approx(three, rel=1e-11)


LEVELS = [1, 2, 3, 5, 6, 7, 49, 127, 1000, 2**20 + 1]
EXTREMES = [0.0, 1 - 2.0**-24]


@pytest.mark.parametrize("M", LEVELS)
@pytest.mark.parametrize("exact", [True, False])
def test_no_level_exceeds_the_largest(M, exact):
    # Where 1/M is rounded, |x| / (h N) is above M by some roundings for a third of all scales, and a uniform
    # of zero would be below the difference.
    rng = np.random.default_rng(M)
    step = F(1, M) if exact else 1 / M
    for dtype, norm_bits, scales in [
        (np.float64, 64, [1.0, 1e-300, 1e-310, 1e300]),
        (np.float64, 32, [1.0, 1e-30]),
        (np.float32, 64, [1.0, 1e-30, 1e-39]),
    ]:
        quantizer = StochasticQuantizer(step, norm_bits=norm_bits, norm="max")
        for scale, u in itertools.product(scales, EXTREMES):
            x = (rng.uniform(0.5, 1, (2000, 1)) * [1, -1, 0.3141592] * scale).astype(dtype)
            draws = Draws(private=np.full(x.shape, u, dtype))
            message = quantizer.message(x, draws)
            assert np.abs(message.symbols).max() <= M
            assert np.abs(message.symbols[:, :2]).min() >= M - 1
            out = quantizer.compress(x, draws)
            assert out.tobytes() == quantizer.reconstruct(message).tobytes()
            if dtype == np.float64:
                reference = np.array(
                    quantizer.reference(x[:50].tolist(), Draws(private=draws.private[:50].tolist()))
                )
                np.testing.assert_allclose(out[:50], reference, rtol=1e-12, atol=1e-322)


def test_the_scale_is_the_largest_entry_rounded_up():
    x = np.array([0.7, -0.1, 0.3])
    for norm_bits in (32, 64):
        quantizer = rounding(3, norm_bits=norm_bits)
        message = quantizer.message(x, quantizer.draw(np.random.default_rng(0), (3,)))
        (scale,) = message.scales
        if norm_bits == 64:
            assert scale == 0.7
        else:
            assert float(np.float32(0.7)) < 0.7 < scale == np.float32(scale)
            assert float(np.nextafter(np.float32(scale), np.float32(0))) < 0.7
    mean = sum(
        q * rounding(3, norm_bits=32).compress(x, draws) for q, draws in rounding(3, norm_bits=32).outcomes(x)
    )
    np.testing.assert_allclose(mean, x, rtol=1e-13)


def test_zeros_and_a_block_of_zeros():
    quantizer = StochasticQuantizer(F(1, 2), blocks=[2, 2], norm="max")
    x = np.array([0.0, -0.0, 3.0, -1.0])
    message = quantizer.message(x, Draws(private=np.full(4, 0.5)))
    assert message.scales.tolist() == [0.0, 3.0]
    assert message.symbols.tolist() == [0, 0, 2, -1]
    assert quantizer.compress(x, Draws(private=np.full(4, 0.5))).tolist() == [0.0, 0.0, 3.0, -1.5]


def test_it_is_printed_and_compared_with_its_norm():
    quantizer = StochasticQuantizer(0.5, norm_bits=32, code="dense-gamma", norm="max")
    assert repr(quantizer) == "StochasticQuantizer(0.5, norm_bits=32, code='dense-gamma', norm='max')"
    assert eval(repr(quantizer)) == quantizer
    assert repr(StochasticQuantizer(0.5)) == "StochasticQuantizer(0.5)"
    assert StochasticQuantizer(0.5, norm="max") != StochasticQuantizer(0.5)
    assert StochasticQuantizer(0.5, norm="euclidean") == StochasticQuantizer(0.5)
    assert hash(StochasticQuantizer(0.5, norm="max")) == hash(StochasticQuantizer(F(1, 2), norm="max"))


def test_another_norm_is_another_compressor():
    key, x = Key((1, 2), 3, 4), np.random.default_rng(0).standard_normal((2, 20))
    data = rounding(7, blocks=[5, 15]).encode(x, rounding(7, blocks=[5, 15]).draw_keyed(key, x.shape), key)
    with pytest.raises(MessageError, match="with other parameters"):
        StochasticQuantizer(F(1, 7), [5, 15]).decode(data, key=key)


def test_mistakes():
    for norm in ("infinity", "Max", None, 2, []):
        with pytest.raises(ArgumentError, match=r"norm=.* is unknown; choose one of euclidean, max"):
            StochasticQuantizer(1, norm=norm)
    with pytest.raises(
        ArgumentError, match=r"norm_bits=3 must(?s:.)*norm='l1' is unknown(?s:.)*steps=0.0 must"
    ):
        StochasticQuantizer(0, norm_bits=3, norm="l1")
    draws = Draws(private=[0.5, 0.5])
    for call in (rounding(3, norm_bits=32).message, rounding(3, norm_bits=32).reference):
        with pytest.raises(ArgumentError, match="use norm_bits=64"):
            call([3e38, 0.0], draws)
    with pytest.raises(ArgumentError, match="scale x down"):
        rounding(3).message([1.7e308, 0.0], draws)
    with pytest.raises(ArgumentError, match="steps has 2"):
        StochasticQuantizer([0.5, 0.25], norm="max").message([1.0, 2.0, 3.0], Draws(private=[0.5] * 3))
