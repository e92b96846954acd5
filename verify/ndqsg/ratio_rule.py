"""Rule for the ratio of a nested quantizer: the smallest one with a tolerable excess of the error.

The deviation of the innovation is in fine steps. For a Gaussian innovation the excess grows with the
deviation, so each ratio has a largest deviation; these are found once.
"""

import functools
import math
from typing import Any

import numpy as np

from impl.errors import ArgumentError
from verify.ndqsg.nested_overload_oracle import moments

EXCESS = 0.01
"""Relative excess of the mean square error over D that is tolerated."""

SAFETY = 1.2
"""Factor on an estimated deviation: the estimate is that of the previous iteration."""


def excess(sigma: float, ratio: int) -> float:
    """Return the exact relative excess of the mean square error over D for a Gaussian innovation."""
    found = moments(sigma, ratio)
    return 12 * (ratio**2 * found.squares - 2 * ratio * found.cross)


@functools.cache
def largest_deviation(ratio: int, tolerated: float = EXCESS) -> float:
    """Return the deviation at which a ratio has exactly the tolerated excess."""
    from scipy.optimize import brentq

    # At k/20 nothing overloads, at k every fifth coordinate does.
    return float(brentq(lambda sigma: excess(sigma, ratio) - tolerated, ratio / 20, ratio, xtol=1e-12))


def smallest_ratio(sigma: float, tolerated: float = EXCESS, *, odd: bool = False, most: int = 2**16) -> int:
    """Return the smallest ratio whose excess is tolerated, or `most` where that is larger.

    Args:
        sigma: Deviation of the innovation in fine steps, not negative.
        tolerated: Relative excess over D.
        odd: Only odd ratios.
        most: No ratio beyond it is looked at.

    Raises:
        ArgumentError: A deviation that is negative or not a number, an excess that is not positive.
    """
    if not (sigma >= 0 and tolerated > 0):
        raise ArgumentError(
            f"smallest_ratio: sigma={sigma!r} must be at least 0 and tolerated={tolerated!r} positive"
        )
    ratio = 3 if odd else 2
    while ratio < most and sigma > largest_deviation(ratio, tolerated):
        ratio += 2 if odd else 1
    return ratio


def chosen_ratio(
    sigma: float, levels: int, tolerated: float = EXCESS, *, safety: float = SAFETY, odd: bool = False
) -> int | None:
    """Return the ratio to use, None where a dithered message has no more symbols.

    Args:
        sigma: Estimated deviation of the innovation in fine steps.
        levels: M of the dithered quantizer.
        tolerated: Relative excess over D.
        safety: Factor on the estimate.
        odd: Only odd ratios.
    """
    ratio = smallest_ratio(safety * sigma, tolerated, odd=odd, most=2 * levels + 1)
    return ratio if ratio < 2 * levels + 1 else None


def sub_gaussian_ratio(sigma: float, probability: float) -> int:
    """Return the smallest ratio that overloads with at most this probability for any sub-Gaussian law."""
    return max(2, math.ceil(1 + 2 * sigma * math.sqrt(2 * math.log(2 / probability))))


def estimated_innovation(messages: Any, fine_variance: float) -> float:
    """Estimate the variance of the innovation from decoded messages of the first group.

    Args:
        messages: Decoded messages, (m, d), m of at least 2.
        fine_variance: D, the mean of their error variances.

    Returns:
        max(0, s^2 - D) + s^2 / m with the sample variance s^2, averaged over coordinates.

    Raises:
        ArgumentError: Fewer than two messages.
    """
    decoded = np.asarray(messages, dtype=float)
    if decoded.ndim != 2 or len(decoded) < 2:
        raise ArgumentError(
            f"estimated_innovation: messages of shape {decoded.shape} must be (m, d) with m of at least 2; "
            "send dithered messages until there are two"
        )
    sample = float(decoded.var(axis=0, ddof=1).mean())
    return max(0.0, sample - fine_variance) + sample / len(decoded)
