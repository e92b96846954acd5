"""Overload and error of nested decoding against the innovation, and the innovation against the messages."""

from typing import Any

import theory
from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.bound_line import draw_bound, mark_bound
from verify.figures.captions import Caption
from verify.figures.ndqsg_styles import RATIO_COLORS, RATIO_MARKERS
from verify.formulas.evaluation import evaluate

OVERLOAD, SIDE = "ndqsg/nested-overload", "ndqsg/side-information"
LEAST, LARGEST, POINTS = 0.1, 2.0, 50
SAMPLED = (0.2, 0.3, 0.45, 0.7, 1.0, 1.5)
MESSAGES, EXPECTED = 2**18, 20
"""Sampled coordinates for each mark, and the fewest expected overloads for which one is drawn."""

LEVEL = 0.99
BOUND_LABEL = "stated bound (hollow marks of its $k$); right: stated variance"
# Of the runs, in steps: deviation of a worker's noise, largest m, dimension, rounds and replicates.
NOISE, LARGEST_M, DIMENSION, ROUNDS, RUNS = 0.25, 15, 512, 10, 4
SERIES = {
    ("parallel", 7): ("parallel, $k=7$", "o", "C3", "none"),
    ("sequential", 7): ("sequential, $k=7$", "D", "C3", "none"),
    ("parallel", 2): ("parallel, $k=2$", ".", "C1", "full"),
    ("sequential", 2): ("sequential, $k=2$", "s", "C1", "none"),
}

CAPTION = Caption(
    title="Overload and error of nested messages against the innovation, and what makes it small",
    seen=(
        "Left: probability that a coordinate overloads; middle: mean square error over that of a plain "
        "dithered message (D), minus 1; both against the standard deviation of a Gaussian innovation, in "
        "steps, for the ratios k = 2, 3, 5, 7. Solid: exact; filled marks: sampled; the grey line is an "
        "excess of 1 per cent. A larger ratio allows a larger innovation before the error grows, and the "
        "same variance needs an innovation well within the margin. Right: mean square of the innovation, "
        "in squared steps, in runs where m messages are known; the grey line is the noise of a worker. "
        "Without overloads it falls as stated; with k = 2 in sequential mode overloads spoil the side "
        "information of the workers that follow, in parallel mode they do not."
    ),
    bound=(
        "dashed black, with hollow marks of the same shape as its ratio: the sub-Gaussian bound on the "
        "overload (left), the bound on the excess (middle). Right the dashed line is no bound but the "
        "stated variance of the innovation."
    ),
    measured=(
        "exact laws by quadrature; sampled with real messages of 2^18 coordinates a mark, bars 99 %; runs "
        f"of {ROUNDS} rounds and {RUNS} replicates on a quadratic with d = {DIMENSION}, noise variance 1/16 "
        "of a squared step, bars 99 %."
    ),
    claims=("ndqsg/nested-overload", "ndqsg/side-information", "ndqsg/nested-same-variance-fewer-bits"),
)


def table() -> dict[str, Any]:
    """Return a row for each number: panel, series, k, x, value, its interval of 99 %, and what is stated.

    Panels: `overload` and `excess` (of the mean square error over D, relative) against the deviation of the
    innovation in steps, `innovation` (variance in squared steps) against the number of messages m.
    """
    import numpy as np

    names = ("panel", "series", "k", "x", "value", "low", "high", "stated")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    rows: list[tuple[Any, ...]] = []
    for k in RATIO_COLORS:
        for sigma in np.geomspace(LEAST, LARGEST, POINTS):
            rows += _exact(k, float(sigma))
        for place, sigma in enumerate(SAMPLED):
            rows += _sampled(k, sigma, stream(MASTER_SEED, OVERLOAD, f"figure/{k}", place))
    for mode, k in SERIES:
        rows += _runs(mode, k)
    for row in rows:
        for key, item in zip(columns, row, strict=True):
            columns[key].append(item)
    return columns


