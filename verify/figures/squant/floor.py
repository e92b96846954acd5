"""The floor of DCGD and DCGD+: exact noise at the solution over the smallest curvature, and runs to it."""

from typing import Any

from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.bound_line import draw_bound, mark_bound
from verify.figures.captions import Caption
from verify.squant.fixtures.convergence.dcgd_settings import exact_constants
from verify.squant.fixtures.convergence.floor_settings import Instance, aware_noise

DIMENSION, STEP, CURVATURES = 16, 2.0, 25
RUN_CURVATURE, ROUNDS, SEEDS, EVERY = 0.01, 400, 10, 4

MARKERS = {"DCGD": "s", "DCGD+": "o"}

CAPTION = Caption(
    title=("The noise floor of DCGD+ can be larger than that of DCGD"),
    seen=(
        "Left: noise at the solution for a gradient of norm 1, against the smallest curvature: that of "
        "DCGD+ grows as curvatures differ, that of DCGD does not. Right: squared distance of runs on two "
        "nodes with exchanged halves (smallest curvature 0.01): the smoothness-aware method stops further "
        "from the solution."
    ),
    bound=(
        "dashed black: left the lower bound on the growth of the noise; right, with hollow marks, the "
        "stated rate and neighbourhood of each method."
    ),
    measured=("left exact; right medians of 10 seeds with bands from the least to the largest."),
    claims=(
        "squant/floor",
        "squant/dcgd",
    ),
)


def table() -> dict[str, Any]:
    """Return noise over the curvature (panel `noise`) and distances over the rounds (panel `run`)."""
    import numpy as np

    columns: dict[str, list[Any]] = {
        name: [] for name in ("panel", "method", "x", "value", "low", "high", "bound")
    }

    def add(*row: Any) -> None:
        for name, item in zip(columns, row, strict=True):
            columns[name].append(item)

    for delta in np.geomspace(1e-6, 1, CURVATURES):
        instance = Instance(DIMENSION, float(delta), STEP)
        aware, unaware = aware_noise(instance)[0], instance.formula("unaware")
        add("noise", "DCGD+", float(delta), aware, aware, aware, instance.formula("growth"))
        add("noise", "DCGD", float(delta), unaware, unaware, unaware, unaware)
    for method, distances, bound in _runs(stream(MASTER_SEED, "squant/floor", "figure", 0)):
        for k in range(0, ROUNDS + 1, EVERY):
            sample = distances[:, k]
            add("run", method, k, float(np.median(sample)), sample.min(), sample.max(), bound[k])
    return columns


def _runs(rng: Any) -> Any:
    """Yield method, distances (R, K + 1) and bounds of the rate with its neighbourhood (K + 1,)."""
    import numpy as np

    import theory
    from impl.compressors import StochasticQuantizer
    from impl.optimizers import dcgd, dcgd_plus
    from verify.formulas.evaluation import evaluate

    formulas = theory.claim("squant/dcgd").formulas
    instance = Instance(DIMENSION, RUN_CURVATURE, STEP)
    problem = instance.problem()
    omega = instance.formula("unaware")
    for method, function in (("DCGD", dcgd), ("DCGD+", dcgd_plus)):
        aware = method == "DCGD+"
        constants = (
            exact_constants(problem.smoothness, STEP) if aware else tuple(omega * L for L in problem.L_nodes)
        )
        gamma = evaluate(formulas["step_size"], {"L": problem.L, "Lcal_max": max(constants), "n": problem.n})
        gradients = problem.gradients(problem.solution)
        weights = problem.smoothness if aware else problem.L_nodes[:, None]
        s = (gradients**2 / weights).sum(axis=-1)
        sigma = evaluate(formulas["sigma_star"], {"Lcal": constants, "s": s, "n": problem.n})
        start = problem.solution + 1 / np.sqrt(problem.d)
        result = function(
            problem,
            StochasticQuantizer(STEP),
            step_size=gamma,
            rounds=ROUNDS,
            rng=rng,
            replicates=SEEDS,
            start=start,
        )
        values = {"gamma": gamma, "mu": problem.mu, "n": problem.n, "sigma": sigma, "distance": 1.0}
        bound = [evaluate(formulas["rate"], {**values, "k": k}) for k in range(ROUNDS + 1)]
        yield method, result.distance_sq, bound


def draw(columns: dict[str, Any]) -> Any:
    """Draw the noise on the left and the runs on the right."""
    import numpy as np
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2)
    panel, method = np.array(columns["panel"]), np.array(columns["method"])
    for color, name in (("C1", "DCGD"), ("C0", "DCGD+")):
        chosen = (panel == "noise") & (method == name)
        x, value, bound = (np.array(columns[key], dtype=float)[chosen] for key in ("x", "value", "bound"))
        style: dict[str, Any] = {"color": color, "marker": MARKERS[name]}
        left.plot(x, value, label=f"{name}, exact", markevery=4, **style)
        if name == "DCGD+":
            draw_bound(left, x, bound, r"lower bound, like $\delta^{-1/2}$")
        chosen = (panel == "run") & (method == name)
        x, value, low, high, bound = (
            np.array(columns[key], dtype=float)[chosen] for key in ("x", "value", "low", "high", "bound")
        )
        right.plot(x, value, label=f"{name}, median of {SEEDS} seeds", markevery=20, **style)
        right.fill_between(x, low, high, color=color, alpha=0.25, linewidth=0)
        draw_bound(right, x, bound, "stated rate and neighbourhood, hollow marks")
        mark_bound(right, x, bound, MARKERS[name], color, slice(10, None, 20))
    left.set(xscale="log", yscale="log", xlabel=r"smallest curvature $\delta$")
    left.set_ylabel("noise at the solution\n(gradient of norm 1)")
    right.set(yscale="log", xlabel="round", ylim=(0.05, 5e3))
    right.set_ylabel(r"$\|x^k-x^\star\|^2$ (band: all seeds)")
    left.legend(loc="upper right")
    found = dict(zip(*reversed(right.get_legend_handles_labels()), strict=True))
    right.legend(found.values(), found.keys(), loc="upper right", fontsize=6)
    figure.set_size_inches(6.4, 3.2)
    return figure
