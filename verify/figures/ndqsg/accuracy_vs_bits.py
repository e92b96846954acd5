"""Test accuracy on digits against the bits of all workers: twelve methods, coded and raw payloads."""

from typing import Any

from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.ndqsg_training_styles import COLORS, LABELS, LINES

WORKERS = (4, 8, 16)
SEEDS, ITERATIONS = 5, 200
LEAST = 0.84
"""Accuracy below which nothing is shown."""

BANDS = ("dqsg-3", "nested-3-3")
"""Methods whose range over the seeds is drawn; that of the others is as wide."""


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
    """Draw a column for each number of workers: coded payloads above, raw ones below.

    SGD needs several times the bits: its last accuracy alone is drawn, as a level, and its bits are named.
    """
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, len(WORKERS), sharex="col", sharey=True)
    methods, sizes = np.array(columns["method"]), np.array(columns["P"], dtype=float)

    def values(name: str, workers: int, key: str) -> Any:
        return np.array(columns[key], dtype=float)[(methods == name) & (sizes == workers)][1:]

    for column, workers in enumerate(WORKERS):
        for axis, kind in zip(axes[:, column], ("coded", "raw"), strict=True):
            for name, label in LABELS.items():
                style = {"color": COLORS[name], "linestyle": LINES[name], "label": label, "linewidth": 1}
                middle, low, high = (values(name, workers, key) for key in ("accuracy", "low", "high"))
                bits = values(name, workers, kind)
                if name == "sgd":
                    axis.axhline(middle[-1], **style)
                    note = f"SGD after {bits[-1]:.0f} Mbit"
                    axis.annotate(
                        note, (0.03, middle[-1]), (0, 2), axis.get_yaxis_transform(), "offset points"
                    )
                    continue
                axis.plot(bits, middle, **style)
                if name in BANDS:
                    axis.fill_between(bits, low, high, color=COLORS[name], alpha=0.15, linewidth=0)
        last = max(values(name, workers, "raw")[-1] for name in LABELS if name != "sgd")
        ticks = [round(last * part, 1) for part in (0.15, 0.3, 0.6)]
        axes[1, column].set(xscale="log", xlim=(0.1 * last, 1.05 * last), xlabel="Mbit of all workers")
        axes[1, column].set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes[1, column].minorticks_off()
        axes[0, column].set_title(f"$P={workers}$ workers")
    axes[0, 0].set_ylim(LEAST, 0.955)
    for axis, kind in zip(axes[:, 0], ("coded", "raw"), strict=True):
        axis.set_ylabel(f"test accuracy, {kind} payload")
    axes[0, 0].fill_between([], [], color="gray", alpha=0.3, linewidth=0, label=f"range of {SEEDS} seeds")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    figure.set_size_inches(6.4, 4.9)
    return figure
