"""Exact relative variance of the estimate of the mean against the number of clients, and stated bounds."""

from typing import Any

import theory
from impl.compressors import CorrelatedQuantizer, IndependentQuantizer, JointCompressor, PermK
from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.bound_line import draw_bound, mark_bound
from verify.figures.captions import Caption
from verify.figures.cq_marina_styles import COLORS, LABELS, MARKERS
from verify.formulas.evaluation import evaluate

DIMENSION, INPUTS = 32, 30
CLIENTS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 400)
# Share of the common part in the mean square of the inputs.
PANELS = {"equal inputs": 1.0, "half in common": 0.5, "independent inputs": 0.0}
COMPRESSORS: dict[str, JointCompressor] = {
    "independent": IndependentQuantizer("binary"),
    "correlated": CorrelatedQuantizer("binary"),
    "perm_k": PermK(),
}

CAPTION = Caption(
    title=(
        "Exact relative variance of the estimate of a mean against the number of clients, three kinds of "
        "inputs"
    ),
    seen=(
        "Mean square error of the estimated mean over the mean square of the inputs, d = 32: independent "
        "quantization (IQ), correlated quantization (CQ) and PermK. The inputs of the clients are equal "
        "(left), half in common (middle) or independent (right). At equal inputs CQ falls like d/n^2 and "
        "PermK has no error; for independent inputs the bound of CQ is that of independent thresholds, "
        "although its variance is smaller."
    ),
    bound=(
        "dashed black with hollow marks of the same shape as the method: the AB bound at the least "
        "favourable of the drawn inputs."
    ),
    measured=(
        "exact variances; marks are medians over 30 random inputs, bands from the least to the largest."
    ),
    claims=(
        "cq_marina/est-exact",
        "cq_marina/ab-cq",
        "cq_marina/ab-independent",
        "cq_marina/ab-permk",
    ),
)


def table() -> dict[str, Any]:
    """Return the largest and smallest variance over random inputs, over M, and the largest bound over M."""
    import numpy as np

    columns: dict[str, list[Any]] = {
        name: [] for name in ("panel", "method", "n", "median", "low", "high", "bound")
    }
    for index, (panel, common) in enumerate(PANELS.items()):
        rng = stream(MASTER_SEED, "cq_marina/ab-cq", "figure", index)
        for n in CLIENTS:
            shared = rng.standard_normal((INPUTS, 1, DIMENSION))
            own = rng.standard_normal((INPUTS, n, DIMENSION))
            inputs = common**0.5 * shared + (1 - common) ** 0.5 * own
            M = (inputs**2).sum(axis=-1).mean(axis=-1)
            m = (inputs.mean(axis=-2) ** 2).sum(axis=-1)
            for name, compressor in COMPRESSORS.items():
                ratio = compressor.variance(inputs) / M
                bound = max(_bound(name, n, 1.0, share) for share in m / M)
                row = (panel, name, n, float(np.median(ratio)), ratio.min(), ratio.max(), bound)
                for key, item in zip(columns, row, strict=True):
                    columns[key].append(item)
    return columns


def _bound(name: str, n: int, M: float, m: float) -> float:
    """Return the stated bound, A M - B m with the constants of the claims."""
    sizes = {"n": n, "d": DIMENSION}
    if name == "perm_k":
        return evaluate(theory.claim("cq_marina/ab-permk").formulas["theta"], sizes) * (M - m)
    formulas = theory.claim("cq_marina/ab-cq").formulas
    independent = evaluate(formulas["A_independent"], sizes) * M
    if name == "independent":
        return independent
    A, B = (evaluate(formulas[key], sizes) for key in ("A", "B"))
    return min(independent, A * M - B * m)


def draw(columns: dict[str, Any]) -> Any:
    """Draw a panel for each kind of inputs."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(PANELS), sharex=True, sharey=True)
    panels, methods = np.array(columns["panel"]), np.array(columns["method"])
    for axis, panel in zip(axes, PANELS, strict=True):
        for name in COMPRESSORS:
            chosen = (panels == panel) & (methods == name)
            n, median, low, high = (
                np.array(columns[key], dtype=float)[chosen] for key in ("n", "median", "low", "high")
            )
            if median.max() > 1e-20:  # PermK has no error at equal inputs
                axis.plot(n, median, MARKERS[name], color=COLORS[name], label=LABELS[name], markersize=3)
                axis.fill_between(n, low, high, color=COLORS[name], alpha=0.3, linewidth=0)
        for name in COMPRESSORS:
            chosen = (panels == panel) & (methods == name)
            n, bound = (np.array(columns[key], dtype=float)[chosen] for key in ("n", "bound"))
            bound = np.where(bound > 0, bound, np.nan)
            draw_bound(axis, n, bound, "stated bound of each, hollow marks")
            start = list(COMPRESSORS).index(name)  # where bounds coincide their marks take turns
            mark_bound(axis, n, bound, MARKERS[name], COLORS[name], slice(start, None, 3))
        axis.set(xscale="log", yscale="log", xlabel="number of clients $n$", title=panel)
    axes[0].set_ylim(1e-5, 40)
    axes[0].text(0.05, 0.05, "PermK: 0", color=COLORS["perm_k"], transform=axes[0].transAxes, fontsize=7)
    axes[0].set_ylabel(r"$\mathbb{E}\|\hat g-\bar a\|^2/M$, $d=32$" + f"\n(band: {INPUTS} random inputs)")
    handles, labels = axes[-1].get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    figure.legend(unique.values(), unique.keys(), loc="outside lower center", ncols=4)
    figure.set_size_inches(6.8, 2.9)
    return figure
