"""Chain of constants c = beta times the variance constant, relative to the unaware one, on each data set."""

from typing import Any

import theory
from verify.experiments.squant.methods import diagonals_of, equal_blocks
from verify.figures.captions import Caption
from verify.formulas.evaluation import evaluate
from verify.squant.fixtures.data_sets import RIDGES, SPLITS, data_problem
from verify.squant.fixtures.step_rules import block_norms

NEEDS = ("phishing", "mushrooms", "a9a", "w8a", "splice")

LINKS = {
    "c_vary": r"varying steps, $\mathrm{tr}\,\mathbf{L}$",
    "c_block": r"blocks, $\sum_l\sqrt{d_l}\,\|D_{ll}\|_F$",
    "c_plus": r"aware standard, $\sqrt{d}\,\|D\|_F$",
    "c_max": r"$d\,\max_jL_{jj}$",
    "c_std": r"unaware standard, $d\,\lambda_{\max}$",
}
MARKERS = {"c_vary": "o", "c_block": "s", "c_plus": "^", "c_max": "x", "c_std": "D"}

CAPTION = Caption(
    title=("The chain of constants beta times L on six data sets, relative to the unaware method"),
    seen=(
        "A row for each data set, two splits of the rows over six nodes; marks from top to bottom of a "
        "row are varying steps, blocks, aware standard, d max L_jj, and the unaware standard method, "
        "which is 1. The order of the marks is the chain: smaller means a larger step size. Most of the "
        "gain is awareness of the smoothness matrix itself; little is left to the choice of steps."
    ),
    bound=(
        "the marks are constants of stated bounds (coarse branch), the largest over the nodes; no values "
        "are measured against them here."
    ),
    measured=("exact evaluation on the smoothness matrices of logistic regression; nothing is run."),
    claims=(
        "squant/steps",
        "squant/finding-similar-nodes",
    ),
)


def table() -> dict[str, Any]:
    """Return the largest constants over the nodes, by data set and split."""
    formulas = theory.claim("squant/steps").formulas
    columns: dict[str, list[Any]] = {name: [] for name in ("data", "split", *LINKS)}
    for name in RIDGES:
        for split in SPLITS:
            problem = data_problem(name, split)
            d, blocks = problem.d, equal_blocks(problem.d, problem.n)
            rows = []
            for L, largest in zip(diagonals_of(problem), problem.L_nodes, strict=True):
                norms = block_norms(list(L), blocks)
                rows.append(
                    {
                        "c_vary": evaluate(formulas["c_vary"], {"L": L, "d": d}),
                        "c_block": evaluate(
                            formulas["c_block"], {"m": list(blocks), "F": norms, "B": len(blocks)}
                        ),
                        "c_plus": evaluate(formulas["c_plus"], {"L": L, "d": d}),
                        "c_max": evaluate(formulas["c_max"], {"L_max": float(L.max()), "d": d}),
                        "c_std": evaluate(formulas["c_std"], {"lambda_max": float(largest), "d": d}),
                    }
                )
            columns["data"].append(name)
            columns["split"].append(split)
            for link in LINKS:
                columns[link].append(max(row[link] for row in rows))
    return columns


def draw(columns: dict[str, Any]) -> Any:
    """Draw each constant over the unaware one, a row per data set."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(SPLITS), sharex=True, sharey=True)
    titles = {"label": "split by label", "scaled": "split with dominant nodes"}
    for axis, split in zip(axes, SPLITS, strict=True):
        chosen = np.array(columns["split"]) == split
        names = np.array(columns["data"])[chosen]
        unaware = np.array(columns["c_std"])[chosen]
        for place, (link, label) in enumerate(LINKS.items()):
            axis.plot(
                np.array(columns[link])[chosen] / unaware,
                np.arange(len(names)) + 0.14 * (place - 2),  # none hides another
                MARKERS[link],
                label=label,
                markerfacecolor="none",
                markersize=5,
            )
        axis.set(xscale="log", xlabel=r"constant / $d\,\lambda_{\max}$", title=titles[split])
        axis.set_yticks(np.arange(len(names)), names)
    axes[0].invert_yaxis()
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.set_size_inches(5.5, 3.6)
    return figure
