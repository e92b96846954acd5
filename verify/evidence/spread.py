"""Test of a declared bound on a variance: valid at every look, for any mean and range (docs/evidence.md, E2).

Half the square of the difference of two independent samples of one law has the mean Var Z and is not
negative, so that the bets of E1 apply to pairs. What is too rare to be seen does not show.
"""

from typing import Any

import numpy as np

from verify.evidence.betting import BETS, betting_sums, log_mean_exp

ROUND_OFF = 1e-9
"""Part of the largest value of a batch below which a spread is round-off; larger bounds only weaken bets."""


class SpreadTest:
    """Evidence against Var Z <= bound from samples in any batches.

    Args:
        bound: The declared bound.
    """

    def __init__(self, bound: float) -> None:
        self.bound = float(bound)
        self._sums, self._total, self._pairs = np.zeros(len(BETS)), 0.0, 0

    def update(self, values: Any) -> None:
        """Take samples into account in pairs; one that is left over is not."""
        flat = np.asarray(values, dtype=float).ravel()
        even = len(flat) // 2 * 2
        if not even:
            return
        smallest = ROUND_OFF * min(float(np.abs(flat).max()), 1e150)
        with np.errstate(over="ignore"):
            halves = (flat[:even:2] - flat[1:even:2]) ** 2 / 2
            self._sums += betting_sums(halves / max(self.bound, smallest**2, 1e-300))
            self._total += float(halves.sum())
        self._pairs += even // 2

    def log_evidence(self) -> float:
        """Return ln E against the bound; 0 is no evidence."""
        return log_mean_exp(self._sums)

    @property
    def seen(self) -> float:
        """Return the variance of the samples, from the same pairs."""
        return self._total / max(self._pairs, 1)
