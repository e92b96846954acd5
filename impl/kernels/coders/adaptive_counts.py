"""Counts of digits that start at one and grow behind every digit; part of the kernels of the coders.

What is kept are sums below each digit: those above a counted digit grow, sixteen at a time. Of a small
alphabet these are all sums, up to 255 digits those within each sixteen and those below each sixteen; beyond
they are in a tree, as those of `impl.coding.adaptive_coder`.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import inlined
from impl.kernels.instructions import LANES, add_one_behind

Array = npt.NDArray[Any]

TREE, FLAT, BLOCKS = 0, 1, 2  # forms
_MOST_BLOCKS = LANES**2 - 1
_BEHIND = 2**29  # more than any sum: what is not there is never found


def first_counts(alphabet: int, vectors: int) -> tuple[Array, int]:
    """Return the sums before the first digit, int32, and their form, flat up to so many times sixteen."""
    if alphabet > _MOST_BLOCKS:
        top = 1 << (alphabet - 1).bit_length()
        place = np.arange(top + 1)
        first = place - (place & -place)
        return np.maximum(0, np.minimum(place, alphabet) - first).astype(np.int32), TREE
    below = np.full(-(-(alphabet + 1) // LANES) * LANES, _BEHIND, np.int32)
    below[: alphabet + 1] = np.arange(alphabet + 1)
    if alphabet < vectors * LANES:
        return _aligned(below), FLAT
    blocks = np.full(LANES, _BEHIND, np.int32)
    blocks[: len(below) // LANES] = below[::LANES]
    within = below.reshape(-1, LANES) - below[::LANES, None]
    return _aligned(np.concatenate([blocks, within.reshape(-1)])), BLOCKS


def _aligned(sums: Array) -> Array:
    """Return the same in memory where sixteen of them never cross two lines of the cache."""
    room = np.empty(len(sums) + LANES, np.int32)
    first = -(room.ctypes.data // room.itemsize) % LANES
    room[first : first + len(sums)] = sums
    return room[first : first + len(sums)]


@inlined
def sum_below(counts: Array, form: int, digit: Any) -> Any:
    """Return the sum of the counts of smaller digits."""
    if form == FLAT:
        return np.int64(counts[np.uint64(digit)])
    if form == BLOCKS:
        return np.int64(counts[np.uint64(digit >> 4)]) + np.int64(counts[np.uint64(digit + LANES)])
    total = np.int64(0)
    while digit:
        total += counts[digit]
        digit &= digit - 1
    return total


@inlined
def count_one(counts: Array, form: int, digit: Any) -> None:
    """Count one more digit."""
    if form == FLAT:
        add_one_behind(counts, 0, digit)
        for start in range(LANES, len(counts), LANES):
            add_one_behind(counts, start, digit)
    elif form == BLOCKS:
        add_one_behind(counts, 0, digit >> 4)
        add_one_behind(counts, LANES + (digit >> 4 << 4), digit + LANES)
    else:
        place = digit + 1
        while place < len(counts):
            counts[place] += 1
            place += place & -place
