"""Natural compression: its points, its variance and its symbols, by hand."""

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
