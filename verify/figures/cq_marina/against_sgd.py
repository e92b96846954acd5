"""Bits of MARINA and of distributed SGD to an accuracy, on both sides of where their guarantees cross."""

from typing import Any

from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.captions import Caption

RUNS = 12
CLIENTS = (10, 50, 200)
SETTING = "sampled"
FACTORS = (6.0, 3.0, 1.5, 1.0, 2 / 3, 1 / 3, 1 / 6)
"""Squared gradient norms that are asked for, over that at which the guarantees cross."""
ROUNDS = {10: (600, 240), 50: (400, 200), 200: (260, 160)}
"""Longest runs of SGD and of MARINA; what has not arrived is left out."""
NAMES = {"SGD": "distributed SGD", "MARINA": "MARINA"}
STYLES: dict[str, dict[str, Any]] = {
    "SGD": {"color": "C1", "linestyle": "--", "marker": "s", "markersize": 3},
    "MARINA": {"color": "C0", "linestyle": "-", "marker": "o", "markersize": 3},
}

CAPTION = Caption(
    title=(
        "Bits of MARINA and of distributed SGD with the same correlated quantizers, against the accuracy "
        "that is asked for"
    ),
    seen=(
        "A panel for 10, 50 and 200 clients that are shifted and have stochastic gradients, tridiagonal "
        "quadratics, d = 32. Accuracy rises to the left: the squared gradient norm over the one at which the "
        "guarantees cross (vertical line). Where little accuracy is asked for, SGD needs fewer bits; where "
        "much is, the error that shifts and noise leave makes its steps short, and MARINA needs fewer. Runs "
        "cross between a sixth of the vertical line and a third or so of it."
    ),
    bound="the vertical line is where the proved prices of the two methods agree; they are not drawn.",
    measured=(
        f"medians of {RUNS} runs, bands from the least to the largest; SGD has for each accuracy the step of "
        "the lowest price, MARINA one step and its best probability."
    ),
    claims=("cq_marina/marina-against-sgd",),
)


def table() -> dict[str, Any]:
    """Return the bits of a client to each accuracy: median and range of the runs that have all arrived."""
    import numpy as np

    import theory
    from verify.experiments.cq_marina.against_sgd import SETTINGS, Pair
    from verify.experiments.cq_marina.methods import Arrival
    from verify.formulas.evaluation import evaluate

    formulas = theory.claim("cq_marina/marina-against-sgd").formulas

    def law(name: str, **values: Any) -> float:
        return evaluate(formulas[name], values)

    names = ("n", "method", "factor", "square", "kbits", "low", "high")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for n in CLIENTS:
        pair = Pair(n, SETTINGS[SETTING], law)
        descent, least = ROUNDS[n]
        marina = pair.marina.run(_drawn(n, "MARINA"), rounds=least, replicates=RUNS)
        for place, factor in enumerate(FACTORS):
            square = factor * pair.crossover
            found = {
                "SGD": pair.bits_of_sgd(square, _drawn(n, "SGD", place), descent, RUNS),
                "MARINA": Arrival(marina.gradient_norm_sq, square, pair.marina).bits,
            }
            for method, (bits, most) in found.items():
                if np.isfinite(most).all():
                    kbits = np.asarray(bits) / 1000
                    row = (n, method, factor, square, np.median(kbits), kbits.min(), kbits.max())
                    for key, item in zip(columns, row, strict=True):
                        columns[key].append(item)
    return columns


def _drawn(n: int, method: str, place: int = 0) -> Any:
    return stream(MASTER_SEED, "cq_marina/marina-against-sgd", f"figure/{n}/{method}", place)


def draw(columns: dict[str, Any]) -> Any:
    """Draw a panel for each number of clients."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(CLIENTS), sharey=True)
    clients, methods = np.array(columns["n"], dtype=int), np.array(columns["method"])
    for axis, n in zip(axes, CLIENTS, strict=True):
        for name, label in NAMES.items():
            chosen = (clients == n) & (methods == name)
            x, middle, low, high = (
                np.array(columns[key], dtype=float)[chosen] for key in ("factor", "kbits", "low", "high")
            )
            axis.plot(x, middle, label=label, **STYLES[name])
            axis.fill_between(x, low, high, color=STYLES[name]["color"], alpha=0.25, linewidth=0)
        axis.axvline(1.0, color="gray", linewidth=0.8, linestyle=":", label="guarantees cross")
        axis.set(xscale="log", yscale="log", title=f"{n} clients")
        axis.set_xticks([1 / 6, 1 / 3, 1, 3, 6], ["1/6", "1/3", "1", "3", "6"])
        axis.minorticks_off()
    axes[0].set_ylabel("kbits of a client")
    axes[1].set_xlabel("squared gradient norm, over that of the crossover")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.set_size_inches(6.4, 2.8)
    return figure
