"""How a stated bound is drawn in every figure: a dashed black line."""

from typing import Any

STYLE = {"color": "black", "linestyle": "--", "linewidth": 1.2}


def draw_bound(axes: Any, x: Any, y: Any, label: str) -> None:
    """Draw a stated bound over x."""
    axes.plot(x, y, label=label, **STYLE)
