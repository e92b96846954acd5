"""How a stated bound is drawn in every figure: dashed black, with hollow marks where there are several."""

from typing import Any

STYLE = {"color": "black", "linestyle": "--", "linewidth": 1.2}


def draw_bound(axes: Any, x: Any, y: Any, label: str) -> None:
    """Draw a stated bound over x."""
    axes.plot(x, y, label=label, **STYLE)


def mark_bound(axes: Any, x: Any, y: Any, marker: str, color: str, places: slice) -> None:
    """Put hollow marks on some points of a bound, so that it is told from other ones without colours."""
    style = {"color": color, "markerfacecolor": "white", "linestyle": "none", "zorder": 3}
    axes.plot(x[places], y[places], marker=marker, **style)
