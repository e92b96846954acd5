"""Runs of SGD with dithered gradients against their rates, and against the exact error at a fixed scale."""

from typing import Any

import theory
from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.bound_line import draw_bound
from verify.figures.captions import Caption
from verify.figures.ndqsg_styles import COLORS, LABELS
from verify.formulas.evaluation import evaluate

STRONG = "ndqsg/conv-strong"
NONCONVEX = "ndqsg/conv-nonconvex"
FIXED = "ndqsg/quad-fixed-scale"

PANELS = {
    "one-dimension": "strongly convex, $d=1$, largest step",
    "logistic": "logistic regression, 8 different workers",
    "nonconvex": r"nonconvex, sum of $x_j^2/(1+x_j^2)$",
    "fixed-scale": "quadratic at a fixed scale: equality",
}
ONE_WORKERS, ONE_ROUNDS, ONE_BATCHES = 4, 6, 2000
LOGISTIC_LEVELS, LOGISTIC_ROUNDS, LOGISTIC_RUNS, LOGISTIC_NOISE = 2, 60, 40, 0.01
NONCONVEX_ROUNDS, NONCONVEX_RUNS = 300, 200
FIXED_ROUNDS, FIXED_RUNS = 100, 2000
POINTS = 40

CAPTION = Caption(
    title=(
        "Runs of SGD with dithered gradients against their rates, and against the exact error at a fixed "
        "scale"
    ),
    seen=(
        "Squared distance to the solution over the rounds (bottom left: running average of the squared "
        "gradient norm). Top left: one dimension, largest step, where the bound is attained by the mean; "
        "most runs are far below, the band is cut off. Top right: logistic regression over 8 different "
        "workers, where the bound is loose. Bottom left: a nonconvex sum. Bottom right: quadratic at a "
        "fixed scale, where the stated value is the mean itself; stochastic rounding (SR) is below it from "
        "round 7 on, where a one-sided test would pass it."
    ),
    bound=("dashed black: the stated bound on the mean; bottom right the stated mean, an equality."),
    measured=(
        "means (wide line) and bands from 5 to 95 % of the DQSG runs; the number of runs stands in each "
        "panel."
    ),
    claims=(
        "ndqsg/conv-strong",
        "ndqsg/conv-nonconvex",
        "ndqsg/quad-fixed-scale",
        "ndqsg/finding-one-sided-tests",
    ),
)


def table() -> dict[str, Any]:
    """Return mean and central 90 % of the runs, and what is stated: a bound, at a fixed scale the mean."""
    import numpy as np

    columns: dict[str, list[Any]] = {
        name: [] for name in ("panel", "method", "T", "runs", "mean", "low", "high", "stated")
    }
    for place, (panel, make) in enumerate(zip(PANELS, SOURCES, strict=True)):
        rng = stream(MASTER_SEED, STRONG, "figure", place)
        for method, sample, stated in make(rng):
            # Column 0 of a sample is the start, or the first average.
            low, high = np.quantile(sample, (0.05, 0.95), axis=0)
            first, last = int(panel == "nonconvex"), sample.shape[1] - 1
            spaced = np.geomspace(1, last + 1, POINTS) - 1 if first else np.linspace(0, last, POINTS)
            for column in np.unique(spaced.round().astype(int)):
                numbers = (values[column] for values in (sample.mean(axis=0), low, high, stated))
                row = (panel, method, first + column, len(sample), *numbers)
                for key, item in zip(columns, row, strict=True):
                    columns[key].append(item)
    return columns


def _omega(levels: int, d: int) -> float:
    formula = theory.claim("ndqsg/dqsg-variance").formulas["block_omega"]
    return evaluate(formula, {"M": levels, "d_b": [d], "j": 0})


def _one_dimension(rng: Any) -> Any:
    """Yield squares of the iterates in one dimension without noise, where the bound is attained."""
    import numpy as np

    from verify.ndqsg.fixtures.one_dimension import COPIES, HONEST

    formulas, omega = theory.claim(STRONG).formulas, _omega(1, 1)
    eta = evaluate(formulas["step_size"], {"L": 1, "omega": omega, "P": ONE_WORKERS})
    values = {"eta": eta, "mu": 1, "omega": omega, "P": ONE_WORKERS, "r_0": 1, "sigma_sq": 0}
    bound = [evaluate(formulas["bound"], {**values, "T": T}) for T in range(ONE_ROUNDS + 1)]
    squares = HONEST.sample(eta, ONE_WORKERS, ONE_ROUNDS, rng, ONE_BATCHES)
    yield "dithered", np.moveaxis(squares, 1, 2).reshape(ONE_BATCHES * COPIES, -1), bound


def _logistic(rng: Any) -> Any:
    """Yield squared distances of runs with noisy gradients of different functions."""
    from impl.compressors import DitheredQuantizer
    from impl.optimizers import quantized_sgd
    from verify.ndqsg.fixtures.runs.logistic_workers import split_by_label

    problem, formulas = split_by_label("breast-cancer"), theory.claim(STRONG).formulas
    values: dict[str, Any] = {"omega": _omega(LOGISTIC_LEVELS, problem.d), "P": problem.n}
    largest = {"L": float(problem.L_nodes.max()), **values}
    values |= {
        "eta": evaluate(formulas["step_size_different"], largest),
        "mu": problem.mu,
        "r_0": float((problem.solution**2).sum()),
        "sigma_sq": LOGISTIC_NOISE,
        "S_star": float((problem.gradients(problem.solution) ** 2).sum()),
    }
    result = quantized_sgd(
        problem,
        DitheredQuantizer(LOGISTIC_LEVELS),
        step_size=values["eta"],
        rounds=LOGISTIC_ROUNDS,
        rng=rng,
        replicates=LOGISTIC_RUNS,
        noise_std=(LOGISTIC_NOISE / problem.d) ** 0.5,
    )
    formula = formulas["bound_different"]
    bound = [evaluate(formula, {**values, "T": T}) for T in range(LOGISTIC_ROUNDS + 1)]
    yield "dithered", result.distance_sq, bound


