"""Guaranteed decrease per cost against the number of entries, for three gradients and three links."""

from typing import Any

from verify.figures.captions import Caption
from verify.figures.cat.parts.styles import COLORS, LABELS, LINES, MARKERS

VECTORS = {"gh": r"$g_j=(-1)^j/j$, $d=64$", "gc": r"$g_j=\cos j$, $d=1000$", "flat": "$g_j=1$, $d=1000$"}
LINKS = {"affine": "affine, 624 bits fixed", "lora51": "LoRa, 51 bytes", "eth": "Ethernet"}
METHODS = ("cat_s", "cat_sq", "cat_st")
SOME = 120
"""Sizes at which a curve is drawn, besides the ends of packets."""

CAPTION = Caption(
    title=(
        "Guaranteed decrease per cost against the number of entries in a message, three gradients and "
        "three links"
    ),
    seen=(
        "Efficiency of a message with T entries over that of a dense message (dash-dotted line at 1), for "
        "the rules CAT-S, CAT-SQ and CAT-ST; rows are links, columns gradients. The mark is the size that "
        "the rule chooses, the largest of its curve. With an affine cost CAT-S and CAT-ST have one "
        "maximum; packets make a sawtooth whose teeth are full packets, which the random rule sees "
        "smoothed, as its number of entries varies. A flat gradient (right) pays for its indices: no size "
        "beats a dense message, but for signs."
    ),
    bound=(
        "every curve is a guarantee, the stated lower bound on the decrease of one step per bit of its "
        "cost; the dense message is the reference, not a bound."
    ),
    measured=("exact, no runs: efficiencies at about 120 sizes and at both ends of every packet."),
    claims=(
        "cat/affine-unimodal",
        "cat/packet-candidates",
        "cat/sq-range",
        "cat/st-waterfill",
        "cat/s-descent",
    ),
)


def table() -> dict[str, Any]:
    """Return efficiencies over that of a dense message at some sizes, and the size that the rule chooses.

    The random rule chooses among the sizes in its rows.
    """
    import numpy as np

    from impl.communication import PRESETS, dense_bits
    from verify.cat.fixtures.golden_vectors import flat, gc, gh

    columns: dict[str, list[Any]] = {
        name: [] for name in ("vector", "link", "method", "T", "relative", "chosen")
    }
    for name, g in zip(VECTORS, (gh(), gc(), flat(1000)), strict=True):
        for link in LINKS:
            cost = PRESETS[link]
            whole = float(cost(dense_bits(len(g))))
            for method in METHODS:
                sizes = _sizes(len(g), cost, method)
                chosen = _choice(g, cost, method, sizes)
                sizes = np.unique(np.append(sizes, chosen))
                efficiencies = _curve(g, cost, method, sizes)
                for T, efficiency in zip(sizes, efficiencies, strict=True):
                    row = (name, link, method, T, efficiency * whole, chosen)
                    for key, item in zip(columns, row, strict=True):
                        columns[key].append(item)
    return columns


def _sizes(d: int, cost: Any, method: str) -> Any:
    """Return some sizes, with those on both sides of a jump of a sure cost."""
    import numpy as np

    from impl.communication import sign_entries_bits, sparse_bits

    every = np.arange(1, d + 1)
    some = np.geomspace(1, d, SOME).round().astype(int)
    if method == "cat_st" or cost.is_affine:
        jumps = np.array([], dtype=int)
    else:
        bits = sign_entries_bits if method == "cat_sq" else sparse_bits
        jumps = 1 + np.flatnonzero(np.diff(cost(bits(every, d))))
    return np.unique(np.concatenate([some, jumps, jumps + 1]))


def _choice(g: Any, cost: Any, method: str, sizes: Any) -> int:
    """Return the size that the rule chooses, the random one among these."""
    from impl.adaptive import cat_s, cat_sq, cat_st

    if method == "cat_st":
        return cat_st(g, cost, sizes=sizes.tolist()).size
    return {"cat_s": cat_s, "cat_sq": cat_sq}[method](g, cost).size


def _curve(g: Any, cost: Any, method: str, sizes: Any) -> Any:
    """Return share / cost at the sizes."""
    import numpy as np

    from impl.adaptive import SortedGradient, keep_probabilities, omegas
    from impl.adaptive.expected_cost import expected_costs
    from impl.communication import sign_entries_bits, sparse_bits

    d, ordered = len(g), SortedGradient(g, "figure")
    if method == "cat_sq":
        shares = ordered.sums[sizes - 1] ** 2 / (sizes * ordered.energies[-1])
        return shares / cost(sign_entries_bits(sizes, d))
    if method == "cat_st" and not cost.is_affine:
        chances = np.array([keep_probabilities(g, int(T)) for T in sizes])
        return omegas(ordered)[sizes - 1] / expected_costs(chances, cost, sparse_bits(1, d))
    shares = omegas(ordered) if method == "cat_st" else ordered.energies / ordered.energies[-1]
    return shares[sizes - 1] / cost(sparse_bits(sizes, d))


def draw(columns: dict[str, Any]) -> Any:
    """Draw a panel for each gradient and link."""
    import numpy as np
    from matplotlib import pyplot, ticker

    figure, axes = pyplot.subplots(len(LINKS), len(VECTORS), sharex="col")
    vectors, links, methods = (np.array(columns[key]) for key in ("vector", "link", "method"))
    for line, link in zip(axes, LINKS, strict=True):
        for axis, name in zip(line, VECTORS, strict=True):
            for method in METHODS:
                where = (vectors == name) & (links == link) & (methods == method)
                T, relative, chosen = (
                    np.array(columns[key], dtype=float)[where] for key in ("T", "relative", "chosen")
                )
                wide = 1.6 if method == "cat_s" else 1.0
                style: dict[str, Any] = {"color": COLORS[method], "linewidth": wide}
                axis.plot(T, relative, linestyle=LINES[method], label=LABELS[method], **style)
                marked = relative[chosen[0] == T]
                axis.plot(chosen[:1], marked, MARKERS[method], color=COLORS[method], markersize=5.5)
            axis.axhline(1, color="black", linewidth=0.8, linestyle="-.", label="dense message")
            axis.set(xscale="log", yscale="log")
            axis.yaxis.set_major_locator(ticker.LogLocator(subs=(1.0, 3.0)))
            axis.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
            axis.yaxis.set_minor_locator(ticker.NullLocator())
        line[0].set_ylabel(f"{LINKS[link]}\n$E(T)\\;/\\;E_\\mathrm{{dense}}$")
    for axis, title in zip(axes[0], VECTORS.values(), strict=True):
        axis.set_title(title)
    for axis in axes[-1]:
        axis.set_xlabel("entries $T$")
    _legend(figure, axes[0, 0])
    figure.set_size_inches(6.8, 5.6)
    return figure


def _legend(figure: Any, axis: Any) -> None:
    """Explain lines and marks below the panels."""
    from matplotlib.lines import Line2D

    handles, labels = axis.get_legend_handles_labels()
    found = dict(zip(labels, handles, strict=True))
    for method in METHODS:
        style: dict[str, Any] = {
            "color": COLORS[method],
            "linestyle": LINES[method],
            "marker": MARKERS[method],
        }
        found[f"{LABELS[method]}, mark: its choice"] = Line2D([], [], **style, markersize=5.5)
        del found[LABELS[method]]
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=4, handlelength=3)
