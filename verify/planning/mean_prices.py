"""Upper bounds on the mean cost of messages whose length is random, of which only the mean is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_LARGEST_FRAME = 2**16
"""Bits of a frame in which costs may step."""


def line_above(cost: Any) -> tuple[float, float]:
    """Return slope and offset of a line in the bits that is nowhere below the cost of a message.

    The mean cost of messages of any random length is then at most the line at their mean length. For an
    affine cost it is the cost; for packets it grows as full packets do, and is attained by what needs one
    packet more.
    """
    # Behind a full packet the same costs are added to those of that packet.
    period = 1 if cost.is_affine else cost.payload_bits
    slope = float(cost(period) - cost(0)) / period
    # Inside of a packet costs step by airtime only, whose frames have a few hundred bytes.
    bits = np.append(np.arange(min(period, _LARGEST_FRAME)), period)
    return slope, float((np.asarray(cost(bits), dtype=float) - slope * bits).max())


class EntryPrices:
    """Costs of messages with random numbers of entries.

    Args:
        cost: Cost of a message by its bits.
        d: Largest number of entries.
        entry_bits: Bits of one.
    """

    def __init__(self, cost: Any, d: int, entry_bits: int) -> None:
        sent = np.asarray(cost(np.arange(1, d + 1) * entry_bits), dtype=float)
        self._prices = np.concatenate([[float(cost.empty)], sent])
        self._corners = _upper_hull(self._prices)

    def mean(self, entries: float) -> float:
        """Return the largest mean cost of numbers in 0, ..., d with this mean: the concave hull there."""
        return float(np.interp(entries, self._corners, self._prices[self._corners]))


def most_mean_bits(bits: Sequence[int]) -> Array:
    """Return the largest mean bits of messages with a random number of entries, at most so many in the mean.

    Args:
        bits: Of messages with 0, ..., d entries.

    Returns:
        By the bound on the mean number, 0, ..., d.
    """
    values = np.asarray(bits, dtype=float)
    corners = _upper_hull(values)
    return np.asarray(np.maximum.accumulate(np.interp(np.arange(len(values)), corners, values[corners])))


def _upper_hull(values: Array) -> Array:
    """Return the places at which the least concave function above values at 0, 1, ... touches them."""
    corners: list[int] = []
    for place, value in enumerate(values):
        while len(corners) > 1:
            before, last = corners[-2:]
            chord = values[before] + (value - values[before]) * (last - before) / (place - before)
            if values[last] > chord:
                break
            corners.pop()
        corners.append(place)
    return np.array(corners)
