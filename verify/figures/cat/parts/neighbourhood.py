"""Random entries from several nodes: what is left of the distance, and the bound of `cat/mn-strong`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import theory
from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.bound_line import draw_bound
from verify.figures.bound_line import mark_bound as mark_line
from verify.formulas.evaluation import evaluate

CLAIM = "cat/mn-strong"
NODES = (1, 4, 16)
ROUNDS, LAST, EVERY = 240, 60, 4
"""Rounds, last ones that are averaged for a radius, and how many lie between two numbers of a curve."""

REPLICATES, FEW = 16, 5
"""Of the runs from 0 and of those from the solution, where nothing else is said."""

COLORS, MARKERS = {1: "C2", 4: "C1", 16: "C0"}, {1: "^", 4: "s", 16: "o"}
BOUND = "stated bound of each"


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """A problem over n nodes.

    Args:
        problem: The problem.
        prefix: What the streams are keyed by, before the numbers of nodes and entries.
        rounds: Of each run.
        replicates: Of the runs from 0.
        few: Of the runs from the solution.
    """

    problem: Any
    prefix: str = "figure"
    rounds: int = ROUNDS
    replicates: int = REPLICATES
    few: int = FEW

    def distances(self, size: int) -> Iterator[tuple[Any, ...]]:
        """Yield rounds from 0, mean squared distance, its interval and the bound, `size` entries expected."""
        sample, bounds, _ = self._runs(size, self.replicates, from_solution=False)
        for k in range(0, self.rounds + 1, EVERY):
            yield k, *interval(sample[:, k]), bounds[k]

    def radii(self, sizes: tuple[int, ...]) -> Iterator[tuple[Any, ...]]:
        """Yield q/n, from the solution, and the same of the mean of the last rounds, for some sizes."""
        if self.problem.n == 1:  # one node has no gradient at the solution, so no radius is left
            return
        for size in sizes:
            sample, bounds, q = self._runs(size, self.few, from_solution=True)
            last = sample[:, -LAST:].mean(axis=1)
            yield q / self.problem.n, *interval(last), float(bounds[-LAST:].mean())

    def _runs(self, size: int, replicates: int, *, from_solution: bool) -> tuple[Any, Any, float]:
        """Return squared distances (R, K + 1), the bound (K + 1,) and q for `size` expected entries."""
        import numpy as np

        from impl.adaptive import Choice, keep_probabilities
        from impl.compressors import BernoulliSparsifier
        from impl.optimizers import cat_gd

        problem, claim, n = self.problem, theory.claim(CLAIM), self.problem.n
        q = problem.d / size - 1
        L = float(problem.L_nodes.max())
        gamma = evaluate(claim.formulas["step"], {"L": L, "q": q, "n": n})

        def rule(g: Any) -> Choice:
            # A budget is no more than the nonzeros; less than d of them only make the share larger.
            p = keep_probabilities(g, min(size, int(np.count_nonzero(g))))
            # For every gradient the lower bound of its share, so that all rounds have the step of the claim.
            least = size / problem.d
            return Choice(
                size, least, 1 / size, gamma * L, size, BernoulliSparsifier(np.where(p > 0, p, 1.0))
            )

        start = problem.solution if from_solution else np.zeros(problem.d)
        result = cat_gd(
            problem,
            rule,
            step_size=1 / L,
            rounds=self.rounds,
            rng=stream(MASTER_SEED, CLAIM, f"{self.prefix}/{n}/{size}", int(from_solution)),
            replicates=replicates,
            start=start,
        )
        assert result.distance_sq is not None
        values = {
            "gamma": gamma,
            "mu": problem.mu,
            "D_0": float(((start - problem.solution) ** 2).sum()),
            "q": q,
            "n": n,
            "sigma_sq": float((problem.gradients(problem.solution) ** 2).sum(axis=-1).mean()),
        }
        bound = np.array([evaluate(claim.bound, {**values, "K": k}) for k in range(self.rounds + 1)])
        return result.distance_sq, bound, q


def interval(sample: Any) -> tuple[float, float, float]:
    """Return the mean and its t interval of 95 %."""
    from scipy import stats

    R, mean = len(sample), float(sample.mean())
    reach = float(stats.t.ppf(0.975, R - 1) * sample.std(ddof=1) / R**0.5)
    return mean, mean - reach, mean + reach


def draw_curve(axis: Any, n: int, numbers: tuple[Any, ...]) -> None:
    """Draw means over rounds, their band and the bound."""
    x, mean, low, high, bound = numbers
    color, label = COLORS[n], f"$n={n}$"
    draw_bound(axis, x, bound, BOUND)
    axis.plot(x, mean, color=color, label=label)
    axis.fill_between(x, low, high, color=color, alpha=0.3, linewidth=0)


def draw_radii(axis: Any, n: int, numbers: tuple[Any, ...]) -> None:
    """Draw radii with their intervals, and the bound."""
    x, mean, low, high, bound = numbers
    draw_bound(axis, x, bound, BOUND)
    axis.errorbar(x, mean, (mean - low, high - mean), fmt=MARKERS[n], color=COLORS[n], capsize=2)


def mark_bound(axis: Any, n: int, numbers: tuple[Any, ...]) -> None:
    """Put the hollow mark of n at a few points of its bound, so that no text is needed beside it."""
    x, bound = numbers[0], numbers[4]
    places = slice(None) if len(x) < 10 else slice(len(x) // 4, None, len(x) // 4)
    mark_line(axis, x, bound, MARKERS[n], COLORS[n], places)


def legend(figure: Any, axis: Any, counts: str = f"left {REPLICATES}, right {FEW}") -> None:
    """Explain lines, marks and bands below the panels.

    Args:
        figure: The figure.
        axis: One with curves over rounds.
        counts: Numbers of runs of the panels.
    """
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles, labels = axis.get_legend_handles_labels()
    found = dict(zip(labels, handles, strict=True))
    bound = found.pop(BOUND)
    for n in NODES:
        style: dict[str, Any] = {"color": COLORS[n], "marker": MARKERS[n]}
        found[f"$n={n}$"] = Line2D([], [], **style)
    found[f"{BOUND}, hollow marks"] = bound
    found[f"95 % interval of the mean ({counts} runs)"] = Patch(color="gray", alpha=0.4, linewidth=0)
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=3)
