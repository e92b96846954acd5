"""Kernels of the dithered quantizers against the numpy forms, bit for bit from the same dither."""

import numpy as np
import pytest

import impl
from impl.compressors import DitheredQuantizer, Draws, NestedDitheredQuantizer
from impl.compressors.dithered.dither_stream import POINTS, PhiloxDither, dither_point, draw_dither

PLAIN = [
    DitheredQuantizer(1),
    DitheredQuantizer(3, blocks=100, norm_bits=32),
    DitheredQuantizer(2**24, points=3),
    DitheredQuantizer(5, points=2, blocks=[9, 1591]),
    DitheredQuantizer(4, scale=0.3),
]
NESTED = [
    NestedDitheredQuantizer(3, 3),
    NestedDitheredQuantizer(2, 6, 0.5, blocks=64, points=5),
    NestedDitheredQuantizer(3, 4, 0.0),
    NestedDitheredQuantizer(7, 3, scale=0.2),
    NestedDitheredQuantizer(2, 5, range_aware=True),
]


def vectors(shape, dtype):
    x = np.random.default_rng(0).standard_normal(shape).astype(dtype)
    x[..., 7] = 0
    x.reshape(-1, shape[-1])[0] = 0  # a scale of zero
    return x


def drawn(codec, shape):
    """Return the draws of the fused tier, and the same as an array."""
    with impl.tier("fused"):
        draws = codec.draw(np.random.default_rng(1), shape)
    assert isinstance(draws.shared, PhiloxDither)
    return draws, Draws(shared=np.array(draws.shared))


def test_dithers_are_those_of_the_words():
    # Word w of the stream is the upper half of a raw word of the numpy form.
    from impl.kernels.philox import fill_words

    for points in (POINTS, 1, 2, 3, 1000):
        dither = PhiloxDither(np.random.default_rng(4), (3, 700), points)
        words = np.empty(2100, np.uint32)
        fill_words(words, np.uint64(0), dither.stream)
        found = np.asarray(dither).reshape(-1)
        assert found.dtype == np.float64
        expected = [float(dither_point(word * points >> 32, points)) for word in words.tolist()]
        assert found.tolist() == expected
        following = dither.parts()
        assert np.concatenate([following(count) for count in (1, 1000, 1099)]).tolist() == expected


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("codec", PLAIN, ids=repr)
def test_plain_kernels_are_the_numpy_form_bit_for_bit(codec, dtype):
    x = vectors((2, 3, 1600), dtype)
    for shape in ((2, 3, 1600), (2, 2, 3, 1600)):
        draws, same = drawn(codec, shape)
        fused = codec.compress(x, draws)
        assert fused.dtype == dtype
        assert fused.tobytes() == codec.compress(x, same).tobytes()
        assert codec.indices(x, draws).tobytes() == codec.indices(x, same).tobytes()
        assert codec.clips(x, draws) == codec.clips(x, same) == 0
        message, estimate = codec.message_and_estimate(x, draws)
        assert estimate.tobytes() == fused.tobytes()
        assert np.array_equal(message.bits, codec.message(x, same).bits)
        assert codec.reconstruct(message, draws.shared).tobytes() == fused.tobytes()
        assert codec.decode(codec.encode(x, draws), draws.shared).tobytes() == fused.tobytes()
    sampled = codec.sample(x, np.random.default_rng(1), 2, tier="fused")
    assert sampled.tobytes() == fused.tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("codec", NESTED, ids=repr)
def test_nested_kernels_are_the_numpy_form_bit_for_bit(codec, dtype):
    x = vectors((2, 3, 1600), dtype)
    near = x.astype(np.float64) + np.random.default_rng(3).normal(0, 0.3, x.shape)
    far = near * np.where(np.random.default_rng(5).random(x.shape) < 0.1, 1e20, 1)  # of no use there
    for shape in ((2, 3, 1600), (2, 2, 3, 1600)):
        draws, same = drawn(codec, shape)
        for side in (near, far, near[0], 0.25):
            fused = codec.compress(x, draws, side)
            assert fused.dtype == dtype
            assert fused.tobytes() == codec.compress(x, same, side).tobytes()
            message = codec.message(x, draws)
            assert message.symbols.tobytes() == codec.message(x, same).symbols.tobytes()
            assert codec.reconstruct(message, draws.shared, side).tobytes() == fused.tobytes()
    sampled = codec.sample(x, np.random.default_rng(1), 2, side=near, tier="fused")
    assert sampled.tobytes() == codec.compress(x, same, near).tobytes()


def test_inputs_that_are_repeated_otherwise():
    codec, x = DitheredQuantizer(3), vectors((4, 1, 50), np.float64)
    draws, same = drawn(codec, (4, 5, 50))
    assert codec.compress(x, draws).tobytes() == codec.compress(x, same).tobytes()
    draws, same = drawn(codec, (50,))  # the same dither for all rows
    assert codec.compress(x, draws).tobytes() == codec.compress(x, same).tobytes()
    assert codec.sample(x[:0], np.random.default_rng(1), 3, tier="fused").shape == (3, 0, 1, 50)


def test_clipped_indices_are_counted():
    class Wide(DitheredQuantizer):
        def _gain(self):
            return 2.0 * self.levels

    codec, x = Wide(1), vectors((3, 700), np.float64)
    draws, same = drawn(codec, x.shape)
    assert codec.clips(x, draws) == codec.clips(x, same) > 0
    assert np.array_equal(codec.indices(x, draws), codec.indices(x, same))


def test_dither_drawn_by_itself_follows_the_tier():
    with impl.tier("fused"):
        found = draw_dither(np.random.default_rng(1), (3, 4))
    assert isinstance(found, np.ndarray)
    assert np.array_equal(found, PhiloxDither(np.random.default_rng(1), (3, 4), POINTS))
    assert not np.array_equal(found, draw_dither(np.random.default_rng(1), (3, 4)))
