"""Relative gap over what was communicated on LIBSVM sets: one node, ridge 1/m, five links.

Logistic regression above, least squares below. Runs end at 1e-3 or are cut off
(`verify/experiments/cat/libsvm_tasks.py`).
"""

from typing import Any

from verify.experiments.cat.libsvm_tasks import METHODS, REPLICATES, SETS, TASKS
from verify.figures.captions import Caption
from verify.figures.cat.parts.styles import LINK_LABELS

NEEDS = SETS
POINTS = 30
SHOWN = "w8a"
"""The task whose curves are drawn."""

CAPTION = Caption(
    title="Cost of fixed sizes and of the three rules on LIBSVM sets, one node, five links",
    seen=(
        "Top: relative gap (F - F*)/(F_0 - F*) against the kbits sent, logistic regression on w8a, a panel "
        "for each link. Bottom: for six tasks the cost until the least gap that all methods of the panel "
        "reach, over that of dense gradient descent (vertical line); left of the line a method saves. "
        "CAT-SQ is the cheapest nearly everywhere but over Ethernet, where gradient descent is. A cross "
        "ends a curve that was cut off; where a packet holds all entries, CAT-S is gradient descent over "
        "Ethernet."
    ),
    bound="none is drawn: the claims compare guaranteed decreases of one step, not the total costs.",
    measured=(
        "costs by the model of each link, ridge 1/m, every iteration of the runs; random entries (CAT-ST) "
        "are means of 3 runs with 95 % intervals. CAT-ST chooses among 24 sizes over packets. The CSV has "
        "the curves of all tasks."
    ),
    claims=("cat/finding-headline-data", "cat/headline"),
)


def table() -> dict[str, Any]:
    """Return relative gaps at costs in kbits; of CAT-ST means with intervals of 95 %."""
    from verify.experiments.cat.libsvm_tasks import run
    from verify.figures.cat.parts.link_panels import gap_points

    names = ("set", "link", "method", "kbits", "gap", "low", "high")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for task in TASKS:
        for link in LINK_LABELS:
            for method in METHODS:
                for row in gap_points(run(task, method, link), POINTS):
                    for key, item in zip(columns, (task, link, method, *row), strict=True):
                        columns[key].append(item)
    return columns


def draw(columns: dict[str, Any]) -> Any:
    """Draw the curves of one task above, what all tasks cost below."""
    import numpy as np

    from verify.figures.cat.parts.gap_costs import curves_of, draw_ratios
    from verify.figures.cat.parts.link_panels import CUT, draw_gaps, gaps_legend, panels, tidy

    figure, (top, bottom) = panels((1, 2.1), 5.6)
    tasks, links, methods = (np.array(columns[key]) for key in ("set", "link", "method"))
    for link, axis in zip(LINK_LABELS, top, strict=True):
        for method in METHODS:
            chosen = (tasks == SHOWN) & (links == link) & (methods == method)
            numbers = (np.array(columns[key], dtype=float)[chosen] for key in ("kbits", "gap", "low", "high"))
            draw_gaps(axis, method, *numbers)
        axis.set(xscale="log", yscale="log", xlabel="kbits sent", ylim=(0.07, 1.2))
        axis.set_yticks([0.1, 1], ["0.1", "1"] if axis is top[0] else [])
        axis.minorticks_off()
    tidy(top, "x")
    top[0].set_ylabel(f"relative gap,\n{SHOWN} logistic")
    labels = {name: task.label.replace(", ", "\n") for name, task in TASKS.items()}
    draw_ratios(
        dict(zip(LINK_LABELS, bottom, strict=True)),
        labels,
        lambda task, link: curves_of(columns, (tasks == task) & (links == link)),
    )
    bottom[2].set_xlabel("cost of the least gap that all reach, over that of dense gradient descent")
    gaps_legend(figure, METHODS, REPLICATES, {CUT: "cut off"}, columns=4)
    return figure
