"""How many entries the rules choose in each iteration on LIBSVM sets: the runs of `libsvm_costs`."""

from typing import Any

from verify.experiments.cat.libsvm_tasks import SETS, TASKS
from verify.figures.captions import Caption
from verify.figures.cat.parts.styles import LINK_LABELS

NEEDS = SETS
POINTS = 40
METHODS = ("cat_st", "cat_s", "cat_sq")
SHOWN = "phishing"
"""The task whose iterations are drawn."""

CAPTION = Caption(
    title="How many entries the three rules choose on LIBSVM sets, one node, five links",
    seen=(
        "Top: entries in the message of each iteration, logistic regression on phishing, a panel for each "
        "link; the dotted line is one full packet. Bottom: the same runs of six tasks, a line for each "
        "rule from the least to the largest size, a filled mark at the median over the iterations that are "
        "drawn and a hollow one at the first iteration. By payload CAT-S and CAT-ST send one entry at a "
        "time; with a fixed cost they send more as the gradient flattens; over packets CAT-S stays mostly "
        "at full packets, and over Ethernet, where one packet holds all entries, it sends all of them. "
        "CAT-SQ varies the most."
    ),
    bound="none; one full packet is a property of the link, not a bound.",
    measured=(
        "sizes of the runs of cat/libsvm_costs at about 40 iterations, spaced evenly on a log scale; of "
        "CAT-ST the expected size of the first run. Over packets CAT-ST chooses among 24 sizes."
    ),
    claims=("cat/affine-unimodal", "cat/packet-candidates", "cat/finding-headline-data"),
)


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
    """Draw the sizes of one task by iteration above, the ranges of all tasks below."""
    import numpy as np

    from verify.figures.cat.parts.link_panels import panels, tidy
    from verify.figures.cat.parts.size_marks import draw_range, draw_sizes, sizes_legend

    figure, (top, bottom) = panels((1, 1.7), 5.4)
    tasks, links, methods = (np.array(columns[key]) for key in ("set", "link", "method"))

    def of(task: str, link: str, method: str) -> Any:
        chosen = (tasks == task) & (links == link) & (methods == method)
        return (np.array(columns[key], dtype=float)[chosen] for key in ("k", "size", "full"))

    for link, upper, lower in zip(LINK_LABELS, top, bottom, strict=True):
        for place, method in enumerate(METHODS):
            draw_sizes(upper, method, *of(SHOWN, link, method))
            for row, task in enumerate(TASKS):
                draw_range(lower, method, row + 0.27 * (place - 1), *of(task, link, method))
        for row, task in enumerate(TASKS):
            _, _, full = of(task, link, METHODS[0])
            if full[0]:
                lower.plot([full[0]] * 2, [row - 0.5, row + 0.5], color="black", linewidth=0.8, linestyle=":")
        for row in range(1, len(TASKS), 2):
            lower.axhspan(row - 0.5, row + 0.5, color="0.95", linewidth=0, zorder=0)
        upper.set(xscale="log", yscale="log", xlabel="iteration $k+1$", ylim=(0.7, 500))
        upper.set_yticks([1, 10, 100], ["1", "10", "100"] if link == next(iter(LINK_LABELS)) else [])
        lower.set(xscale="log", xlim=(0.7, 500), ylim=(len(TASKS) - 0.5, -0.5))
        lower.set_xticks([1, 10, 100], ["1", "10", "100"])
        lower.grid(visible=False, axis="y")
        lower.set_yticks([])
        for axis in (upper, lower):
            axis.minorticks_off()
    tidy(top, "x")
    top[0].set_ylabel(f"entries $T^k$,\n{TASKS[SHOWN].label}")
    labels = [task.label.replace(", ", "\n") for task in TASKS.values()]
    bottom[0].set_yticks(range(len(TASKS)), labels)
    bottom[0].tick_params(axis="y", length=0)
    bottom[2].set_xlabel("entries $T^k$ over the iterations")
    sizes_legend(figure, METHODS, ranges=True)
    return figure
