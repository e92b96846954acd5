"""The place of the lowest bit of a word; no kernel of its own."""

import numpy as np

from impl.kernels.compiled import kernel

_ONE, _TOP = np.uint64(1), np.uint64(58)
# The upper six bits of this times 2^i are another number for every i.
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_PLACES = np.zeros(64, np.int64)
for _i in range(64):
    _PLACES[(int(_DE_BRUIJN) << _i) % 2**64 >> 58] = _i


@kernel
def lowest_bit(word: np.uint64) -> int:
    """Return the place of the lowest bit of a word that is not zero, from 0."""
    lowest = word & (~word + _ONE)
    return _PLACES[(lowest * _DE_BRUIJN) >> _TOP]  # type: ignore[no-any-return]
