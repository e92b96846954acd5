"""What methods pay for the least gap that all of them reach, over five links: marks beside some curves."""

from collections.abc import Callable, Mapping
from typing import Any

from verify.figures.cat.parts.styles import COLORS, LINK_LABELS, MARKERS

TICKS = (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)

Curve = tuple[Any, Any]
"""Costs and gaps, both (K,), costs ascending."""


def cost_to(gap: float, curve: Curve) -> float:
    """Return the cost at which a curve falls to a gap, its lines straight on both log axes.

    Raises:
        ValueError: The curve ends above the gap.
    """
    import numpy as np

    costs, gaps = (np.asarray(values, dtype=float) for values in curve)
    below = np.flatnonzero(gaps <= gap)
    if not len(below):
        raise ValueError(f"gap={gap!r} must not be below the last one of the curve, {gaps[-1]!r}")
    place = int(below[0])
    if not place:
        return float(costs[0])
    above, after = gaps[place - 1], gaps[place]
    part = np.log(above / gap) / np.log(above / after)
    return float(costs[place - 1] * (costs[place] / costs[place - 1]) ** part)


def costs_to_common_gap(curves: Mapping[str, Curve]) -> tuple[float, dict[str, float]]:
    """Return the least gap that all methods reach, and what each pays for it."""
    gap = max(float(gaps[-1]) for _, gaps in curves.values())
    return gap, {method: cost_to(gap, curve) for method, curve in curves.items()}


def curves_of(columns: Mapping[str, Any], chosen: Any) -> dict[str, Curve]:
    """Return the curves of the chosen rows of a table with `method`, `kbits` and `gap`, by method."""
    import numpy as np

    methods = np.array(columns["method"])
    kbits, gap = (np.array(columns[key], dtype=float) for key in ("kbits", "gap"))
    found = dict.fromkeys(columns["method"])
    return {name: (kbits[chosen & (methods == name)], gap[chosen & (methods == name)]) for name in found}


def draw_ratios(
    axes: Mapping[str, Any], kinds: Mapping[str, str], curves: Callable[[str, str], dict[str, Curve]]
) -> None:
    """Draw for each link what each method pays over dense gradient descent, a band of rows for each kind.

    Args:
        axes: By link.
        kinds: Labels by kind.
        curves: Of a kind and link.
    """
    for link, axis in axes.items():
        for row, kind in enumerate(kinds):
            _, costs = costs_to_common_gap(curves(kind, link))
            for place, (method, cost) in enumerate(costs.items()):
                # A row of its own for each method: none hides another.
                offset = 0.8 * ((place + 0.5) / len(costs) - 0.5)
                style = {"color": COLORS[method], "marker": MARKERS[method], "markersize": 4}
                axis.plot(cost / costs["gd"], row + offset, **style)
            if row % 2:
                axis.axhspan(row - 0.5, row + 0.5, color="0.95", linewidth=0, zorder=0)
        axis.axvline(1.0, color="black", linewidth=0.8)
        axis.set(xscale="log", ylim=(len(kinds) - 0.5, -0.5))
        low, high = axis.get_xlim()
        ticks = [tick for tick in TICKS if low < tick < high]
        axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axis.minorticks_off()
        axis.grid(visible=False, axis="y")
        axis.set_yticks(range(len(kinds)), list(kinds.values()) if link == next(iter(LINK_LABELS)) else [])
        axis.tick_params(axis="y", length=0)
