"""Marks for the number of entries in messages, in the look of this paper."""

from collections.abc import Iterable
from typing import Any

from verify.figures.cat.parts.styles import COLORS, LABELS, MARKERS


def draw_sizes(axis: Any, method: str, k: Any, size: Any, full: Any) -> None:
    """Draw a mark for each iteration, no line: the rule with signs jumps between few and many entries."""
    style: dict[str, Any] = {"color": COLORS[method], "marker": MARKERS[method], "linestyle": "none"}
    # Where CAT-S and CAT-ST agree the small mark is seen within the large one.
    large = {"markersize": 5, "markerfacecolor": "none", "markeredgewidth": 0.8}
    axis.plot(k + 1, size, **style, **(large if method == "cat_st" else {"markersize": 2}))
    if full[0] and method == "cat_s":
        axis.axhline(full[0], color="black", linewidth=0.8, linestyle=":")


def draw_range(axis: Any, method: str, place: float, _k: Any, size: Any, _full: Any) -> None:
    """Draw a line from the least to the largest size, a mark at the median and a hollow one at the first."""
    import numpy as np

    style: dict[str, Any] = {"color": COLORS[method], "marker": MARKERS[method]}
    axis.plot([size.min(), size.max()], [place] * 2, color=COLORS[method], linewidth=1)
    axis.plot(np.median(size), place, **style, markersize=3.5)
    axis.plot(size[0], place, **style, markersize=5.5, markerfacecolor="none", markeredgewidth=0.8)


def sizes_legend(figure: Any, methods: Iterable[str], *, ranges: bool = False) -> None:
    """Explain the marks below the panels, and those of ranges where there are some."""
    from matplotlib.lines import Line2D

    found: dict[str, Any] = {}
    for method in methods:
        style: dict[str, Any] = {"color": COLORS[method], "marker": MARKERS[method], "linestyle": "none"}
        label = LABELS[method] + (", over packets of 24 sizes" if method == "cat_st" else "")
        hollow: dict[str, Any] = {"markerfacecolor": "none"} if method == "cat_st" and not ranges else {}
        found[label] = Line2D([], [], **style, markersize=4, **hollow)
    found["one full packet"] = Line2D([], [], color="black", linewidth=0.8, linestyle=":")
    if ranges:
        found["least to largest, median"] = Line2D([], [], color="gray", marker="o", markersize=3.5)
        style = {"color": "gray", "marker": "o", "linestyle": "none", "markerfacecolor": "none"}
        found["first iteration"] = Line2D([], [], **style, markersize=5.5)
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=3 if ranges else 4)
