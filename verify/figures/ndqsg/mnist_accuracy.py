"""Test accuracy on MNIST against bits and CPU seconds, seven methods, two networks: measured runs."""

from typing import Any

from verify.figures.captions import Caption
from verify.figures.kept_runs import FOLDER, kept_runs
from verify.figures.ndqsg.mnist_costs import COLORS, NAMES, NETWORKS, TARGET

RUNS = FOLDER / "ndqsg" / "mnist_courses.csv"
"""Written by `python -m tools.measure_mnist --keep`, like the runs of `mnist_costs`."""
DIGEST = "0f480ed0846f7e564a268d40c8a42ac8c57b93aef7ef4a5f98a75c6e8ed7e3fd"
COSTS = {
    "coded_mbit": "Mbit of all workers, coded",
    "raw_mbit": "Mbit of all workers, raw",
    "cpu_seconds": "CPU seconds",
}
LEAST, MOST = 0.84, 0.97
"""Accuracies that are shown."""
LINES = {
    "sgd": "-",
    "dqsg-3": "-",
    "nested-3-3": (0, (5, 1.5)),
    "qsgd": (0, (1, 1)),
    "terngrad": (0, (5, 1, 1, 1)),
    "one-bit": (0, (5, 1, 1, 1, 1, 1)),
    "top-k": (0, (2, 1)),
}

CAPTION = Caption(
    title="Test accuracy on MNIST against bits and CPU seconds, seven methods, 8 workers",
    seen=(
        "A row of panels for each network, costs on log scales; a dot is the end of the runs, the grey line "
        "an accuracy of 95 %. Between 85 and 95 %: raw, half nested messages take fewer bits than DQSG; "
        "coded, the two are within a tenth of each other up to 92 %, and DQSG is ahead beyond. Top-k with "
        "memory takes the fewest bits, at 95 % on the dense network hardly fewer than coded DQSG. "
        "Whole gradients take 20 to 130 times the coded bits of the others, and on the fully connected "
        "network less than half of the CPU time of the next; on LeNet at most a quarter is saved."
    ),
    bound="nothing is bounded here.",
    measured=(
        "medians over 5 seeds of accuracy and cost at the same iteration, a test every ten iterations; five "
        "epochs of the fully connected network, two of LeNet. Bits with scales, without headers. Seconds are "
        "CPU of one process that does the work of all workers in turn, without coding and without links. "
        "The range of the seeds is in the CSV. The runs are kept as they were measured and are not made "
        "again with the figures."
    ),
    claims=("ndqsg/mnist-bits",),
)


def table() -> dict[str, Any]:
    """Return medians of accuracy and costs at every test by network and method, and the range of accuracy.

    Raises:
        ValueError: The kept runs are not those of the digest.
    """
    return kept_runs(RUNS, DIGEST)


def draw(columns: dict[str, Any]) -> Any:
    """Draw a row for each network and a column for each cost."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(len(NETWORKS), len(COSTS), sharey=True, sharex="col")
    network, method = np.array(columns["network"]), np.array(columns["method"])
    for line, (known, words) in zip(axes, NETWORKS.items(), strict=True):
        for axis, cost in zip(line, COSTS, strict=True):
            axis.axhline(TARGET, color="0.6", linewidth=0.6)
            for name in (name for name in NAMES if name in LINES):
                chosen = (network == known) & (method == name)
                spent, accuracy = (np.array(columns[key])[chosen][1:] for key in (cost, "accuracy"))
                style = {"color": COLORS[name], "linestyle": LINES[name], "label": NAMES[name]}
                axis.plot(spent, accuracy, linewidth=1.1, **style)
                axis.plot(spent[-1], accuracy[-1], "o", color=COLORS[name], markersize=3, clip_on=False)
            axis.set(xscale="log", ylim=(LEAST, MOST))
        line[0].set_ylabel(f"{words}\ntest accuracy")
    for axis, words in zip(axes[-1], COSTS.values(), strict=True):
        axis.set_xlabel(words)
    figure.legend(
        *axes[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=4, handlelength=3
    )
    figure.set_size_inches(7.0, 4.6)
    return figure
