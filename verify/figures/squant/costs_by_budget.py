"""Rounds and bits to the accuracy at the budgets 1, sqrt(d) and d/4, with the range over the seeds."""

from typing import Any

from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.experiments.squant.methods import COMPRESSIONS
from verify.experiments.squant.run_costs import costs_to_accuracy
from verify.figures.captions import Caption
from verify.squant.fixtures.data_sets import data_method, data_problem

NEEDS = ("phishing", "mushrooms")
BUDGETS = {"1": r"$\beta=1$", "sqrt(d)": r"$\beta=\sqrt{d}$", "d/4": r"$\beta=d/4$"}
SEEDS, LONGEST = 10, 6000
TICKS = {"rounds": (200, 500, 1000, 2000), "bits": (20, 50, 100, 200, 400)}
"""The latter in kbits."""

CAPTION = Caption(
    title=("Rounds and bits of DIANA+ at three budgets of nonzeros"),
    seen=(
        "Rounds (top) and uplink kbits of a node (bottom) until the relative squared distance is 1e-6, on "
        "phishing and mushrooms with rows sorted by label, for four kinds of compression. A larger budget "
        "beta saves rounds; bits are least at sqrt(d). Blocks send a norm for each block and pay for it "
        "in bits. At beta = 1 quantization saves little over sparsification, since a nonzero costs a "
        "norm, too."
    ),
    bound=("nothing is bounded here; step sizes are those of the stated rate."),
    measured=(
        "medians over 10 seeds, bars from the least to the largest; bits of real Elias-coded messages."
    ),
    claims=(
        "squant/order",
        "squant/finding-similar-nodes",
        "squant/nnz",
    ),
)


def table() -> dict[str, Any]:
    """Return medians and ranges of DIANA+ on the label-sorted splits."""
    import numpy as np

    columns: dict[str, list[Any]] = {
        name: [] for name in ("data", "budget", "compression", "cost", "median", "low", "high")
    }
    for name in NEEDS:
        d = data_problem(name, "label").d
        for budget, beta in zip(BUDGETS, (1.0, d**0.5, d / 4), strict=True):
            for index, compression in enumerate(COMPRESSIONS):
                method = data_method(name, "label", "diana_plus", compression, beta, "paper")
                rng = stream(MASTER_SEED, "squant/order", f"figure/{name}/{budget}", index)
                costs = costs_to_accuracy(method, rng, rounds=LONGEST, replicates=SEEDS)
                for cost in ("rounds", "bits"):
                    sample = getattr(costs, cost)
                    found = float(np.median(sample)), sample.min(), sample.max()
                    for key, item in zip(columns, (name, budget, compression, cost, *found), strict=True):
                        columns[key].append(item)
    return columns


def draw(columns: dict[str, Any]) -> Any:
    """Draw rounds above, bits below, a column per data set."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, len(NEEDS), sharex=True, sharey="row")
    keys = [np.array(columns[key]) for key in ("data", "budget", "compression", "cost")]
    values = [np.array(columns[key], dtype=float) for key in ("median", "low", "high")]
    for column, name in zip(axes.T, NEEDS, strict=True):
        for axis, cost in zip(column, ("rounds", "bits"), strict=True):
            for number, compression in enumerate(COMPRESSIONS):
                chosen = (keys[0] == name) & (keys[2] == compression) & (keys[3] == cost)
                unit = 1000 if cost == "bits" else 1
                median, low, high = (item[chosen] / unit for item in values)
                place = np.arange(len(BUDGETS)) + (number - 1.5) * 0.12
                axis.errorbar(
                    place,
                    median,
                    yerr=(median - low, high - median),
                    fmt="os^D"[number],
                    color=f"C{number}",
                    markerfacecolor="none",
                    capsize=2,
                    label=f"DIANA+ {compression}",
                )
            axis.set(yscale="log")
            axis.set_yticks(TICKS[cost], [f"{tick:g}" for tick in TICKS[cost]])
            axis.minorticks_off()
            axis.set_xticks(np.arange(len(BUDGETS)), list(BUDGETS.values()))
        column[0].set_title(f"{name}, split by label")
    axes[0][0].set_ylabel("rounds to $10^{-6}$")
    axes[1][0].set_ylabel("kbits of a node to $10^{-6}$")
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    figure.set_size_inches(6.0, 4.0)
    return figure
