"""What the greedy rule costs over the cheapest schedule, and over fixed numbers of entries."""

from typing import Any

import theory
from verify.figures.bound_line import draw_bound
from verify.figures.captions import Caption
from verify.formulas.evaluation import evaluate

CLAIM = "cat/greedy-not-optimal"
COUNTS = (2, 4, 8, 16)
LARGEST_RATIO, POINTS = 1e4, 40
RUNS = (1, 3, 10, 100, 1000)
"""Fixed costs r at which the greedy rule is run; with m at most 8 all entries stay in the range of floats."""

FIXED_COSTS = (1, 5, 20, 60)
ACCURACY = 0.02
COLORS = ("C0", "C1", "C2", "C3")
MARKERS = ("o", "s", "^", "D")

CAPTION = Caption(
    title=(
        "What choosing the most efficient size in every iteration costs over the cheapest schedule, and "
        "over fixed sizes"
    ),
    seen=(
        "Left: on a quadratic whose entries are built for it, cost of CAT-S, which sends one entry at a "
        "time, over the cost of one message with all m entries, against the fixed cost r of a message in "
        "entries. Right: on the public quadratic with d = 20, cost of a fixed number of entries over that "
        "of CAT-S until the squared gradient is 0.02, a curve for each fixed cost c_0; below the "
        "dash-dotted line a fixed size is cheaper. The greedy rule loses up to 16 per cent against the best "
        "fixed size in hindsight, and gains much over a bad one."
    ),
    bound=("dashed black: the limit m of the ratio as r grows, one for each m."),
    measured=(
        "lines left are the stated ratio, marks are runs of the rule; everything right is one "
        "deterministic run for each size."
    ),
    claims=(
        "cat/greedy-not-optimal",
        "cat/greedy-competitive",
    ),
)


def table() -> dict[str, Any]:
    """Return a row for each number: panel, m or c_0, x, value.

    Panels: `stated` and `run`, the cost of one entry at a time over one message with all m, against r;
    `fixed`, cost of a fixed size x on `quad` until the squared gradient is at most 0.02; `cat`, of CAT-S.
    """
    import numpy as np

    columns: dict[str, list[Any]] = {name: [] for name in ("panel", "curve", "x", "value")}
    claim = theory.claim(CLAIM)
    rows: list[tuple[Any, ...]] = []
    for m in COUNTS:
        for r in np.geomspace(0.1, LARGEST_RATIO, POINTS):
            rows.append(("stated", m, r, evaluate(claim.exact, {"m": m, "r": float(r)})))
        rows += [("run", m, r, _greedy(m, r) / (m + r)) for r in RUNS if m <= 8]
    rows += _quadratic()
    for row in rows:
        for key, item in zip(columns, row, strict=True):
            columns[key].append(item)
    return columns


def _greedy(m: int, r: int) -> float:
    """Return the cost of CAT-S on ||x||^2 / 2 until 0, with m squares q^j and messages of cost T + r."""
    from functools import partial

    import numpy as np

    from impl.adaptive import cat_s
    from impl.communication import Affine
    from impl.optimizers import cat_gd
    from verify.cat.fixtures.golden_vectors import isotropic

    q = evaluate(theory.claim(CLAIM).formulas["decay"], {"r": r})
    result = cat_gd(
        isotropic(m),
        partial(cat_s, cost=Affine(1, r), entry_bits=1),
        step_size=1.0,
        rounds=m,
        rng=np.random.default_rng(0),
        start=q ** (np.arange(m) / 2),
        until=0.0,
    )
    assert result.objective[0, -1] == 0
    return float(result.cost[0, -1])


