"""Overload and error of nested messages in training on digits against the rows of a worker."""

from typing import Any

import theory
from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.captions import Caption
from verify.formulas.evaluation import evaluate

WORKERS, SEEDS, ITERATIONS = 8, 5, 100
BATCHES = (32, 64, 128, 256, 512, 1024, 1392)
"""Rows of an iteration, of 1400."""

METHODS_DRAWN = {
    "nested-1-2": ("$M=1$, $k=2$", "C1", "s"),
    "nested-3-3": ("$M=3$, $k=3$", "C0", "o"),
    "nested-3-5": ("$M=3$, $k=5$", "C2", "^"),
}

CAPTION = Caption(
    title=("Overload and error of nested messages in training on digits, against the rows of a worker"),
    seen=(
        "Left: share of the coordinates that overload; right: mean square error over that of a plain "
        "dithered message (D). Solid: all coordinates; thin dotted with small hollow marks: the ten "
        "biases alone, which overload by far the most. At no batch is the error that of a plain message "
        "up to 5 per cent (grey dashed line): the same variance is not reached in training."
    ),
    bound=(
        "nothing is bounded; the grey dashed line is the limit up to which the finding counts two "
        "variances as the same."
    ),
    measured=(
        "medians and ranges (bands) over 5 seeds, 8 workers, 100 iterations; crosses are the exact mean "
        "given the recorded innovations."
    ),
    claims=(
        "ndqsg/finding-headline-on-training",
        "ndqsg/nested-conditional-mse",
    ),
)


def table() -> dict[str, Any]:
    """Return overload rate and mean square error over D, medians and ranges over seeds, by tensor.

    `predicted` is the exact expectation given the recorded innovations; tensor `all` is both together.
    """
    import numpy as np

    from verify.experiments.ndqsg.training_methods import METHODS, Setting
    from verify.experiments.ndqsg.training_record import Record

    spread = ("overload", "overload_low", "overload_high", "error", "error_low", "error_high")
    names = ("method", "rows", "tensor", *spread, "predicted", "deviation")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for method in METHODS_DRAWN:
        for place, batch in enumerate(BATCHES):
            record = Record()
            setting = Setting(workers=WORKERS, batch=batch, iterations=ITERATIONS)
            rng = stream(MASTER_SEED, "ndqsg/exp-digits", f"figure/{method}", place)
            setting.run(METHODS[method], rng, SEEDS, record)
            parts = {"all": record.second, "weights": record.tensors[0], "biases": record.tensors[1]}
            for tensor, tally in parts.items():
                spreads = (
                    (np.median(values), values.min(), values.max())
                    for values in (tally.overload_rate, tally.ratio)
                )
                middles = (np.median(tally.predicted_ratio), np.median(tally.deviation))
                row = (method, batch / WORKERS, tensor, *(x for three in spreads for x in three), *middles)
                for key, item in zip(columns, row, strict=True):
                    columns[key].append(item)
    return columns


def draw(columns: dict[str, Any]) -> Any:
    """Draw overload on the left, error on the right; thin lines are the biases alone."""
    import numpy as np
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2)
    methods, tensors = np.array(columns["method"]), np.array(columns["tensor"])

    def values(name: str, tensor: str, key: str) -> Any:
        return np.array(columns[key], dtype=float)[(methods == name) & (tensors == tensor)]

    for name, (label, color, marker) in METHODS_DRAWN.items():
        rows = values(name, "all", "rows")
        for axis, key in ((left, "overload"), (right, "error")):
            axis.plot(rows, values(name, "all", key), marker + "-", color=color, label=label)
            ends = values(name, "all", f"{key}_low"), values(name, "all", f"{key}_high")
            axis.fill_between(rows, *ends, color=color, alpha=0.2, linewidth=0)
            small = {"color": color, "linewidth": 0.8, "marker": marker, "markersize": 2.5}
            axis.plot(rows, values(name, "biases", key), ":", **small, markerfacecolor="white")
        right.plot(rows, values(name, "all", "predicted"), "x", color="black", markersize=4)
    right.plot([], [], "x", color="black", markersize=4, label="exact mean given $z$")
    right.plot([], [], ":", color="gray", linewidth=0.8, label="biases alone")
    right.fill_between([], [], color="gray", alpha=0.3, linewidth=0, label=f"range of {SEEDS} seeds")
    # Up to this ratio two error variances count as the same.
    limit = evaluate(theory.claim("ndqsg/finding-headline-on-training").formulas["limit"], {})
    label = f"the same up to {100 * (limit - 1):.0f} %"
    right.axhline(limit, color="gray", linestyle="--", linewidth=1, label=label)
    left.set_ylabel("overload of nested messages")
    right.set_ylabel("mean square error over $D$")
    for axis in (left, right):
        axis.set(xscale="log", yscale="log", xlabel="rows of a worker in an iteration")
        axis.set_xticks([4, 16, 64, 174], ["4", "16", "64", "174"])
        axis.minorticks_off()
    left.set_yticks([0.01, 0.02, 0.05, 0.1, 0.2, 0.5], ["1 %", "2 %", "5 %", "10 %", "20 %", "50 %"])
    right.set_yticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
    figure.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.set_size_inches(6.0, 3.1)
    return figure
