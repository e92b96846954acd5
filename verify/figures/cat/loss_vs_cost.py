"""Relative gap over what was communicated, flat and steep logistic regression, five links, one node."""

from typing import Any

from verify.context import MASTER_SEED
from verify.figures.captions import Caption
from verify.figures.cat.parts.styles import COLORS, LABELS, LINES, LINK_LABELS, MARKERS, WIDTHS

REPLICATES, POINTS = 20, 40
SETS = {"lf": "LF, flat gradients ($d=256$)", "ls": "LS, steep gradients ($d=512$)"}

CAPTION = Caption(
    title=(
        "Relative gap against what was communicated, two public problems with flat and steep gradients, "
        "five links"
    ),
    seen=(
        "Logistic regression on one node, until a relative gap (F - F*)/(F_0 - F*) of 1e-3; rows are "
        "links, columns LF (flat gradients, d = 256) and LS (steep ones, d = 512). The mark at the foot "
        "of a curve is what the method has paid there. On steep gradients the gain over gradient descent "
        "is large, but for Ethernet; on flat ones some fixed size is cheaper than CAT-S, and CAT-SQ over "
        "Ethernet costs more than gradient descent. Under the payload model CAT-S is the run with T = 1 "
        "(the thin dotted line on it); over Ethernet on LF it is gradient descent, below CAT-ST."
    ),
    bound=(
        "none is drawn: the claims compare the guaranteed decrease of one step; the totals seen here are "
        "facts of these two problems."
    ),
    measured=(
        "costs by the model of each link. All methods but CAT-ST are deterministic; CAT-ST is a mean of "
        "20 runs with the 95 % interval of the mean, over packets with a choice of 24 sizes."
    ),
    claims=(
        "cat/headline",
        "cat/finding-fixed-sparsity",
    ),
)


def table() -> dict[str, Any]:
    """Return relative gaps at costs (of CAT-ST means with intervals of 95 %) and the mean cost at the end."""
    from verify.cat.fixtures import golden_vectors
    from verify.experiments.cat.adaptive_runs import Comparison

    names = ("set", "link", "method", "kbits", "gap", "low", "high", "end")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for name in SETS:
        comparison = Comparison(getattr(golden_vectors, name)(), MASTER_SEED, name)
        for link in LINK_LABELS:
            for method in LABELS:
                for row in _line(comparison, link, method):
                    for key, item in zip(columns, (name, link, method, *row), strict=True):
                        columns[key].append(item)
    return columns


def _line(comparison: Any, link: str, method: str) -> Any:
    """Yield costs in kbits, gap, interval and the mean cost until the accuracy."""
    import numpy as np

    from verify.experiments.cat.adaptive_runs import mean_and_interval

    runs = comparison.run(method, link, REPLICATES if method == "cat_st" else 1)
    last = runs.costs[np.arange(len(runs.costs)), runs.ends]
    if method == "cat_st":
        costs = np.geomspace(runs.costs[:, 1].max(), last.max(), POINTS)
    else:
        shown = np.unique(np.geomspace(1, runs.ends[0], POINTS).round().astype(int))
        costs = runs.costs[0, shown]
    mean, low, high = mean_and_interval(runs, costs)
    for cost, *values in zip(costs, mean, low, high, strict=True):
        yield cost / 1000, *values, last.mean() / 1000


def draw(columns: dict[str, Any]) -> Any:
    """Draw a panel for each link and set."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(len(LINK_LABELS), len(SETS), sharey=True, sharex="col")
    sets, links, methods = (np.array(columns[key]) for key in ("set", "link", "method"))
    for line, link in zip(axes, LINK_LABELS, strict=True):
        for axis, name in zip(line, SETS, strict=True):
            for method, label in LABELS.items():
                chosen = (sets == name) & (links == link) & (methods == method)
                kbits, gap, low, high, end = (
                    np.array(columns[key], dtype=float)[chosen]
                    for key in ("kbits", "gap", "low", "high", "end")
                )
                style: dict[str, Any] = {"color": COLORS[method], "linewidth": WIDTHS.get(method, 1.2)}
                style["zorder"] = 1.9 if method in WIDTHS else 2
                axis.plot(kbits, gap, label=label, linestyle=LINES[method], **style)
                axis.fill_between(
                    kbits, np.maximum(low, 1e-4), high, color=COLORS[method], alpha=0.3, linewidth=0
                )
                mark: dict[str, Any] = {"marker": MARKERS[method], "clip_on": False, "zorder": 5}
                axis.plot(end[:1], [1e-3], color=COLORS[method], markersize=5, **mark)
            axis.set(xscale="log", yscale="log", ylim=(1e-3, 1.3))
        line[0].set_ylabel(f"{LINK_LABELS[link]}\n$(F-F^*)/(F_0-F^*)$")
    for axis, title in zip(axes[0], SETS.values(), strict=True):
        axis.set_title(title)
    for axis in axes[-1]:
        axis.set_xlabel("kbits communicated")
    _legend(figure, axes[0, 0])
    figure.set_size_inches(6.8, 8.6)
    return figure


def _legend(figure: Any, axis: Any) -> None:
    """Explain lines, band and marks below the panels."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles, labels = axis.get_legend_handles_labels()
    found = dict(zip(labels, handles, strict=True))
    label = f"CAT-ST: mean and 95 % interval of it, {REPLICATES} runs"
    found[label] = Patch(color=COLORS["cat_st"], alpha=0.4, linewidth=0)
    for method, text in LABELS.items():
        style: dict[str, Any] = {
            "color": COLORS[method],
            "linestyle": LINES[method],
            "marker": MARKERS[method],
        }
        found[text] = Line2D([], [], **style, markersize=5)
    found["mark: (mean) cost to $10^{-3}$"] = Line2D([], [], linestyle="none")
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=4, handlelength=3)
