"""Inputs at the edges of formats, where a wrong branch would round wrongly or say nothing."""

import math

import numpy as np
import pytest

from impl.compressors import CorrelatedGrid, Draws, RoundKey, StochasticQuantizer
from impl.compressors.rounding.block_norms import block_norms
from impl.errors import ArgumentError


def test_single_precision_with_draws_of_double_precision():
    x = np.array([0.3, -0.7, 1.1, 0.0], dtype=np.float32)
    draws = Draws(private=np.array([0.1, 0.5, 0.9, 0.3]))
    quantizer = StochasticQuantizer(0.5)
    sent = quantizer.message(x, draws)
    compressed = quantizer.compress(x, draws)
    assert compressed.dtype == np.float32
    assert compressed.tolist() == quantizer.reconstruct(sent).tolist()
    assert compressed.tolist() == pytest.approx(
        [float(q) for q in quantizer.reference(x.tolist(), draws)], rel=1e-6
    )


def test_norms_at_the_ends_of_single_precision():
    with pytest.raises(ArgumentError, match="outside the range"):
        block_norms(np.full((1, 4), 3e38, dtype=np.float32), (4,), 64, "test")
    for entry in (1e40, 1e-50):  # sent in 32 bits such norms would be infinite or zero
        with pytest.raises(ArgumentError, match="use norm_bits=64"):
            block_norms(np.full((1, 4), entry), (4,), 32, "test")
    # The squares are zero in single precision, the norms are not.
    tiny = np.full((1, 4), 1e-30, dtype=np.float32)
    assert block_norms(tiny, (4,), 64, "test").tolist() == [[pytest.approx(2e-30, rel=1e-6, abs=0)]]


@pytest.mark.parametrize("power", [35, 50, 60, 70, 74])
def test_norms_keep_their_digits_where_squares_are_subnormal(power):
    x = np.array([[1.1, 2.7, -3.3, 7.9]], dtype=np.float32)
    small = np.ldexp(x, -power)
    for rows in (small, small[0], np.tile(small, (3, 1)), np.tile(small, 40)):
        lengths = (4,) * (rows.shape[-1] // 4)
        norms = block_norms(rows, lengths, 64, "test")
        expected = math.hypot(*x[0].tolist()) * 2.0**-power
        assert norms.ravel().tolist() == pytest.approx([expected] * norms.size, rel=3e-7, abs=0)


def test_a_repeated_number_is_a_vector_like_any_other():
    quantizer, draws = StochasticQuantizer(0.25), Draws(private=np.linspace(0, 0.9, 5))
    repeated = np.broadcast_to(2.0, (5,))
    assert quantizer.compress(repeated, draws).tolist() == quantizer.compress(np.full(5, 2.0), draws).tolist()


def test_a_small_step_beside_a_large_one_does_not_underflow():
    # The smallest step times the norm is subnormal in single precision: the grid is scaled.
    steps, x = [2.0**-40, 1.0], np.array([3e-32, 4e-32], dtype=np.float32)
    draws = Draws(private=np.array([0.25, 0.25]))
    quantizer = StochasticQuantizer(steps)
    expected = [float(q) for q in quantizer.reference(x.astype(float).tolist(), draws)]
    assert quantizer.compress(x, draws).tolist() == pytest.approx(expected, rel=1e-6, abs=0)
    level = 3 / 5 * 2.0**40  # of an entry of 3 units in a vector of norm 5
    assert quantizer.message(x, draws).symbols[0] == pytest.approx(level, rel=1e-6)


def test_far_levels_of_the_grid_arrive_and_are_charged():
    x = np.array([[-5000.2, -201.0, -200.0, -1.0], [0.0, 1.0, 255.5, 70000.9]])
    grid, key = CorrelatedGrid(1.0), RoundKey((3, 4), 11)
    draws = grid.draw_keyed(key, x.shape)
    sent = [grid.message(x[i], i, grid.client_draws(key, i, x.shape), n=2, key=key) for i in range(2)]
    np.testing.assert_allclose(
        grid.aggregate(sent, draws.shared, key=key), grid.estimate(x, draws), rtol=1e-13
    )
    decoded = grid.compress(x, draws)
    assert np.abs(decoded - x).max() < 2
    levels = np.rint(decoded - decoded[1, 0] % 1)
    words = np.where(levels >= 0, 2 * levels, -2 * levels - 1) + 1
    assert grid.bits(x, draws).sum() == sum(2 * int(word).bit_length() - 1 for word in words.ravel())
