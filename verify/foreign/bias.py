"""Sequential test of E C(x) = x at one input, along fixed directions and along those that samples suggest.

Every stream is an e-process: z = <C(x) - x, v> has mean 0 under the claim, v is fixed or chosen from
*earlier* batches, and |z| is below the reach, so that bets on 1 + z / reach cannot win in the long run
(docs/evidence.md, E1); where a variance is claimed, Catoni's bets need no reach (E2). The average over
streams is one test.
"""

import math
from typing import Any

import numpy as np

from verify.evidence.betting import BETS, log_mean_exp
from verify.evidence.catoni import catoni_sums
from verify.outcome import ALPHA, Evidence, json_ready

ADAPTIVE = ("mean of earlier errors", "signs of that mean", "largest coordinate", "outstanding coordinates")
"""Directions chosen from earlier batches."""

SAME = 8.0
"""Standard errors for which a mean counts where every sample gave the same."""

_OUTSTANDING = 4.0  # standard errors from which a coordinate counts as outstanding


class BiasTest:
    """Evidence against E C(x) = x at one x, both sides, from errors C(x) - x in any batches.

    Args:
        x: The input, (d,); of several nodes their mean.
        reach: Bound on ||C(x) - x||, assumed; a larger error withdraws the evidence that rests on it.
        variance: Bound on E||C(x) - x||^2 that is claimed, None where there is none.
        round_off: Length of an error that is rounding.
    """

    def __init__(self, x: Any, reach: float, variance: float | None, round_off: float) -> None:
        self.reach = max(reach, round_off)
        self.variance = None if variance is None else max(variance, round_off**2, 1e-300)
        self.round_off = round_off
        self.names, self._fixed = _directions(x)
        count = len(self.names)
        self._bets = np.zeros((2 * count + len(ADAPTIVE), len(BETS)))
        self._catoni = np.zeros((2, len(BETS)))
        self._along = np.zeros((2, count + len(ADAPTIVE)))  # sums of z and of its square
        self._looked = np.zeros(count + len(ADAPTIVE))
        self._sum, self._square = np.zeros(len(x)), np.zeros(len(x))
        self._chosen: Any = None
        self.samples, self.beyond = 0, 0.0

    def update(self, errors: Any) -> None:
        """Take errors C(x) - x into account, (m, d)."""
        count = len(self.names)
        z = errors @ self._fixed.T
        if self._chosen is not None:
            z = np.hstack([z, errors @ self._chosen.T])
        longest = float(np.abs(z).max(initial=0.0))
        self.beyond = max(self.beyond, longest if longest > self.reach else 0.0)
        streams = np.hstack([z[:, :count], -z[:, :count], z[:, count:]]) / self.reach
        self._bets[: streams.shape[1]] += _log_wealth(np.clip(streams, -1.0, None))
        if self.variance is not None:
            self._catoni[0] += catoni_sums(z[:, 0], 0.0, self.variance)
            self._catoni[1] += catoni_sums(-z[:, 0], 0.0, self.variance)
        self._along[:, : z.shape[1]] += [z.sum(axis=0), (z**2).sum(axis=0)]
        self._looked[: z.shape[1]] += len(z)
        self._sum += errors.sum(axis=0)
        self._square += np.einsum("ij,ij->j", errors, errors)
        self.samples += len(errors)
        self._choose()

    def log_evidence(self) -> float:
        """Return ln E; above ln(1 / alpha) the claim is refuted."""
        # Bets that are withdrawn keep their share of the average: what the others need does not change.
        bets = np.full_like(self._bets, -np.inf) if self.beyond else self._bets
        return log_mean_exp(bets if self.variance is None else np.vstack([bets, self._catoni]))

    @property
    def refuted(self) -> bool:
        """Return whether the claim is refuted at level `ALPHA`."""
        return self.log_evidence() >= math.log(1 / ALPHA)

    def promise(self) -> float:
        """Return the largest number of standard errors by which a mean differs from 0; it decides nothing.

        Where all errors were the same, it is at least `SAME`: few samples cannot say more.
        """
        looked = np.maximum(self._looked, 1)
        mean = self._along[0] / looked
        square = np.maximum(self._along[1] / looked, self.round_off**2)
        found = float(np.max(np.abs(mean) / np.sqrt(square / looked)))
        same = self.samples > 1 and bool(np.any((mean != 0) & (np.abs(mean**2 - square) <= 1e-9 * square)))
        return max(found, SAME) if same else found

    def best(self) -> float:
        """Return the logarithm of the wealth of the best bet; it decides nothing, bets are averaged."""
        return float(self._bets.max()) if not self.beyond else float(self._catoni.max())

    def detectable(self) -> float:
        """Return the length of a bias that these samples would have shown along most directions.

        The bets need n of about ln(1/alpha) (reach / bias + 2 variance / bias^2), a direction that has to be
        found first about 4 E||error||^2 / bias^2.
        """
        if not self.samples:
            return math.inf
        needed, n = self._threshold, self.samples
        if self.beyond:
            return math.inf if self.variance is None else math.sqrt(2 * needed * self.variance / n)
        a, b = needed * self.reach / n, 2 * needed * self._variance_along() / n
        return max((a + math.sqrt(a * a + 4 * b)) / 2, math.sqrt(4 * float(self._square.sum()) / n / n))

    def needed(self, bias: float) -> float:
        """Return about how many samples would show a bias of this length."""
        if self.beyond:
            return math.inf if self.variance is None else 2 * self._threshold * self.variance / bias**2
        along = self._threshold * (self.reach / bias + 2 * self._variance_along() / bias**2)
        return max(along, 4 * float(self._square.sum()) / self.samples / bias**2)

    @property
    def _threshold(self) -> float:
        return math.log(len(self._bets) * len(BETS) / ALPHA)

    def _variance_along(self) -> float:
        return float(np.max(self._along[1] / np.maximum(self._looked, 1)))

    def evidence(self, x: Any, seed: int, norm: float) -> Evidence:
        """Return the verdict on the claim at this input, with its direction."""
        refuted = self.refuted
        name, direction, bias = self._largest()
        if self.beyond and refuted:
            basis = "by the claimed variance alone"
        else:
            basis = f"for every compressor with ||C(x) - x|| <= {self.reach / norm if norm else 0:.3g} ||x||"
        reason = (
            f"E C(x) = x is refuted at level {ALPHA:g} after {self.samples} samples, {basis}: along {name} "
            f"the mean error is {bias:.4g}, {abs(bias) / norm if norm else 0:.2%} of the norm"
            if refuted
            else f"mean error along {name} {bias:.3g} in {self.samples} samples; one above about "
            f"{self.detectable():.2g} would show"
        )
        return Evidence(
            "violated" if refuted else "consistent",
            "guaranteed" if refuted else "search",
            samples=self.samples,
            tests=1,
            witness=json_ready(
                {"x": x, "direction": direction, "bias": bias, "seed": seed, "samples": self.samples}
            ),
            reason=reason,
        )

    def _largest(self) -> tuple[str, Any, float]:
        """Return name and vector of the direction with the strongest evidence, and the mean error there."""
        best = self._bets.max(axis=1)
        count = len(self.names)
        place = int(np.argmax(best))
        index = place % count if place < 2 * count else place - count
        if index < count:
            bias = self._along[0, index] / max(self._looked[index], 1)
            return self.names[index], self._fixed[index], float(bias)
        direction = self._chosen[index - count]
        bias = float(self._sum @ direction) / self.samples
        return ADAPTIVE[index - count], direction, bias

    def _choose(self) -> None:
        """Choose the directions of the next batch from the errors so far."""
        mean = self._sum / self.samples
        spread = np.sqrt(np.maximum(self._square / self.samples - mean**2, 1e-6 * mean**2) / self.samples)
        score = np.abs(mean) / np.maximum(spread, self.round_off / math.sqrt(len(mean)) + 1e-300)
        single = np.zeros(len(mean))
        at = int(np.argmax(score))
        single[at] = np.sign(mean[at])
        chosen = np.array([mean, np.sign(mean), single, np.where(score > _OUTSTANDING, mean, 0.0)])
        lengths = np.sqrt((chosen**2).sum(axis=1, keepdims=True))
        self._chosen = np.divide(chosen, lengths, out=np.zeros_like(chosen), where=lengths > 0)


def _directions(x: Any) -> tuple[list[str], Any]:
    """Return the names of fixed directions and the unit vectors, (count, d)."""
    d = len(x)
    index = np.arange(d)
    size = np.abs(x)
    found = {
        "x": x,
        "the signs of x": np.sign(x),
        "its small entries": np.where(size <= np.median(size), x, 0.0),
        "the last entry": (index == d - 1).astype(float),
        "the largest entry": (index == int(np.argmax(size))).astype(float),
        "ones": np.ones(d),
    }
    kept: dict[str, Any] = {}
    for name, vector in found.items():
        length = float(np.sqrt(vector @ vector))
        if length > 0 and np.isfinite(length):
            kept[name] = vector / length
    return list(kept), np.array(list(kept.values()))


def _log_wealth(z: Any) -> Any:
    """Return the sums over samples of ln(1 + lambda z) for z (m, k) and every bet lambda, (k, 14)."""
    wealth = np.empty((z.shape[1], len(BETS)))
    for place, bet in enumerate(BETS):
        wealth[:, place] = np.log1p(bet * z).sum(axis=0)
    return wealth
