"""How many entries the rules choose in each iteration, over five links."""

from typing import Any

from verify.context import MASTER_SEED
from verify.figures.cat_styles import COLORS, LABELS, LINK_LABELS

POINTS, ALL = 60, 300
MARKERS = {"cat_st": "^", "cat_sq": "s", "cat_s": "o"}
METHODS = tuple(MARKERS)
SETS = {"lf": "LF, flat gradients ($d=256$)", "ls": "LS, steep gradients ($d=512$)"}


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

    figure, axes = pyplot.subplots(len(SETS), len(LINK_LABELS), sharey="row")
    sets, links, methods = (np.array(columns[key]) for key in ("set", "link", "method"))
    for line, name in zip(axes, SETS, strict=True):
        for axis, link in zip(line, LINK_LABELS, strict=True):
            for method in METHODS:
                chosen = (sets == name) & (links == link) & (methods == method)
                k, size, full = (np.array(columns[key], dtype=float)[chosen] for key in ("k", "size", "full"))
                style: dict[str, Any] = {"color": COLORS[method], "marker": MARKERS[method]}
                axis.plot(k + 1, size, label=LABELS[method], markersize=2, linewidth=0.4, **style)
                if full[0] and method == "cat_s":
                    axis.axhline(full[0], color="gray", linewidth=0.8, linestyle=":", label="one full packet")
            axis.set(xscale="log", yscale="log", ylim=(0.8, 700))
            axis.set_yticks([1, 10, 100], ["1", "10", "100"])
        line[0].set_ylabel(f"{SETS[name].split(',')[0]}: entries $T^k$")
    for axis, label in zip(axes[0], LINK_LABELS.values(), strict=True):
        axis.set_title(label.replace(", ", ",\n"))
    for axis in axes[-1]:
        axis.set_xlabel("iteration $k+1$")
    handles, labels = axes[0, 2].get_legend_handles_labels()
    found = dict(zip(labels, handles, strict=True))
    found[f"{LABELS['cat_st']}, over packets of 24 sizes"] = found.pop(LABELS["cat_st"])
    found["one full packet"] = found.pop("one full packet")
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=4)
    figure.set_size_inches(6.8, 3.8)
    return figure
