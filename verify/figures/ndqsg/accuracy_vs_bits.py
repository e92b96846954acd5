"""Test accuracy on digits against the bits of all workers: twelve methods, coded and raw payloads."""

from typing import Any

from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.captions import Caption
from verify.figures.ndqsg_training_styles import COLORS, FAMILIES, FAMILY_LINES, LABELS

WORKERS = (4, 8, 16)
SEEDS, ITERATIONS = 5, 200
LEAST = 0.84
"""Accuracy below which nothing is shown."""

CAPTION = Caption(
    title="Test accuracy on digits against the bits of all workers, twelve methods",
    seen=(
        "A row for each family of methods, a column for 4, 8 and 16 workers. Lines: median accuracy "
        "against the bits sent so far by all workers, with entropy-coded payload, scales and headers; grey "
        "lines are the methods of the other rows, for comparison. A filled mark is the end of 200 "
        "iterations; the hollow mark beside it is the same end with the payload sent raw. The horizontal "
        "line is SGD with 32-bit gradients after 200 iterations and the bits written on it. All methods "
        "come within a point or so of SGD with a sixth of its bits or less; what separates them is the "
        "payload, not the accuracy."
    ),
    bound="nothing is bounded here; the raw bits are those that the claim states, plus headers.",
    measured=(
        "medians over 5 seeds, the same rows and initial weights for all methods; a test every ten "
        "iterations. No ranges are drawn: they are as wide as the methods are apart, and are in the CSV."
    ),
    claims=("ndqsg/exp-digits",),
)


def table() -> dict[str, Any]:
    """Return medians of accuracy and Mbit at every test, and the range of the accuracy, over five seeds.

    Bits are those of all workers, with scales and headers; methods see equal rows and initial weights.
    """
    import numpy as np

    from verify.experiments.ndqsg.training_costs import measured
    from verify.experiments.ndqsg.training_methods import METHODS, Setting

    names = ("P", "method", "iteration", "accuracy", "low", "high", "coded", "raw")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for place, workers in enumerate(WORKERS):
        setting = Setting(workers=workers, iterations=ITERATIONS)
        for name, method in METHODS.items():
            rng = stream(MASTER_SEED, "ndqsg/exp-digits", "figure", place)
            costs = measured(setting, method, rng, SEEDS)
            found = costs.training.accuracy
            rows = zip(
                costs.training.evaluated.tolist(),
                np.median(found, axis=0),
                found.min(axis=0),
                found.max(axis=0),
                np.median(costs.coded, axis=0) / 1e6,
                np.median(costs.raw, axis=0) / 1e6,
                strict=True,
            )
            for row in rows:
                for key, item in zip(columns, (workers, name, *row), strict=True):
                    columns[key].append(item)
    return columns


def draw(columns: dict[str, Any]) -> Any:
    """Draw a row for each family and a column for each number of workers.

    SGD needs several times the bits: its last accuracy alone is drawn, as a level, and its bits are named.
    """
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(len(FAMILIES), len(WORKERS), sharex="col", sharey=True)
    methods, sizes = np.array(columns["method"]), np.array(columns["P"], dtype=float)

    def values(name: str, workers: int, key: str) -> Any:
        return np.array(columns[key], dtype=float)[(methods == name) & (sizes == workers)][1:]

    for column, workers in zip(axes.T, WORKERS, strict=True):
        level, spent = values("sgd", workers, "accuracy")[-1], values("sgd", workers, "coded")[-1]
        largest = max(values(name, workers, "raw")[-1] for name in LABELS if name != "sgd")
        for axis, (family, own) in zip(column, FAMILIES.items(), strict=True):
            axis.axhline(level, color="black", linewidth=0.8)
            for name in (name for names in FAMILIES.values() for name in names if names != own):
                bits, accuracy = (values(name, workers, key) for key in ("coded", "accuracy"))
                axis.plot(bits, accuracy, color="0.85", linewidth=0.7)
            for name in own:
                coded, raw, accuracy = (values(name, workers, key) for key in ("coded", "raw", "accuracy"))
                label = LABELS[name].removeprefix(f"{family}, ")
                style = {"color": COLORS[name], "linestyle": FAMILY_LINES[name], "label": label}
                axis.plot(coded, accuracy, **style)
                ends = {
                    "color": COLORS[name],
                    "marker": "o",
                    "markersize": 3.5,
                    "clip_on": False,
                    "zorder": 4,
                }
                axis.plot([coded[-1], raw[-1]], [accuracy[-1]] * 2, color=COLORS[name], linewidth=0.6)
                axis.plot(coded[-1:], accuracy[-1:], **ends)
                axis.plot(raw[-1:], accuracy[-1:], **ends, markerfacecolor="white")
        ticks = [round(largest * part, 1) for part in (0.1, 0.2, 0.4, 0.8)]
        column[-1].set(xscale="log", xlim=(0.08 * largest, 1.1 * largest), xlabel="Mbit of all workers")
        column[-1].set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        column[-1].minorticks_off()
        column[0].set_title(f"$P={workers}$ workers")
        column[0].annotate(
            f"SGD: {spent:.0f} Mbit",
            (0.03, level),
            (0, 2),
            ("axes fraction", "data"),
            "offset points",
            fontsize=6,
        )
    axes[0, 0].set_ylim(LEAST, 0.96)
    for line, family in zip(axes, FAMILIES, strict=True):
        line[0].set_ylabel(f"{family}\ntest accuracy")
        line[-1].legend(loc="lower right", fontsize=6, handlelength=2.4)
    for label, face in (("coded payload", "gray"), ("raw payload", "white")):
        text = f"end of {ITERATIONS} iterations, {label}"
        axes[0, 0].plot([], [], "o", color="gray", markerfacecolor=face, label=text)
    axes[0, 0].plot([], [], color="0.85", label="methods of the other rows")
    chosen = axes[0, 0].get_legend_handles_labels()
    figure.legend(*(item[-3:] for item in chosen), loc="outside lower center", ncols=3)
    figure.set_size_inches(6.8, 6.4)
    return figure