def _exact(k: int, sigma: float) -> list[tuple[Any, ...]]:
    """Return exact overload probability and excess for a Gaussian innovation, and their stated bounds."""
    from verify.ndqsg.fixtures.nested_overload_oracle import moments
    from verify.ndqsg.fixtures.ratio_rule import excess

    formulas, found = theory.claim(OVERLOAD).formulas, moments(sigma, k)
    above = evaluate(formulas["excess_gaussian"], {"k": k, "squares": found.squares})
    chance = min(1.0, evaluate(formulas["sub_gaussian"], {"k": k, "spread": sigma}))
    nan = float("nan")
    return [
        ("overload", "exact", k, sigma, found.overload, nan, nan, chance),
        ("excess", "exact", k, sigma, excess(sigma, k), nan, nan, 12 * above),
    ]


def _sampled(k: int, sigma: float, rng: Any) -> list[tuple[Any, ...]]:
    """Return the same for real messages, where enough overloads are expected."""
    from scipy import stats

    from impl.compressors.contract import Draws
    from impl.compressors.dithered.dither_stream import draw_dither
    from verify.ndqsg.fixtures.nested_links import Link
    from verify.ndqsg.fixtures.nested_overload_oracle import moments

    chance, link = moments(sigma, k).overload, Link(k)
    if chance * MESSAGES < EXPECTED:
        return []
    g = rng.uniform(-8, 8, MESSAGES)
    y, u = g - sigma * rng.standard_normal(MESSAGES), draw_dither(rng, (MESSAGES,))
    count = int(link.codec.overloads(g, Draws(shared=u), y).sum())
    interval = stats.binomtest(count, MESSAGES).proportion_ci(LEVEL)
    squares = 12 * link.errors(g, y, u) ** 2 - 1
    mean, reach, nan = float(squares.mean()), _reach(squares), float("nan")
    return [
        ("overload", "sampled", k, sigma, count / MESSAGES, interval.low, interval.high, nan),
        ("excess", "sampled", k, sigma, mean, mean - reach, mean + reach, nan),
    ]


def _reach(values: Any) -> float:
    """Return half of the normal interval of a mean."""
    from scipy import stats

    return float(stats.norm.ppf((1 + LEVEL) / 2) * values.std(ddof=1) / len(values) ** 0.5)


def _runs(mode: str, k: int) -> list[tuple[Any, ...]]:
    """Return mean squares of innovations in runs, over coordinates, rounds and replicates, for each m.

    In a sequential run a worker with m before it has m messages; in a parallel one m workers are not nested.
    """
    formula, D = theory.claim(SIDE).formulas["exact"], 1 / 12
    rows = []
    sizes = [1] if mode == "sequential" else list(range(1, LARGEST_M + 1, 2))
    for place, first in enumerate(sizes):
        nested = LARGEST_M if mode == "sequential" else 1
        rng = stream(MASTER_SEED, SIDE, f"figure/{mode}/{k}", place)
        samples = _innovations(mode, k, first, nested, rng)
        for number in range(nested):
            m = first + number if mode == "sequential" else first
            values = samples[..., number].ravel()  # one mean for each round and replicate
            mean, reach = float(values.mean()), _reach(values)
            stated = evaluate(formula, {"sigma_n_sq": NOISE**2, "D": D, "m": m})
            rows.append(("innovation", mode, k, m, mean, mean - reach, mean + reach, stated))
    return rows


def _innovations(mode: str, k: int, first: int, nested: int, rng: Any) -> Any:
    """Return mean squared innovations of the nested workers in a run, (rounds, replicates, nested)."""
    import numpy as np

    from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
    from impl.optimizers import quantized_sgd
    from impl.problems import Quadratic

    found = []

    def observe(exchange: Any) -> None:
        found.append(((exchange.gradients - exchange.side)[:, first:] ** 2).mean(axis=-1))

    # The steps have length one at a fixed scale.
    codecs = [DitheredQuantizer(1, scale=1.0)] * first + [NestedDitheredQuantizer(1, k, scale=1.0)] * nested
    quantized_sgd(
        Quadratic(np.tile(np.linspace(0.1, 1, DIMENSION), (first + nested, 1))),
        codecs,
        step_size=0.5,
        rounds=ROUNDS,
        rng=rng,
        replicates=RUNS,
        noise_std=NOISE,
        side=mode,  # type: ignore[arg-type]
        start=3 * np.ones(DIMENSION),
        observe=observe,
    )
    return np.array(found)


