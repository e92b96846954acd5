"""Betting e-values: evidence against "the mean is at most one", valid at every look (docs/evidence.md, E1).

For y_1, y_2, ... >= 0 with conditional means at most 1, the mixture
E_n = mean over j of prod_i (1 + lambda_j (y_i - 1)) is a nonnegative supermartingale that starts at 1, so
P(E_n >= 1/alpha for some n) <= alpha by Ville's inequality, without any condition on tails or variance.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

BETS = 0.95 * 0.5 ** np.arange(14)
"""The fixed grid of lambda_j: bets tuned to the data would make the evidence depend on their order."""

HUGE = 1e300
"""Stands for what overflows; a smaller y can only weaken the evidence, so the cut keeps it valid."""

_CHUNK = 8192  # 14 bets times this many doubles fit a second-level cache


def betting_sums(y: Array) -> Array:
    """Return S_j = sum over i of ln(1 + lambda_j (y_i - 1)).

    Args:
        y: Nonnegative values, shape (m,).

    Returns:
        The 14 sums, shape (14,). Sums of several batches add up, in any order.
    """
    sums = np.zeros(len(BETS))
    for start in range(0, len(y), _CHUNK):
        excess = np.minimum(y[start : start + _CHUNK], HUGE) - 1
        stakes = BETS[:, None] * excess
        sums += np.log1p(stakes, out=stakes).sum(axis=1)
    return sums


def log_mean_exp(logs: Array) -> float:
    """Return ln of the mean of exp(logs) over all entries, without overflow; the mean of e-values is one."""
    top = float(logs.max())
    if not np.isfinite(top):
        return top
    return top + float(np.log(np.exp(logs - top).mean()))
