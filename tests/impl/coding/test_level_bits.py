"""Bits counted by tables of bytes against the codes themselves, level by level."""

import numpy as np
import pytest

from impl.coding.dense_code import DenseCode
from impl.coding.elias import GAMMA, OMEGA
from impl.coding.level_bits import LARGEST_LEVEL, LevelBits
from impl.coding.sparse_code import SparseCode

CODES = [SparseCode(GAMMA), SparseCode(OMEGA), DenseCode(GAMMA), DenseCode(OMEGA)]


@pytest.mark.parametrize("code", CODES, ids=lambda code: f"{type(code).__name__}-{code.elias.name}")
@pytest.mark.parametrize("d", [1, 7, 8, 9, 50, 3000])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
def test_the_bits_are_those_of_the_code(code, d, share):
    rng = np.random.default_rng(d)
    counted = LevelBits(code, 6, d)
    for most in (1, 2, 5, LARGEST_LEVEL, 3):  # a buffer remembers nothing of what it held before
        levels = rng.integers(-most, most + 1, (6, d)) * (rng.random((6, d)) < share)
        counted.levels[...] = np.abs(levels)
        np.testing.assert_array_equal(counted.count(), code.bits(levels))
