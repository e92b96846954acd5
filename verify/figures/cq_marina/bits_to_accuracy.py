"""Bits and rounds to the accuracy on the tridiagonal quadratics against the number of clients."""

from typing import Any

from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.captions import Caption
from verify.figures.cq_marina_styles import COLORS, LABELS, MARKERS

RUNS = 40
CLIENTS = (2, 5, 10, 20, 50, 100, 200, 400)
MARGIN = 1.5

CAPTION = Caption(
    title=(
        "Bits and rounds of MARINA to a squared gradient norm of 1e-4 on tridiagonal quadratics, against "
        "the number of clients"
    ),
    seen=(
        "Left: kbits that a client sends; right: rounds. Identical clients, d = 32, theoretical step "
        "sizes and probabilities. PermK has no noise on identical clients and needs the fewest bits, "
        "correlated quantization (CQ) fewer than independent quantization (IQ) and RandK. At two clients "
        "full rounds are the best for the other three, which then are gradient descent and coincide."
    ),
    bound=(
        "dotted: the bits of gradient descent times the cost that the rate promises; a promise in "
        "expectation, not a bound on a run."
    ),
    measured=(
        "exact expectations for IQ, RandK and PermK; for CQ the median of 40 runs, band from the least to "
        "the largest."
    ),
    claims=(
        "cq_marina/exp-quadratic",
        "cq_marina/finding-identical-clients",
    ),
)


def table() -> dict[str, Any]:
    """Return kbits of a client and rounds; exact expectations, or for CQ median and range over runs.

    `promised` is the theoretical cost times the kbits of gradient descent.
    """
    import numpy as np

    from verify.experiments.cq_marina.methods import Arrival, first_below
    from verify.experiments.cq_marina.quadratics import ACCURACY, EXPECTED, quadratic_method

    columns: dict[str, list[Any]] = {
        name: []
        for name in ("n", "method", "kbits", "low", "high", "rounds", "rounds_low", "rounds_high", "promised")
    }
    descent = quadratic_method(2, "independent")
    rounds = first_below(descent.expectations(120).gradient_norm_sq, ACCURACY)
    alone = float(descent.bits(rounds)) / 1000
    for place, n in enumerate(CLIENTS):
        for name in (*EXPECTED, "correlated"):
            method = quadratic_method(n, name)
            if name == "correlated":
                longest = int(MARGIN * rounds * method.theoretical_cost / _price(method)) + 40
                result = method.run(
                    stream(MASTER_SEED, "cq_marina/exp-quadratic", "figure", place),
                    rounds=longest,
                    replicates=RUNS,
                )
                k = Arrival(result.gradient_norm_sq, ACCURACY, method).settled
            else:
                k = np.array([first_below(method.expectations(800).gradient_norm_sq, ACCURACY)])
            kbits = method.bits(k) / 1000
            row = (
                n,
                name,
                float(np.median(kbits)),
                kbits.min(),
                kbits.max(),
                float(np.median(k)),
                k.min(),
                k.max(),
                alone * method.theoretical_cost,
            )
            for key, item in zip(columns, row, strict=True):
                columns[key].append(item)
    return columns


def _price(method: Any) -> float:
    """Return the expected bits of a round over those of a full one."""
    return float(method.bits(1) - method.bits(0)) / float(method.bits(0))


def draw(columns: dict[str, Any]) -> Any:
    """Draw bits on the left and rounds on the right."""
    import numpy as np
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2)
    methods = np.array(columns["method"])
    for name, label in LABELS.items():
        chosen = methods == name
        n, promised = (np.array(columns[key], dtype=float)[chosen] for key in ("n", "promised"))
        for axis, key, low, high in (
            (left, "kbits", "low", "high"),
            (right, "rounds", "rounds_low", "rounds_high"),
        ):
            middle, bottom, top = (np.array(columns[k], dtype=float)[chosen] for k in (key, low, high))
            size = 6 if name == "independent" else 3.5  # another one lies on it
            axis.plot(n, middle, MARKERS[name] + "-", color=COLORS[name], label=label, markersize=size)
            axis.fill_between(n, bottom, top, color=COLORS[name], alpha=0.3, linewidth=0)
        left.plot(n, promised, ":", color=COLORS[name], linewidth=1)
    left.plot([], [], ":", color="gray", label="promised cost, times gradient descent")
    left.set_ylabel(r"kbits of a client to $\mathbb{E}\|\nabla f\|^2\leq10^{-4}$")
    right.set_ylabel(f"rounds (CQ: median, band all {RUNS} runs)")
    for axis in (left, right):
        axis.set(xscale="log", yscale="log", xlabel="number of clients $n$")
        axis.set_xticks([2, 10, 50, 100, 400], ["2", "10", "50", "100", "400"])
        axis.minorticks_off()
    left.set_yticks([4, 8, 16, 32, 64], ["4", "8", "16", "32", "64"])
    right.set_yticks([100, 200, 400, 800], ["100", "200", "400", "800"])
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.set_size_inches(6.4, 3.3)
    return figure
