"""Convergence of the methods on the data sets: relative distance over rounds, bits and modelled seconds."""

from typing import Any

import numpy as np

from impl.communication import RoundSeconds
from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.experiments.squant.methods import COMPRESSIONS, Method
from verify.experiments.squant.run_costs import ACCURACY, transfer_bits
from verify.figures.captions import Caption
from verify.planning.setting import FLOAT_BITS
from verify.squant.fixtures.data_sets import data_method, data_problem
from verify.wires.links import real_link

SEEDS = 10
ROUNDS = 1000
ROUNDS_TO_NEIGHBOURHOOD = 300  # DCGD and DCGD+ stay there
POINTS = 50
SETS = ("phishing", "mushrooms", "a9a", "w8a", "splice")

# Method and compression, in the order of the legend.
CURVES = (
    ("diana", "standard"),
    *(("diana_plus", compression) for compression in COMPRESSIONS),
    ("dcgd", "standard"),
    *(("dcgd_plus", compression) for compression in COMPRESSIONS),
)
COLORS = {"standard": "C1", "block": "C3", "varying": "C2", "sparsification": "C4"}
# Steps hardly matter on these data: the wide line of the standard ones is seen below the dashed one.
LINES: dict[str, dict[str, Any]] = {
    "standard": {"linestyle": "-", "linewidth": 2.8, "alpha": 0.55},
    "block": {"linestyle": "-."},
    "varying": {"linestyle": "--"},
    "sparsification": {"linestyle": ":", "linewidth": 1.6},
}
UNAWARE = {"color": "black", "linestyle": "-"}
WITH_MATRICES = {"color": "C2", "linestyle": (0, (1, 1)), "linewidth": 0.9}
SECONDS = {
    "seconds_at_1Mbit_10ms": "1Mbit,10ms",
    "seconds_at_100Mbit_1ms": "100Mbit,1ms",
    "seconds_at_12kbit_1ms_uplink": "12kbit,1ms,uplink",
}
"""Links of each node; the first is drawn."""


def convergence_table(split: str) -> dict[str, list[Any]]:
    """Return medians and ranges over the seeds at about `POINTS` rounds of every run.

    Rounds, bits and seconds are means over the seeds at that round: they hardly differ between seeds.
    """
    names = ("data", "method", "round", "bits", *SECONDS, "transfer", "median", "low", "high")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for name in SETS:
        problem = data_problem(name, split)
        for index, (method, compression) in enumerate(CURVES):
            chosen = data_method(name, split, method, compression, problem.d**0.5, "paper")
            rng = stream(MASTER_SEED, "squant/order", f"figure/{name}-{split}", index)
            rounds = ROUNDS if chosen.learning_rate else ROUNDS_TO_NEIGHBOURHOOD
            result = chosen.run(rng, rounds=rounds, replicates=SEEDS, until=ACCURACY / 10)
            _append(columns, name, chosen, result)
    return columns


def _append(columns: dict[str, list[Any]], name: str, method: Method, result: Any) -> None:
    relative = result.distance_sq / result.distance_sq[:, :1]
    seconds = [seconds_of(method, result, link) for link in SECONDS.values()]
    shown = np.unique(np.linspace(0, result.rounds, min(POINTS, result.rounds + 1)).astype(int))
    for k in shown:
        sample = relative[:, k]
        row = (
            name,
            method.label,
            int(k),
            float(result.bits[:, k].mean()),
            *(float(item[k]) for item in seconds),
            transfer_bits(method),
            float(np.median(sample)),
            float(sample.min()),
            float(sample.max()),
        )
        for key, item in zip(columns, row, strict=True):
            columns[key].append(item)


def seconds_of(method: Method, result: Any, link: str) -> Any:
    """Return the seconds until each round by the model of `plan`, means over the seeds, (rounds + 1,).

    A round takes the point down and the longest message of a node up, with delays and headers; computing,
    which depends on the machine, is left out.
    """
    cost = RoundSeconds(real_link(link), FLOAT_BITS * method.problem.d)
    of_rounds = cost(np.diff(result.bits_slowest, axis=1)).mean(axis=0)
    return np.concatenate([[0.0], np.cumsum(of_rounds)])