def draw(columns: dict[str, Any]) -> Any:
    """Draw overload, excess and innovation."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, width_ratios=(1, 1, 1.1))
    panels, series = np.array(columns["panel"]), np.array(columns["series"])
    ratios = np.array(columns["k"], dtype=float)

    def of(panel: str, name: str, k: int) -> Any:
        chosen = (panels == panel) & (series == name) & (ratios == k)
        keys = ("x", "value", "low", "high", "stated")
        return (np.array(columns[key], dtype=float)[chosen] for key in keys)

    axis_floors = {"overload": 1e-7, "excess": 1e-4}
    for axis, panel in zip(axes, axis_floors, strict=False):
        for k, color in RATIO_COLORS.items():
            x, value, _, _, stated = of(panel, "exact", k)
            axis.plot(x, value, color=color, label=f"$k={k}$, exact", linewidth=1.6)
            draw_bound(axis, x, stated, BOUND_LABEL)
            shown = (stated > axis_floors[panel]) & (stated < 0.99 if panel == "overload" else stated < 50)
            mark_bound(axis, x[shown], stated[shown], RATIO_MARKERS[k], color, slice(2, None, 6))
            x, value, low, high, _ = of(panel, "sampled", k)
            axis.errorbar(
                x,
                value,
                (value - low, high - value),
                fmt=RATIO_MARKERS[k],
                color=color,
                elinewidth=1,
                capsize=2,
            )
        axis.set(xscale="log", yscale="log", xlabel=r"deviation of the innovation $\sigma_z/\delta$")
        axis.set_xticks([0.1, 0.2, 0.5, 1, 2], ["0.1", "0.2", "0.5", "1", "2"])
        axis.minorticks_off()
    axes[0].set(ylabel="overload probability", ylim=(axis_floors["overload"], 1.5))
    axes[1].set(ylabel="mean square error over $D$, minus 1", ylim=(axis_floors["excess"], 300))
    axes[1].axhline(0.01, color="gray", linewidth=0.8)
    axes[1].text(LARGEST, 0.012, "1 %", color="gray", ha="right", fontsize=7)
    right = axes[2]
    for (mode, k), (label, marker, color, fill) in SERIES.items():
        m, value, low, high, stated = of("innovation", mode, k)
        if mode == "sequential":
            draw_bound(right, m, stated, "")
        right.errorbar(
            m,
            value,
            (value - low, high - value),
            fmt=marker,
            color=color,
            fillstyle=fill,
            markersize=7 if (mode, k) == ("parallel", 7) else None,  # another lies on it
            elinewidth=1,
            label=label,
        )
    right.axhline(NOISE**2, color="gray", linewidth=0.8)
    right.text(1, NOISE**2 + 0.0035, r"$\sigma_n^2$", color="gray", fontsize=7)
    right.set_ylim(0.055, 0.22)
    right.set(
        xlabel="messages known, $m$", ylabel=r"$\sigma_z^2/\delta^2$", xticks=(1, 3, 5, 7, 9, 11, 13, 15)
    )
    _legend(figure, axes[0], right)
    figure.set_size_inches(6.8, 3.6)
    return figure


def _legend(figure: Any, left: Any, right: Any) -> None:
    """Explain lines, marks and bars below the panels."""
    from matplotlib.lines import Line2D

    handles, labels = left.get_legend_handles_labels()
    found = dict(zip(labels, handles, strict=True))
    found[BOUND_LABEL] = found.pop(BOUND_LABEL)
    style: dict[str, Any] = {"color": "gray", "marker": "o", "linestyle": "none"}
    found[f"marks: sampled, bars: {LEVEL:.0%}"] = Line2D([], [], **style)
    for handle, label in zip(*right.get_legend_handles_labels(), strict=True):
        found[label] = handle
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=3)
