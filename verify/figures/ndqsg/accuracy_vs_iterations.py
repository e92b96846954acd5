"""Test accuracy and loss on digits against iterations: twelve methods on equal rows."""

from typing import Any

from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.captions import Caption
from verify.figures.ndqsg_training_styles import COLORS, FAMILIES, FAMILY_LINES, LABELS

WORKERS = (4, 8, 16)
SEEDS, ITERATIONS, EVERY = 5, 200, 10

CAPTION = Caption(
    title="Accuracy and loss of twelve methods against iterations, 4, 8 and 16 workers",
    seen=(
        "Top: test accuracy on digits. The line is the median of SGD with 32-bit gradients, the grey band "
        "the range of its five seeds, the blue band reaches from the lowest to the highest median of the "
        "eleven quantized methods: they differ from SGD by about as much as its seeds differ. Below: by "
        "how many per cent the training loss (median of the mean cross-entropy of ten iterations) is above "
        "that of SGD, a row for each family, solid and dashed as the legend says. Dithering (DQSG), "
        "rounding (SR), QSGD and one bit stay within 2 per cent after a few rounds; nested messages "
        "(NDQSG) with a fixed ratio and clipped TernGrad cost more, most with 16 workers."
    ),
    bound="nothing is bounded here; the claims bound errors and bits of these messages, not the accuracy.",
    measured=(
        "medians over 5 seeds; all methods see the same rows and initial weights. Softmax regression, 128 "
        "rows over all workers, step 0.5, half of the workers nested where any are. The CSV has the range "
        "over the seeds of every method."
    ),
    claims=("ndqsg/exp-digits", "ndqsg/finding-headline-on-training"),
)


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
    """Draw a column for each number of workers: accuracy above, then excess loss, a row for each family."""
    import numpy as np
    from matplotlib import pyplot

    heights = (1.5, *(1.0 for _ in FAMILIES))
    figure, axes = pyplot.subplots(
        len(heights), len(WORKERS), sharex=True, sharey="row", height_ratios=heights, squeeze=False
    )
    methods, sizes = np.array(columns["method"]), np.array(columns["P"], dtype=float)

    def values(name: str, workers: int, key: str) -> Any:
        return np.array(columns[key], dtype=float)[(methods == name) & (sizes == workers)]

    for column, workers in zip(axes.T, WORKERS, strict=True):
        steps, accuracy, low, high, loss = (
            values("sgd", workers, key) for key in ("iteration", "accuracy", "low", "high", "loss")
        )
        others = [values(name, workers, "accuracy") for names in FAMILIES.values() for name in names]
        top = column[0]
        top.fill_between(steps, low, high, color="0.8", linewidth=0, label=f"SGD: range of {SEEDS} seeds")
        ends = np.min(others, axis=0), np.max(others, axis=0)
        top.fill_between(
            steps, *ends, color="C0", alpha=0.6, linewidth=0, label="medians of the other eleven"
        )
        top.plot(steps, accuracy, color="black", label="SGD: median")
        top.set(title=f"$P={workers}$ workers", ylim=(0.7, 0.96))
        for axis, (family, names) in zip(column[1:], FAMILIES.items(), strict=True):
            axis.axhline(0, color="black", linewidth=0.8)
            for name in names:
                label = LABELS[name].removeprefix(f"{family}, ")
                style = {"color": COLORS[name], "linestyle": FAMILY_LINES[name], "label": label}
                axis.plot(steps, 100 * (values(name, workers, "loss") / loss - 1), **style)
            axis.set(ylim=(-3, 13), xlim=(0, ITERATIONS))
            axis.set_yticks([0, 5, 10])
        column[-1].set_xlabel("iterations")
    axes[0, 0].set_ylabel("test accuracy")
    for line, family in zip(axes[1:], FAMILIES, strict=True):
        line[0].set_ylabel(f"{family}: loss\nover SGD, %")
        line[0].legend(loc="upper left", ncols=2, fontsize=6, borderaxespad=0, columnspacing=1)
    axes[0, -1].legend(loc="lower right", fontsize=6)
    figure.set_size_inches(6.8, 6.4)
    return figure
