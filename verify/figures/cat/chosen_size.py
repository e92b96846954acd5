"""How many entries the rules choose in each iteration, over five links."""

from typing import Any

from verify.context import MASTER_SEED
from verify.figures.captions import Caption
from verify.figures.cat.parts.styles import LINK_LABELS

POINTS, ALL = 60, 300
METHODS = ("cat_st", "cat_sq", "cat_s")
SHOWN = 40
"""Iterations that are drawn, spaced evenly on a log scale."""

SETS = {"lf": "LF, flat gradients ($d=256$)", "ls": "LS, steep gradients ($d=512$)"}

CAPTION = Caption(
    title="How many entries the three rules choose in each iteration on two public problems, five links",
    seen=(
        "Entries in the message of each iteration until a relative gap of 1e-3; rows are LF (flat "
        "gradients, d = 256) and LS (steep ones, d = 512), columns links. A mark for each of about 40 "
        "iterations, spaced evenly on a log scale; the dotted line is one full packet. With a fixed cost "
        "per message the sizes grow as the gradient flattens; over packets those of CAT-S stay at full "
        "packets. CAT-SQ jumps between few entries and many: its efficiency has several maxima. By payload "
        "alone CAT-S and CAT-ST send one entry (small marks within large ones)."
    ),
    bound="none; one full packet is a property of the link, not a bound.",
    measured=(
        "sizes of the runs of cat/loss_vs_cost, of CAT-ST the expected size of the first run; over packets "
        "CAT-ST chooses among 24 sizes."
    ),
    claims=("cat/affine-unimodal", "cat/packet-candidates", "cat/finding-sq-not-unimodal", "cat/headline"),
)


def table() -> dict[str, Any]:
    """Return T^k at iterations of a run until 1e-3; all of them, or some of a run of more than `ALL`.

    `full` is the number of entries that fill a packet, 0 for a link without packets.
    """
    import numpy as np

    from impl.communication import PRESETS, index_bits
    from verify.cat.fixtures import golden_vectors
    from verify.experiments.cat.adaptive_runs import Comparison

    columns: dict[str, list[Any]] = {name: [] for name in ("set", "link", "method", "k", "size", "full")}
    for name in SETS:
        comparison = Comparison(getattr(golden_vectors, name)(), MASTER_SEED, name)
        entry = index_bits(comparison.problem.d) + 32
        for link in LINK_LABELS:
            full = (PRESETS[link].frame or 0) // entry
            for method in METHODS:
                runs = comparison.run(method, link)
                last = int(runs.ends[0]) - 1
                shown = np.geomspace(1, last + 1, POINTS).round().astype(int) - 1
                for k in range(last + 1) if last < ALL else np.unique(shown):
                    row = (name, link, method, k, runs.sizes[0, k], full)
                    for key, item in zip(columns, row, strict=True):
                        columns[key].append(item)
    return columns


def draw(columns: dict[str, Any]) -> Any:
    """Draw a panel for each link and set."""
    import numpy as np
    from matplotlib import pyplot

    from verify.figures.cat.parts.size_marks import draw_sizes, sizes_legend

    figure, axes = pyplot.subplots(len(SETS), len(LINK_LABELS), sharey=True)
    sets, links, methods = (np.array(columns[key]) for key in ("set", "link", "method"))
    for line, name in zip(axes, SETS, strict=True):
        for axis, link in zip(line, LINK_LABELS, strict=True):
            for method in METHODS:
                chosen = (sets == name) & (links == link) & (methods == method)
                k, size, full = (np.array(columns[key], dtype=float)[chosen] for key in ("k", "size", "full"))
                spaced = np.geomspace(1, k[-1] + 1, SHOWN) - 1
                few = np.unique(np.searchsorted(k, spaced.round()).clip(max=len(k) - 1))
                draw_sizes(axis, method, k[few], size[few], full)
            axis.set(xscale="log", yscale="log", ylim=(0.7, 700))
            axis.set_yticks([1, 10, 100], ["1", "10", "100"])
            axis.minorticks_off()
        line[0].set_ylabel(f"{SETS[name].split(',')[0]}: entries $T^k$")
    for axis, label in zip(axes[0], LINK_LABELS.values(), strict=True):
        axis.set_title(label.replace(", ", ",\n"))
    for axis in axes[-1]:
        axis.set_xlabel("iteration $k+1$")
    sizes_legend(figure, METHODS)
    figure.set_size_inches(6.8, 3.8)
    return figure
