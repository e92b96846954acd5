"""Losses and weights of margins; stands for `_weigh` and `_log_sums` of `impl.problems.logistic`."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.kernels.compiled import kernel_of_sums, kernel_part

Array = npt.NDArray[Any]

PIECE = 256  # factors in [1, 2]: their product stays finite
# e^y = 2^k e^r with k = round(y / log 2), |r| <= log(2) / 2, of which 14 terms are below 2**-57.
_PER_LOG_2 = 1 / math.log(2)
_LOG_2_HIGH = 0.693147180369123816490  # its last 21 bits are 0, so that k times it is exact
_LOG_2_LOW = 1.90821492927058770002e-10
_ROUND = 1.5 * 2.0**52  # what is added to it keeps the integer in the last bits
_LEAST = -708.0  # e^-708 is a normal number; what is smaller counts as 0
_2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13 = (1 / math.factorial(k) for k in range(2, 14))


@kernel_part
def losses_and_weights(z: Array, weights: Array, work: Array) -> float:
    """Return the sum of log(1 + e^-z), and write sigma(-z).

    Args:
        z: Margins, (m,).
        weights: Output, (m,).
        work: Overwritten, (`PIECE`,).
    """
    total = 0.0
    for start in range(0, len(z), PIECE):
        stop = min(len(z), start + PIECE)
        margins, found = z[start:stop], weights[start:stop]
        _exponentials(margins, found, work[: stop - start])
        total += _weigh(margins, found)
    return total


@kernel_part
def _exponentials(z: Array, found: Array, work: Array) -> None:
    """Write e^-|z| to about one unit in the last place, no less than e^-708."""
    bits, powers = found.view(np.int64), work.view(np.int64)
    for j in range(len(z)):
        y = max(-abs(z[j]), _LEAST)
        rounded = y * _PER_LOG_2 + _ROUND
        work[j] = rounded
        k = rounded - _ROUND
        r = (y - k * _LOG_2_HIGH) - k * _LOG_2_LOW
        p = ((((_13 * r + _12) * r + _11) * r + _10) * r + _9) * r + _8
        p = (((((p * r + _7) * r + _6) * r + _5) * r + _4) * r + _3) * r + _2
        found[j] = (p * r + 1.0) * r + 1.0
    for j in range(len(z)):
        bits[j] += powers[j] << 52  # k goes to the exponent, and what `_ROUND` has above it is shifted out


@kernel_of_sums
def _weigh(z: Array, weights: Array) -> float:
    """Replace e^-|z| by sigma(-z); return the sum of log(1 + e^-z) = log(1 + e^-|z|) - min(z, 0)."""
    product, below = 1.0, 0.0
    for j in range(len(z)):
        small = weights[j] if abs(z[j]) < -_LEAST else 0.0
        factor = 1.0 + small
        product *= factor
        below += min(z[j], 0.0)
        weight = (1.0 if z[j] < 0.0 else small) / factor
        # The shift above takes the payload of one that is no number for an exponent.
        weights[j] = weight if z[j] == z[j] else z[j]
    return math.log(product) - below
