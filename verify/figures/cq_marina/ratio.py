"""How many times the bits of CQ the theory gives to IQ, on the diagonal and beyond it."""

from typing import Any

from verify.figures.bound_line import draw_bound
from verify.figures.captions import Caption

DECADES = (1, 8)
POINTS = 57
DIMENSIONS = (10**2, 10**4, 10**6)
MARKERS = ("s", "o", "^", "D")
EVERY = 12
"""Points from one mark of a line to the next."""

# Label, bits for each coordinate, and limit on the diagonal where there is one.
VERSIONS = {
    "quarters": (r"$\frac{d}{4n}$, $\frac{d}{4n^2}$, 1 bit (as reported)", 1, (0.25, 1 / 32)),
    "binary": (r"$\frac{d-1}{n}$, $\frac{d}{n^2}$, 1 bit (binary grid)", 1, (1.0, 1 / 32)),
    "ternary": (r"$\frac{d}{4n}$, $\frac{d}{4n^2}$, 2 bits (ternary grid)", 2, (0.25, 1 / 16)),
    "true_ternary": (r"$\frac{\sqrt{d}-1}{n}$, $\frac{d}{4n^2}$, 2 bits (its true IQ)", 2, None),
}

CAPTION = Caption(
    title=("How many times the bits of correlated quantization the theory gives to independent quantization"),
    seen=(
        "Left: on the diagonal n = d, for four choices of the constants (relative variance of IQ, of CQ, "
        "and bits of a coordinate, as the legend lists them). The reported 7.29 is the limit for "
        "constants of a ternary grid with messages of a binary one; consistent constants give 12.86 or "
        "5.52, and with the true variance of ternary IQ the ratio has no such limit. Right: for fixed d "
        "against the number of clients, with the reported constants (squares) and those of the binary "
        "grid (circles); the marks are at n = d, which is not the best case. The grey line is no gain."
    ),
    bound=("dashed black: limits of the ratio as n = d grows, with their values."),
    measured=("exact evaluation of formulas; nothing is run."),
    claims=(
        "cq_marina/comm-ratio",
        "cq_marina/finding-ratio-not-maximum",
        "cq_marina/finding-quarter-constant",
    ),
)


def table() -> dict[str, Any]:
    """Return ratios for n = d (panel `diagonal`) and for fixed d (panel `clients`), and limits."""
    import numpy as np

    from verify.cq_marina.cost.ratios import binary, quarters, ratio, true_ternary
    from verify.cq_marina.fixtures.joint.psi import psi

    noises = {"quarters": quarters, "binary": binary, "ternary": quarters, "true_ternary": true_ternary}
    columns: dict[str, list[Any]] = {name: [] for name in ("panel", "version", "d", "n", "ratio", "limit")}

    def add(*row: Any) -> None:
        for key, item in zip(columns, row, strict=True):
            columns[key].append(item)

    sizes = np.unique(np.geomspace(10 ** DECADES[0], 10 ** DECADES[1], POINTS).astype(int)).tolist()
    for name, (_, beta, at) in VERSIONS.items():
        limit = float("nan") if at is None else 32 / beta * psi(*at).value
        for n in sizes:
            add("diagonal", name, n, n, ratio(n, n, beta, noises[name]), limit)
    for name in ("quarters", "binary"):
        beta = VERSIONS[name][1]
        for d in DIMENSIONS:
            for n in sizes:
                if n <= 100 * d:
                    add("clients", name, d, n, ratio(n, d, beta, noises[name]), float("nan"))
    return columns


def draw(columns: dict[str, Any]) -> Any:
    """Draw the diagonal on the left, fixed dimensions on the right."""
    import numpy as np
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2)
    panel, version = np.array(columns["panel"]), np.array(columns["version"])
    d, n, ratio, limit = (np.array(columns[key], dtype=float) for key in ("d", "n", "ratio", "limit"))
    looks = zip(("C1", "C0", "C2", "C3"), MARKERS, strict=True)
    for (color, marker), (name, (label, *_)) in zip(looks, VERSIONS.items(), strict=True):
        chosen = (panel == "diagonal") & (version == name)
        left.plot(n[chosen], ratio[chosen], color=color, label=label, marker=marker, markevery=EVERY)
        if np.isfinite(limit[chosen]).all():
            draw_bound(left, n[chosen], limit[chosen], "limit, a stated bound")
            left.annotate(
                f"{limit[chosen][0]:.2f}", (n[chosen][0], limit[chosen][0] * 1.04), fontsize=7, color=color
            )
        if name in ("quarters", "binary"):
            for size, line in zip(DIMENSIONS, (":", "-.", "-"), strict=True):
                chosen = (panel == "clients") & (version == name) & (d == size)
                right.plot(n[chosen], ratio[chosen], line, color=color)
                right.plot(
                    [size], np.interp(np.log(size), np.log(n[chosen]), ratio[chosen]), marker, color=color
                )
    for size, line in zip(DIMENSIONS, (":", "-.", "-"), strict=True):
        right.plot([], [], line, color="gray", label=f"$d=10^{{{round(np.log10(size))}}}$")
    right.plot([], [], linestyle="none", label="marks: $n=d$")
    left.set(xscale="log", yscale="log", xlabel="$n=d$", ylim=(0.95, 17))
    left.set_yticks([1, 2, 4, 8, 16], ["1", "2", "4", "8", "16"])
    right.set(xscale="log", xlabel="number of clients $n$")
    for axis in (left, right):
        axis.set_ylabel("bits of IQ / bits of CQ, by the rate")
    right.axhline(1.0, color="gray", linewidth=0.6)
    right.legend(loc="upper left")
    handles, labels = left.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    unique["limit, a stated bound"] = unique.pop("limit, a stated bound")
    figure.legend(
        unique.values(),
        unique.keys(),
        loc="outside lower center",
        ncols=2,
        title="variance of IQ, of CQ, bits of a coordinate",
    )
    figure.set_size_inches(6.4, 3.8)
    return figure
