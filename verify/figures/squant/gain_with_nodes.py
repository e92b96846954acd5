"""Gain of n blocks over one unaware block against the number of nodes, stated and measured."""

from typing import Any

from verify.context import MASTER_SEED
from verify.evidence.exponent import exponent_verdict
from verify.evidence.streams import stream
from verify.experiments.squant.gain_runs import LONG, run_costs
from verify.figures.bound_line import draw_bound
from verify.figures.captions import Caption
from verify.squant.fixtures.families import family
from verify.squant.fixtures.total_cost import gain
from verify.squant.gains.gain_block import DOUBLING

FAMILIES = {
    "V": "V: one heavy node",
    "H": "H: node i heavy on block i",
    "hom": "hom: equal nodes (control)",
    "lowdim": "lowdim: H with d = 8n (control)",
}
COLORS = {"V": "C0", "H": "C1", "hom": "C2", "lowdim": "C3"}
MARKERS = {"V": "o", "H": "s", "hom": "^", "lowdim": "D"}
SIZES = {"V": 4.0, "H": 7.5, "hom": 4.0, "lowdim": 3.0}
"""Of hollow marks: the rounds of `lowdim` lie on those of `H`."""

SEEDS = 10

CAPTION = Caption(
    title=("Gain of n blocks over one unaware block, against the number of nodes"),
    seen=(
        "Left: stated cost (bound on the rounds times worst-case length of a message) of one block over "
        "that of n blocks, for four families of problems; right: the ratio of measured bits (solid, "
        "filled) and rounds (dotted, hollow). Legends give fitted exponents. Families V and H gain like n "
        "as stated; the controls show no gain (hom) or a slow one (lowdim). In family H rounds gain like "
        "n, bits only like its root, since messages of few coordinates are short already; the rounds of "
        "lowdim lie on those of H."
    ),
    bound=(
        "left: lines of slope 1 (dashed) and 1/2 (dotted) for comparison; the gain stated for V and H is "
        "of order n."
    ),
    measured=(
        "left exact formulas; right medians of runs over 10 seeds with real Elias-coded messages, bands "
        "the largest and the least ratio."
    ),
    claims=(
        "squant/gain-block",
        "squant/finding-short-messages",
    ),
)


def table() -> dict[str, Any]:
    """Return stated and measured gains in bits and in rounds, with the range over the seeds."""
    import numpy as np

    columns: dict[str, list[Any]] = {name: [] for name in ("family", "kind", "n", "value", "low", "high")}

    def add(*row: Any) -> None:
        for name, item in zip(columns, row, strict=True):
            columns[name].append(item)

    for name in FAMILIES:
        for n in DOUBLING:
            value = gain(family(name, n))
            add(name, "stated", n, value, value, value)
        for n in LONG:
            rng = stream(MASTER_SEED, "squant/gain-block", f"figure/{name}", n)
            costs = [run_costs(family(name, n), method, rng, SEEDS) for method in ("std", "block")]
            for kind in ("bits", "rounds"):
                above, below = (getattr(item, kind) for item in costs)
                ratio = float(np.median(above) / np.median(below))
                add(name, kind, n, ratio, above.min() / below.max(), above.max() / below.min())
    return columns


def _exponent(sizes: Any, values: Any) -> float:
    return exponent_verdict(sizes, values, values, claimed=0.0)[1][0]


def draw(columns: dict[str, Any]) -> Any:
    """Draw the stated gain on the left, the measured one on the right."""
    import numpy as np
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2)
    names, kinds = np.array(columns["family"]), np.array(columns["kind"])

    def of(name: str, kind: str) -> Any:
        chosen = (names == name) & (kinds == kind)
        return [np.array(columns[key], dtype=float)[chosen] for key in ("n", "value", "low", "high")]

    for name, label in FAMILIES.items():
        n, value, *_ = of(name, "stated")
        left.plot(
            n,
            value,
            MARKERS[name] + "-",
            color=COLORS[name],
            label=f"{label}\nexponent {_exponent(n, value):.2f}",
        )
        for kind, line in (("bits", "-"), ("rounds", ":")):
            n, value, low, high = of(name, kind)
            slope = _exponent(n, value)
            style: dict[str, Any] = {"color": COLORS[name], "marker": MARKERS[name], "linestyle": line}
            if kind == "rounds":
                style |= {"markerfacecolor": "none", "markersize": SIZES[name]}
            right.plot(n, value, label=f"{name}, {kind}: {slope:.2f}", **style)
            right.fill_between(n, low, high, color=COLORS[name], alpha=0.2, linewidth=0)
    sizes = np.array(DOUBLING, dtype=float)
    draw_bound(left, sizes, sizes / sizes[0], "slope 1")
    left.plot(sizes, np.sqrt(sizes / sizes[0]), color="gray", linestyle=":", label="slope 1/2")
    left.set(xscale="log", yscale="log", xlabel="number of nodes and blocks $n$")
    left.set_ylabel("stated cost in bits, one unaware block / $n$ blocks")
    right.set(xscale="log", yscale="log", xlabel="number of nodes and blocks $n$")
    right.set_ylabel(f"measured ratio of bits or rounds (band: {SEEDS} seeds)")
    for axis, ticks in ((left, DOUBLING), (right, LONG)):
        axis.axhline(1.0, color="gray", linewidth=0.6)
        axis.set_xticks(list(ticks), [str(item) for item in ticks])
        axis.minorticks_off()
        axis.legend(loc="upper left", fontsize=6)
    figure.set_size_inches(6.8, 3.6)
    return figure
