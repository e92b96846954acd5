"""The dither stream: golden words, the grid, streams that never overlap."""

from fractions import Fraction

import numpy as np
import pytest

from impl.compressors import Key
from impl.compressors.dithered.dither_stream import (
    POINTS,
    dither,
    dither_point,
    draw_dither,
    fingerprint,
    keyed_dither,
)
from impl.errors import ArgumentError

KEY = Key(seed=(2024, 0), worker=5, iteration=17, tensor=3)


def test_golden_words_of_the_specification():
    assert (keyed_dither(KEY, 5) * 2**25).tolist() == [5325409, 7847269, -4780635, 7897243, 15107655]
    assert fingerprint(KEY) == 12952979127594948882


def test_each_coordinate_takes_one_raw_word_of_the_prescribed_philox():
    philox = np.random.Philox(
        key=np.array([2024, 0], dtype=np.uint64), counter=np.array([0, 3, 17, 5], dtype=np.uint64)
    )
    for u in keyed_dither(KEY, 40_000).tolist():
        assert u == (2 * (philox.random_raw() >> 40) + 1 - 2**24) / 2**25


def test_words_above_2_to_the_63_are_told_apart():
    keys = [Key((2**63 + i, 2**64 - 1 - i), 2**62 + i, 2**63 + i, 2**63 + i) for i in range(3)]
    keys += [Key((2**63 + 1, 2**64 - 2), 2**62, 2**63, 2**63 + i) for i in range(3)]
    assert len({keyed_dither(key, 4).tobytes() for key in keys}) == len(keys)
    assert len({fingerprint(key) for key in keys}) == len(keys)


def test_the_grid_is_odd_symmetric_float32_and_open():
    edges = dither(np.array([0, 2**40 - 1, 2**40, 2**63, 2**64 - 1], dtype=np.uint64))
    step = 2.0**-24
    assert edges.tolist() == [step / 2 - 0.5, step / 2 - 0.5, 1.5 * step - 0.5, step / 2, 0.5 - step / 2]
    u = keyed_dither(KEY, 10_000)
    assert np.array_equal(u.astype(np.float32), u)
    assert (np.abs(u) < 0.5).all()


@pytest.mark.parametrize("points", [1, 2, 3, 4, 5, 64, 256, POINTS])
def test_a_small_grid_has_its_points_in_order(points):
    words = np.array([(((2 * j + 1) << 63) // points) for j in range(min(points, 300))], dtype=np.uint64)
    expected = [float(dither_point(j, points)) for j in range(len(words))]
    assert dither(words, points).tolist() == expected
    assert dither_point(0, 4) == Fraction(-3, 8)


@pytest.mark.parametrize("bits", [np.random.Philox, np.random.PCG64, np.random.SFC64, np.random.MT19937])
def test_draws_are_uniform_on_the_grid_of_any_generator(bits):
    u = draw_dither(np.random.Generator(bits(1)), (40, 1000), points=4)
    values, counts = np.unique(u, return_counts=True)
    assert values.tolist() == [-0.375, -0.125, 0.125, 0.375]
    assert (np.abs(counts - 10_000) < 6.5 * np.sqrt(7500)).all()  # six and a half standard deviations


def test_draws_do_not_depend_on_the_shape():
    flat = draw_dither(np.random.default_rng(1), (120_000,))
    assert np.array_equal(draw_dither(np.random.default_rng(1), (3, 40_000)).ravel(), flat)
    assert np.array_equal(draw_dither(np.random.default_rng(1), (0,)), np.empty(0))


def test_the_words_are_left_as_they_are():
    words = np.arange(5, dtype=np.uint64)
    dither(words)
    assert words.tolist() == [0, 1, 2, 3, 4]


def test_wrong_arguments_are_named():
    for points in (0, 2**24 + 1, 1.5, True):
        with pytest.raises(ArgumentError, match=r"points=.* must be an integer from 1 to 2\*\*24"):
            draw_dither(np.random.default_rng(0), (1,), points)
    with pytest.raises(ArgumentError, match="rng=3 must be"):
        draw_dither(3, (1,))
    with pytest.raises(ArgumentError, match=r"worker=9223372036854775808 must be below 2\*\*63"):
        fingerprint(Key((1, 2), 2**63, 0))
