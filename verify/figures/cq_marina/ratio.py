"""How many times the bits of CQ the theory gives to IQ, on the diagonal and beyond it."""

from typing import Any

from verify.figures.bound_line import draw_bound

DECADES = (1, 8)
POINTS = 57
DIMENSIONS = (10**2, 10**4, 10**6)
# Label, bits for each coordinate, and limit on the diagonal where there is one.
VERSIONS = {
    "quarters": (r"$\frac{d}{4n}$, $\frac{d}{4n^2}$, 1 bit (as reported)", 1, (0.25, 1 / 32)),
    "binary": (r"$\frac{d-1}{n}$, $\frac{d}{n^2}$, 1 bit (binary grid)", 1, (1.0, 1 / 32)),
    "ternary": (r"$\frac{d}{4n}$, $\frac{d}{4n^2}$, 2 bits (ternary grid)", 2, (0.25, 1 / 16)),
    "true_ternary": (r"$\frac{\sqrt{d}-1}{n}$, $\frac{d}{4n^2}$, 2 bits (its true IQ)", 2, None),
}


def table() -> dict[str, Any]:
    """Return ratios for n = d (panel `diagonal`) and for fixed d (panel `clients`), and limits."""
    import numpy as np

    from verify.cq_marina.cost.ratios import binary, quarters, ratio, true_ternary
    from verify.cq_marina.fixtures.psi import psi

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
    for color, (name, (label, *_)) in zip(("C1", "C0", "C2", "C3"), VERSIONS.items(), strict=True):
        chosen = (panel == "diagonal") & (version == name)
        left.plot(n[chosen], ratio[chosen], color=color, label=label)
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
                    [size], np.interp(np.log(size), np.log(n[chosen]), ratio[chosen]), "o", color=color
                )
    for size, line in zip(DIMENSIONS, (":", "-.", "-"), strict=True):
        right.plot([], [], line, color="gray", label=f"$d=10^{{{round(np.log10(size))}}}$")
    right.plot([], [], "o", color="gray", label="$n=d$")
    left.set(xscale="log", yscale="log", xlabel="$n=d$", ylim=(0.95, 17))
    left.set_yticks([1, 2, 4, 8, 16], ["1", "2", "4", "8", "16"])
    right.set(xscale="log", xlabel="number of clients $n$")
    left.set_ylabel("bits of IQ / bits of CQ, by the rate")
    right.axhline(1.0, color="gray", linewidth=0.6)
    right.legend(loc="upper left")
    handles, labels = left.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    unique["limit, a stated bound"] = unique.pop("limit, a stated bound")
    figure.legend(unique.values(), unique.keys(), loc="outside lower center", ncols=2)
    figure.set_size_inches(6.4, 3.8)
    return figure
