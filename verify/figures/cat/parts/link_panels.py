"""Figures with a column of panels for each link, in the look of this paper."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from verify.experiments.cat.adaptive_runs import ACCURACY, CostedRun
from verify.figures.cat.parts.styles import COLORS, LABELS, LINES, LINK_LABELS, MARKERS, NODE_LABELS, WIDTHS

REACHED, CUT = "v", "x"
"""Marks at the end of a curve."""


def panels(heights: tuple[float, ...], size: float) -> tuple[Any, Any]:
    """Return a figure of some height in inches and its axes: a row for each relative height, links across."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(len(heights), len(LINK_LABELS), height_ratios=heights, squeeze=False)
    for label, axis in zip(LINK_LABELS.values(), axes[0], strict=True):
        axis.set_title(label.replace(", ", ",\n"))
    figure.set_size_inches(6.8, size)
    return figure, axes


def gap_points(run: CostedRun, points: int) -> Iterator[tuple[float, ...]]:
    """Yield costs in kbits, (mean) relative gap and the interval of its mean, to where the run ends.

    Several replicates end together: at the last cost of all where each has reached the accuracy, else at
    the first.
    """
    import numpy as np

    from verify.experiments.cat.adaptive_runs import mean_and_interval

    last = run.costs[np.arange(len(run.costs)), run.ends]
    if len(run.costs) == 1:
        shown = np.unique(np.geomspace(1, run.ends[0], points).round().astype(int))
        costs = run.costs[0, shown]
    else:
        first = max(float(line[line > 0][0]) for line in run.costs)  # an empty message may be free
        costs = np.geomspace(first, last.max() if run.reached.all() else last.min(), points)
    for cost, *values in zip(costs, *mean_and_interval(run, costs), strict=True):
        yield cost / 1000, *values


def draw_gaps(axis: Any, method: str, kbits: Any, gap: Any, low: Any, high: Any) -> None:
    """Draw the curve of a method with its interval and a mark at its end."""
    import numpy as np

    style: dict[str, Any] = {
        "color": COLORS[method],
        "linestyle": LINES[method],
        "linewidth": WIDTHS.get(method, 1.2),
        "zorder": 1.9 if method in WIDTHS else 2,
    }
    axis.plot(kbits, gap, label=LABELS.get(method) or NODE_LABELS[method], **style)
    axis.fill_between(
        kbits, np.maximum(low, gap.min() / 2), high, color=COLORS[method], alpha=0.3, linewidth=0
    )
    mark = REACHED if gap[-1] <= ACCURACY else CUT
    axis.plot(kbits[-1:], gap[-1:], mark, color=COLORS[method], markersize=3.5, clip_on=False, zorder=5)


def gaps_legend(
    figure: Any, methods: Iterable[str], replicates: int, marks: Mapping[str, str], columns: int
) -> None:
    """Explain lines with the marks of the lower panels, bands, and marks at ends by marker."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    found: dict[str, Any] = {}
    for method in methods:
        style: dict[str, Any] = {
            "color": COLORS[method],
            "linestyle": LINES[method],
            "marker": MARKERS[method],
        }
        found[LABELS.get(method) or NODE_LABELS[method]] = Line2D([], [], **style, markersize=4)
    found[f"random: mean, 95 % interval of it ({replicates} runs)"] = Patch(
        color="gray", alpha=0.4, linewidth=0
    )
    for marker, label in marks.items():
        found[label] = Line2D([], [], color="gray", marker=marker, linestyle="none")
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=columns, handlelength=3)


def tidy(axes: Iterable[Any], sides: str = "xy") -> None:
    """Label few powers of ten on the log axes, and nothing between them."""
    from matplotlib.ticker import LogFormatterSciNotation, LogLocator, NullFormatter

    for axis in axes:
        for side in (getattr(axis, f"{name}axis") for name in sides):
            side.set_major_locator(LogLocator(numticks=4))
            side.set_minor_locator(LogLocator(subs=range(2, 10), numticks=40))
            side.set_major_formatter(LogFormatterSciNotation())
            side.set_minor_formatter(NullFormatter())
