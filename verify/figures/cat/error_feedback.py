"""Gradient descent with memory on regressions: relative gap over rounds and over what a node has sent.

One node of the breast cancer data, several of them, and several of a LIBSVM set, rows sorted by label. With
memory each contraction has the longest step of `cat/memory-rates`, without one that of gradient descent.
"""

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from verify.figures.bound_line import draw_bound, mark_bound
from verify.figures.captions import Caption

NEEDS = ("phishing",)
CLAIM = "cat/memory-rates"
RIDGE, FLOAT_BITS = 0.1, 32
BOUNDED = "top-4"
"""Of which the bound is drawn, on one node."""

ROUNDS = {("breast cancer", 1): 8000, ("breast cancer", 8): 12000, ("phishing", 4): 4000}
"""How far runs go, for each data set and number of nodes, unless they have arrived."""
LEAST, POINTS = 1e-6, 70

STYLES: dict[str, dict[str, Any]] = {
    "top-1": {"color": "C5", "linewidth": 2.6, "alpha": 0.7},
    "one-bit": {"color": "C1", "linestyle": (0, (4, 2)), "linewidth": 1.2},
    "top-4": {"color": "C0"},
    "top-16": {"color": "C2"},
    "bare-4": {"color": "C0", "linestyle": (0, (1, 1)), "linewidth": 1.6},
    "gd": {"color": "black", "linestyle": "-.", "linewidth": 1.0},
}
LABELS = {
    "top-1": "Top-1, memory",
    "one-bit": "one bit, memory",
    "top-4": "Top-4, memory",
    "top-16": "Top-16, memory",
    "bare-4": "Top-4, no memory",
    "gd": "gradient descent",
}
BOUND = "bound of Top-4, memory"

CAPTION = Caption(
    title="Gradient descent with memory on three regressions, over rounds and over bits",
    seen=(
        "Relative gap (f - f*)/(f(0) - f*) against rounds (left) and the kbits that a node has sent "
        "(right). Rows: logistic regression on the breast cancer data (d = 30) on one node and on 8, on "
        "phishing (d = 68) on 4; examples are sorted by label, so that nodes differ. With memory the "
        "largest 1, 4 or 16 entries, or one bit and two means, have the longest step of the claim; Top-4 "
        "without memory (dotted) and gradient descent have 1/L. On several nodes Top-4 without memory "
        "stalls above two thirds of the first gap; memory mends that, up to a small gap that stays as nodes "
        "differ. On one node memory is not needed: Top-4 without it may take the longer step and arrives "
        "sooner than with it. Short steps cost rounds: in every row gradient descent needs fewer rounds and "
        "bits than all that have memory. Top-1 and one bit lose the same share at worst, so their steps are "
        "the same, and over rounds their curves nearly so (dashed on wide)."
    ),
    bound=(
        "dashed black with hollow circles: on one node 2 (1 - (1 - r) mu / (2 L))^T for Top-4, r^2 = 1 - "
        "k/d, right at the bits that the run has sent by then; the run needs about a third of these rounds. "
        "On several nodes the bound leaves 7 to 18 times the first gap at these steps and is not drawn."
    ),
    measured=(
        "one run of each, nothing is random; ridge 0.1, from 0, numbers of 32 bits, real messages. Curves "
        "end at 1e-6 or after 8000, 12000 and 4000 rounds."
    ),
    claims=(CLAIM, "cat/memory-descent", "cat/contractions", "cat/finding-local-topk-diverges"),
)


def table() -> dict[str, Any]:
    """Return relative gaps at rounds and kbits of a node, and the bound where it is drawn, else nan.

    A gap is nan once an earlier one was at most `LEAST`; the bound goes on from there.
    """
    names = ("set", "n", "method", "step_times_L", "round", "kbits", "gap", "bound")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for data, n in ROUNDS:
        for method in LABELS:
            for row in _rows(data, n, method):
                for key, item in zip(columns, (data, n, method, *row), strict=True):
                    columns[key].append(item)
    return columns


@cache
def _problem(data: str, n: int) -> Any:
    from impl.problems import breast_cancer_logistic
    from verify.experiments.cat.libsvm_tasks import node_problem

    return breast_cancer_logistic(n, RIDGE) if data == "breast cancer" else node_problem(data, n, RIDGE)


def step_of(problem: Any, lost: float) -> float:
    """Return the longest step that the claim allows for a contraction that loses this share of the square."""
    import theory
    from verify.formulas.evaluation import evaluate

    step = float(evaluate(theory.claim(CLAIM).formulas["step"], {"L": problem.L, "r": math.sqrt(lost)}))
    if problem.n == 1:
        return step
    values = {"L_max": float(problem.L_nodes.max()), "mu": problem.mu, "G": 1, "optimal": 0}
    return step / math.sqrt(evaluate(theory.claim("cat/memory-descent").formulas["nodes"], values))