def _nonconvex(rng: Any) -> Any:
    """Yield running averages of the squared gradient at the largest step."""
    from verify.ndqsg.fixtures.runs.logistic_workers import saturating
    from verify.ndqsg.fixtures.runs.nonconvex_runs import LEVELS, NOISE, START, WORKERS, averages, initial_gap

    problem, formulas = saturating(WORKERS), theory.claim(NONCONVEX).formulas
    values = {"L": problem.L, "omega": _omega(LEVELS, problem.d), "P": problem.n}
    values["eta"] = evaluate(formulas["step_size"], values)
    average = averages(problem, START, NONCONVEX_ROUNDS, NOISE, values["eta"], rng, NONCONVEX_RUNS)
    values |= {"Delta_0": initial_gap(problem, START), "sigma_sq": problem.d * NOISE}
    rounds = range(1, NONCONVEX_ROUNDS + 1)
    yield "dithered", average, [evaluate(formulas["bound"], {**values, "T": T}) for T in rounds]


def _fixed_scale(rng: Any) -> Any:
    """Yield squared distances with dither and with stochastic rounding, and the exact mean with dither."""
    import numpy as np

    from impl.optimizers import QuantizedEstimator, quantized_sgd
    from impl.problems import Quadratic
    from verify.ndqsg.fixtures.runs.fixed_scale_runs import (
        CURVATURES,
        LEVELS,
        MESSAGES,
        SCALE,
        START,
        STEP,
        STYLES,
        WORKERS,
        Style,
    )
    from verify.ndqsg.fixtures.runs.worker_step import Uncoded

    formulas = theory.claim(FIXED).formulas
    values = {**START, "v": evaluate(formulas["variance"], {**MESSAGES, "s_sq": 0})}
    exact = [evaluate(formulas["exact"], {**values, "T": T}) for T in range(FIXED_ROUNDS + 1)]
    for method, style in (("dithered", Style()), ("rounding", STYLES["stochastic-rounding"])):
        result = quantized_sgd(
            Quadratic(np.tile([float(item) for item in CURVATURES], (WORKERS, 1))),
            style.codec(LEVELS, scale=float(SCALE)),
            step_size=float(STEP),
            rounds=FIXED_ROUNDS,
            rng=rng,
            replicates=FIXED_RUNS,
            start=np.ones(3),
            estimator=QuantizedEstimator if method == "dithered" else Uncoded,
        )
        yield method, result.distance_sq, exact


SOURCES = (_one_dimension, _logistic, _nonconvex, _fixed_scale)


def draw(columns: dict[str, Any]) -> Any:
    """Draw a panel for each claim and setting."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 2)
    panels, methods = np.array(columns["panel"]), np.array(columns["method"])
    for axis, (panel, title) in zip(axes.flat, PANELS.items(), strict=True):
        for method in ("rounding", "dithered"):
            chosen = (panels == panel) & (methods == method)
            T, runs, mean, low, high, stated = (
                np.array(columns[key], dtype=float)[chosen]
                for key in ("T", "runs", "mean", "low", "high", "stated")
            )
            if not len(T):
                continue
            wide = 3.0 if method == "dithered" else 1.2  # a bound that is attained lies on it
            axis.plot(T, mean, color=COLORS[method], label=f"{LABELS[method]}, mean", linewidth=wide)
            if method == "dithered":
                axis.fill_between(T, low, high, color=COLORS[method], alpha=0.25, linewidth=0)
                draw_bound(axis, T, stated, "stated bound (fixed scale: stated mean)")
                axis.text(0.97, 0.9, f"{runs[0]:,.0f} runs", transform=axis.transAxes, ha="right", fontsize=7)
        axis.set(yscale="log", title=title)
    axes[0, 0].set_ylim(bottom=1e-13)  # most runs are far below the mean of all
    axes[0, 1].set_ylim(2.5, 40)
    axes[0, 1].set_yticks([3, 5, 10, 20], ["3", "5", "10", "20"])
    axes[0, 1].minorticks_off()
    axes[1, 0].set(xscale="log")
    for axis in axes[-1]:
        axis.set_xlabel("rounds $T$")
    for axis in (*axes[0], axes[1, 1]):
        axis.set_ylabel(r"$\|x_T-x^*\|^2$")
    axes[1, 0].set_ylabel(r"$\frac{1}{T}\sum_{t<T}\|\nabla f(x_t)\|^2$")
    _legend(figure, axes[1, 1])
    figure.set_size_inches(6.8, 4.8)
    return figure


def _legend(figure: Any, axis: Any) -> None:
    """Explain lines and bands below the panels."""
    from matplotlib.patches import Patch

    handles, labels = axis.get_legend_handles_labels()
    found = dict(zip(labels, handles, strict=True))
    found["band: 5 to 95 % of the DQSG runs"] = Patch(color="gray", alpha=0.4, linewidth=0)
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=2)
