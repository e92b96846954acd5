"""Indices tile by tile: clips are counted over all tiles, and the order of operations is that of the text."""

import math

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, Draws
from impl.compressors.dithered.dither_stream import draw_dither
from impl.compressors.dithered.dither_tiles import tiles, write_quantized


@pytest.mark.parametrize("shape", [(1, 5), (1, 100_000), (3, 40_000), (20_000, 5), (2, 32_768)])
def test_tiles_cover_a_matrix_once_in_order(shape):
    numbers = np.arange(math.prod(shape)).reshape(shape)
    assert np.array_equal(np.concatenate([numbers[tile].ravel() for tile in tiles(*shape)]), numbers.ravel())


@pytest.mark.parametrize("shape", [(1, 100_000), (20_000, 5)])
def test_every_index_beyond_the_limit_is_clipped_and_counted(shape):
    """No codec gets there: their gain is the limit."""
    rng = np.random.default_rng(2)
    x, u, indices = rng.uniform(-1, 1, shape), draw_dither(rng, shape), np.empty(shape, dtype=np.int64)
    free = np.floor((3.0 * x + u) + 0.5)
    for limit in (3, 2, 1):
        count = write_quantized(x, np.ones((shape[0], 1)), u, 3.0, limit, indices)
        assert np.array_equal(indices, np.clip(free, -limit, limit))
        assert count == np.count_nonzero(np.abs(free) > limit)
    assert count > 10_000
    for one in (2.0, -2.0):  # a single one, at either end
        x = np.zeros(shape)
        x[-1, 1] = one
        assert write_quantized(x, np.ones((shape[0], 1)), u, 1.0, 1, indices) == 1
        assert indices[-1, 1] == np.sign(one)


@pytest.mark.parametrize("levels", [1, 3, 100])
def test_the_order_of_operations_is_that_of_the_text(levels):
    """Some units in the last place beside a tie the order decides: floor((M (x / kappa) + u) + 1/2)."""
    rng = np.random.default_rng(levels)
    u = draw_dither(rng, (20_000,))
    tie = np.clip((rng.integers(-levels, levels, u.size) + 0.5 - u) / levels, -1, 1)
    x = tie + rng.integers(-3, 4, u.size) * np.spacing(tie)
    x[0] = 1.0  # the scale
    x = np.clip(x, -1, 1)
    found = DitheredQuantizer(levels).indices(x, Draws(shared=u))
    assert found.tolist() == [
        math.floor((levels * a + b) + 0.5) for a, b in zip(x.tolist(), u.tolist(), strict=True)
    ]
    assert (found != np.floor((levels * x + 0.5) + u)).any()
    assert (found != np.floor(levels * x + (u + 0.5))).any()
