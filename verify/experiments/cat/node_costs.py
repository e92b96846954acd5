"""Runs on several nodes with random entries and with dense gradient descent, and what they cost a node."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import Any

import numpy as np

from impl.adaptive import Choice, cat_st, keep_probabilities
from impl.adaptive.choice import NOTHING
from impl.communication import PRESETS, dense_bits, index_bits
from impl.compressors import BernoulliSparsifier
from impl.optimizers import cat_gd
from verify.evidence.streams import stream
from verify.experiments.cat.adaptive_runs import CostedRun

FIXED = {"random-8": 8, "random-32": 32}
METHODS = ("gd", *FIXED, "cat_st")
CLAIM = "cat/mn-strong"
_SIZES = 24


def random_entries(size: int, sent: Callable[[int], float]) -> Callable[[Any], Choice]:
    """Return a rule that keeps `size` entries in expectation, with the best chances for each gradient.

    Args:
        size: T, cut to the number of nonzeros.
        sent: Told the number of entries that are really sent; its value is the cost.
    """

    def rule(g: Any) -> Choice:
        expected = min(size, int(np.count_nonzero(g)))
        if not expected:
            return NOTHING
        p = keep_probabilities(g, expected)
        kept = p > 0
        share = float(g @ g / (g[kept] ** 2 / p[kept]).sum())
        compressor = BernoulliSparsifier(np.where(kept, p, 1.0))
        return Choice(expected, share, share, share, expected, compressor, price=sent)

    return rule


class NodeComparison:
    """The methods on a problem with several nodes, from 0, each for a number of rounds.

    Random entries have the step of the claim, with the largest constant of a node and the noise of the round.
    Gradient descent has 1/L of the mean.

    Args:
        problem: The problem.
        seed: Seed of the streams.
        name: What the streams are keyed by.
        rounds: Of all methods.
        packet_rounds: Of CAT-ST over packets, which takes longer.
        replicates: Of the random methods.
    """

    def __init__(
        self, problem: Any, seed: int, name: str, rounds: int, packet_rounds: int, replicates: int
    ) -> None:
        self.problem, self.seed, self.name = problem, seed, name
        self.rounds, self.packet_rounds, self.replicates = rounds, packet_rounds, replicates
        self._counted = cache(self._count)

    @cached_property
    def _least(self) -> tuple[float, float]:
        """Return F* and F(0) - F*."""
        least = float(self.problem.objective(self.problem.solution))
        return least, float(self.problem.objective(np.zeros(self.problem.d))) - least

    def run(self, method: str, link: str) -> CostedRun:
        """Return a run; its costs are means over the nodes, its sizes those of the first node."""
        cost, d = PRESETS[link], self.problem.d
        if method == "gd":
            return self._dense(cost)
        if method in FIXED:
            counted, counts = self._counted(FIXED[method])
            prices = np.where(counts > 0, cost(counts * (index_bits(d) + 32)), cost.empty).mean(axis=2)
            return replace(counted, costs=np.pad(np.cumsum(prices, axis=1), ((0, 0), (1, 0))))
        options: dict[str, Any] = {"cost": cost}
        if not cost.is_affine:
            options["sizes"] = np.unique(np.geomspace(1, d, _SIZES).round().astype(int))
        most = self.rounds if cost.is_affine else self.packet_rounds
        found = self._run(partial(cat_st, **options), link, most)
        return CostedRun(self._relative(found.objective), found.cost, found.sizes[..., 0])

    def _dense(self, cost: Any) -> CostedRun:
        """Return gradient descent, written out."""
        x, objectives = np.zeros(self.problem.d), []
        for _ in range(self.rounds + 1):
            objective, gradients = self.problem.evaluate(x)
            objectives.append(float(objective))
            x = x - gradients.mean(axis=0) / self.problem.L
        costs = float(cost(dense_bits(self.problem.d))) * np.arange(self.rounds + 1)[None]
        sizes = np.full((1, self.rounds), self.problem.d)
        return CostedRun(self._relative(np.array([objectives])), costs, sizes)

    def _count(self, size: int) -> tuple[CostedRun, Any]:
        """Return a run with a fixed expected size, and how many entries were sent, (R, K, n).

        It does not depend on the link, so its messages are counted once and priced for each.
        """
        counts: list[int] = []

        def note(entries: int) -> float:
            counts.append(entries)
            return float(entries)

        found = self._run(random_entries(size, note), f"{size}", self.rounds)
        shape = (found.rounds, self.replicates, self.problem.n)
        if len(counts) != shape[0] * shape[1] * shape[2]:
            raise ValueError(f"{len(counts)} messages were counted in {shape} rounds, replicates and nodes")
        run = CostedRun(self._relative(found.objective), found.cost, found.sizes[..., 0])
        return run, np.array(counts).reshape(shape).swapaxes(0, 1)

    def _run(self, rule: Callable[[Any], Choice], key: str, rounds: int) -> Any:
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):  # products with few vectors are too small for more
            return cat_gd(
                self.problem,
                rule,
                step_size=1 / float(self.problem.L_nodes.max()),
                rounds=rounds,
                rng=stream(self.seed, CLAIM, f"figure/{self.name}/{key}", 0),
                replicates=self.replicates,
            )

    def _relative(self, objective: Any) -> Any:
        least, gap = self._least
        return (objective - least) / gap
