"""Relative gap over what was communicated on LIBSVM sets: logistic regression on one node."""

from typing import Any

from verify.cat.method_styles import COLORS, LABELS, LINES, LINK_LABELS
from verify.context import MASTER_SEED

NEEDS = ("phishing", "a9a", "w8a")
ROUNDS = {"phishing": 2500, "a9a": 250, "w8a": 200}
"""Longest runs: an iteration on a9a and w8a takes milliseconds."""

LINKS = ("affine", "6lowpan", "eth")
METHODS = ("gd", "top-8", "top-32", "cat_s", "cat_sq")
POINTS = 50


def table() -> dict[str, Any]:
    """Return relative gaps at costs in kbits, at iterations of a run until 1e-3 or for `ROUNDS`."""
    import numpy as np

    from verify.cat.adaptive_runs import Comparison

    columns: dict[str, list[Any]] = {name: [] for name in ("set", "link", "method", "k", "kbits", "gap")}
    for name in NEEDS:
        comparison = Comparison(_logistic(name), MASTER_SEED, name, ROUNDS[name])
        for link in LINKS:
            for method in METHODS:
                runs = comparison.run(method, link)
                for k in np.unique(np.geomspace(1, runs.ends[0], POINTS).round().astype(int)):
                    row = (name, link, method, k, runs.costs[0, k] / 1000, runs.gaps[0, k])
                    for key, item in zip(columns, row, strict=True):
                        columns[key].append(item)
    return columns


def _logistic(name: str) -> Any:
    from impl.problems import Logistic, contiguous_split, load_libsvm

    features, labels = load_libsvm(name)
    parts, signs, counts = contiguous_split(features, labels, 1)
    return Logistic(parts, signs, 1 / features.shape[0], counts=counts)


def draw(columns: dict[str, Any]) -> Any:
    """Draw a panel for each set and link."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(len(NEEDS), len(LINKS), sharey="row")
    sets, links, methods = (np.array(columns[key]) for key in ("set", "link", "method"))
    for line, name in zip(axes, NEEDS, strict=True):
        for axis, link in zip(line, LINKS, strict=True):
            for method in METHODS:
                chosen = (sets == name) & (links == link) & (methods == method)
                kbits, gap = (np.array(columns[key], dtype=float)[chosen] for key in ("kbits", "gap"))
                style: dict[str, Any] = {"color": COLORS[method], "linestyle": LINES.get(method, "-")}
                axis.plot(kbits, gap, label=LABELS[method], **style)
                axis.plot(kbits[-1:], gap[-1:], "v" if gap[-1] <= 1e-3 else "x", color=COLORS[method])
            axis.set(xscale="log", yscale="log")
        line[0].set_ylabel(f"{name}\n$(F-F^*)/(F_0-F^*)$")
    for axis, link in zip(axes[0], LINKS, strict=True):
        axis.set_title(LINK_LABELS[link])
    for axis in axes[-1]:
        axis.set_xlabel("kbits communicated")
    _legend(figure, axes[0, 0])
    figure.set_size_inches(6.8, 5.6)
    return figure


def _legend(figure: Any, axis: Any) -> None:
    """Explain lines and marks below the panels."""
    from matplotlib.lines import Line2D

    handles, labels = axis.get_legend_handles_labels()
    found = dict(zip(labels, handles, strict=True))
    for label, marker in (("$10^{-3}$ reached", "v"), ("cut off, at the same iteration as others", "x")):
        found[label] = Line2D([], [], color="gray", marker=marker, linestyle="none")
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=4)
