"""The ratio of a nested quantizer from the deviation of its innovation (arXiv 1904.01197).

Beside a Gaussian innovation z of deviation sigma fine steps, a nested message with gain 1 has the error
e - k j, with the error e of a dithered message, uniform on half a step, and the cell j = round((z + e) / k).
"""

import math

import numpy as np
from scipy.special import ndtr

from impl.arguments import is_count
from impl.errors import Problems

_FAR = 40.0
"""Boundaries at more deviations than this have a tail that underflows."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(64)


def gaussian_excess(sigma: float, ratio: int) -> float:
    r"""Return $\mathbb E(e-kj)^2/\mathbb Ee^2-1$, what overloads add to the variance of a dithered message.

    Each boundary $(l-\frac12)k$ that is passed adds $(2l-1)k^2-2ke$, on either side alike: the chance to pass
    it is integrated over e.

    Args:
        sigma: Standard deviation of the innovation in fine steps.
        ratio: k.

    Raises:
        ArgumentError: A deviation that is negative, infinite or no number, a ratio below 2.
    """
    problems = Problems("gaussian_excess")
    problems.require(0 <= sigma < math.inf, f"sigma={sigma!r} must be at least 0 and finite")
    problems.require(is_count(ratio) and ratio >= 2, f"ratio={ratio!r} must be an integer of at least 2")
    problems.raise_if_any()
    return _excess(float(sigma), int(ratio))


def smallest_ratio(sigma: float, tolerated: float = 0.01, *, odd: bool = False, most: int = 2**16) -> int:
    """Return the smallest ratio whose excess for a Gaussian innovation is tolerated, at most `most`.

    `AdaptiveRatios(..., choose=lambda sigma, M: smallest_ratio(1.2 * sigma, most=2 * M + 1))` sends messages
    with it, with a safety factor of 1.2 on the deviation, which is estimated from the iteration before; from
    2M + 1 on it sends dithered ones. The error may be far larger where innovations are not Gaussian.

    Args:
        sigma: Standard deviation of the innovation in fine steps.
        tolerated: Largest excess, relative to the variance of a dithered message.
        odd: Only odd ratios.
        most: What is returned where no smaller ratio will do.

    Raises:
        ArgumentError: A deviation that is negative or no number, an excess that is not positive, a largest
            ratio below 2.
    """
    problems = Problems("smallest_ratio")
    problems.require(sigma >= 0, f"sigma={sigma!r} must be at least 0")
    problems.require(tolerated > 0, f"tolerated={tolerated!r} must be positive")
    problems.require(is_count(most) and most >= 2, f"most={most!r} must be an integer of at least 2")
    problems.raise_if_any()
    # What is decoded is within k/2 of y, so the error is at least sigma - k/2 in the root of its mean square.
    least = 2 * (sigma - math.sqrt((1 + tolerated) / 12))
    if least >= most:
        return int(most)
    first = max(2, math.ceil(least))
    if odd:
        first += 1 - first % 2
    for ratio in range(first, int(most), 2 if odd else 1):
        if _excess(float(sigma), ratio) <= tolerated:
            return ratio
    return int(most)


def _excess(sigma: float, ratio: int) -> float:
    if sigma == 0:
        return 0.0
    cells = math.ceil((_FAR * sigma + 0.5) / ratio + 0.5)
    e, place = _NODES / 2, np.arange(1, cells + 1)[:, None]
    passed = ndtr((e - (place - 0.5) * ratio) / sigma)
    added = (2 * place - 1) * ratio**2 - 2 * ratio * e
    return float(12 * ((passed * added) @ _WEIGHTS).sum())
