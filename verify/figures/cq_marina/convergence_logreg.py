"""Squared gradient norm over the bits of a client on phishing and w8a, ten and fifty clients."""

from typing import Any

from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.captions import Caption
from verify.figures.cq_marina_styles import COLORS, LABELS, LINES

NEEDS = ("phishing", "w8a")
CLIENTS = (10, 50)
RUNS, POINTS, ACCURACY = 10, 60, 1e-5
# Bits of a client up to which a run is followed.
BUDGETS = {("phishing", 10): 45e3, ("phishing", 50): 25e3, ("w8a", 10): 350e3, ("w8a", 50): 200e3}

CAPTION = Caption(
    title="Convergence of MARINA with four compressors on logistic regression, 10 and 50 clients",
    seen=(
        "Squared gradient norm against the kbits that a client has sent, median of the runs; bands reach "
        "from the least to the largest of all runs. The thin grey line is the accuracy 1e-5. The numbers "
        "in a panel are promised costs: how many times the bits of gradient descent the rate allows each "
        "method for the same accuracy (1 is gradient descent; less is better). Where the promise is 1 the "
        "best probability of a full round is 1, the method is gradient descent, and has no band; on w8a "
        "both quantizers are (the dashed line on the solid one). On phishing over ten clients CQ is "
        "promised 0.64 of the bits and is not ahead of IQ, which is gradient descent there."
    ),
    bound=(
        "not drawn; the promised cost is the ratio of the bounds that cq_marina/marina-rate gives, at "
        "theoretical step sizes and the best probability."
    ),
    measured=(
        f"{RUNS} runs of each method with nonconvex regulariser, lambda = 0.1, theoretical steps; bits are "
        "expected ones at each round."
    ),
    claims=("cq_marina/exp-logreg", "cq_marina/marina-rate", "cq_marina/marina-cq-rate"),
)


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

    figure, axes = pyplot.subplots(len(NEEDS), len(CLIENTS), sharey=True)
    data, clients, methods = (np.array(columns[key]) for key in ("data", "n", "method"))
    for line, name in zip(axes, NEEDS, strict=True):
        for axis, n in zip(line, CLIENTS, strict=True):
            where = {"transform": axis.transAxes, "fontsize": 7}
            axis.text(0.99, 0.93, "promised bits over those of gradient descent", **where, ha="right")
            for place, (method, label) in enumerate(LABELS.items()):
                chosen = (data == name) & (clients == n) & (methods == method)
                kbits, median, low, high, promised = (
                    np.array(columns[key], dtype=float)[chosen]
                    for key in ("kbits", "median", "low", "high", "promised")
                )
                style: dict[str, Any] = {"color": COLORS[method], "linestyle": LINES[method]}
                axis.plot(kbits, median, label=label, **style)
                axis.fill_between(kbits, low, high, color=COLORS[method], alpha=0.12, linewidth=0)
                for edge in (low, high) if (high > low).any() else ():
                    axis.plot(kbits, edge, color=COLORS[method], alpha=0.6, linewidth=0.4)
                text = f"{label.split(' ')[0]} {promised[0]:.2f}"
                axis.text(
                    (0.38, 0.54, 0.76, 0.99)[place], 0.86, text, **where, color=COLORS[method], ha="right"
                )
            axis.axhline(ACCURACY, color="gray", linewidth=0.6)
            axis.set(yscale="log", title=f"{name}, {n} clients", ylim=(1e-9, 50))
    for axis in axes[-1]:
        axis.set_xlabel("kbits sent by a client")
    for axis in axes[:, 0]:
        axis.set_ylabel(r"$\|\nabla f(x)\|^2$")
    _legend(figure, axes[0][1])
    figure.set_size_inches(6.8, 5.0)
    return figure


def _legend(figure: Any, axis: Any) -> None:
    """Explain lines, bands and the accuracy below the panels."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    found = dict(zip(*reversed(axis.get_legend_handles_labels()), strict=True))
    found = {f"{label}, median": handle for label, handle in found.items()}
    found[f"all {RUNS} runs"] = Patch(color="gray", alpha=0.3, linewidth=0)
    found["accuracy $10^{-5}$"] = Line2D([], [], color="gray", linewidth=0.6)
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=3)
