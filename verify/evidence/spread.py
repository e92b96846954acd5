"""Test of a declared bound on a variance: valid at every look, for any mean and range (docs/evidence.md, E2).

Half the square of the difference of two independent samples has the mean Var Z and is not negative, so that
the bets of E1 apply to pairs. What is too rare to be seen does not show.
"""

from typing import Any

import numpy as np

from verify.evidence.betting import BETS, betting_sums, log_mean_exp

ROUND_OFF = 1e-9
"""Part of the size of Z below which a spread is round-off."""


class SpreadTest:
    """Evidence against Var Z <= bound from samples in any batches.

    Args:
        bound: The declared bound.
        scale: Size of Z: a spread of so many times `ROUND_OFF` is none.
    """

    def __init__(self, bound: float, scale: float) -> None:
        self.bound = max(float(bound), (ROUND_OFF * scale) ** 2, 1e-300)
        self._sums, self._total, self._pairs = np.zeros(len(BETS)), 0.0, 0

    def update(self, values: Any) -> None:
        """Take samples into account in pairs; one that is left over is not."""
        flat = np.asarray(values, dtype=float).ravel()
        even = len(flat) // 2 * 2
        with np.errstate(over="ignore"):
            halves = (flat[:even:2] - flat[1:even:2]) ** 2 / 2
            self._sums += betting_sums(halves / self.bound)
            self._total += float(halves.sum())
        self._pairs += even // 2

    def log_evidence(self) -> float:
        """Return ln E against the bound; 0 is no evidence."""
        return log_mean_exp(self._sums)

    @property
    def seen(self) -> float:
        """Return the variance of the samples, from the same pairs."""
        return self._total / max(self._pairs, 1)
