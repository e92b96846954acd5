"""Checks of `cat/finding-local-topk-diverges`: growth in rationals and in runs; unbiased entries do not."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.adaptive import cat_s, cat_st, keep_probabilities
from impl.communication import Affine
from impl.optimizers import cat_gd
from impl.problems import Quadratic
from verify.binding import Check
from verify.cat.mn_topk_diverges import EXAMPLE, SMOOTHNESS, VECTORS, sent
from verify.cat.outcome_tree import Vector, independent_mean, kept_entries
from verify.comparison import EXACT, Comparison, Tolerance
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/finding-local-topk-diverges"
STEPS = (F(6, 103), F(1, 1000), F(1))
ROUNDS = 3
LONG = Tolerance(1e-9, "forty rounds of float64 operations, each of them off by some ulps, squared")


@dataclass(frozen=True)
class Nodes:
    """What the nodes do: CAT-S at a small fixed cost, or with one fault.

    Args:
        fixed: c_0 for c_1 = 1.
        unbiased: Whether entries are kept at random.
        scale: Factor of the start.
    """

    fixed: Any = F(1, 4)
    unbiased: bool = False
    scale: int = 1


STATED = Nodes()
RANDOM = Nodes(unbiased=True)
WHOLE = Nodes(fixed=F(3, 4))
FAULTS = {
    "unbiased-entries": RANDOM,
    "large-fixed-cost": WHOLE,
    "scaled-start": Nodes(scale=4),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        Check(
            "exact",
            "growth",
            ExactCase(partial(compare_growth, STATED)),
            {"a_i": VECTORS, "gamma": STEPS, "c_0": "1/4", "K": ROUNDS},
            {name: ExactCase(partial(compare_growth, nodes)) for name, nodes in FAULTS.items()},
            seconds=0.2,
        ),
        Check(
            "exact",
            "what-holds",
            ExactCase(compare_what_holds),
            {"gamma": "3/103"},
            {
                "unbiased-entries": ExactCase(partial(compare_what_holds, largest=RANDOM)),
                "largest-fall": ExactCase(partial(compare_what_holds, random=STATED)),
                "largest-as-whole": ExactCase(partial(compare_what_holds, whole=STATED)),
            },
            seconds=0.2,
        ),
        Check(
            "run",
            "growth",
            DriftCase(partial(compare_run, STATED)),
            {"a_i": VECTORS, "gamma": "1/L and 1/(100 L)", "c_0": "1/4", "K": 20},
            {name: DriftCase(partial(compare_run, nodes)) for name, nodes in FAULTS.items()},
            seconds=0.2,
        ),
    )


def growth(gamma: Any, rounds: int) -> Any:
    """Return the stated growth of the objective, exactly for a rational step."""
    values = {"gamma": gamma, "K": rounds}
    return (evaluate if isinstance(gamma, float) else evaluate_exact)(theory.claim(ID).exact, values)


def _law(nodes: Nodes, g: Vector) -> Any:
    """Return the law of a node's message."""
    rule = cat_st if nodes.unbiased else cat_s
    size = rule(list(g), Affine(1, nodes.fixed), entry_bits=1).size
    if nodes.unbiased:
        return kept_entries(g, list(keep_probabilities(list(g), size)))
    return [(F(1), sent(g, size))]


def mean_objective(nodes: Nodes, x: Vector, step: Any) -> tuple[Any, Vector]:
    """Return the mean objective after a round, and the point if it is sure."""
    law = independent_mean([_law(nodes, g) for g in EXAMPLE.gradients(x)])
    points = [(chance, tuple(a - step * b for a, b in zip(x, mean, strict=True))) for chance, mean in law]
    return sum(chance * EXAMPLE.objective(point) for chance, point in points), points[0][1]


def compare_growth(nodes: Nodes) -> Iterable[Comparison]:
    """The objective after each round, in the mean over what is drawn, against the stated multiple."""
    for gamma in STEPS:
        x: Vector = (F(nodes.scale),) * 3
        first = EXAMPLE.objective(x)
        for k in range(1, ROUNDS + 1):
            value, x = mean_objective(nodes, x, gamma)
            stated = growth(gamma, k)
            label = f"growth of the objective after round {k}"
            yield Comparison(label, "eq", value / first, stated, EXACT, {"gamma": gamma})
            if nodes.unbiased:
                break


def compare_what_holds(
    whole: Nodes = WHOLE, random: Nodes = RANDOM, largest: Nodes = STATED
) -> Iterable[Comparison]:
    """The first round of gradient descent as stated, and of unbiased entries: they fall in the mean."""
    x, step = (F(1),) * 3, F(3, 103)
    first = EXAMPLE.objective(x)
    after, _ = mean_objective(whole, x, step)
    stated = evaluate_exact(theory.claim(ID).formulas["gradient_descent"], {"gamma": step, "K": 1})
    yield Comparison("gradient descent", "eq", after / first, stated)
    # One node expects to send 1 of its entries; the step is short enough for their noise (`cat/mn-strong`).
    short = F(1, 1000)
    unbiased, _ = mean_objective(random, x, short)
    yield Comparison("unbiased entries fall", "le", unbiased, first, headline=True)
    biased, _ = mean_objective(largest, x, short)
    yield Comparison("the largest ones rise", "le", first, biased)


def compare_run(nodes: Nodes, rng: Any) -> Iterable[Comparison]:
    """Runs of twenty rounds against the stated growth, at two steps."""
    problem = Quadratic(np.array(EXAMPLE.matrices, dtype=float))
    rule = partial(cat_st if nodes.unbiased else cat_s, cost=Affine(1, float(nodes.fixed)), entry_bits=1)
    for gamma in (float(1 / SMOOTHNESS), float(1 / SMOOTHNESS) / 100):
        run = cat_gd(
            problem,
            rule,
            step_size=gamma,
            rounds=20,
            rng=rng,
            start=np.full(3, float(nodes.scale)),
            allow_divergence=True,
        )
        for k in range(21):
            ratio = float(run.objective[0, k] / run.objective[0, 0])
            yield Comparison("growth of the objective", "eq", ratio, growth(gamma, k), LONG, {"k": k})
