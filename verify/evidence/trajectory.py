"""Bounds on E V_k for all k at once, from independent replicates (docs/evidence.md, E5)."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, Problems
from verify.evidence.betting import BETS, HUGE, log_mean_exp

ROUND_OFF = 1e-12
_CHUNK = 2**17  # doubles in one block of factors


@dataclass(frozen=True)
class TrajectoryState:
    """Mergeable state: 14 sums for each k, flattened; whether a bound of 0 was exceeded."""

    bounds: tuple[float, ...]
    alpha: float
    replicates: int
    impossible: bool
    sums: tuple[float, ...]


class TrajectoryTest:
    """Test E V_k <= B_k for k = 1..K simultaneously, for V_k >= 0 with any tails and any dependence over k.

    The evidence is the mean over k of betting e-values. It can refute the bounds but never prove them: the
    verdict is `violated`, `consistent`, or `inconclusive` without data.

    Args:
        bounds: B_k >= 0, shape (K,). A bound of 0 allows no positive value at all.
        alpha: Probability of `violated` although all bounds hold.

    Raises:
        ArgumentError: A bound is negative or not finite, there is none, or alpha is not in (0, 1).
    """

    def __init__(self, bounds: npt.ArrayLike, alpha: float = 1e-9) -> None:
        self.bounds = np.array(bounds, dtype=float)
        self.alpha = alpha
        problems = Problems("TrajectoryTest")
        problems.require(
            self.bounds.ndim == 1 and self.bounds.size > 0,
            f"bounds has shape {self.bounds.shape}; give one bound for each k, shape (K,)",
        )
        for k in np.flatnonzero(~(np.isfinite(self.bounds) & (self.bounds >= 0)))[:1]:
            problems.require(False, f"bounds[{k}]={self.bounds.ravel()[k]} must be finite and at least 0")
        problems.require(0 < alpha < 1, f"alpha={alpha} must lie in (0, 1)")
        problems.raise_if_any()
        self._sums = np.zeros((len(self.bounds), len(BETS)))
        self._replicates = 0
        self._impossible = False

    def __repr__(self) -> str:
        return f"TrajectoryTest(K={len(self.bounds)}, alpha={self.alpha}) with {self._replicates} replicates"

    def update(self, row_of_K_values: npt.ArrayLike) -> None:
        """Take one or several independent replicates into account.

        Args:
            row_of_K_values: V_1..V_K of one replicate, shape (K,), or of several, shape (R, K). What
                overflowed counts as 1e300.

        Raises:
            ArgumentError: The shape is wrong, or a value is NaN or negative beyond round-off.
        """
        rows = np.asarray(row_of_K_values, dtype=float)
        if rows.ndim not in (1, 2) or rows.shape[-1] != len(self.bounds):
            raise ArgumentError(
                f"TrajectoryTest.update: values have shape {rows.shape}; "
                f"give ({len(self.bounds)},) or (replicates, {len(self.bounds)})"
            )
        rows = np.minimum(np.atleast_2d(rows), HUGE)
        scale = float(self.bounds.max())
        bad = np.argwhere(~(rows >= -ROUND_OFF * scale))
        if len(bad):
            r, k = (int(i) for i in bad[0])
            raise ArgumentError(
                f"TrajectoryTest.update: value {rows[r, k]} of replicate {r} at k={k} must be a number >= 0; "
                "replace what became NaN by an overflow with infinity"
            )
        if len(rows) == 0:
            return
        rows = np.maximum(rows, 0)
        zero = self.bounds == 0
        if zero.any():
            allowed = ROUND_OFF * np.maximum(scale, rows.max(axis=1, keepdims=True))
            self._impossible |= bool(np.any(rows[:, zero] > allowed))
        with np.errstate(over="ignore"):
            excess = np.minimum(rows[:, ~zero] / self.bounds[~zero], HUGE) - 1
        step = max(1, _CHUNK // max(1, excess.shape[1] * len(BETS)))
        total = np.zeros((excess.shape[1], len(BETS)))
        for start in range(0, len(excess), step):
            stakes = excess[start : start + step, :, None] * BETS
            total += np.log1p(stakes, out=stakes).sum(axis=0)
        self._sums[~zero] += total
        self._replicates += len(rows)

    def log_evidence(self) -> float:
        """Return ln E against the bounds; infinity once a bound of 0 was exceeded, 0 without data."""
        return math.inf if self._impossible else log_mean_exp(self._sums)

    def verdict(self) -> str:
        """Return `violated`, `consistent`, or `inconclusive` without data."""
        if self._replicates == 0:
            return "inconclusive"
        return "violated" if self.log_evidence() >= math.log(1 / self.alpha) else "consistent"

    def state(self) -> TrajectoryState:
        """Return the state, to be merged into another test of the same bounds."""
        return TrajectoryState(
            tuple(self.bounds.tolist()),
            self.alpha,
            self._replicates,
            self._impossible,
            tuple(self._sums.ravel().tolist()),
        )

    def merge(self, state: TrajectoryState) -> None:
        """Add the replicates behind another test's state.

        Raises:
            ArgumentError: The other test has other bounds or another alpha.
        """
        problems = Problems("TrajectoryTest.merge")
        problems.require(
            state.bounds == tuple(self.bounds.tolist()), "state belongs to a test of other bounds"
        )
        problems.require(state.alpha == self.alpha, f"state has alpha={state.alpha}, this test {self.alpha}")
        problems.raise_if_any()
        self._sums += np.array(state.sums).reshape(self._sums.shape)
        self._replicates += state.replicates
        self._impossible |= state.impossible
