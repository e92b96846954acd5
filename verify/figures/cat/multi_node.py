"""Random entries from several nodes: distance to the solution, and the radius that is left against q/n."""

from typing import Any

from verify.figures.captions import Caption
from verify.figures.cat.parts.neighbourhood import COLORS, LAST, NODES, ROUNDS

RIDGE = 0.1
SIZE = 5
SIZES = (1, 2, 4, 7, 12, 20)

CAPTION = Caption(
    title=("Random entries from several nodes: distance to the solution, and the radius that stays"),
    seen=(
        "Logistic regression on the breast cancer data, rows sorted by label so that the nodes differ. "
        "Left: squared distance from 0 with 5 of 30 entries expected, for 1, 4 and 16 nodes. Right: "
        "squared distance that stays when the run starts at the solution, mean of the last 60 of 240 "
        "rounds, against q/n with q = d/T - 1. With one node the gradient at the solution is 0 and "
        "nothing stays; with several the radius falls with q/n."
    ),
    bound=(
        "dashed black with hollow marks of the same shape as its number of nodes; one on the mean of the "
        "squared distance."
    ),
    measured=("means over 16 runs (left) and 5 runs (right) with 95 % intervals, the step of the claim."),
    claims=("cat/mn-strong",),
)


def table() -> dict[str, Any]:
    """Return a row for each number: panel, n, x, mean of the squared distance, its interval of 95 %, bound.

    Panels: `distance` over rounds from 0 with `SIZE` entries expected; `radius`, from the solution, the mean
    of the last rounds against q/n.
    """
    from impl.problems import breast_cancer_logistic
    from verify.figures.cat.parts.neighbourhood import Neighbourhood

    columns: dict[str, list[Any]] = {name: [] for name in ("panel", "n", "x", "mean", "low", "high", "bound")}
    for n in NODES:
        found = Neighbourhood(breast_cancer_logistic(n, RIDGE))
        rows = [("distance", n, *row) for row in found.distances(SIZE)]
        rows += [("radius", n, *row) for row in found.radii(SIZES)]
        for row in rows:
            for key, item in zip(columns, row, strict=True):
                columns[key].append(item)
    return columns


def draw(columns: dict[str, Any]) -> Any:
    """Draw distances on the left, radii on the right."""
    import numpy as np
    from matplotlib import pyplot

    from verify.figures.cat.parts.neighbourhood import draw_curve, draw_radii, legend, mark_bound

    figure, (left, right) = pyplot.subplots(1, 2)
    panels, nodes = np.array(columns["panel"]), np.array(columns["n"])
    for n in NODES:
        for axis, panel in ((left, "distance"), (right, "radius")):
            chosen = (panels == panel) & (nodes == n)
            numbers = tuple(
                np.array(columns[key], dtype=float)[chosen] for key in ("x", "mean", "low", "high", "bound")
            )
            if not chosen.any():
                continue
            (draw_curve if panel == "distance" else draw_radii)(axis, n, numbers)
            mark_bound(axis, n, numbers)
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
        title=f"from $x^*$, mean of the last {LAST} of {ROUNDS} rounds",
    )
    where: dict[str, Any] = {"transform": right.transAxes, "ha": "right", "fontsize": 7}
    right.text(0.97, 0.05, "$n=1$: stays at $x^*$", color=COLORS[1], **where)
    legend(figure, left)
    figure.set_size_inches(6.8, 3.4)
    return figure
