"""Random entries from several nodes: distance to the solution, and the radius that is left against q/n."""

from typing import Any

import theory
from verify.context import MASTER_SEED
from verify.evaluation import evaluate
from verify.evidence.streams import stream
from verify.figures.bound_line import draw_bound

CLAIM = "cat/mn-strong"
NODES = (1, 4, 16)
RIDGE = 0.1
SIZE, ROUNDS, REPLICATES = 5, 240, 16
SIZES = (1, 2, 4, 7, 12, 20)
LONG, FEW, LAST = 240, 5, 60
"""Of the runs from the solution: rounds, replicates, and last rounds that are averaged."""

COLORS, MARKERS = {1: "C2", 4: "C1", 16: "C0"}, {1: "^", 4: "s", 16: "o"}


def table() -> dict[str, Any]:
    """Return a row for each number: panel, n, x, mean of the squared distance, its interval of 95 %, bound.

    Panels: `distance` over rounds from 0 with `SIZE` entries expected; `radius`, from the solution, the mean
    of the last rounds against q/n.
    """
    columns: dict[str, list[Any]] = {name: [] for name in ("panel", "n", "x", "mean", "low", "high", "bound")}
    for n in NODES:
        for row in (*_distances(n), *_radii(n)):
            for key, item in zip(columns, row, strict=True):
                columns[key].append(item)
    return columns


def _distances(n: int) -> Any:
    sample, bounds, _ = _runs(n, SIZE, ROUNDS, REPLICATES, from_solution=False)
    for k in range(0, ROUNDS + 1, 4):
        yield "distance", n, k, *_interval(sample[:, k]), bounds[k]


def _radii(n: int) -> Any:
    if n == 1:  # one node has no gradient at the solution, so no radius is left
        return
    for size in SIZES:
        sample, bounds, q = _runs(n, size, LONG, FEW, from_solution=True)
        yield "radius", n, q / n, *_interval(sample[:, -LAST:].mean(axis=1)), float(bounds[-LAST:].mean())


def _interval(sample: Any) -> tuple[float, float, float]:
    """Return the mean and its t interval."""
    from scipy import stats

    R, mean = len(sample), float(sample.mean())
    reach = float(stats.t.ppf(0.975, R - 1) * sample.std(ddof=1) / R**0.5)
    return mean, mean - reach, mean + reach


def _runs(n: int, size: int, rounds: int, replicates: int, *, from_solution: bool) -> tuple[Any, Any, float]:
    """Return squared distances (R, K + 1), the bound (K + 1,) and q for `size` expected entries."""
    import numpy as np

    from impl.adaptive import Choice, keep_probabilities
    from impl.compressors import BernoulliSparsifier
    from impl.optimizers import cat_gd
    from impl.problems import breast_cancer_logistic

    problem, claim = breast_cancer_logistic(n, RIDGE), theory.claim(CLAIM)
    q = problem.d / size - 1
    L = float(problem.L_nodes.max())
    gamma = evaluate(claim.formulas["step"], {"L": L, "q": q, "n": n})

    def rule(g: Any) -> Choice:
        p = keep_probabilities(g, size)
        # The same share for every gradient, its lower bound, so that all rounds have the step of the claim.
        least = size / problem.d
        return Choice(size, least, 1 / size, gamma * L, size, BernoulliSparsifier(np.where(p > 0, p, 1.0)))

    start = problem.solution if from_solution else np.zeros(problem.d)
    result = cat_gd(
        problem,
        rule,
        step_size=1 / L,
        rounds=rounds,
        rng=stream(MASTER_SEED, CLAIM, f"figure/{n}/{size}", int(from_solution)),
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
    bound = np.array([evaluate(claim.bound, {**values, "K": k}) for k in range(rounds + 1)])
    return result.distance_sq, bound, q


def draw(columns: dict[str, Any]) -> Any:
    """Draw distances on the left, radii on the right."""
    import numpy as np
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2)
    panels, nodes = np.array(columns["panel"]), np.array(columns["n"])
    for n in NODES:
        for axis, panel in ((left, "distance"), (right, "radius")):
            chosen = (panels == panel) & (nodes == n)
            x, mean, low, high, bound = (
                np.array(columns[key], dtype=float)[chosen] for key in ("x", "mean", "low", "high", "bound")
            )
            if not len(x):
                continue
            color, label = COLORS[n], f"$n={n}$"
            draw_bound(axis, x, bound, "stated bound of each")
            if panel == "distance":
                axis.plot(x, mean, color=color, label=label)
                axis.fill_between(x, low, high, color=color, alpha=0.3, linewidth=0)
                side = "top" if n == 16 else "bottom"
                axis.annotate(label, (x[-1], bound[-1]), fontsize=7, color=color, ha="right", va=side)
            else:
                place = 3 if n == 16 else 0
                axis.errorbar(x, mean, (mean - low, high - mean), fmt=MARKERS[n], color=color, capsize=2)
                axis.annotate(
                    label,
                    (x[place], bound[place]),
                    fontsize=7,
                    color=color,
                    ha="right",
                    va=("bottom" if n == 16 else "top"),
                )
    left.set(
        yscale="log",
        xlabel="rounds $k$",
        ylabel=r"$\|x_k-x^*\|^2$",
        title=f"from 0, $T={SIZE}$ of 30 entries expected",
    )
    right.set(
        xscale="log",
        yscale="log",
        xlabel="$q/n$, $q=d/T-1$",
        ylabel=r"$\|x_k-x^*\|^2$",
        title=f"from $x^*$, mean of the last {LAST} of {LONG} rounds",
    )
    where: dict[str, Any] = {"transform": right.transAxes, "ha": "right", "fontsize": 7}
    right.text(0.97, 0.05, "$n=1$: stays at $x^*$", color=COLORS[1], **where)
    _legend(figure, left)
    figure.set_size_inches(6.8, 3.4)
    return figure


def _legend(figure: Any, axis: Any) -> None:
    """Explain lines, marks and bands below the panels."""
    from matplotlib.patches import Patch

    handles, labels = axis.get_legend_handles_labels()
    found = dict(zip(labels, handles, strict=True))
    found["stated bound of each"] = found.pop("stated bound of each")
    label = f"95 % interval of the mean ({REPLICATES}, {FEW} runs)"
    found[label] = Patch(color="gray", alpha=0.4, linewidth=0)
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=5)
