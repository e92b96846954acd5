"""Exact supremum of the variance, its two bounds, and what an adversarial search finds, against the step."""

from typing import Any

import theory
from impl.compressors import StochasticQuantizer
from verify.context import MASTER_SEED
from verify.evidence.supremum_search import search_supremum
from verify.figures.bound_line import draw_bound
from verify.figures.captions import Caption
from verify.formulas.evaluation import evaluate
from verify.squant.fixtures.supremum import supremum_of

PANELS = {
    r"$\mathbf{L}=I$, $d=16$": (1.0,) * 16,
    r"$L_{jj}=2^{1-j}$, $d=8$": tuple(2.0 ** (-j) for j in range(8)),
}
STEPS = 61
SEARCHED_EVERY = 5
BUDGET = 4000

CAPTION = Caption(
    title=(
        "Exact supremum of the quantization variance, its bound, and what a search finds, against the step"
    ),
    seen=(
        "Top: largest relative variance over all inputs against the quantization step, equal (left) and "
        "geometric (right) smoothness; bottom: the same relative to the stated bound. The bound is the "
        "smaller of two branches; above its corner, in the coarse regime, the supremum is known exactly, "
        "below it within the band. The search over inputs (circles) reaches the supremum and never "
        "exceeds it."
    ),
    bound=("dashed black: the smaller of the coarse branch (dotted) and the quarter branch (dash-dotted)."),
    measured=(
        "supremum by its exact formula; circles by adversarial search over unit inputs with exact variances."
    ),
    claims=(
        "squant/sup",
        "squant/bounds",
        "squant/var",
    ),
)


def table() -> dict[str, Any]:
    """Return the columns of the CSV; `searched` is nan at steps where no search was made."""
    import numpy as np

    formulas = theory.claim("squant/bounds").formulas
    columns: dict[str, list[Any]] = {
        name: []
        for name in ("panel", "step", "coarse", "quarter", "supremum_lower", "supremum_upper", "searched")
    }
    for panel, L in PANELS.items():
        for index, step in enumerate(np.geomspace(0.1, 4.0, STEPS)):
            h, d = [float(step)] * len(L), len(L)
            found = supremum_of(L, h)
            searched = _search(L, h, found.maximiser) if index % SEARCHED_EVERY == 0 else float("nan")
            row = (
                panel,
                float(step),
                evaluate(formulas["coarse"], {"L": L, "h": h, "d": d}),
                evaluate(formulas["quarter"], {"L": L, "h": h, "d": d}),
                found.lower,
                found.upper,
                searched,
            )
            for name, value in zip(columns, row, strict=True):
                columns[name].append(value)
    return columns


def _search(L: tuple[float, ...], h: list[float], start: tuple[float, ...] | None) -> float:
    """Return the largest exact variance over unit inputs that the search finds."""
    quantizer = StochasticQuantizer(h)

    def variance(inputs: Any) -> Any:
        return quantizer.variance(inputs, weight=L) / (inputs**2).sum(axis=-1)

    starts = () if start is None else (start,)
    return search_supremum(variance, len(L), budget=BUDGET, seed=MASTER_SEED, starts=starts, batch=True).value


def draw(columns: dict[str, Any]) -> Any:
    """Draw the constants over the step, and below them their ratio to the stated bound."""
    import numpy as np
    from matplotlib import pyplot

    figure, (top, bottom) = pyplot.subplots(2, len(PANELS), sharex=True, height_ratios=(3, 2))
    names = np.array(columns["panel"])
    for constants, ratios, panel in zip(top, bottom, PANELS, strict=True):
        chosen = names == panel
        step, coarse, quarter, lower, upper, searched = (
            np.array(columns[name])[chosen]
            for name in ("step", "coarse", "quarter", "supremum_lower", "supremum_upper", "searched")
        )
        stated, exact = np.minimum(coarse, quarter), lower == upper
        constants.plot(step, coarse, color="C1", linestyle=":", label="coarse branch")
        constants.plot(step, quarter, color="C2", linestyle="-.", label="quarter branch")
        for axes, scale in ((constants, np.ones_like(stated)), (ratios, stated)):
            draw_bound(axes, step, stated / scale, "stated bound (smaller branch)")
            band = axes.fill_between(step[~exact], (lower / scale)[~exact], (upper / scale)[~exact])
            band.set(color="C0", alpha=0.3, linewidth=0, label="supremum lies within (fine regime)")
            axes.plot(step[exact], (upper / scale)[exact], color="C0", label="exact supremum (coarse regime)")
            axes.plot(
                step, searched / scale, "o", color="black", markerfacecolor="none", label="adversarial search"
            )
        constants.set(xscale="log", yscale="log", title=panel)
        constants.set_ylim(lower[lower > 0].min() / 2, stated.max() * 3)
        ratios.set(xlabel="step $h$", ylim=(0.6, 1.05))
    top[0].set_ylabel(r"$\sup_x\,\mathbb{E}\|Q(x)-x\|_{\mathbf{L}}^2/\|x\|^2$")
    bottom[0].set_ylabel("relative to\nstated bound")
    figure.legend(*top[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.set_size_inches(5.5, 4.2)
    return figure
