"""How many entries the rules choose in each iteration on LIBSVM sets: the runs of `libsvm_costs`."""

from typing import Any

from verify.experiments.cat.libsvm_tasks import SETS, TASKS
from verify.figures.cat_styles import COLORS, LABELS, LINK_LABELS

NEEDS = SETS
POINTS = 40
MARKERS = {"cat_st": "^", "cat_sq": "s", "cat_s": "o"}
METHODS = tuple(MARKERS)


def table() -> dict[str, Any]:
    """Return T^k at some iterations of a run, of CAT-ST the first one.

    `full` is the number of entries that fill a packet, 0 for a link without packets or where d is smaller.
    """
    import numpy as np

    from impl.communication import PRESETS, index_bits
    from verify.experiments.cat.libsvm_tasks import problem, run

    columns: dict[str, list[Any]] = {name: [] for name in ("set", "link", "method", "k", "size", "full")}
    for task in TASKS:
        d = problem(task).d
        for link in LINK_LABELS:
            full = (PRESETS[link].frame or 0) // (index_bits(d) + 32)
            for method in METHODS:
                found = run(task, method, link)
                shown = np.geomspace(1, int(found.ends[0]), POINTS).round().astype(int) - 1
                for k in np.unique(shown):
                    row = (task, link, method, k, found.sizes[0, k], full if full <= d else 0)
                    for key, item in zip(columns, row, strict=True):
                        columns[key].append(item)
    return columns


def draw(columns: dict[str, Any]) -> Any:
    """Draw a row of panels for each task."""
    import numpy as np

    from verify.figures.cat_link_panels import panels, tidy

    labels = {name: task.label.replace(", ", "\n") for name, task in TASKS.items()}
    figure, axes = panels(labels, xlabel="iteration $k+1$", ylabel="entries $T^k$")
    tasks, links, methods = (np.array(columns[key]) for key in ("set", "link", "method"))
    handles: dict[str, Any] = {}
    for (task, link), axis in axes.items():
        for method in METHODS:
            chosen = (tasks == task) & (links == link) & (methods == method)
            k, size, full = (np.array(columns[key], dtype=float)[chosen] for key in ("k", "size", "full"))
            style: dict[str, Any] = {"color": COLORS[method], "marker": MARKERS[method]}
            axis.plot(k + 1, size, label=LABELS[method], markersize=2, linewidth=0.4, **style)
            if full[0] and method == "cat_s":
                axis.axhline(full[0], color="gray", linewidth=0.8, linestyle=":", label="one full packet")
        axis.set_ylim(0.8, 500)
        handles |= dict(zip(*reversed(axis.get_legend_handles_labels()), strict=True))
    tidy(axes)
    handles[f"{LABELS['cat_st']}, over packets of 24 sizes"] = handles.pop(LABELS["cat_st"])
    handles["one full packet"] = handles.pop("one full packet")
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=4)
    return figure
