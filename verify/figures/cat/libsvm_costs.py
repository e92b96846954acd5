"""Relative gap over what was communicated on LIBSVM sets: one node, ridge 1/m, five links.

Logistic regression above, least squares below. Runs end at 1e-3 or are cut off
(`verify/experiments/cat/libsvm_tasks.py`).
"""

from typing import Any

from verify.experiments.cat.libsvm_tasks import METHODS, REPLICATES, SETS, TASKS
from verify.figures.cat_styles import LINK_LABELS

NEEDS = SETS
POINTS = 30


def table() -> dict[str, Any]:
    """Return relative gaps at costs in kbits; of CAT-ST means with intervals of 95 %."""
    from verify.experiments.cat.libsvm_tasks import run
    from verify.figures.cat_link_panels import gap_points

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
    """Draw a row of panels for each task."""
    import numpy as np

    from verify.figures.cat_link_panels import CUT, REACHED, draw_gaps, gaps_legend, panels, tidy

    labels = {name: task.label.replace(", ", "\n") for name, task in TASKS.items()}
    figure, axes = panels(labels, xlabel="kbits sent", ylabel="rel. gap")
    tasks, links, methods = (np.array(columns[key]) for key in ("set", "link", "method"))
    for (task, link), axis in axes.items():
        for method in METHODS:
            chosen = (tasks == task) & (links == link) & (methods == method)
            numbers = (np.array(columns[key], dtype=float)[chosen] for key in ("kbits", "gap", "low", "high"))
            draw_gaps(axis, method, *numbers)
    tidy(axes)
    marks = {REACHED: "$10^{-3}$ reached", CUT: "cut off"}
    gaps_legend(figure, next(iter(axes.values())), REPLICATES, marks, columns=3)
    return figure
