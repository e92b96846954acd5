"""Catoni e-values: evidence for "the mean is below b" from a bound on the variance (docs/evidence.md, E2).

With phi(t) = sign(t) ln(1 + |t| + t^2/2) one has exp(-phi(t)) <= 1 - t + t^2/2, so under E Z >= b and
Var Z <= v each factor exp(-phi(lambda (Z - b)) - lambda^2 v / 2) has mean at most 1.
"""

import numpy as np

from verify.evidence.betting import HUGE, Array

_CHUNK = 4096
_LARGE = 1e150  # beyond it t^2 would overflow, and ln(1 + t + t^2/2) is 2 ln t - ln 2 to the last digit


def catoni_sums(z: Array, bound: float, variance: float) -> Array:
    """Return the 14 sums of -phi(lambda_j (Z_i - b)) - lambda_j^2 v / 2, with lambda_j = 2^(1-j) / sqrt(v).

    Args:
        z: Values, shape (m,).
        bound: The mean b of the null hypothesis E Z >= b.
        variance: Upper bound v > 0 of the variance of Z.

    Returns:
        The sums, shape (14,). Sums of several batches add up, in any order.
    """
    halves = 0.5 ** np.arange(14)
    rates = 2 / np.sqrt(variance) * halves
    sums: Array = -2 * halves**2 * len(z)  # lambda^2 v / 2 = 2 * 4^-j
    farthest = HUGE / max(1.0, float(rates[0]))
    for start in range(0, len(z), _CHUNK):
        t = rates[:, None] * np.clip(z[start : start + _CHUNK] - bound, -farthest, farthest)
        sums -= np.copysign(_log_one_plus(np.abs(t)), t).sum(axis=1)
    return sums


def _log_one_plus(t: Array) -> Array:
    """Return ln(1 + t + t^2/2) for t >= 0."""
    if t.max(initial=0) > _LARGE:
        small = np.minimum(t, _LARGE)
        return np.where(t > _LARGE, 2 * np.log(np.maximum(t, 1)) - np.log(2), _log_one_plus(small))
    half = t * 0.5
    half += 1
    half *= t
    return np.asarray(np.log1p(half, out=half))
