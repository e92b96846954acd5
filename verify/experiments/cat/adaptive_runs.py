"""Runs of gradient descent, of fixed numbers of entries and of the three rules, with costs over a link."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from impl.adaptive import cat_s, cat_sq, cat_st
from impl.communication import PRESETS, dense_bits, index_bits, sparse_bits
from impl.optimizers import cat_gd
from verify.cat.fixtures.fixed_size import fixed_size
from verify.evidence.streams import stream

ACCURACY = 1e-3
"""Relative accuracy at which the runs end."""

FIXED = {"top-1": 1, "top-8": 8, "top-32": 32}
_RULES = {"cat_s": cat_s, "cat_sq": cat_sq, "cat_st": cat_st}
_SIZES = 24


@dataclass(frozen=True, eq=False)
class CostedRun:
    """Relative gaps and costs by iteration, each (R, K + 1), and what each message was.

    Attributes:
        gaps: (f - f*) / (f(x_0) - f*).
        costs: Cost so far.
        sizes: Entries chosen, (R, K); expected ones where they are random.
    """

    gaps: Any
    costs: Any
    sizes: Any

    @property
    def reached(self) -> Any:
        """Whether the accuracy is reached, (R,)."""
        return (self.gaps <= ACCURACY).any(axis=1)

    @property
    def ends(self) -> Any:
        """Iterations until the accuracy, (R,); K where it is not reached."""
        last = self.gaps.shape[1] - 1
        return np.where(self.reached, (self.gaps <= ACCURACY).argmax(axis=1), last)


class Comparison:
    """The methods on a problem with one node, from 0, until the accuracy or for `most` iterations."""

    def __init__(self, problem: Any, seed: int, name: str, most: int = 5000) -> None:
        self.problem, self.seed, self.name, self.most = problem, seed, name, most
        self.least = float(problem.objective(problem.solution))
        self.gap = float(problem.objective(np.zeros(problem.d))) - self.least
        self._fixed = cache(self._fixed_run)

    def run(self, method: str, link: str, replicates: int = 1) -> CostedRun:
        """Return a run of a method over a link; replicates are used by random methods only.

        Gradient descent sends no indices; every other method is charged those it sends. The random rule
        chooses among about 24 sizes where its cost is not affine.
        """
        cost, d = PRESETS[link], self.problem.d
        if method in _RULES:
            options: dict[str, Any] = {"cost": cost}
            if method == "cat_st" and not cost.is_affine:
                options["sizes"] = np.unique(np.geomspace(1, d, _SIZES).round().astype(int))
            rng = stream(self.seed, "cat/headline", f"figure/{self.name}/{link}/{method}", 0)
            found = self._run(
                partial(_RULES[method], **options), rng, replicates if method == "cat_st" else 1
            )
            return CostedRun(self._relative(found.objective), found.cost, found.sizes[..., 0])
        size = FIXED.get(method, d)
        found = self._fixed(size)
        price = float(cost(dense_bits(d) if method == "gd" else sparse_bits(size, d)))
        costs = price * np.arange(found.rounds + 1)[None]
        return CostedRun(self._relative(found.objective), costs, found.sizes[..., 0])

    def _fixed_run(self, size: int) -> Any:
        rule = fixed_size(size, PRESETS["payload"], entry_bits=index_bits(self.problem.d) + 32)
        return self._run(rule, stream(self.seed, "cat/headline", f"figure/{self.name}/{size}", 0), 1)

    def _run(self, rule: Any, rng: Any, replicates: int) -> Any:
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):  # products with one vector are too small for more
            return cat_gd(
                self.problem,
                rule,
                step_size=1 / self.problem.L,
                rounds=self.most,
                rng=rng,
                replicates=replicates,
                until=self.least + ACCURACY * self.gap,
            )

    def _relative(self, objective: Any) -> Any:
        return (objective - self.least) / self.gap


def mean_and_interval(runs: CostedRun, costs: Any, level: float = 0.95) -> tuple[Any, Any, Any]:
    """Return mean gap over the replicates at given costs and the ends of its t interval, each (len(costs),).

    Between its iterates the gap of a run is interpolated, as lines in a figure are.
    """
    from scipy import stats

    sample = np.array([np.interp(costs, *line) for line in zip(runs.costs, runs.gaps, strict=True)])
    mean = sample.mean(axis=0)
    R = len(sample)
    if R == 1:
        return mean, mean, mean
    reach = stats.t.ppf((1 + level) / 2, R - 1) * sample.std(axis=0, ddof=1) / R**0.5
    return mean, mean - reach, mean + reach
