"""The bound of the rate against the running average of the squared gradient norm, exact or over runs."""

from typing import Any

from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.bound_line import draw_bound
from verify.figures.captions import Caption
from verify.figures.cq_marina_styles import COLORS

RUNS, POINTS = 200, 40
CLIENTS, DIMENSION, PROBABILITY, ROUNDS = 4, 64, 0.02, 600
PANELS = {
    "rand_k": "RandK ($K=8$), exact",
    "perm_k": r"PermK on $A_i=ne_ie_i^\top$, exact",
    "independent": "IQ (independent), exact",
    "correlated": f"CQ (correlated), {RUNS} runs",
}

CAPTION = Caption(
    title=("The rate of MARINA and the running average of the squared gradient norm, four compressors"),
    seen=(
        "Average over the rounds before T of the expected squared gradient norm, on quadratics with the "
        "identity as Hessian (PermK: the rank-one family, d = n = 4), n = 4, d = 64, p = 0.02 and the "
        "stated step sizes. A panel for each compressor; the legend says how close the average comes to "
        "the bound. The bound is one on the mean: single runs of CQ may exceed it, as the upper end of "
        "the band does."
    ),
    bound=("dashed black: the stated rate, 2 Delta_0 / (gamma T)."),
    measured=(
        "exact expectations for RandK, PermK and IQ; for CQ the mean of 200 runs, band from 5 to 95 % of "
        "the runs."
    ),
    claims=(
        "cq_marina/marina-rate",
        "cq_marina/marina-cq-rate",
        "cq_marina/marina-exact-oracle",
    ),
)


def table() -> dict[str, Any]:
    """Return averages over the rounds before T, their range over runs, and the bound."""
    import numpy as np

    columns: dict[str, list[Any]] = {
        name: [] for name in ("method", "rounds", "average", "low", "high", "bound")
    }
    shown = np.unique(np.geomspace(1, ROUNDS, POINTS).astype(int))
    for name in PANELS:
        averages, bounds = _averages(name)
        sample = averages[:, shown - 1]
        for index, T in enumerate(shown):
            low, high = np.quantile(sample[:, index], (0.05, 0.95))
            row = (name, int(T), float(sample[:, index].mean()), low, high, float(bounds[T - 1]))
            for key, item in zip(columns, row, strict=True):
                columns[key].append(item)
    return columns


def _averages(name: str) -> tuple[Any, Any]:
    """Return running averages (R, K), one row where they are exact, and bounds (K,)."""
    import numpy as np

    from verify.cq_marina.fixtures.marina.marina_settings import identity, rand_k, rank_one

    T = np.arange(1, ROUNDS + 1)
    if name == "correlated":
        squares, bound = _runs()
    else:
        setting = (
            rank_one(CLIENTS, PROBABILITY, ROUNDS)
            if name == "perm_k"
            else identity(
                CLIENTS,
                DIMENSION,
                PROBABILITY,
                ROUNDS,
                rand_k(CLIENTS, DIMENSION, 8) if name == "rand_k" else None,
            )
        )
        squares, bound = setting.trace.gradient_norm_sq[None, :ROUNDS], setting.bound(1)
    return np.cumsum(squares, axis=1) / T, bound / T


def _runs() -> tuple[Any, float]:
    """Return squared gradient norms of runs of CQ on the identity, (R, K), and the bound at T = 1."""
    import numpy as np

    from impl.compressors import CorrelatedQuantizer
    from impl.optimizers import marina
    from impl.problems import Quadratic
    from verify.cq_marina.fixtures.marina.marina_settings import formula

    chi = formula("cq_marina/marina-cq-rate", "X", n=CLIENTS, d=DIMENSION, L_plus=1.0, L_pm=0.0)
    gamma = formula("cq_marina/marina-rate", "step_size", L_minus=1.0, X=chi, p=PROBABILITY)
    result = marina(
        Quadratic(np.ones((CLIENTS, DIMENSION))),
        CorrelatedQuantizer("binary"),
        step_size=gamma,
        probability=PROBABILITY,
        rounds=ROUNDS,
        rng=stream(MASTER_SEED, "cq_marina/marina-cq-rate", "figure", 0),
        replicates=RUNS,
        start=np.ones(DIMENSION),
    )
    bound = formula("cq_marina/marina-cq-rate", "bound", Delta_0=DIMENSION / 2, gamma=gamma, T=1)
    return result.gradient_norm_sq[:, :ROUNDS], bound


def draw(columns: dict[str, Any]) -> Any:
    """Draw a panel for each compressor."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 2, sharex=True)
    methods = np.array(columns["method"])
    for axis, (name, title) in zip(axes.flat, PANELS.items(), strict=True):
        T, average, low, high, bound = (
            np.array(columns[key], dtype=float)[methods == name]
            for key in ("rounds", "average", "low", "high", "bound")
        )
        closest = (average / bound).max()
        draw_bound(axis, T, bound, f"stated bound (average up to {closest:.2f} of it)")
        axis.plot(T, average, color=COLORS[name], label="running average")
        if (high > low).any():
            axis.fill_between(
                T, low, high, color=COLORS[name], alpha=0.3, linewidth=0, label="5 to 95 % of runs"
            )
        axis.set(xscale="log", yscale="log", title=title)
        axis.set_ylim(bound.min() / 4, 3 * average.max())
        axis.legend(loc="lower left")
    for axis in axes[-1]:
        axis.set_xlabel("rounds $T$")
    for axis in axes[:, 0]:
        axis.set_ylabel(r"$\frac{1}{T}\sum_{k<T}\mathbb{E}\|\nabla f(x^k)\|^2$")
    figure.set_size_inches(6.8, 4.4)
    return figure
