"""Natural compression: its points, its variance and its symbols, by hand."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.compressors import Draws, NaturalCompression
from impl.compressors.rounding.two_point_rounding import TwoPointRounding
from impl.errors import ArgumentError


def test_points_are_the_powers_of_two_around_an_entry():
    compressor = NaturalCompression()
    x = np.array([3.0, -5.0, 4.0, 0.0, 0.75])
    assert compressor.compress(x, Draws(private=np.full(5, 0.99))).tolist() == [2, -4, 4, 0, 0.5]
    assert compressor.compress(x, Draws(private=np.zeros(5))).tolist() == [4, -8, 4, 0, 1]


@pytest.mark.parametrize("k", [-3, 0, 7])
def test_the_variance_is_largest_a_third_above_a_power(k):
    x = F(4, 3) * F(2) ** k
    assert NaturalCompression().variance([x]) == x**2 / 8
    for other in (F(5, 4), F(3, 2), F(17, 16)):
        y = other * F(2) ** k
        assert NaturalCompression().variance([y]) < y**2 / 8


def test_entries_below_the_least_power_become_zero_or_that():
    compressor = NaturalCompression(-1, 3)
    assert compressor.variance([F(1, 4)]) == F(1, 16)  # 0 or 1/2, each with probability 1/2
    with pytest.raises(ArgumentError, match="9"):
        compressor.compress([9.0], Draws(private=[0.5]))


@pytest.mark.parametrize(("limits", "bits"), [((-126, 127), 9), ((), 13), ((0, 0), 2)])
def test_bits_of_an_entry(limits, bits):
    assert NaturalCompression(*limits).message(np.ones(5), Draws(private=np.zeros(5))).bits == 5 * bits


@pytest.mark.parametrize("limits", [(1, 0), (-1075, 0), (0, 1024), (0.5, 3), (True, 3)])
def test_exponents_out_of_order_or_range(limits):
    with pytest.raises(ArgumentError, match="from -1074 to 1023"):
        NaturalCompression(*limits)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_bits_of_numbers_are_rounded_as_their_two_points(dtype):
    rng, compressor = np.random.default_rng(3), NaturalCompression(-100, 100)
    x = (rng.standard_normal(500) * 2.0 ** rng.integers(-60, 60, 500)).astype(dtype)
    x[:4] = 0.0, -0.0, 8.0, -0.25
    u = rng.random((3, 500)).astype(dtype)
    u[0, :9] = 0.0
    u[1] = np.abs(x) / 2.0 ** np.floor(np.log2(np.where(x == 0, 1, np.abs(x)))) - 1  # the chances themselves
    draws = Draws(private=np.clip(u, 0, 1 - 2.0**-20))
    assert (
        compressor.compress(x, draws).tobytes() == TwoPointRounding.compress(compressor, x, draws).tobytes()
    )
