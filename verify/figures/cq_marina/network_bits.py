"""Squared gradient norm of a small network over the bits of a client: MARINA and whole gradients."""

from typing import Any

from verify.figures.captions import Caption
from verify.figures.cq_marina_styles import COLORS, LABELS, LINES, MARKERS

CLAIM = "cq_marina/network-bits"
ROUNDS = {"perm_k": 270, "correlated": 270, "rand_k": 290, "independent": 260, "whole": 90}
"""How far runs are followed, in the order of the claim: to about 1200 kbits, whole gradients to 3900."""

STYLES: dict[str, dict[str, Any]] = {
    name: {"color": COLORS[name], "linestyle": LINES[name]} for name in ROUNDS if name in LABELS
} | {"whole": {"color": "black", "linestyle": "-", "linewidth": 0.8}}
NAMES = {**LABELS, "whole": "GD (gradient descent)"}
MARKS = {**MARKERS, "whole": "x"}

CAPTION = Caption(
    title="MARINA on a small network: squared gradient norm over the bits of a client, five starts",
    seen=(
        "A network 64-18-10 (1360 parameters) on the digits of scikit-learn, 20 clients with full local "
        "gradients; steps of the theory for measured constants, the best probability of a whole gradient. "
        "Left: squared gradient norm against the kbits that a client has sent; the thin grey line is 0.1. "
        "Right: kbits until the norm is first at most 0.1, a grey line for each start: in each of them "
        "PermK needs less than CQ, CQ less than RandK, RandK less than IQ, and gradient descent, whose norm "
        "is not monotone and passes 0.1 early from three of the starts, most of all. Quantizers send a norm "
        "for each block of 40 entries, RandK and PermK a 20th of the entries."
    ),
    bound=(
        "none is drawn: the constants that set the steps are measured along one run of gradient descent, so "
        "that no guarantee follows from them."
    ),
    measured=(
        "left medians of five runs and bands from the least to the largest, right each run; starts are "
        "shared by all methods, bits are expected ones at each round. MNIST, as in the claim, is not drawn."
    ),
    claims=(CLAIM, "cq_marina/marina-rate", "cq_marina/marina-cq-rate"),
)


def table() -> dict[str, Any]:
    """Return squared gradient norms at kbits of a client, and when each run has arrived.

    Panels: `curve`, median and range over the runs at each round; `arrival`, the first round of a run at
    which its norm is at most the accuracy.
    """
    import numpy as np

    from verify.experiments.cq_marina.methods import first_below
    from verify.experiments.cq_marina.networks import followed, stated_runs

    constants, accuracy, seeds = stated_runs("digits", "accuracy")
    names = ("panel", "method", "seed", "round", "kbits", "median", "low", "high")
    columns: dict[str, list[Any]] = {name: [] for name in names}

    def add(*row: Any) -> None:
        for key, item in zip(columns, row, strict=True):
            columns[key].append(item)

    for name, rounds in ROUNDS.items():
        bits, squares = followed("digits", name, constants, seeds, rounds)
        for k, sample in enumerate(squares.T):
            add("curve", name, -1, k, bits[k] / 1000, np.median(sample), sample.min(), sample.max())
        for seed, row in enumerate(squares):
            k = first_below(row, accuracy)
            add("arrival", name, seed, k, bits[k] / 1000, *(row[k],) * 3)
    return columns


def draw(columns: dict[str, Any]) -> Any:
    """Draw curves on the left, bits to the accuracy on the right."""
    import numpy as np
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, width_ratios=(1.5, 1))
    panels, methods = np.array(columns["panel"]), np.array(columns["method"])
    arrivals = []
    for place, name in enumerate(ROUNDS):
        kbits, median, low, high = (
            np.array(columns[key], dtype=float)[(panels == "curve") & (methods == name)]
            for key in ("kbits", "median", "low", "high")
        )
        sent = kbits > 0  # gradient descent starts with nothing sent
        kbits, median, low, high = kbits[sent], median[sent], low[sent], high[sent]
        left.plot(kbits, median, label=NAMES[name], zorder=3, **STYLES[name])
        left.fill_between(kbits, low, high, color=COLORS.get(name, "black"), alpha=0.15, linewidth=0)
        arrived = np.array(columns["kbits"], dtype=float)[(panels == "arrival") & (methods == name)]
        style = {"color": COLORS.get(name, "black"), "marker": MARKS[name]}
        right.plot(np.full(len(arrived), place), arrived, linestyle="none", zorder=3, **style)
        arrivals.append(arrived)
    right.plot(range(len(ROUNDS)), np.array(arrivals), color="gray", linewidth=0.6)
    left.axhline(0.1, color="gray", linewidth=0.6, label=r"$\|\nabla f\|^2=0.1$")
    left.set(xscale="log", yscale="log", xlim=(40, 4000), ylim=(3e-3, 10))
    left.set(xlabel="kbits sent by a client", ylabel=r"$\|\nabla f(x)\|^2$")
    right.set(yscale="log", ylabel=r"kbits of a client to $\|\nabla f\|^2\leq0.1$", ylim=(150, 4000))
    right.set_yticks([200, 400, 800, 1600, 3200], ["200", "400", "800", "1600", "3200"])
    right.set_xticks(range(len(ROUNDS)), [NAMES[name].partition(" ")[0] for name in ROUNDS])
    left.set_xticks([50, 100, 200, 500, 1000, 2000], ["50", "100", "200", "500", "1000", "2000"])
    for axis in (left, right):
        axis.minorticks_off()
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.set_size_inches(6.8, 3.4)
    return figure
