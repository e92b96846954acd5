"""Gain of the chosen size over all entries against the dimension, for flat and geometric gradients."""

from typing import Any

import theory
from verify.figures.captions import Caption
from verify.formulas.evaluation import evaluate

CLAIM = "cat/scaling"
RHO = 0.9
COSTS = (1, 10, 100)
"""Fixed costs of a message, in entries."""

DIMENSIONS = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
COLORS = {1: "C0", 10: "C1", 100: "C2"}
MARKERS = {1: "o", 10: "^", 100: "D"}

CAPTION = Caption(
    title=("Gain of the chosen size over sending all entries, against the dimension"),
    seen=(
        "Left: efficiency of CAT-S at its own size over that of a message with all d entries, for "
        "geometric gradients (filled marks, one shape for each fixed cost r of a message, in entries) and "
        "for a flat gradient (hollow squares); the grey line has slope 1. Right: the size that CAT-S "
        "chooses. For steep gradients the size does not depend on d and the gain grows in proportion to "
        "it; for a flat gradient the rule sends everything and gains nothing."
    ),
    bound=(
        "dashed black: the stated gain at the chosen size, an equality. Dotted on the right: the stated "
        "best size, a real number."
    ),
    measured=("exact, no runs: sizes and efficiencies of the rule itself."),
    claims=("cat/scaling",),
)


def table() -> dict[str, Any]:
    """Return gains and sizes of `cat_s`, the stated gain at these sizes and the stated best size, a real."""
    import numpy as np

    from impl.adaptive import cat_s
    from impl.communication import Affine
    from verify.cat.fixtures.golden_vectors import flat, geometric

    claim = theory.claim(CLAIM)
    names = ("vector", "r", "d", "gain", "size", "stated", "maximiser")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for r in COSTS:
        cost = Affine(1, r)
        assert claim.exact is not None
        best = evaluate(claim.exact, {"rho": RHO, "r": r})
        for d in DIMENSIONS:
            for vector, g in (("flat", flat(d)), ("geo", geometric(RHO, d))):
                choice = cat_s(g, cost, entry_bits=1)
                values = {"c_0": r, "c_1": 1, "d": d}
                if vector == "flat":
                    chosen, whole = (
                        evaluate(claim.formulas["flat"], {**values, "T": T}) for T in (choice.size, d)
                    )
                    stated = chosen / whole
                else:
                    at = {"r": r, "d": d, "T": choice.size, "rho": RHO}
                    stated = evaluate(claim.formulas["gain"], at)
                gain = float(choice.efficiency) * cost(d)
                row = (vector, r, d, gain, choice.size, stated, best if vector == "geo" else np.nan)
                for key, item in zip(columns, row, strict=True):
                    columns[key].append(item)
    return columns


def draw(columns: dict[str, Any]) -> Any:
    """Draw gains on the left, sizes on the right."""
    import numpy as np
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2)
    vectors, fixed = np.array(columns["vector"]), np.array(columns["r"], dtype=float)
    for r in COSTS:
        chosen = (vectors == "geo") & (fixed == r)
        d, gain, size, stated, best = (
            np.array(columns[key], dtype=float)[chosen]
            for key in ("d", "gain", "size", "stated", "maximiser")
        )
        color, label = COLORS[r], f"$g_j^2={RHO}^{{j-1}}$, $r={r}$"
        left.plot(d, gain, MARKERS[r], color=color, label=label)
        left.plot(
            d, stated, color="black", linestyle="--", linewidth=0.8, label="stated gain at the chosen $T$"
        )
        right.plot(d, size, MARKERS[r], color=color)
        right.axhline(
            best[0], color=color, linewidth=0.8, linestyle=":", label="stated best $T$, not rounded"
        )
    flat: dict[str, Any] = {"color": "gray", "markerfacecolor": "none", "markersize": 6}
    chosen = (vectors == "flat") & (fixed == COSTS[1])
    d, gain, size, stated = (
        np.array(columns[key], dtype=float)[chosen] for key in ("d", "gain", "size", "stated")
    )
    left.plot(d, gain, "s", **flat, label=f"flat, $r={COSTS[1]}$")
    left.plot(d, stated, color="black", linestyle="--", linewidth=0.8)
    right.plot(d, size, "s", **flat)
    left.plot(d[-4:], d[-4:] / 4, color="gray", linewidth=0.8, label="slope 1")
    left.set(xscale="log", yscale="log", xlabel="dimension $d$", ylabel="gain $E(T^*)\\;/\\;E(d)$")
    right.set(
        xscale="log", yscale="log", xlabel="dimension $d$", ylabel="chosen size $T^*$", ylim=(0.8, 6000)
    )
    found: dict[str, Any] = {}
    for axis in (left, right):
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    figure.legend(list(found.values()), list(found), loc="outside lower center", ncols=4)
    figure.set_size_inches(6.8, 3.3)
    return figure