def draw_convergence(columns: dict[str, list[Any]]) -> Any:
    """Draw a row for each data set: three costs of DIANA and DIANA+, bits of DCGD and DCGD+."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(len(SETS), 4)
    data, methods = np.array(columns["data"]), np.array(columns["method"])
    for row, name in zip(axes, SETS, strict=True):
        for label in dict.fromkeys(columns["method"]):
            chosen = (data == name) & (methods == label)
            k, bits, seconds, transfer, *values = (
                np.array(columns[key], dtype=float)[chosen][1:]
                for key in ("round", "bits", next(iter(SECONDS)), "transfer", "median", "low", "high")
            )
            family, compression = label.split(" ")
            style = {"color": COLORS[compression], **LINES[compression]} if "+" in family else UNAWARE
            if family.startswith("DCGD"):
                _draw_curve(row[3], bits, values, style, label)
                continue
            for axis, x in zip(row, (k, bits, seconds), strict=False):
                _draw_curve(axis, x, values, style, label)
            if label == "DIANA+ varying":
                row[1].plot(
                    bits + transfer, values[0], label="DIANA+ varying and its matrices", **WITH_MATRICES
                )
        row[0].set_ylabel(name)
        for axis in row:
            axis.set(xscale="log", yscale="log")
        for axis in row[:3]:
            axis.set(ylim=(1e-7, 3), yticks=(1e-6, 1e-4, 1e-2, 1))
        for axis in row[1:3]:
            axis.tick_params(labelleft=False)
        lowest, highest = (np.log10(end) for end in row[3].get_ylim())
        row[3].set_ylim(10.0 ** np.floor(lowest), 10.0 ** np.ceil(highest))  # whole decades have labels
    titles = ("DIANA, DIANA+", "DIANA, DIANA+", "DIANA, DIANA+", "DCGD, DCGD+")
    costs = ("rounds", "bits of a node", "seconds, 1 Mbit/s, 10 ms", "bits of a node")
    for axis, title in zip(axes[0], titles, strict=True):
        axis.set_title(title)
    for axis, label in zip(axes[-1], costs, strict=True):
        axis.set_xlabel(label)
    figure.supylabel(r"$\|x-x^\star\|^2\,/\,\|x^0-x^\star\|^2$", fontsize=8)
    _legend(figure, axes[0])
    figure.set_size_inches(6.8, 7.6)
    return figure


def _draw_curve(axis: Any, x: Any, values: list[Any], style: dict[str, Any], label: str) -> None:
    median, low, high = values
    axis.plot(x, median, label=label, **style)
    axis.fill_between(x, low, high, color=style["color"], alpha=0.2, linewidth=0)


def _legend(figure: Any, axes: Any) -> None:
    """Explain the lines below the panels: those of either family look the same."""
    found = dict(zip(*reversed(axes[1].get_legend_handles_labels()), strict=True))
    names = {
        label: label.replace("DIANA+", "DIANA+, DCGD+").replace("DIANA ", "DIANA, DCGD ") for label in found
    }
    matrices = "DIANA+ varying and its matrices"
    names[matrices] = f"{matrices}, sent once"
    figure.legend(found.values(), [names[label] for label in found], loc="outside lower center", ncols=2)


def convergence_caption(split: str, remark: str) -> Caption:
    """Return the caption of the figure on a split of the rows.

    Args:
        split: How rows go to nodes, in words.
        remark: What is special on this split.
    """
    return Caption(
        title=f"Convergence of DIANA, DIANA+, DCGD and DCGD+ on five LIBSVM sets, {split}",
        seen=(
            "Relative squared distance to the solution, a row for each data set. Three columns of DIANA "
            "(black) and DIANA+ over rounds, uplink bits of a node and modelled seconds over links of "
            "1 Mbit/s and 10 ms; the last column is DCGD (black) and DCGD+ over bits, which stop in a "
            "neighbourhood. Standard steps are the wide light line, varying steps the dashed one that often "
            "lies on it, blocks dash-dotted, sparsification dotted. The line at the far right of the second "
            "column is DIANA+ "
            f"with varying steps when the bits of its smoothness matrices, sent once, are charged. {remark}"
        ),
        bound=(
            "none is drawn; every run has the step sizes that its rate states, so the rates of squant/dcgd "
            "and squant/diana apply to it."
        ),
        measured=(
            f"medians and ranges (bands) over {SEEDS} seeds, six nodes, budget of nonzeros sqrt(d); bits "
            "are those of real Elias-coded messages, seconds those of the model of plan without computing "
            f"(squant/real-links). Methods with shifts run for {ROUNDS} rounds or to a relative distance of "
            f"{ACCURACY / 10:g}, the others for "
            f"{ROUNDS_TO_NEIGHBOURHOOD}."
        ),
        claims=("squant/order", "squant/finding-similar-nodes", "squant/dcgd", "squant/diana"),
    )
