"""Bits of all workers until the test accuracy on digits is 95 % of that of SGD: medians with intervals."""

from typing import Any

from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.captions import Caption
from verify.figures.ndqsg_training_styles import COLORS, LABELS

WORKERS = (4, 8, 16)
SEEDS, LONGEST = 16, 100
PART, ITERATIONS = 0.95, 200
"""Part of the median accuracy of SGD after so many iterations that is to be reached."""

RESAMPLES, LEVEL = 2000, 0.95
VALUES = ("reached", "coded", "coded_low", "coded_high", "raw", "raw_low", "raw_high", "headers")

CAPTION = Caption(
    title=("Bits of all workers until 95 % of the accuracy of SGD on digits, twelve methods"),
    seen=(
        "A row for each method, a panel for 4, 8 and 16 workers, log scale in Mbit. Filled: payload coded "
        "adaptively; hollow: payload sent raw; both with scales and headers. The short grey bar is the "
        "headers alone: with 640 and 10 entries in a tensor they are about half of the bits. Coded, DQSG "
        "with M = 3 costs no more in the median than its nested variants, which save raw words only: "
        "entropy coding takes most of what nesting saves, and overloads cost iterations."
    ),
    bound=("nothing is bounded here."),
    measured=(
        "medians over 16 seeds with bootstrap intervals of 95 %; a test every ten iterations, "
        "interpolated between."
    ),
    claims=(
        "ndqsg/exp-digits",
        "ndqsg/finding-headline-on-training",
    ),
)


def table() -> dict[str, Any]:
    """Return median Mbit with bootstrap intervals of 95 %, and the part that is headers, by method and P.

    A run is tested every ten iterations; between tests it is interpolated. `reached` counts the runs of 16
    that arrive within 100 iterations; the others count as infinite.
    """
    import numpy as np

    from verify.experiments.ndqsg.message_bits import HEADER_BITS
    from verify.experiments.ndqsg.training_costs import bits_at, measured
    from verify.experiments.ndqsg.training_methods import METHODS, Setting

    columns: dict[str, list[Any]] = {name: [] for name in ("P", "method", *VALUES)}
    for place, workers in enumerate(WORKERS):

        def rng(part: str, place: int = place) -> Any:
            return stream(MASTER_SEED, "ndqsg/exp-digits", f"figure/{part}", place)

        whole = Setting(workers=workers, iterations=ITERATIONS)
        last = whole.run(METHODS["sgd"], rng("target"), SEEDS).accuracy[:, -1]
        target = PART * float(np.median(last))
        setting = Setting(workers=workers, iterations=LONGEST)
        for name, method in METHODS.items():
            costs = measured(setting, method, rng("runs"), SEEDS)
            accuracy = costs.training.accuracy
            coded, raw = (bits_at(accuracy, bits, target) / 1e6 for bits in (costs.coded, costs.raw))
            iterations = np.broadcast_to(costs.training.evaluated, accuracy.shape)
            messages = 2 * workers * bits_at(accuracy, iterations, target)
            row = (
                workers,
                name,
                int(np.isfinite(coded).sum()),
                *_interval(coded, rng("bootstrap")),
                *_interval(raw, rng("bootstrap")),
                float(np.median(_arrived(messages))) * HEADER_BITS / 1e6,
            )
            for key, item in zip(columns, row, strict=True):
                columns[key].append(item)
    return columns


def _arrived(values: Any) -> Any:
    import numpy as np

    return np.where(np.isfinite(values), values, np.inf)


def _interval(values: Any, rng: Any) -> tuple[float, float, float]:
    """Return the median and its bootstrap interval."""
    import numpy as np

    values = _arrived(values)
    medians = np.median(rng.choice(values, (RESAMPLES, len(values))), axis=1)
    low, high = np.quantile(medians, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), method="inverted_cdf")
    return float(np.median(values)), float(low), float(high)


def draw(columns: dict[str, Any]) -> Any:
    """Draw a panel for each number of workers, a row for each method: coded, raw, and headers alone."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(WORKERS), sharey=True)
    methods, sizes = np.array(columns["method"]), np.array(columns["P"], dtype=float)
    for axis, workers in zip(axes, WORKERS, strict=True):
        for row, name in enumerate(LABELS):
            chosen = (methods == name) & (sizes == workers)
            values = {key: float(np.array(columns[key], dtype=float)[chosen][0]) for key in VALUES}
            for key, offset, face in (("coded", -0.14, COLORS[name]), ("raw", 0.14, "white")):
                middle, ends = values[key], (values[f"{key}_low"], values[f"{key}_high"])
                axis.plot(ends, [row + offset] * 2, color=COLORS[name])
                axis.plot(middle, row + offset, "o", color=COLORS[name], markerfacecolor=face)
            axis.plot(values["headers"], row, "|", color="gray", markersize=7)
        ticks = [workers / 8 * part for part in (0.5, 1, 2, 4, 8)]
        axis.set(xscale="log", title=f"$P={workers}$ workers", xlabel="Mbit of all workers")
        axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axis.minorticks_off()
    axes[0].set_yticks(range(len(LABELS)), list(LABELS.values()))
    axes[0].invert_yaxis()
    kinds = (
        ("coded payload, scales, headers", "o", "gray", "gray"),
        ("raw payload, scales, headers", "o", "white", "gray"),
        ("headers alone", "|", "gray", "gray"),
    )
    for label, marker, face, color in kinds:
        axes[0].plot([], [], marker, color=color, markerfacecolor=face, label=label)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.set_size_inches(6.4, 3.6)
    return figure
