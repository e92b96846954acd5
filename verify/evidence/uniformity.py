"""Uniformity and independence from counts, valid at every look (docs/evidence.md, E8)."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, Problems
from verify.evidence.betting import Array, log_mean_exp

BINS = (2, 8, 32, 512)
CONCENTRATIONS = (0.5, 8.0, 128.0)
COVARIATE_CELLS = 8


@dataclass(frozen=True)
class UniformityState:
    """Mergeable state: counts in 512 bins for each covariate cell, flattened."""

    alpha: float
    has_covariate: bool | None
    counts: tuple[int, ...]


def log_dirichlet_evidence(counts: npt.ArrayLike, concentration: float) -> float:
    """Return ln of the likelihood ratio of a Dirichlet(a) mixture against equal probabilities.

    It is a martingale under uniformity, exact for any number of samples.

    Args:
        counts: Counts c_i in m equal bins, shape (m,).
        concentration: a > 0.
    """
    c = np.asarray(counts, dtype=np.int64)
    m, n, a = len(c), int(c.sum()), concentration
    distinct, times = np.unique(c, return_counts=True)
    bins = math.fsum(
        int(t) * (math.lgamma(int(k) + a) - math.lgamma(a)) for k, t in zip(distinct, times, strict=True) if k
    )
    return n * math.log(m) + math.lgamma(m * a) - math.lgamma(n + m * a) + bins


class UniformityTest:
    """Test that values are uniform on [0, 1), and independent of a covariate if one is given.

    The evidence is the average over 4 bin counts and 3 concentrations; with a covariate, the product over its
    8 cells within each of them. A test cannot prove uniformity: the verdict is `violated`, `consistent`, or
    `inconclusive` without data.

    Args:
        alpha: Probability of `violated` although the values are uniform.

    Raises:
        ArgumentError: alpha is not in (0, 1).
    """

    def __init__(self, alpha: float = 1e-9) -> None:
        if not 0 < alpha < 1:
            raise ArgumentError(f"UniformityTest: alpha={alpha} must lie in (0, 1)")
        self.alpha = alpha
        self._has_covariate: bool | None = None
        self._counts = np.zeros((COVARIATE_CELLS, BINS[-1]), dtype=np.int64)

    def __repr__(self) -> str:
        return f"UniformityTest(alpha={self.alpha}) with {int(self._counts.sum())} values"

    def update(self, e: npt.ArrayLike, covariate: npt.ArrayLike | None = None) -> None:
        """Take values into account.

        Args:
            e: Values in [0, 1), any shape.
            covariate: Values in [0, 1) of the same shape, mapped there by a function fixed beforehand
                (quantiles of the data would invalidate the test); given always or never.

        Raises:
            ArgumentError: A value is NaN or outside [0, 1), shapes differ, or a covariate comes and goes.
        """
        values = _unit_values("e", e)
        cells = np.zeros(len(values), dtype=np.int64)
        problems = Problems("UniformityTest.update")
        problems.require(
            self._has_covariate in (None, covariate is not None),
            "covariate must be given in every update or in none; use one test for each",
        )
        if covariate is not None:
            x = _unit_values("covariate", covariate)
            problems.require(len(x) == len(values), f"covariate has {len(x)} values but e has {len(values)}")
            cells = np.floor(x * COVARIATE_CELLS).astype(np.int64)
        problems.raise_if_any()
        if len(values) == 0:
            return
        self._has_covariate = covariate is not None
        flat = cells * BINS[-1] + np.floor(values * BINS[-1]).astype(np.int64)
        self._counts += np.bincount(flat, minlength=self._counts.size).reshape(self._counts.shape)

    def log_evidence(self) -> float:
        """Return ln E against uniformity; 0 without data."""
        cells = self._counts if self._has_covariate else self._counts[:1]
        logs = [
            math.fsum(log_dirichlet_evidence(cell.reshape(m, -1).sum(axis=1), a) for cell in cells)
            for m in BINS
            for a in CONCENTRATIONS
        ]
        return log_mean_exp(np.array(logs))

    def verdict(self) -> str:
        """Return `violated`, `consistent`, or `inconclusive` without data."""
        if not self._counts.any():
            return "inconclusive"
        return "violated" if self.log_evidence() >= math.log(1 / self.alpha) else "consistent"

    def state(self) -> UniformityState:
        """Return the state, to be merged into another test."""
        return UniformityState(self.alpha, self._has_covariate, tuple(self._counts.ravel().tolist()))

    def merge(self, state: UniformityState) -> None:
        """Add the data behind another test's state.

        Raises:
            ArgumentError: The other test has another alpha, or only one of the two has a covariate.
        """
        problems = Problems("UniformityTest.merge")
        problems.require(state.alpha == self.alpha, f"state has alpha={state.alpha}, this test {self.alpha}")
        known = {self._has_covariate, state.has_covariate} - {None}
        problems.require(len(known) < 2, "only one of the two tests has a covariate; use one test for each")
        problems.raise_if_any()
        self._has_covariate = known.pop() if known else None
        self._counts += np.array(state.counts, dtype=np.int64).reshape(self._counts.shape)


def _unit_values(name: str, values: Any) -> Array:
    array = np.asarray(values, dtype=float).ravel()
    bad = np.flatnonzero(~((array >= 0) & (array < 1)))
    if len(bad):
        raise ArgumentError(
            f"UniformityTest.update: {name}[{bad[0]}]={array[bad[0]]!r} must lie in [0, 1); "
            "a fractional part that was rounded up to 1 belongs at 0"
        )
    return array
