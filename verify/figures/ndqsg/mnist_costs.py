"""Bits and CPU seconds to a test accuracy of 95 % on MNIST, seven methods, two networks: measured runs."""

from typing import Any

from verify.figures import ndqsg_training_styles as styles
from verify.figures.captions import Caption
from verify.figures.kept_runs import FOLDER, kept_runs

RUNS = FOLDER / "ndqsg" / "mnist_runs.csv"
"""Written by `python -m tools.measure_mnist --keep` from runs that take two hours and a half of CPU."""
DIGEST = "710cd91faa3a7876eadb2807a9abe91cdc1374469158ec11236332838c328560"
TARGET = 0.95
NETWORKS = {"fully-connected": "784-300-100-10", "lenet": "LeNet"}
WORKERS = (4, 8, 16)
NAMES = {**styles.LABELS, "top-k": "top-k, memory"}
COLORS = {**styles.COLORS, "top-k": "saddlebrown"}
COSTS = ("coded_mbit", "raw_mbit", "cpu_seconds")

CAPTION = Caption(
    title="Bits of all workers and CPU seconds until 95 % of test images of MNIST are right, seven methods",
    seen=(
        "A row of panels for each network: bits, log scale, and in the last column seconds with 8 workers. "
        "Filled: coded payload; hollow: raw; both with scales, without headers. Half nested messages take "
        "fewer raw bits than DQSG in the median, in every panel. Coded, DQSG takes no more than 1.1 times "
        "what they take: entropy coding saves what nesting saves. Top-k with memory takes the fewest bits, "
        "or nearly; whole gradients take 64 to 91 times as many, and the least CPU time."
    ),
    bound="nothing is bounded here.",
    measured=(
        "medians over 5 seeds with the smallest and largest; a test every ten iterations, interpolated "
        "between. Seconds are CPU of one process that does the work of all workers in turn, without coding "
        "and without links. The runs are kept as they were measured and are not made again with the figures."
    ),
    claims=("ndqsg/mnist-bits",),
)


def table() -> dict[str, Any]:
    """Return median, smallest and largest of each cost by network, number of workers and method.

    Raises:
        ValueError: The kept runs are not those of the digest.
    """
    import statistics

    runs = kept_runs(RUNS, DIGEST)
    columns: dict[str, list[Any]] = {"network": [], "P": [], "method": [], "runs": []}
    columns |= {f"{cost}{end}": [] for cost in COSTS for end in ("", "_low", "_high")}
    rows = list(zip(runs["network"], runs["P"], runs["method"], runs["target"], strict=True))
    for network, workers, method in dict.fromkeys(row[:3] for row in rows):
        places = [place for place, row in enumerate(rows) if row == (network, workers, method, TARGET)]
        known = [network, workers, method, float(len(places))]
        for cost in COSTS:
            values = [runs[cost][place] for place in places]
            known += [statistics.median(values), min(values), max(values)]
        for name, cell in zip(columns, known, strict=True):
            columns[name].append(cell)
    return columns


def draw(columns: dict[str, Any]) -> Any:
    """Draw a row for each network: bits by method for each number of workers, and seconds."""
    import numpy as np
    from matplotlib import pyplot

    methods = [name for name in NAMES if name in set(columns["method"])]
    figure, axes = pyplot.subplots(len(NETWORKS), len(WORKERS) + 1, sharey=True)
    network, method = np.array(columns["network"]), np.array(columns["method"])
    sizes = np.array(columns["P"], dtype=float)
    for line, (name, words) in zip(axes, NETWORKS.items(), strict=True):
        for axis, workers in zip(line, (*WORKERS, WORKERS[1]), strict=True):
            marks: tuple[tuple[str, float, bool], ...] = (("cpu_seconds", 0.0, True),)
            if axis is not line[-1]:
                marks = (("coded_mbit", -0.16, True), ("raw_mbit", 0.16, False))
            for row, known in enumerate(methods):
                chosen = (network == name) & (sizes == workers) & (method == known)
                for cost, offset, filled in marks:
                    middle, low, high = (
                        float(np.array(columns[f"{cost}{end}"])[chosen][0]) for end in ("", "_low", "_high")
                    )
                    axis.plot([low, high], [row + offset] * 2, color=COLORS[known])
                    face = COLORS[known] if filled else "white"
                    axis.plot(middle, row + offset, "o", color=COLORS[known], markerfacecolor=face)
            if axis is not line[-1]:
                axis.set_xscale("log")
            axis.set_title(f"{words}, $P={workers}$" if axis is not line[-1] else f"CPU, $P={workers}$")
    for axis in axes[-1][:-1]:
        axis.set_xlabel("Mbit of all workers")
    axes[-1][-1].set_xlabel("seconds")
    axes[0][0].set_yticks(range(len(methods)), [NAMES[known] for known in methods])
    axes[0][0].invert_yaxis()
    for label, face in (("coded payload", "gray"), ("raw payload", "white")):
        axes[0][0].plot([], [], "o", color="gray", markerfacecolor=face, label=label)
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    figure.set_size_inches(7.0, 4.4)
    return figure
