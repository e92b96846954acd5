"""Dithered quantizer: goldens, identical integers of both forms, edges of float64, fixed scale."""

from fractions import Fraction

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, Draws, Key, NestedDitheredQuantizer
from impl.compressors.dithered.dither_stream import KeyedDither, dither_point, draw_dither
from impl.errors import ArgumentError, NonFiniteError, ScaleOverflow


def random_blocks(count):
    """Vectors with ties, zeros, single entries, subnormal and huge ones, and dithers that make ties."""
    rng = np.random.default_rng(7)
    for case in range(count):
        d = int(rng.integers(1, 9))
        x = rng.standard_normal(d)
        if case % 5 == 0:
            x = rng.integers(-4, 5, size=d) / 4
        if case % 7 == 0:
            x *= rng.random(d) < 0.3
        if case % 11 == 0:
            x = np.where(np.arange(d) == d // 2, x, 0.0)
        x = x * 10.0 ** rng.choice([0, 0, 0, -310, -320, -39, 300])
        u = rng.integers(-8, 8, size=d) / 16 if case % 3 == 0 else draw_dither(rng, (d,))
        yield x, u


@pytest.mark.parametrize("levels", [1, 2, 3, 127])
def test_literal_and_vectorized_give_identical_integers(levels):
    quantizer = DitheredQuantizer(levels, 3)
    for x, u in random_blocks(250):
        draws = Draws(shared=u)
        message = quantizer.message(x, draws)
        assert message.symbols.tolist() == quantizer.reference_symbols(x.tolist(), draws)
        assert quantizer.compress(x, draws).tolist() == quantizer.reference(x.tolist(), draws)
        assert quantizer.clips(x, draws) == 0


def test_ties_go_up_exactly():
    x = [Fraction(i, 8) for i in range(-8, 9)]
    for j in range(-8, 8):
        u = Fraction(j, 16)
        draws = Draws(shared=[u] * len(x))
        exact = DitheredQuantizer(4).reference_symbols(x, draws)
        assert exact == [(4 * item + u + Fraction(1, 2)).__floor__() for item in x]
        fast = DitheredQuantizer(4).message([float(item) for item in x], draws).symbols
        assert fast.tolist() == exact


@pytest.mark.parametrize("levels", [1, 3, 7, 127, 2**24])
def test_no_index_is_clipped_at_the_ends_of_the_range(levels):
    # The index is monotone in the dither, so the outermost 2^12 of the 2^24 decide.
    ends = [*range(2**12), *range(2**24 - 2**12, 2**24)]
    u = np.array([float(dither_point(j, 2**24)) for j in ends])
    for scale in (5e-324, 1e-310, 1e-39, 0.7, 1.0, 1e300):
        for sign in (1.0, -1.0):
            draws = Draws(shared=u)
            x = np.full(len(u), sign * scale)
            assert DitheredQuantizer(levels).clips(x, draws) == 0
            assert (DitheredQuantizer(levels).message(x, draws).symbols == sign * levels).all()


def test_true_division_survives_subnormal_scales():
    draws = Draws(shared=np.full(2, 2.0**-25))
    x = np.array([1e-39, 5e-40], dtype=np.float32)
    out = DitheredQuantizer(4).compress(x, draws)
    assert np.isfinite(out).all()
    assert DitheredQuantizer(4).message(x, draws).symbols.tolist() == [4, 2]


@pytest.mark.parametrize("size", [0.7, 1 / 3, 1e-40, 1e-45, 1e-300, 3e38 / 2])
def test_a_float32_scale_is_rounded_up(size):
    quantizer = DitheredQuantizer(1, norm_bits=32)
    (scale,) = quantizer.scales(np.array([-size, size / 2]))
    assert float(np.float32(scale)) == scale >= size
    assert float(np.nextafter(np.float32(scale), np.float32(0))) < size
    literal = quantizer.reference([-size, size / 2], Draws(shared=[0.25, 0.25]))
    assert quantizer.compress(np.array([-size, size / 2]), Draws(shared=[0.25, 0.25])).tolist() == literal


def test_a_zero_block_is_decoded_to_positive_zeros_beside_others():
    x = np.array([0.0, -0.0, 1.0, 2.0, -0.0])
    out = DitheredQuantizer(2, 2).sample(x, np.random.default_rng(1))
    assert out[:2].tobytes() == out[4:].tobytes() * 2 == np.zeros(2).tobytes()
    scales = DitheredQuantizer(2, 2).scales(x)
    assert scales.tobytes() == np.array([0.0, 2.0, 0.0]).tobytes()
    assert DitheredQuantizer(2, 1).scales(-x).tobytes() == np.abs(x).tobytes()
    assert DitheredQuantizer(2, [2, 2, 1]).scales(x).tobytes() == scales.tobytes()
    assert DitheredQuantizer(2).scales(x[4:]).tobytes() == np.zeros(1).tobytes()
    assert out[2] != 0
    assert out[3] != 0


def test_blocks_of_one_size_are_blocks_of_lengths():
    x = np.random.default_rng(0).standard_normal((4, 11))
    draws = Draws(shared=draw_dither(np.random.default_rng(1), x.shape))
    by_size, by_length = DitheredQuantizer(3, 4), DitheredQuantizer(3, [4, 4, 3])
    assert np.array_equal(by_size.compress(x, draws), by_length.compress(x, draws))
    assert by_size.scales(x).shape == (4, 3)
    assert by_size.variance(x) == pytest.approx(by_length.variance(x))
    assert np.array_equal(
        DitheredQuantizer(3, 20).compress(x, draws), DitheredQuantizer(3).compress(x, draws)
    )
    assert by_size != by_length


def test_a_fixed_scale_is_unbounded_and_keeps_its_law():
    quantizer = DitheredQuantizer(2, scale=2.0)
    x = np.array([0.0, 7.3, -9.1, 1e6])
    out = quantizer.sample(x, np.random.default_rng(0), size=4000)
    assert (np.abs(out - x) <= 0.5 + 1e-9).all()
    assert quantizer.variance(x) == pytest.approx(4 / 12, rel=1e-12)  # step 1, also at zero
    assert quantizer.message(x, quantizer.draw(np.random.default_rng(0), (4,))).symbols.max() > 10**5
    assert quantizer.clips(x, quantizer.draw(np.random.default_rng(0), (4,))) == 0
    key = Key((1, 2), 0, 0)
    draws = quantizer.draw_keyed(key, (4,))
    assert np.array_equal(
        quantizer.decode(quantizer.encode(x, draws, key), key=key), quantizer.compress(x, draws)
    )
    for size in (1e20, 2.0**50):  # in units of the scale, two steps
        with pytest.raises(ArgumentError, match=r"2\*\*51 or more; give a larger scale"):
            DitheredQuantizer(2, scale=1e-10).sample(np.array([0.0, -1e-10 * size]), np.random.default_rng(0))
    last = [2.0**50 - 1.0, -(2.0**50) + 0.5, 2.0**50 - 0.25]
    draws = Draws(shared=[2.0**-25, -0.25, 0.25])
    found = DitheredQuantizer(2, scale=1.0).indices(last, draws)
    assert found.tolist() == DitheredQuantizer(2, scale=1.0).reference_symbols(last, draws)
    assert found[0] == 2**51 - 2


def test_stochastic_rounding_is_the_same_index_without_subtraction():
    quantizer = DitheredQuantizer(1, points=4)
    x = [Fraction(2), Fraction(-1, 2)]
    mean = Fraction(0)
    for chance, draws in quantizer.outcomes(x):
        message = quantizer.message([float(item) for item in x], draws)
        mean += chance * Fraction(float(quantizer.reconstruct(message, np.zeros(2))[1]))
    assert mean == Fraction(-1, 2)


def test_raw_bits_count_words_of_symbols():
    for levels, per_word in ((1, 40), (2, 27), (3, 22)):
        for d in (1, per_word, per_word + 1, 1000):
            bits = DitheredQuantizer(levels, 7).expected_bits(np.ones(d))
            assert bits == 64 * -(-d // per_word) + 64 * -(-d // 7)


def test_the_dither_is_part_of_the_message_that_is_checked():
    quantizer, x = DitheredQuantizer(1), np.ones(3)
    draws = quantizer.draw(np.random.default_rng(0), (3,))
    data = quantizer.encode(x, draws)
    other = quantizer.draw(np.random.default_rng(1), (3,))
    with pytest.raises(ValueError, match="or the shared draws differ"):
        quantizer.decode(data, other.shared)


def test_errors_name_what_is_wrong():
    with pytest.raises(NonFiniteError, match=r"x\[1, 0\] = nan must be finite"):
        DitheredQuantizer(1).sample(np.array([[1.0], [np.nan]]), np.random.default_rng(0))
    with pytest.raises(ScaleOverflow, match="exceeds half the largest float64; scale x down"):
        DitheredQuantizer(1).sample(np.array([1e308]), np.random.default_rng(0))
    with pytest.raises(ScaleOverflow, match="exceeds half the largest float32; use norm_bits=64"):
        DitheredQuantizer(1, norm_bits=32).reference([2e38], Draws(shared=[0.0]))
    with pytest.raises(ScaleOverflow, match="exceeds half the largest float32; use float64"):
        DitheredQuantizer(1).sample(np.array([2e38], dtype=np.float32), np.random.default_rng(0))
    with pytest.raises(ArgumentError) as error:
        DitheredQuantizer(0, [0], norm_bits=16, scale=-1, points=0)
    for part in ("levels=0", "blocks=[0]", "norm_bits=16", "scale=-1", "points=0"):
        assert part in str(error.value)
    for levels in (2**24 + 1, 1.0, True, None):
        with pytest.raises(ArgumentError, match=r"levels=.* must be an integer from 1 to 2\*\*24"):
            DitheredQuantizer(levels)
    for scale in (0, -1.0, np.inf, np.nan, 10**400, Fraction(1, 10**400), True, "a"):
        with pytest.raises(ArgumentError, match=r"scale=.* must be a positive finite number"):
            DitheredQuantizer(1, scale=scale)
    for bad in (0.5, -0.6, np.nan):
        for call in (DitheredQuantizer(1).compress, DitheredQuantizer(1).reference):
            with pytest.raises(ArgumentError, match=r"draws\.shared\[1\] = .* must be in \[-1/2, 1/2\)"):
                call([1.0, 1.0], Draws(shared=[0.0, bad]))
    for draws in (None, Draws()):
        with pytest.raises(ArgumentError, match=r"draws\.shared is missing"):
            DitheredQuantizer(1).compress([1.0], draws)
    for shared in (np.zeros(3), np.zeros((3, 2)), "ab"):
        with pytest.raises(ArgumentError, match=r"take draws from draw\(rng, x\.shape\)"):
            DitheredQuantizer(1).compress(np.ones((2, 2)), Draws(shared=shared))
    with pytest.raises(ArgumentError, match=r"x\[1\] = nan(?s:.)*draws\.shared\[0\] = 2.0"):
        DitheredQuantizer(1).compress([1.0, np.nan], Draws(shared=[2.0, 0.0]))
    with pytest.raises(ArgumentError, match=r"16777216\*\*2 dithers are too many"):
        list(DitheredQuantizer(1).outcomes([1.0, 2.0]))


@pytest.mark.parametrize("shape", [(70_000,), (3, 40_000), (20_000, 5), (2, 3, 7)])
@pytest.mark.parametrize("levels", [1, 3])
def test_lazy_dither_and_one_pass_change_no_bit(shape, levels):
    key, rng = Key((1, 2), 3, 4), np.random.default_rng(0)
    x, y = rng.standard_normal(shape), rng.standard_normal(shape)
    x.reshape(-1, shape[-1])[0] = 0.0
    for codec, side in ((DitheredQuantizer(levels), None), (NestedDitheredQuantizer(levels, 5), y)):
        draws, lazy = codec.draw_keyed(key, shape), Draws(shared=KeyedDither(key, shape))
        expected = codec.reconstruct(codec.message(x, draws), draws.shared, side)
        for given in (draws, lazy):
            message, estimate = codec.message_and_estimate(x, given, *([] if side is None else [side]))
            assert np.array_equal(message.symbols, codec.message(x, draws).symbols)
            assert estimate.tobytes() == expected.tobytes()
            assert codec.compress(x, given, side).tobytes() == expected.tobytes()
            assert codec.reconstruct(message, given.shared, side).tobytes() == expected.tobytes()
        if x.size < 100_000 or x.ndim == 1:  # rows are encoded one by one
            assert codec.encode(x, lazy, key) == codec.encode(x, draws, key)


def test_lazy_dither_of_another_shape_is_broadcast():
    key, x = Key((1, 2), 3, 4), np.ones((2, 5))
    lazy = Draws(shared=KeyedDither(key, (3, 2, 5)))
    whole = DitheredQuantizer(1).draw_keyed(key, (3, 2, 5))
    assert np.array_equal(DitheredQuantizer(1).compress(x, lazy), DitheredQuantizer(1).compress(x, whole))
    one = Draws(shared=KeyedDither(key, (5,)))
    out = DitheredQuantizer(1).compress(x, one)
    assert out[0].tobytes() == out[1].tobytes()


@pytest.mark.parametrize("blocks", [1, 3, 7, [3, 4]])
@pytest.mark.parametrize("rows", [(0,), (2, 0)])
def test_no_vectors_are_quantized_to_none(blocks, rows):
    codec = DitheredQuantizer(2, blocks=blocks)
    x = np.zeros((*rows, 7))
    assert codec.sample(x, np.random.default_rng(0)).shape == x.shape
    assert codec.message(x, codec.draw(np.random.default_rng(0), x.shape)).bits.shape == rows
