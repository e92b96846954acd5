"""What constant steps leave on LIBSVM sets: distances and radii with their bound, and gaps of CAT-ST.

Logistic regression, rows sorted by label over the nodes. Ridge 0.1: with 1/m the bound hardly moves.
"""

from collections.abc import Iterator
from typing import Any

from verify.context import MASTER_SEED
from verify.experiments.cat.libsvm_tasks import SETS
from verify.figures.captions import Caption
from verify.figures.cat.parts.neighbourhood import COLORS, LAST, NODES

NEEDS = SETS
RIDGE = 0.1
ROUNDS, REPLICATES, FEW = 120, 6, 4
PARTS = (32, 8, 2)
"""The expected sizes are these parts of the entries."""

SHOWN = 8
LINKS = {"payload": ("payload", "-"), "affine": ("affine", ":")}
"""Over packets the rule takes longer to choose."""

GAP_ROUNDS = 200
PANELS = ("distance", "radius", "gap")

CAPTION = Caption(
    title=("What constant steps leave with random entries on LIBSVM sets: distances, radii and gaps"),
    seen=(
        "Logistic regression, rows sorted by label, a row of panels for each data set. Left: squared "
        "distance to the solution from 0, an eighth of the entries expected in a message. Middle: squared "
        "distance that stays when the run starts at the solution, against q/n (q = d/T - 1); one node has "
        "nothing left there and is not shown. Right: relative gap of the local rule CAT-ST, solid by "
        "payload, dotted with a fixed cost. From the solution the bound is 5 to 1200 times what is there. "
        "CAT-ST by payload sends one entry, and its gap stays where it is large: on phishing at twice the "
        "first gap."
    ),
    bound=(
        "dashed black with hollow marks of the same shape as its number of nodes; one on the mean of the "
        "squared distance. The right column has none."
    ),
    measured=("means over 6 runs (left) and 4 runs (middle, right) with 95 % intervals, ridge 0.1."),
    claims=(
        "cat/mn-strong",
        "cat/finding-local-rule",
    ),
)


def table() -> dict[str, Any]:
    """Return a row for each number: set, panel, n, link, x, mean, its interval of 95 %, bound.

    Panels: `distance` over rounds from 0; `radius`, from the solution, the mean of the last rounds against
    q/n; `gap`, the relative gap of CAT-ST over rounds from 0, with no bound (nan) and a link.
    """
    names = ("set", "panel", "n", "link", "x", "mean", "low", "high", "bound")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for name in SETS:
        for n in NODES:
            for row in _rows(name, n):
                for key, item in zip(columns, (name, *row), strict=True):
                    columns[key].append(item)
    return columns


def _rows(name: str, n: int) -> Iterator[tuple[Any, ...]]:
    from threadpoolctl import threadpool_limits

    from verify.experiments.cat.libsvm_tasks import node_problem
    from verify.figures.cat.parts.neighbourhood import Neighbourhood

    problem = node_problem(name, n, RIDGE)
    found = Neighbourhood(problem, f"figure/{name}", ROUNDS, REPLICATES, FEW)
    with threadpool_limits(1):  # products with few vectors are too small for more
        for row in found.distances(problem.d // SHOWN):
            yield "distance", n, "", *row
        for row in found.radii(tuple(problem.d // part for part in PARTS)):
            yield "radius", n, "", *row
    if n > 1:
        yield from _gaps(name, n, problem)


def _gaps(name: str, n: int, problem: Any) -> Iterator[tuple[Any, ...]]:
    from verify.experiments.cat.node_costs import NodeComparison
    from verify.figures.cat.parts.neighbourhood import EVERY, interval

    comparison = NodeComparison(problem, MASTER_SEED, f"{name}/{n}/ridge", GAP_ROUNDS, GAP_ROUNDS, FEW)
    for link in LINKS:
        gaps = comparison.run("cat_st", link).gaps
        for k in range(0, GAP_ROUNDS + 1, EVERY):
            yield "gap", n, link, k, *interval(gaps[:, k]), float("nan")


def draw(columns: dict[str, Any]) -> Any:
    """Draw a row of panels for each set: distances, radii, gaps."""
    import numpy as np
    from matplotlib import pyplot

    from verify.figures.cat.parts.neighbourhood import draw_curve, draw_radii, legend, mark_bound

    figure, axes = pyplot.subplots(len(SETS), len(PANELS))
    keys = ("set", "panel", "n", "link")
    sets, panels, nodes, links = (np.array(columns[key]) for key in keys)
    for name, line in zip(SETS, axes, strict=True):
        for panel, axis in zip(PANELS, line, strict=True):
            for n in NODES:
                for link in LINKS if panel == "gap" else ("",):
                    chosen = (sets == name) & (panels == panel) & (nodes == n) & (links == link)
                    numbers = tuple(
                        np.array(columns[key], dtype=float)[chosen]
                        for key in ("x", "mean", "low", "high", "bound")
                    )
                    if not chosen.any():
                        continue
                    if panel == "distance":
                        draw_curve(axis, n, numbers)
                        mark_bound(axis, n, numbers)
                    elif panel == "radius":
                        draw_radii(axis, n, numbers)
                        mark_bound(axis, n, numbers)
                    else:
                        _draw_gap(axis, n, link, numbers)
            axis.set_yscale("log")
        line[0].set_ylabel(f"{name}\n" + r"$\|x_k-x^*\|^2$")
        line[1].set(xscale="log", ylabel=r"$\|x_k-x^*\|^2$")
        line[2].set_ylabel("relative gap")
    for axis, title, label in zip(
        (*axes[0], *axes[-1]),
        (
            f"from 0, $T=\\lfloor d/{SHOWN}\\rfloor$ expected",
            f"from $x^*$, rounds {ROUNDS - LAST + 1} to {ROUNDS}",
            "CAT-ST, from 0",
            *("",) * len(PANELS),
        ),
        (*("",) * len(PANELS), "rounds $k$", "$q/n$, $q=d/T-1$", "rounds $k$"),
        strict=True,
    ):
        axis.set(**({"title": title} if title else {"xlabel": label}))
    for label, line in LINKS.values():
        axes[0, 0].plot([], [], color="gray", linestyle=line, label=f"right: {label}")
    legend(figure, axes[0, 0], f"left {REPLICATES}, else {FEW}")
    figure.set_size_inches(6.8, 6.6)
    return figure


def _draw_gap(axis: Any, n: int, link: str, numbers: tuple[Any, ...]) -> None:
    x, mean, low, high, _ = numbers
    axis.plot(x, mean, color=COLORS[n], linestyle=LINKS[link][1])
    axis.fill_between(
        x, [max(item, mean.min() / 2) for item in low], high, color=COLORS[n], alpha=0.3, linewidth=0
    )
