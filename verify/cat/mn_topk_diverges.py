"""Checks of `cat/mn-topk-diverges`: the example in rationals and in runs, and the bound that does hold."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.adaptive import cat_s
from impl.communication import Affine
from impl.compressors import TopK
from impl.optimizers import cat_gd
from impl.problems import Quadratic
from verify.binding import Check
from verify.cat.fixed_size import fixed_size
from verify.cat.fixtures.node_trees import rows_of
from verify.cat.golden_vectors import MN2_LINEAR, MN2_MATRICES
from verify.cat.outcome_tree import QuadraticNodes, Vector, mean_vector, square
from verify.comparison import EXACT, ROUND_OFF, Comparison, Tolerance
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/mn-topk-diverges"
VECTORS = ((-3, 2, 2), (2, -3, 2), (2, 2, -3))
SMOOTHNESS = F(103, 6)
ROUNDS = 10
LONG = Tolerance(1e-11, "ten rounds of float64 operations, each of them off by some ulps")

EXAMPLE = QuadraticNodes(
    [
        [
            [2 * F(u) * v + F(int(row == column), 2) for column, v in enumerate(vector)]
            for row, u in enumerate(vector)
        ]
        for vector in VECTORS
    ]
)
MN2 = QuadraticNodes(rows_of(MN2_MATRICES), rows_of(MN2_LINEAR))
EQUAL = QuadraticNodes(rows_of(MN2_MATRICES)[:1] * 3)
POINTS: dict[str, tuple[QuadraticNodes, F, tuple[Vector, ...]]] = {
    "example": (EXAMPLE, SMOOTHNESS, ((F(1),) * 3, (F(1), F(-1), F(0)), (F(3), F(1), F(-2)))),
    "mn2": (MN2, F(14, 5), ((F(1), F(-2)), (F(0), F(1)), (F(3), F(1, 2)))),
    "equal-nodes": (EQUAL, F(14, 5), ((F(1), F(-2)), (F(1), F(1)))),
}


@dataclass(frozen=True)
class Claimed:
    """What is claimed, or one sabotage: the sign of 11, whether what is left out counts."""

    sign: int = 1
    left_out: int = 1
    reverse: bool = False


HONEST = Claimed()
RULES = {
    "nothing-left-out": Claimed(left_out=0),
    "sign-error": Claimed(sign=-1),
    "permuted-nodes": Claimed(reverse=True),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    seen = {"example": ("nothing-left-out", "permuted-nodes")}
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.4),
        Check(
            "exact",
            "growth",
            ExactCase(partial(compare_growth, HONEST)),
            {"a_i": VECTORS, "gamma": ["6/103", "1/1000", "2"], "K": 3},
            {
                name: ExactCase(partial(compare_growth, RULES[name]))
                for name in ("sign-error", "permuted-nodes")
            },
            seconds=0.1,
        ),
        Check("exact", "threshold", ExactCase(compare_threshold), {"c_0/c_1": ["40/81", "41/81"]}),
        *(
            Check(
                "exact",
                f"decrease-{name}",
                ExactCase(partial(compare_decrease, name, HONEST)),
                {"problem": name, "T": "1 to d"},
                {
                    key: ExactCase(partial(compare_decrease, name, RULES[key]))
                    for key in seen.get(name, ("permuted-nodes",))
                },
                seconds=0.1,
            )
            for name in POINTS
        ),
        Check(
            "run",
            "example",
            DriftCase(partial(compare_run, HONEST)),
            {"a_i": VECTORS, "gamma": "6/103", "K": ROUNDS, "c_0/c_1": [0.25, 0.75]},
            {
                name: DriftCase(partial(compare_run, RULES[name]))
                for name in ("sign-error", "nothing-left-out")
            },
            seconds=0.1,
        ),
    )


def sent(g: Vector, size: int) -> Vector:
    """Return the message of a node with its largest entries."""
    return tuple(TopK(size).reference(list(g), TopK(size).draw(np.random.default_rng(0), (len(g),))))


def growth(gamma: Any, rounds: int, sign: int = 1) -> Any:
    """Return the stated growth, exactly for a rational step."""
    values = {"gamma": sign * gamma, "K": rounds}
    return (evaluate if isinstance(gamma, float) else evaluate_exact)(theory.claim(ID).exact, values)


def compare_growth(claimed: Claimed) -> Iterable[Comparison]:
    """Rounds with one entry of each node from (t, t, t) against the stated multiple of the start."""
    for gamma in (F(6, 103), F(1, 1000), F(2)):
        x: Vector = (F(2, 3),) * 3
        for k in range(1, 4):
            gradients = EXAMPLE.gradients(x)[:: -1 if claimed.reverse else 1]
            mean = mean_vector([sent(g, 1) for g in gradients])
            x = tuple(a - gamma * b for a, b in zip(x, mean, strict=True))
            expected = growth(gamma, k, claimed.sign) * _rational(F(2, 3))
            for j, item in enumerate(x):
                label = f"entry {j} after round {k}"
                yield Comparison(label, "eq", item, expected, EXACT, {"gamma": gamma})


def _rational(number: F) -> Any:
    from sympy import Rational

    return Rational(number.numerator, number.denominator)


def compare_threshold() -> Iterable[Comparison]:
    """How many entries local CAT-S sends at (1, 1, 1), at and above the stated threshold."""
    stated = evaluate_exact(theory.claim(ID).formulas["threshold"], {})
    threshold = F(int(stated.p), int(stated.q))
    for ratio, size in ((F(0), 1), (threshold, 1), (threshold + F(1, 10**6), 3), (F(41, 81), 3), (F(9), 3)):
        for g in EXAMPLE.gradients((F(1),) * 3):
            choice = cat_s(list(g), Affine(1, ratio), entry_bits=1)
            yield Comparison("entries", "eq", choice.size, size, EXACT, {"c_0/c_1": ratio})


def decrease(nodes: QuadraticNodes, L: Any, x: Vector, size: int, left_out: int = 1) -> Any:
    """Return the stated decrease with the largest entries of each node."""
    gradients = nodes.gradients(x)
    energies = [square(g) for g in gradients]
    shares = [
        square(sent(g, size)) / energy if energy else F(1)
        for g, energy in zip(gradients, energies, strict=True)
    ]
    shares = [1 - left_out * (1 - share) for share in shares]
    values = {
        "G": square(mean_vector(gradients)),
        "E": energies,
        "alpha": shares,
        "n": len(gradients),
        "L": L,
    }
    return evaluate_exact(theory.claim(ID).bound, values)


def compare_decrease(name: str, claimed: Claimed) -> Iterable[Comparison]:
    """One step at several points with every number of entries against the stated decrease."""
    nodes, L, points = POINTS[name]
    if claimed.reverse:
        linear = nodes.linear[::-1] if nodes.linear else None
        nodes = replace(nodes, matrices=nodes.matrices[::-1], linear=linear)
    for x in points:
        for size in range(1, len(x) + 1):
            mean = mean_vector([sent(g, size) for g in nodes.gradients(x)])
            after = nodes.objective(tuple(a - b / L for a, b in zip(x, mean, strict=True)))
            bound = nodes.objective(x) - _fraction(decrease(nodes, L, x, size, claimed.left_out))
            witness = {"x": x, "T": size}
            yield Comparison("objective after a step", "le", after, bound, EXACT, witness, headline=True)


def _fraction(number: Any) -> F:
    return F(int(number.p), int(number.q))


def compare_run(claimed: Claimed, rng: Any) -> Iterable[Comparison]:
    """Runs of local CAT-S: one entry and growth at a small fixed cost, gradient descent at a large one."""
    gamma = float(1 / SMOOTHNESS)
    problem = Quadratic(np.array(EXAMPLE.matrices, dtype=float))

    def run(rule: Any) -> Any:
        return cat_gd(
            problem,
            rule,
            step_size=gamma,
            rounds=ROUNDS,
            rng=rng,
            start=np.ones(3),
            trace=True,
            allow_divergence=True,
        )

    small = run(partial(cat_s, cost=Affine(1, 0.25), entry_bits=1))
    whole = run(fixed_size(3, Affine(1, 0.75)))
    large = run(partial(cat_s, cost=Affine(1, 0.75), entry_bits=1))
    for k in range(ROUNDS + 1):
        expected = growth(gamma, k, claimed.sign)
        witness = {"k": k}
        for item in small.iterates[0, k]:
            yield Comparison("entry, small fixed cost", "eq", float(item), expected, LONG, witness)
        if k < ROUNDS:
            yield Comparison("largest message", "eq", int(small.sizes[0, k].max()), 1)
            x = tuple(F(float(item)) for item in small.iterates[0, k])
            bound = float(small.objective[0, k]) - float(
                decrease(EXAMPLE, SMOOTHNESS, x, 1, claimed.left_out)
            )
            after = float(small.objective[0, k + 1])
            yield Comparison("objective", "le", after, bound, ROUND_OFF, witness, headline=True)
    yield Comparison("smallest message, large fixed cost", "eq", int(large.sizes.min()), 3)
    for a, b in zip(large.x[0], whole.x[0], strict=True):
        yield Comparison("gradient descent at a large fixed cost", "eq", float(a), float(b))
    yield Comparison("it falls", "le", float(large.objective[0, -1]), float(large.objective[0, 0]) / 2)
