"""Streams of uniforms: the same however they are split, with all their bits."""

import math

import numpy as np
import pytest

from impl.compressors import StochasticQuantizer
from impl.compressors.rounding.stochastic_rounding import UniformStream, draw_uniforms
from impl.errors import ArgumentError


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.Philox, np.random.SFC64, np.random.MT19937])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_stream_does_not_depend_on_how_it_is_split(bits, dtype):
    whole = np.empty(101, dtype)
    UniformStream(np.random.Generator(bits(1)), dtype).fill(whole)
    stream = UniformStream(np.random.Generator(bits(1)), dtype)
    parts = [np.empty(size, dtype) for size in (1, 3, 0, 7, 50, 1, 39)]
    for part in parts:
        stream.fill(part)
    assert np.concatenate(parts).tobytes() == whole.tobytes()


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.MT19937])
def test_float32_uniforms_are_multiples_of_2_to_the_minus_24(bits):
    uniforms = np.empty(200_001, np.float32)
    UniformStream(np.random.Generator(bits(2)), np.float32).fill(uniforms)
    scaled = uniforms.astype(np.float64) * 2**24
    assert (scaled == np.rint(scaled)).all()
    assert uniforms.min() >= 0
    assert uniforms.max() < 1
    assert len(np.unique(uniforms)) > 190_000
    # Mean and variance of uniforms, six standard errors.
    assert abs(uniforms.mean(dtype=float) - 0.5) < 6 * math.sqrt(1 / 12 / len(uniforms))
    assert abs(uniforms.astype(float).var() - 1 / 12) < 6 * math.sqrt(1 / 180 / len(uniforms))


def test_float32_uniforms_come_from_both_halves_of_each_word():
    rng = np.random.Generator(np.random.PCG64(3))
    uniforms = StochasticQuantizer(1).draw(rng, (6,), np.float32).private
    words = np.random.PCG64(3).random_raw(3)
    halves = [int(word) >> shift & 0xFFFFFFFF for word in words for shift in (0, 32)]
    assert uniforms.tolist() == [(half >> 8) * 2.0**-24 for half in halves]


@pytest.mark.parametrize("dtype", ["foo", "int64", object()])
def test_a_dtype_that_is_none_is_named(dtype):
    with pytest.raises(ArgumentError, match=r"here: dtype=.* must be float32 or float64"):
        draw_uniforms(np.random.default_rng(0), (8,), dtype, "here")
