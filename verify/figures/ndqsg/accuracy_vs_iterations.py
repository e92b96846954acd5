"""Test accuracy and loss on digits against iterations: twelve methods on equal rows."""

from typing import Any

from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.ndqsg_training_styles import COLORS, LABELS, LINES

WORKERS = (4, 8, 16)
SEEDS, ITERATIONS, EVERY = 5, 200, 10
BANDS = ("sgd", "nested-3-3")
"""Methods whose range over the seeds is drawn; that of the others is as wide."""


def table() -> dict[str, Any]:
    """Return medians and ranges over five seeds: accuracy after, and mean loss of, ten iterations each.

    Softmax regression, 128 rows over all workers, step 0.5; methods see equal rows and initial weights.
    """
    import numpy as np

    from verify.experiments.ndqsg.training_methods import METHODS, Setting

    names = ("P", "method", "iteration", "accuracy", "low", "high", "loss")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for place, workers in enumerate(WORKERS):
        setting = Setting(workers=workers, iterations=ITERATIONS)
        for name, method in METHODS.items():
            rng = stream(MASTER_SEED, "ndqsg/exp-digits", "figure", place)
            run = setting.run(method, rng, SEEDS)
            found = run.accuracy[:, 1:]
            loss = run.loss.reshape(SEEDS, -1, EVERY).mean(axis=-1)
            ends = found.min(axis=0), found.max(axis=0)
            parts = (np.median(found, axis=0), *ends, np.median(loss, axis=0))
            for iteration, row in zip(run.evaluated[1:].tolist(), zip(*parts, strict=True), strict=True):
                for key, item in zip(columns, (workers, name, iteration, *row), strict=True):
                    columns[key].append(item)
    return columns


def draw(columns: dict[str, Any]) -> Any:
    """Draw a column for each number of workers: accuracy above, loss below."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, len(WORKERS), sharex=True, sharey="row")
    methods, sizes = np.array(columns["method"]), np.array(columns["P"], dtype=float)

    def values(name: str, workers: int, key: str) -> Any:
        return np.array(columns[key], dtype=float)[(methods == name) & (sizes == workers)]

    for column, workers in enumerate(WORKERS):
        upper, lower = axes[:, column]
        for name, label in LABELS.items():
            style = {"color": COLORS[name], "linestyle": LINES[name], "label": label, "linewidth": 1}
            steps, accuracy, low, high, loss = (
                values(name, workers, key) for key in ("iteration", "accuracy", "low", "high", "loss")
            )
            upper.plot(steps, accuracy, **style)
            lower.plot(steps, loss, **style)
            if name in BANDS:
                upper.fill_between(steps, low, high, color=COLORS[name], alpha=0.15, linewidth=0)
        upper.set_title(f"$P={workers}$ workers")
        lower.set(xlabel="iterations", yscale="log", xlim=(0, ITERATIONS))
        lower.set_yticks([0.3, 0.5, 1, 2], ["0.3", "0.5", "1", "2"])
        lower.minorticks_off()
    axes[0, 0].set(ylabel="test accuracy", ylim=(0.7, 0.96))
    axes[1, 0].set_ylabel("mean cross-entropy")
    axes[0, 0].fill_between([], [], color="gray", alpha=0.3, linewidth=0, label=f"range of {SEEDS} seeds")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    figure.set_size_inches(6.4, 4.6)
    return figure
