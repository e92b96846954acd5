"""Law of the error against the input over all dithers: of the method and of three that are not it."""

from collections.abc import Callable
from typing import Any

import theory
from impl.compressors import DitheredQuantizer, Draws
from verify.figures.bound_line import draw_bound
from verify.figures.captions import Caption
from verify.figures.ndqsg_styles import COLORS, LABELS
from verify.formulas.evaluation import evaluate
from verify.ndqsg.fixtures.sabotaged_dither import Desynchronised, HalfWidth, StochasticRounding

# Inputs are multiples of 1/64 of a step; a desynchronised pair has POINTS_OF_PAIRS dithers at either end.
INPUTS, POINTS, POINTS_OF_PAIRS = 65, 4096, 256
QUANTILES = {"q05": 0.05, "q25": 0.25, "q75": 0.75, "q95": 0.95}
CODECS: dict[str, type[DitheredQuantizer]] = {
    "dithered": DitheredQuantizer,
    "rounding": StochasticRounding,
    "half-width": HalfWidth,
    "desynchronised": Desynchronised,
}
# Largest mean square error that is stated for any input; for half width nothing is.
BOUNDS: dict[str, Callable[[], float]] = {
    "dithered": lambda: evaluate(theory.claim("ndqsg/dq-uniform-error").formulas["exact"], {}),
    "rounding": lambda: evaluate(
        theory.claim("ndqsg/sr-versus-dqsg").formulas["bound"], {"d": 1, "kappa": 1, "M": 1}
    ),
    "desynchronised": lambda: evaluate(theory.claim("ndqsg/protocol-desync").formulas["bound"], {}),
}

CAPTION = Caption(
    title=("The law of the error against the input: the method, and three that are not it"),
    seen=(
        "Left: mean square error over all dithers against the input, in steps. Right: bands that hold the "
        "middle 50 and 90 per cent of the errors, and the mean error (black). Only the subtracted dither "
        "of full width (DQSG) has one law at every input. Stochastic rounding (SR) has none at grid "
        "points and three times the variance between them. A dither of half width has the right mean "
        "square at x = 1/4, and is biased there. A receiver with another dither is unbiased, with up to "
        "four times the variance."
    ),
    bound=(
        "dashed black: the largest mean square error that is stated for any input; for half width nothing "
        "is stated."
    ),
    measured=(
        "exact: all 4096 dithers of a grid at each input, 256 by 256 pairs for the desynchronised receiver."
    ),
    claims=(
        "ndqsg/dq-uniform-error",
        "ndqsg/sr-versus-dqsg",
        "ndqsg/protocol-desync",
        "ndqsg/finding-one-input-tests",
    ),
)


def table() -> dict[str, Any]:
    """Return mean, mean square and quantiles of the error over all dithers, and stated values, in steps."""
    import numpy as np

    names = ("method", "x", "mean", "mse", "stated", "bound", *QUANTILES)
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for method in CODECS:
        bound = BOUNDS[method]() if method in BOUNDS else float("nan")
        for x in np.linspace(0, 1, INPUTS):
            errors = _errors(method, x)
            square = float((errors**2).mean())
            marks = np.quantile(errors, list(QUANTILES.values()), method="inverted_cdf")
            row = (method, x, float(errors.mean()), square, _stated(method, x), bound, *marks)
            for key, item in zip(columns, row, strict=True):
                columns[key].append(item)
    return columns


def _errors(method: str, x: float) -> Any:
    """Return the errors at x for all dithers, all pairs of them for a desynchronised receiver."""
    import numpy as np

    points = POINTS_OF_PAIRS if method == "desynchronised" else POINTS
    codec, grid = (
        CODECS[method](1, scale=1.0, points=points),
        (2 * np.arange(points) + 1 - points) / 2 / points,
    )
    sender, receiver = grid, None
    if method == "desynchronised":
        sender, receiver = (part.ravel() for part in np.meshgrid(grid, grid))
    return codec.compress(np.full(sender.shape, x), Draws(shared=sender, private=receiver)) - x


def _stated(method: str, x: float) -> float:
    """Return the mean square error by the formula of its claim."""
    if method == "dithered":
        return BOUNDS[method]()
    if method == "rounding":
        values = {"g": [x], "kappa": 1, "M": 1, "d": 1}
        return evaluate(theory.claim("ndqsg/sr-versus-dqsg").formulas["exact"], values)
    if method == "desynchronised":
        return evaluate(theory.claim("ndqsg/protocol-desync").formulas["exact"], {"p": x % 1})
    claim, width, away = theory.claim("ndqsg/finding-one-input-tests"), 0.5, min(x, 1 - x)
    name = "exact" if away <= (1 - width) / 2 else "outer_mse"
    return evaluate(claim.formulas[name], {"w": width, "x": away})


def draw(columns: dict[str, Any]) -> Any:
    """Draw mean squares on the left, the law of each method in a small panel."""
    import numpy as np
    from matplotlib import pyplot

    methods = np.array(columns["method"])
    figure, axes = pyplot.subplot_mosaic(
        [["mse", "dithered", "rounding"], ["mse", "half-width", "desynchronised"]],
        width_ratios=(1.7, 1, 1),
        sharex=True,
    )
    for method in CODECS:
        x, mean, mse, bound, *marks = (
            np.array(columns[key], dtype=float)[methods == method]
            for key in ("x", "mean", "mse", "bound", *QUANTILES)
        )
        color, label = COLORS[method], LABELS[method]
        wide = 3.5 if method == "dithered" else 1.6  # it lies below its bound
        axes["mse"].plot(x, mse, color=color, label=label, linewidth=wide)
        if np.isfinite(bound).all():
            draw_bound(axes["mse"], x, bound, "stated bound of each")
        small = axes[method]
        small.fill_between(x, marks[0], marks[3], color=color, alpha=0.25, linewidth=0)
        small.fill_between(x, marks[1], marks[2], color=color, alpha=0.45, linewidth=0)
        small.plot(x, mean, color="black", linewidth=1)
        small.set(title=label, ylim=(-1.15, 1.15), yticks=(-1, -0.5, 0, 0.5, 1))
    axes["mse"].set_yticks([0, 1 / 12, 1 / 6, 1 / 4, 1 / 3], ["0", "1/12", "1/6", "1/4", "1/3"])
    axes["mse"].set(
        xlabel="input $x$ in steps", ylabel=r"$\mathbb{E}\,e^2$ in squared steps", ylim=(-0.01, 0.36)
    )
    for name in ("half-width", "desynchronised"):
        axes[name].set_xlabel("input $x$ in steps")
    for name in ("dithered", "half-width"):
        axes[name].set_ylabel("error $e$ in steps")
    for name, axis in axes.items():
        axis.set_xticks([0, 0.5, 1] if name != "mse" else [0, 0.25, 0.5, 0.75, 1])
    _legend(figure, axes["mse"])
    figure.set_size_inches(6.8, 3.6)
    return figure


def _legend(figure: Any, axis: Any) -> None:
    """Explain lines and bands below the panels."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles, labels = axis.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    unique["stated bound of each"] = unique.pop("stated bound of each")
    unique["middle 50 % of the errors"] = Patch(color="gray", alpha=0.7, linewidth=0)
    unique["middle 90 %"] = Patch(color="gray", alpha=0.3, linewidth=0)
    unique["mean error"] = Line2D([], [], color="black", linewidth=1)
    figure.legend(unique.values(), unique.keys(), loc="outside lower center", ncols=4)
