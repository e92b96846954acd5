"""Sequential tests of the mean squared error at one input: against a bound, and against what is stated."""

import math
from typing import Any

import numpy as np

from verify.evidence.betting import BETS, betting_sums, log_mean_exp
from verify.outcome import ALPHA, Evidence, json_ready


class _Moments:
    """Mean and spread of squared errors so far."""

    def __init__(self) -> None:
        self.samples, self._sum, self._square = 0, 0.0, 0.0

    def add(self, z: Any) -> None:
        self.samples += len(z)
        self._sum += float(z.sum())
        self._square += float((z**2).sum())

    @property
    def mean(self) -> float:
        return self._sum / max(self.samples, 1)

    @property
    def spread(self) -> float:
        return math.sqrt(max(self._square / max(self.samples, 1) - self.mean**2, 0.0))

    def excess(self, bound: float) -> float:
        """Return by how many standard errors the mean lies above the bound; at most sqrt(samples)."""
        difference = self.mean - bound
        scale = math.sqrt(self.spread**2 + difference**2)
        return difference / scale * math.sqrt(self.samples) if scale else 0.0


class BoundTest:
    """Evidence against E||C(x) - x||^2 <= bound at one x; it needs neither range nor variance.

    Args:
        claim: The claim in words, such as "omega=7".
        bound: The bound, positive.
        what: What is bounded, where it is something else.
    """

    def __init__(self, claim: str, bound: float, what: str = "mean squared error") -> None:
        self.claim, self.bound, self._what = claim, bound, what
        self._sums, self.moments = np.zeros(len(BETS)), _Moments()

    def update(self, z: Any) -> None:
        """Take squared errors into account, (m,)."""
        self._sums += betting_sums(z / self.bound)
        self.moments.add(z)

    @property
    def refuted(self) -> bool:
        """Return whether the claim is refuted at level `ALPHA`."""
        return log_mean_exp(self._sums) >= math.log(1 / ALPHA)

    def promise(self) -> float:
        """Return by how many standard errors the mean exceeds the bound; it decides nothing."""
        return self.moments.excess(self.bound)

    def detectable(self) -> float:
        """Return the mean, relative to the bound, that these samples would have shown to be too large.

        It takes the spread that was seen: what is drawn too rarely to have been seen is not in it. However
        small that is, it is no less than what wins at each draw with the largest bet.
        """
        each = math.log(14 / ALPHA) / max(self.moments.samples, 1)
        spread = math.sqrt(2 * each) * self.moments.spread / self.bound
        return 1 + max(spread, math.expm1(each) / float(BETS[0]))

    def best(self) -> float:
        """Return the logarithm of the wealth of the best bet; it decides nothing, bets are averaged."""
        return float(self._sums.max())

    def needed(self, resolution: float) -> float:
        """Return about how many samples would show a mean above bound (1 + resolution), were it there."""
        gap = self.bound * (1 + resolution) - min(self.moments.mean, self.bound)
        return 2 * math.log(14 / ALPHA) * (self.moments.spread / gap) ** 2

    def settled(self, resolution: float) -> bool:
        """Return whether that many were taken."""
        return self.moments.samples >= self.needed(resolution)

    def unresolved_above(self, resolution: float) -> bool:
        """Return whether the mean exceeds bound (1 + resolution) and too few were taken to decide it."""
        # A few samples that are alike show no spread: `settled` would take that for certainty.
        return self.moments.mean > self.bound * (1 + resolution) and self.detectable() > 1 + resolution

    def evidence(self, x: Any, seed: int) -> Evidence:
        """Return the verdict on the claim at this input."""
        refuted, samples, mean = self.refuted, self.moments.samples, self.moments.mean
        reason = (
            f"the {self._what} is {mean:.6g}, {mean / self.bound:.4g} times what {self.claim} allows "
            f"({self.bound:.6g}): refuted at level {ALPHA:g} after {samples} samples"
            if refuted
            else f"mean {mean:.6g} against the bound {self.bound:.6g} in {samples} samples"
        )
        return Evidence(
            "violated" if refuted else "consistent",
            "guaranteed" if refuted else "search",
            bound=self.bound,
            value=mean,
            samples=samples,
            tests=1,
            witness=json_ready({"x": x, "seed": seed, "samples": samples}),
            reason=reason,
        )


class StatedTest:
    """Evidence against E||C(x) - x||^2 = stated at one x, from both sides.

    Args:
        stated: What the compressor or the author states, positive.
        most: Bound on ||C(x) - x||^2; a larger one withdraws the evidence that the mean is smaller.
    """

    def __init__(self, stated: float, most: float) -> None:
        self.stated, self.most = stated, max(most, 2 * stated)
        self._above, self._below, self.moments = np.zeros(len(BETS)), np.zeros(len(BETS)), _Moments()
        self.beyond = False

    def update(self, z: Any) -> None:
        """Take squared errors into account, (m,)."""
        self._above += betting_sums(z / self.stated)
        self.beyond |= bool(z.max(initial=0.0) > self.most)
        self._below += betting_sums(np.maximum(self.most - z, 0.0) / (self.most - self.stated))
        self.moments.add(z)

    @property
    def refuted(self) -> bool:
        """Return whether equality is refuted at level `ALPHA`."""
        # A side that is withdrawn leaves half of the average: what the other one needs does not change.
        below = np.full(len(BETS), -np.inf) if self.beyond else self._below
        return log_mean_exp(np.concatenate([self._above, below])) >= math.log(1 / ALPHA)

    def promise(self) -> float:
        """Return by how many standard errors the mean differs; it decides nothing."""
        return abs(self.moments.excess(self.stated))

    def best(self) -> float:
        """Return the logarithm of the wealth of the best bet; it decides nothing, bets are averaged."""
        return float(max(self._above.max(), -math.inf if self.beyond else self._below.max()))

    def needed(self, resolution: float) -> float:
        """Return about how many samples would show a relative difference of this size on either side."""
        gap = resolution * self.stated
        return math.log(28 / ALPHA) * (self.most / gap + 2 * (self.moments.spread / gap) ** 2)

    def settled(self, resolution: float) -> bool:
        """Return whether that many were taken."""
        return self.moments.samples >= self.needed(resolution)

    def evidence(self, x: Any, seed: int) -> Evidence:
        """Return the verdict on what is stated at this input."""
        refuted, samples, mean = self.refuted, self.moments.samples, self.moments.mean
        reason = (
            f"{self.stated:.6g} is stated and the mean squared error is {mean:.6g}"
            f"{f', refuted at level {ALPHA:g}' if refuted else ''} in {samples} samples"
        )
        return Evidence(
            "violated" if refuted else "consistent",
            "guaranteed" if refuted else "search",
            bound=self.stated,
            value=mean,
            samples=samples,
            tests=1,
            witness=json_ready({"x": x, "seed": seed, "samples": samples}),
            reason=reason,
        )
