"""Test accuracy on digits against the bits of all workers: twelve methods, coded and raw payloads."""

from typing import Any

from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.ndqsg.training_styles import COLORS, LABELS, LINES

WORKERS = (4, 8, 16)
SEEDS, ITERATIONS = 5, 200
LEAST = 0.8
"""Accuracy below which nothing is shown."""


def table() -> dict[str, Any]:
    """Return medians of accuracy and Mbit at every test, and the range of the accuracy, over five seeds.

    Bits are those of all workers, with scales and headers; methods see equal rows and initial weights.
    """
    import numpy as np

    from verify.ndqsg.training_costs import measured
    from verify.ndqsg.training_methods import METHODS, Setting

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
    """Draw a column for each number of workers: coded payloads above, raw ones below."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, len(WORKERS), sharex=True, sharey=True)
    methods, sizes = np.array(columns["method"]), np.array(columns["P"], dtype=float)
    for name, label in LABELS.items():
        for column, workers in enumerate(WORKERS):
            chosen = (methods == name) & (sizes == workers)
            middle, low, high = (
                np.array(columns[key], dtype=float)[chosen] for key in ("accuracy", "low", "high")
            )
            for axis, key in zip(axes[:, column], ("coded", "raw"), strict=True):
                bits = np.array(columns[key], dtype=float)[chosen]
                axis.plot(bits[1:], middle[1:], LINES[name], color=COLORS[name], label=label, linewidth=1)
                axis.fill_between(bits[1:], low[1:], high[1:], color=COLORS[name], alpha=0.06, linewidth=0)
    for column, workers in enumerate(WORKERS):
        axes[0, column].set_title(f"$P={workers}$ workers")
        axes[1, column].set_xlabel("Mbit of all workers")
    axes[0, 0].set(xscale="log", ylim=(LEAST, None))
    for axis, kind in zip(axes[:, 0], ("coded", "raw"), strict=True):
        axis.set_ylabel(f"test accuracy, {kind} payload")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    figure.set_size_inches(6.4, 4.6)
    return figure
