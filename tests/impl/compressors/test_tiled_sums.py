"""Sums part by part are those of numpy over everything, to the last bit."""

import numpy as np
import pytest

from impl.compressors.rounding.block_norms import block_norms, long_norm
from impl.compressors.tiled_sums import TILE, tiled_sum

LENGTHS = [1, 7, 129, TILE, TILE + 1, 2 * TILE + 3, 100_001, 333_333]


@pytest.mark.parametrize("count", LENGTHS)
def test_it_is_the_sum_of_numpy(count):
    x = np.random.default_rng(count).standard_normal(count)
    assert tiled_sum(count, lambda first, last: x[first:last]) == x.sum()


@pytest.mark.parametrize("d", LENGTHS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_long_norm_is_that_of_one_block(d, dtype):
    x = np.random.default_rng(d).standard_normal((2, d)).astype(dtype)
    expected = block_norms(x.astype(np.float64), (d,), 64, "here")[0, 0]
    assert long_norm(d, lambda first, last: x[0, first:last].astype(np.float64)) == expected
    assert long_norm(d, lambda first, last: np.zeros(last - first)) == 0
    assert long_norm(d, lambda first, last: np.full(last - first, 1e-300)) is None
    assert long_norm(d, lambda first, last: np.full(last - first, 1e300)) is None


@pytest.mark.parametrize("size", [7, 1000, TILE, TILE + 1, 70_000])
def test_squares_of_blocks_are_those_of_reduceat(size):
    d = 200_001
    x = np.random.default_rng(size).standard_normal(d).astype(np.float32)
    starts = np.arange(0, d, size)
    lengths = tuple(np.diff(starts, append=d).tolist())
    if len(lengths) <= 32:  # these are dot products
        starts = np.concatenate([np.arange(40), starts[starts > 40]])
        lengths = tuple(np.diff(starts, append=d).tolist())
    squares = np.add.reduceat(np.square(x.astype(np.float64)), starts)
    assert np.array_equal(block_norms(x, lengths, 64, "here"), np.sqrt(squares).astype(np.float32))