def _rows(data: str, n: int, method: str) -> Iterator[tuple[Any, ...]]:
    """Yield step, round, kbits, gap and bound at about `POINTS` rounds."""
    import numpy as np

    problem = _problem(data, n)
    run, step, lost = _run(problem, method)
    result = run(rounds=ROUNDS[data, n])
    gaps = result.objective[0] - problem.objective(problem.solution)
    close = gaps <= LEAST * gaps[0]
    last = int(close.argmax()) if close.any() else len(gaps) - 1
    stated = _bound(problem, lost) if n == 1 and method == BOUNDED else None
    end = stated[1] if stated else last
    for k in sorted({0, last, *np.geomspace(1, end, POINTS).astype(int).tolist()}):
        gap = float(gaps[k] / gaps[0]) if k <= last else math.nan
        bound = stated[0](k) if stated else math.nan
        yield step * problem.L, k, float(result.bits[0, k]) / 1000, gap, bound


def _run(problem: Any, method: str) -> tuple[Callable[..., Any], float, float]:
    """Return a method that takes its rounds, its step and the share of the square that it may lose."""
    from functools import partial

    import numpy as np

    from impl.compressors import OneBit, TopK
    from impl.optimizers import dcgd, gd, memory_gd
    from verify.planning.methods.with_memory import lost_by_entries, lost_by_signs

    rng = np.random.default_rng(0)  # never drawn from
    made: OneBit | TopK
    if method == "gd":
        return partial(gd, problem, step_size=1 / problem.L, float_bits=FLOAT_BITS), 1 / problem.L, 0.0
    if method == "one-bit":
        lost, made = lost_by_signs(problem.d), OneBit(norm_bits=FLOAT_BITS)
    else:
        k = int(method.partition("-")[2])
        lost, made = lost_by_entries(k, problem.d), TopK(k, value_bits=FLOAT_BITS)
    bare = method.startswith("bare")
    step = 1 / problem.L if bare else step_of(problem, lost)
    return partial(dcgd if bare else memory_gd, problem, made, step_size=step, rng=rng), step, lost


def _bound(problem: Any, lost: float) -> tuple[Callable[[int], float], int]:
    """Return the bound on the relative gap of one node after a round, and when it is at most `LEAST`."""
    import theory
    from verify.formulas.evaluation import evaluate
    from verify.planning.setting import first_round

    values = {"L": problem.L, "mu": problem.mu, "r": math.sqrt(lost), "Delta_0": 1}
    formula = theory.claim(CLAIM).formulas["alone"]
    end = first_round(formula, "T", values, LEAST)
    assert end is not None
    return lambda k: float(evaluate(formula, {**values, "T": k})), end


def draw(columns: dict[str, Any]) -> Any:
    """Draw a row of panels for each problem: rounds on the left, bits on the right."""
    import numpy as np
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(len(ROUNDS), 2, sharex="col", sharey=True)
    sets, nodes, methods = (np.array(columns[key]) for key in ("set", "n", "method"))
    for (data, n), line in zip(ROUNDS, axes, strict=True):
        for method, label in LABELS.items():
            chosen = (sets == data) & (nodes == n) & (methods == method)
            k, kbits, gap, bound = (
                np.array(columns[key], dtype=float)[chosen] for key in ("round", "kbits", "gap", "bound")
            )
            for axis, x in zip(line, (k, kbits), strict=True):
                axis.plot(x[1:], gap[1:], label=label, **STYLES[method])
                if np.isfinite(bound).any():
                    draw_bound(axis, x[1:], bound[1:], BOUND)
                    mark_bound(axis, x[1:], bound[1:], "o", STYLES[method]["color"], slice(4, None, 9))
        line[0].set_ylabel(f"{data}, {'one node' if n == 1 else f'{n} nodes'}\nrelative gap")
        for axis in line:
            axis.set(xscale="log", yscale="log", ylim=(LEAST, 4))
            axis.set_yticks([1e-6, 1e-4, 1e-2, 1])
            axis.minorticks_off()
    axes[0, 0].set_xlim(0.8, 1.5e4)
    axes[0, 1].set_xlim(0.4, 1e4)  # the first messages of the sparse methods are cut off
    for axis, label in zip(axes[-1], ("rounds $k$", "kbits sent by a node"), strict=True):
        axis.set_xlabel(label)
    found = dict(zip(*reversed(axes[0, 0].get_legend_handles_labels()), strict=True))
    found[f"{BOUND} (hollow marks)"] = found.pop(BOUND)
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=3)
    figure.set_size_inches(6.8, 6.0)
    return figure