def _quadratic() -> list[tuple[Any, ...]]:
    """Return costs on the public quadratic with messages of cost T + c_0.

    A fixed size sends the same messages whatever they cost.
    """
    from functools import partial

    from impl.adaptive import cat_s
    from impl.communication import Affine
    from verify.cat.fixtures.fixed_size import fixed_size
    from verify.cat.fixtures.golden_vectors import quad

    problem = quad()
    sizes = range(1, problem.d + 1)
    messages = {size: _spent(problem, fixed_size(size, lambda _: 1))[0] for size in sizes}
    rows: list[tuple[Any, ...]] = []
    for c_0 in FIXED_COSTS:
        cost = Affine(1, c_0)
        rows += [("fixed", c_0, size, float(messages[size] * cost(size))) for size in sizes]
        rows.append(("cat", c_0, 0, _spent(problem, partial(cat_s, cost=cost, entry_bits=1))[1]))
    return rows


def _spent(problem: Any, rule: Any) -> tuple[int, float]:
    """Return iterations and cost until the squared gradient is at most `ACCURACY`."""
    import numpy as np

    from impl.optimizers import cat_gd

    least = float(problem.evaluate(problem.solution[np.newaxis])[0][0])
    result = cat_gd(
        problem,
        rule,
        step_size=1 / problem.L,
        rounds=1000,
        rng=np.random.default_rng(0),
        start=np.ones(problem.d),
        until=least + ACCURACY / (2 * problem.L),  # there the squared gradient is at most 2 L times the rest
    )
    first = int((result.gradient_norm_sq[0] <= ACCURACY).argmax())
    assert result.gradient_norm_sq[0, first] <= ACCURACY
    return first, float(result.cost[0, first])


def draw(columns: dict[str, Any]) -> Any:
    """Draw the constructed gap on the left, the run on the right."""
    import numpy as np
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2)
    panels, curves = np.array(columns["panel"]), np.array(columns["curve"], dtype=float)

    def of(panel: str, curve: float) -> Any:
        chosen = (panels == panel) & (curves == curve)
        return (np.array(columns[key], dtype=float)[chosen] for key in ("x", "value"))

    for m, color, marker in zip(COUNTS, COLORS, MARKERS, strict=True):
        r, ratio = of("stated", m)
        left.plot(r, ratio, color=color, label=f"$m={m}$")
        draw_bound(left, r, np.full_like(r, m), "limit $m$, a stated bound")
        r, ratio = of("run", m)
        left.plot(r, ratio, marker, color=color)
    for c_0, color, marker in zip(FIXED_COSTS, COLORS, MARKERS, strict=True):
        size, cost = of("fixed", c_0)
        _, tuned = of("cat", c_0)
        right.plot(size, cost / tuned, color=color, marker=marker, markersize=3, label=f"$c_0={c_0}$")
    right.axhline(1.0, color="black", linewidth=0.8, linestyle="-.")
    right.text(1, 0.97, "CAT-S", va="top", fontsize=7)
    left.set(
        xscale="log",
        yscale="log",
        xlabel="fixed cost $r$, in entries",
        title="one entry at a time over one message",
    )
    left.set_ylabel("cost of CAT-S / least cost")
    left.set_yticks([1, 2, 4, 8, 16], ["1", "2", "4", "8", "16"])
    left.minorticks_off()
    right.set(
        yscale="log",
        xlabel="fixed number of entries $T$",
        title=r"quadratic, $d=20$, to $\|\nabla F\|^2\leq0.02$",
    )
    right.set_ylabel("cost of fixed $T$ / cost of CAT-S")
    right.set_yticks([0.8, 1, 2, 4, 8, 16], ["0.8", "1", "2", "4", "8", "16"])
    right.set_xticks([1, 5, 10, 15, 20])
    right.minorticks_off()
    right.legend(ncols=2)
    left.plot([], [], "o", color="gray", label="runs of CAT-S")
    handles, labels = left.get_legend_handles_labels()
    found = dict(zip(labels, handles, strict=True))
    found["limit $m$, a stated bound"] = found.pop("limit $m$, a stated bound")
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=6)
    figure.set_size_inches(6.8, 3.3)
    return figure
