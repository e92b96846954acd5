"""Squared gradient norm over the bits of a client on phishing and w8a, ten and fifty clients."""

from typing import Any

from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.cq_marina_styles import COLORS, LABELS

NEEDS = ("phishing", "w8a")
CLIENTS = (10, 50)
RUNS, POINTS, ACCURACY = 10, 60, 1e-5
# Bits of a client up to which a run is followed.
BUDGETS = {("phishing", 10): 45e3, ("phishing", 50): 25e3, ("w8a", 10): 350e3, ("w8a", 50): 200e3}


def table() -> dict[str, Any]:
    """Return median, mean and range over the runs at about `POINTS` rounds of each run, and expected bits."""
    import numpy as np

    from verify.experiments.cq_marina.logistic import logistic_method

    columns: dict[str, list[Any]] = {
        name: []
        for name in ("data", "n", "method", "round", "kbits", "median", "mean", "low", "high", "promised")
    }
    for (data, n), budget in BUDGETS.items():
        for number, name in enumerate(LABELS):
            method = logistic_method(data, n, name)
            rounds = int((budget - method.bits(0)) / (method.bits(1) - method.bits(0)))
            rng = stream(MASTER_SEED, "cq_marina/exp-logreg", f"figure/{data}-{n}", number)
            squares = method.run(rng, rounds=rounds, replicates=RUNS).gradient_norm_sq
            for k in np.unique(np.linspace(0, rounds, min(POINTS, rounds + 1)).astype(int)):
                sample = squares[:, k]
                row = (
                    data,
                    n,
                    name,
                    int(k),
                    float(method.bits(k)) / 1000,
                    float(np.median(sample)),
                    float(sample.mean()),
                    sample.min(),
                    sample.max(),
                    method.theoretical_cost,
                )
                for key, item in zip(columns, row, strict=True):
                    columns[key].append(item)
    return columns


def draw(columns: dict[str, Any]) -> Any:
    """Draw a panel for each data set and number of clients."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(len(NEEDS), len(CLIENTS))
    data, clients, methods = (np.array(columns[key]) for key in ("data", "n", "method"))
    for line, name in zip(axes, NEEDS, strict=True):
        for axis, n in zip(line, CLIENTS, strict=True):
            axis.text(0.26, 0.92, "promised bits:", transform=axis.transAxes, fontsize=7)
            for place, (method, label) in enumerate(LABELS.items()):
                chosen = (data == name) & (clients == n) & (methods == method)
                kbits, median, low, high, promised = (
                    np.array(columns[key], dtype=float)[chosen]
                    for key in ("kbits", "median", "low", "high", "promised")
                )
                # Where p = 1 both quantizers are gradient descent: the second is drawn over the first.
                dashes = "--" if promised[0] == 1.0 and method == "correlated" else "-"
                axis.plot(kbits, median, dashes, color=COLORS[method], label=label)
                axis.fill_between(kbits, low, high, color=COLORS[method], alpha=0.2, linewidth=0)
                where = {"transform": axis.transAxes, "fontsize": 7, "color": COLORS[method]}
                axis.text(0.55 + 0.115 * place, 0.92, f"{promised[0]:.2f}", **where)
            axis.axhline(ACCURACY, color="gray", linewidth=0.6)
            axis.set(yscale="log", title=f"{name}, {n} clients", ylim=(1e-9, 5))
    for axis in axes[-1]:
        axis.set_xlabel("kbits of a client")
    for axis in axes[:, 0]:
        axis.set_ylabel(r"$\|\nabla f\|^2$" + f", median (band: all {RUNS} runs)")
    figure.legend(*axes[0][1].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    figure.set_size_inches(6.8, 5.0)
    return figure
