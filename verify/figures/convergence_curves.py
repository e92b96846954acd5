"""Convergence of the methods on the data sets: relative distance over rounds, bits and modelled seconds."""

from typing import Any

import numpy as np

from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.experiments.squant.methods import COMPRESSIONS, Method
from verify.experiments.squant.run_costs import ACCURACY, BANDWIDTHS, modelled_seconds, transfer_bits
from verify.squant.fixtures.data_sets import data_method, data_problem

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
SECONDS = {f"seconds_at_{bandwidth:.0e}": bandwidth for bandwidth in BANDWIDTHS}


def convergence_table(split: str) -> dict[str, list[Any]]:
    """Return medians and ranges over the seeds at about `POINTS` rounds of every run.

    Rounds, bits and seconds are means over the seeds at that round: they hardly differ between seeds.
    """
    names = ("data", "method", "round", "bits", *SECONDS, "transfer", "median", "low", "high")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for name in SETS:
        problem = data_problem(name, split)
        for index, (method, compression) in enumerate(CURVES):
            chosen = data_method(name, split, method, compression, problem.d**0.5)
            rng = stream(MASTER_SEED, "squant/order", f"figure/{name}-{split}", index)
            rounds = ROUNDS if chosen.learning_rate else ROUNDS_TO_NEIGHBOURHOOD
            result = chosen.run(rng, rounds=rounds, replicates=SEEDS, until=ACCURACY / 10)
            _append(columns, name, chosen, result)
    return columns


def _append(columns: dict[str, list[Any]], name: str, method: Method, result: Any) -> None:
    relative = result.distance_sq / result.distance_sq[:, :1]
    slowest = result.bits_slowest.mean(axis=0)
    seconds = [
        modelled_seconds(method, np.arange(result.rounds + 1), slowest, bandwidth)
        for bandwidth in SECONDS.values()
    ]
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


def draw_convergence(columns: dict[str, list[Any]]) -> Any:
    """Draw a row of three panels for each data set."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(len(SETS), 3, sharey=True)
    data, methods = np.array(columns["data"]), np.array(columns["method"])
    labels = list(dict.fromkeys(columns["method"]))
    for row, name in zip(axes, SETS, strict=True):
        for label in labels:
            chosen = (data == name) & (methods == label)
            k, bits, seconds, transfer, median, low, high = (
                np.array(columns[key], dtype=float)[chosen]
                for key in ("round", "bits", next(iter(SECONDS)), "transfer", "median", "low", "high")
            )
            family, compression = label.split(" ")
            style = {"color": COLORS[compression] if "+" in family else "black", "linewidth": 1.0}
            style["linestyle"] = ":" if family.startswith("DCGD") else "-"
            for axis, x in zip(row, (k, bits, seconds), strict=True):
                axis.plot(x[1:], median[1:], label=label, **style)
                axis.fill_between(x[1:], low[1:], high[1:], color=style["color"], alpha=0.25, linewidth=0)
            if label == "DIANA+ varying":
                row[1].plot(
                    (bits + transfer)[1:],
                    median[1:],
                    color=style["color"],
                    linestyle="-.",
                    linewidth=0.8,
                    label="DIANA+ varying, with its matrices sent once",
                )
        row[0].set_ylabel(f"{name}\n" + r"$\|x-x^\star\|^2/\|x^0-x^\star\|^2$")
        for axis in row:
            axis.set(xscale="log", yscale="log", ylim=(1e-7, 3))
    for axis, label in zip(
        axes[-1], ("rounds", "bits per node, uplink", "modelled seconds at 1 Mbit/s"), strict=True
    ):
        axis.set_xlabel(label)
    handles, names = axes[0][1].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=3)
    figure.set_size_inches(6.8, 8.6)
    return figure
