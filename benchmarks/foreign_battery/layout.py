"""Entries that are lost, moved, or read with the scale of others."""

import numpy as np

from benchmarks.foreign_battery.case import Case, one_hot_first, one_hot_last, unbiased
from benchmarks.foreign_battery.mechanisms import by_blocks, norm, qsgd, rounded

BLOCK, LEVELS = 16, 2
"""Blocks of 16 with 2 levels: omega = sqrt(16) / 2 - 1 = 1."""


def _dropped(which):
    """Return rounding with the entries `which(d)` set to 0."""

    def compress(x, rng):
        found = qsgd(x, rng)
        found[which(len(x))] = 0.0
        return found

    return lambda d: compress


def _moved(order):
    return lambda d: lambda x, rng: qsgd(x, rng)[order(d)]


def _last_two_swapped(d):
    return np.r_[0 : d - 2, d - 1, d - 2]


def _scale_of_previous(x, rng):
    """Decode each block with the norm of the one before."""
    found = by_blocks(x, rng, BLOCK, LEVELS)
    norms = np.array([norm(x[start : start + BLOCK]) for start in range(0, len(x), BLOCK)])
    ratio = np.divide(np.roll(norms, 1), norms, out=np.zeros_like(norms), where=norms > 0)
    return found * np.repeat(ratio, BLOCK)[: len(x)]


def _padded(x, rng):
    """Fill the last block with ones that enter its norm."""
    size = 24
    long = np.append(x, np.ones(-len(x) % size))
    return by_blocks(long, rng, size, 3)[: len(x)]


def _padding_sent(x, rng):
    """Round the last block with the mean over its padding taken off and added to the data only."""
    size = 24
    long = np.append(x, np.zeros(-len(x) % size))
    mean = long[-size:].mean()
    long[-size:] -= mean
    found = by_blocks(long, rng, size, 3)[: len(x)]
    found[-(len(x) % size) :] += 0.5 * mean
    return found


def _without_remainder(x, rng):
    found = np.zeros_like(x)
    whole = len(x) // 24 * 24
    found[:whole] = by_blocks(x[:whole], rng, 24, 3)
    return found


def _overlapping(x, rng):
    """Write blocks one entry too far: the first of each is overwritten by the last of the one before."""
    found = np.zeros(len(x) + 1)
    for start in reversed(range(0, len(x), BLOCK)):
        block = x[start : start + BLOCK + 1]
        found[start : start + len(block)] = rounded(block, rng, norm(block), LEVELS)
        if start + BLOCK < len(x):
            found[start + BLOCK] *= 0.9
    return found[: len(x)]


def _at(place):
    return lambda d: np.eye(1, d, place(d))[0]


def _sign_of_negative(x, rng):
    """The sign bit of every 32nd entry is not packed."""
    found = qsgd(x, rng)
    found[31::32] = np.abs(found[31::32])
    return found


CASES = (
    Case("last entry dropped", "one entry is not sent", _dropped(lambda d: [d - 1]), at=one_hot_last),
    Case("first entry dropped", "one entry is not sent", _dropped(lambda d: [0]), at=one_hot_first),
    Case("entry 17 dropped", "one entry is not sent", _dropped(lambda d: [17]), at=_at(lambda d: 17)),
    Case(
        "last block dropped",
        "the last 16 entries are not sent",
        _dropped(lambda d: slice(d - 16, d)),
        at=one_hot_last,
    ),
    Case(
        "remainder dropped",
        "what is left after blocks of 24 is not sent",
        lambda d: _without_remainder,
        at=one_hot_last,
    ),
    Case(
        "moved by one",
        "the receiver starts one entry late",
        _moved(lambda d: np.roll(np.arange(d), 1)),
        at=one_hot_first,
    ),
    Case("last two swapped", "two entries change places", _moved(_last_two_swapped), at=one_hot_last),
    Case(
        "read backwards",
        "the receiver reads from the end",
        _moved(lambda d: np.arange(d)[::-1]),
        at=one_hot_first,
    ),
    Case(
        "scale of the previous block",
        "the receiver is one block late",
        lambda d: _scale_of_previous,
        at=lambda d: np.repeat(1.0 + np.arange(d // 16) % 2, 16),
    ),
    Case(
        "padding in the norm",
        "the last block is padded with ones",
        lambda d: _padded,
        unbiased(0.65),
        at=lambda d: 1e-3 * np.ones(d),
        kind="error",
    ),
    Case(
        "padding read as data",
        "the mean of the last block counts its padding",
        lambda d: _padding_sent,
        unbiased(1.0),
        at=one_hot_last,
    ),
    Case(
        "blocks overlap by one",
        "the first entry of each block is overwritten",
        lambda d: _overlapping,
        unbiased(1.2),
        at=_at(lambda d: 16),
    ),
    Case(
        "sign bits lost",
        "every 32nd entry is positive",
        lambda d: _sign_of_negative,
        at=lambda d: -_at(lambda d: 31)(d),
    ),
)
