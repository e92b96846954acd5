"""Hessian variance of the tridiagonal quadratics: constants, noise and bits, and what weights do to them."""

from typing import Any

from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.captions import Caption
from verify.figures.cq_marina_styles import COLORS, LABELS, MARKERS

CLIENTS, DIMENSION, CURVATURE, OFFSET, ACCURACY = 8, 32, 1e-6, 0.5, 1e-4
LAMBDAS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
RUNS, LONGEST = 40, 900
METHODS = ("independent", "correlated", "perm_k", "partition", "weighted")
COLOR = {**COLORS, "partition": "C3", "weighted": "C5"}
MARKER = {**MARKERS, "partition": "v", "weighted": "x"}
LABEL = {**LABELS, "partition": "Partition, equal weights", "weighted": r"Partition, $w_i\propto L_i$"}

CAPTION = Caption(
    title=(
        "Hessian variance of tridiagonal quadratics: constants, noise and bits against the heterogeneity "
        "of the clients"
    ),
    seen=(
        "Eight clients that differ by lambda. Left: Hessian variance over the smoothness constant, with "
        "equal weights and with weights proportional to L_i. Middle: the noise constant that sets the "
        "step size (nothing is shown where it is zero). Right: kbits of a client until the squared "
        "gradient norm is 1e-4. The gain of CQ over IQ shrinks as the clients differ more. Weights "
        "proportional to L_i make the variance small, which helps where the AB constant A does not grow "
        "with the weights, as for the partition. The partition with equal weights lies on PermK (large "
        "hollow triangles)."
    ),
    bound=("none is drawn; the middle panel is the constant of the stated rate."),
    measured=(
        "constants are exact; bits are exact expectations, for CQ the median of 40 runs with a band from "
        "the least to the largest."
    ),
    claims=(
        "cq_marina/tridiag",
        "cq_marina/marina-cq-rate",
        "cq_marina/exp-quadratic",
        "cq_marina/finding-weights",
    ),
)


def table() -> dict[str, Any]:
    """Return constants without and with weights, X over L_-^2 and kbits (for CQ median and range)."""
    columns: dict[str, list[Any]] = {
        name: [] for name in ("lambda", "method", "L_pm", "X", "promised", "kbits", "low", "high")
    }
    for place, heterogeneity in enumerate(LAMBDAS):
        for name in METHODS:
            for key, item in zip(columns, _row(place, heterogeneity, name), strict=True):
                columns[key].append(item)
    return columns


def _row(place: int, heterogeneity: float, name: str) -> tuple[Any, ...]:
    import numpy as np

    from impl.problems import tridiagonal
    from verify.experiments.cq_marina.methods import Arrival, first_below, method_of

    problem = tridiagonal(CLIENTS, DIMENSION, heterogeneity=heterogeneity, mu=CURVATURE, offset=OFFSET)
    if name in ("partition", "weighted"):
        method, trace = _partition(problem, weighted=name == "weighted")
        k = np.array([first_below(trace.gradient_norm_sq, ACCURACY)])
    else:
        method = method_of(problem, name)
        if name == "correlated":
            rng = stream(MASTER_SEED, "cq_marina/exp-quadratic", "figure/lambda", place)
            result = method.run(rng, rounds=LONGEST, replicates=RUNS)
            k = Arrival(result.gradient_norm_sq, ACCURACY, method).settled
        else:
            k = np.array([first_below(method.expectations(LONGEST).gradient_norm_sq, ACCURACY)])
    kbits = method.bits(k) / 1000
    return (
        heterogeneity,
        name,
        method.constants.L_pm / method.constants.L_minus,
        method.chi / method.constants.L_minus**2,
        method.theoretical_cost,
        float(np.median(kbits)),
        kbits.min(),
        kbits.max(),
    )


def _partition(problem: Any, *, weighted: bool) -> tuple[Any, Any]:
    """Return MARINA with one owner per coordinate drawn by the weights, and its exact expectations."""
    from dataclasses import replace

    import numpy as np

    from impl.problems.hessian_variance import smoothness_constants
    from verify.cq_marina.fixtures.second_moments import QuadraticRun, partition_noise
    from verify.experiments.cq_marina.methods import method_of, with_noise

    n = problem.n
    L = np.abs(np.linalg.eigvalsh(problem.matrices)).max(axis=-1)
    weights = L / L.sum() if weighted else np.full(n, 1 / n)
    found = smoothness_constants(problem, weights)
    # A = B = 1 (`cq_marina/ab-compose`); in the mean over the clients a message has d / n entries as well.
    plain = replace(method_of(problem, "perm_k"), constants=found)
    method = with_noise(plain, found.L_pm**2, probability=1 / n)
    run = QuadraticRun(
        problem.matrices,
        problem.linear,
        np.zeros(problem.d),
        method.step_size,
        method.probability,
        partition_noise,
        weights=weights,
    )
    return method, run.trace(LONGEST)


def draw(columns: dict[str, Any]) -> Any:
    """Draw constants, noise and bits over lambda."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, sharex=True)
    methods = np.array(columns["method"])
    for name in METHODS:
        chosen = methods == name
        heterogeneity, L_pm, X, kbits, low, high = (
            np.array(columns[key], dtype=float)[chosen]
            for key in ("lambda", "L_pm", "X", "kbits", "low", "high")
        )
        style: dict[str, Any] = {"color": COLOR[name], "marker": MARKER[name], "label": LABEL[name]}
        if name == "perm_k":  # the partition with equal weights lies on it
            style |= {"markersize": 7, "markerfacecolor": "none"}
        if name in ("partition", "weighted"):
            shown = np.where(L_pm > 1e-9, L_pm, np.nan)
            axes[0].plot(heterogeneity, shown, color=COLOR[name], marker=MARKER[name])
            where = "equal weights" if name == "partition" else r"$w_i\propto L_i$"
            axes[0].annotate(where, (0.4, np.interp(0.4, heterogeneity, L_pm) * 0.45), color=COLOR[name])
        axes[1].plot(heterogeneity, np.where(X > 1e-15, X, np.nan), **style)
        axes[2].plot(heterogeneity, kbits, **style)
        axes[2].fill_between(heterogeneity, low, high, color=COLOR[name], alpha=0.3, linewidth=0)
    for axis in axes:
        axis.set(yscale="log", xlabel=r"heterogeneity $\lambda$")
    axes[0].set_ylabel(r"$L_{\pm,w}/L_-$")
    axes[1].set_ylabel(r"$\mathcal{X}/L_-^2$ (zero where nothing is shown)")
    axes[2].set_ylabel(
        r"kbits of a client to $\mathbb{E}\|\nabla f\|^2\leq10^{-4}$"
        + f"\n(CQ: median, band all {RUNS} runs)"
    )
    axes[2].set_yticks([16, 32, 64, 128], ["16", "32", "64", "128"])
    axes[2].minorticks_off()
    figure.legend(*axes[2].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.set_size_inches(6.8, 3.2)
    return figure
