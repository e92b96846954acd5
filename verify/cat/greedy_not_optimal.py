"""Checks of `cat/greedy-not-optimal`: constructions in rationals, a run, and what indices cost."""

import functools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.adaptive import cat_s
from impl.communication import Affine, Payload, dense_bits, index_bits, sparse_bits
from impl.optimizers.cat_gd import cat_gd
from verify.binding import Check
from verify.cat.fixed_size import fixed_size
from verify.cat.golden_vectors import quad
from verify.cat.rational_descent import RationalQuadratic, descend
from verify.cat.schedules import greedy
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "cat/greedy-not-optimal"
GAPS = ((8, 10), (5, 2), (6, 7), (4, 98))
"""Numbers of entries m and fixed costs r; r + 2 is a square in all but the first."""
KAPPAS = (1, 2, 10, 100)
QUAD_SIZES = (1, 4, 20)


@dataclass(frozen=True)
class Rule:
    """What is claimed: as stated, or something that the finding refutes.

    Args:
        never_worse: CAT costs at most as much as each fixed size.
        most: Largest gap that is claimed.
        logarithmic: The efficiency is claimed to choose what its logarithmic form does.
        free_indices: Dense messages are charged their indices.
        scale: Factor of the starts, a power of 2.
    """

    never_worse: bool = False
    most: float = math.inf
    logarithmic: bool = False
    free_indices: bool = False
    scale: int = 1


STATED = Rule()
RULES = {
    "never-worse": Rule(never_worse=True),
    "bounded-gap": Rule(most=2.0),
    "same-as-logarithmic": Rule(logarithmic=True),
    "free-indices": Rule(free_indices=True),
    "scaled-start": Rule(scale=4),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)

    def check(
        name: str, held: Callable[[Rule], Iterable[Comparison]], seen: tuple[str, ...], parameters: Any
    ) -> Check:
        mutants = {key: ExactCase(functools.partial(held, RULES[key])) for key in seen}
        base = ExactCase(functools.partial(held, STATED))
        return Check("exact", name, base, parameters, mutants, seconds=0.1)

    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        check("four-squares", compare_four, ("never-worse", "scaled-start"), {"squares": (100, 1, 1, 1)}),
        check("any-gap", compare_gaps, ("bounded-gap",), {"m,r": GAPS}),
        check("rank-one", compare_rank_one, ("never-worse", "scaled-start"), {"w": (5, 4), "C": "T"}),
        check("logarithm", compare_logarithm, ("same-as-logarithmic",), {"rho": 0.9, "d": 200}),
        check("indices", compare_indices, ("free-indices",), {"d": 1024, "float_bits": 32}),
        Check(
            "run",
            "quad",
            DriftCase(functools.partial(compare_run, STATED)),
            {"problem": "quad", "C": "T + 5", "epsilon": 0.02, "T": QUAD_SIZES},
            {
                name: DriftCase(functools.partial(compare_run, RULES[name]))
                for name in ("never-worse", "scaled-start")
            },
            seconds=0.3,
        ),
    )


def _order(rule: Rule, label: str, adaptive: Any, fixed: Any) -> Comparison:
    """Hold the total cost of CAT against that of a fixed size that is cheaper."""
    if rule.never_worse:
        return Comparison(f"{label}: CAT at most the fixed size", "le", adaptive, fixed)
    return Comparison(f"{label}: the fixed size at most CAT", "le", fixed, adaptive, headline=True)


def _paid(states: Any) -> F:
    return sum((F(state.choice.cost) for state in states), F(0))


def compare_four(rule: Rule) -> Iterable[Comparison]:
    """Two messages of CAT at cost 6 where one message costs 5."""
    problem, cost = RationalQuadratic((1, 1, 1, 1)), Affine(1, 1)
    start = [rule.scale * item for item in (10, 1, 1, 1)]
    states = descend(problem, functools.partial(cat_s, cost=cost, entry_bits=1), start, 9)
    whole = descend(problem, fixed_size(4, cost), start, 9)
    for place, size in enumerate((1, 3)):
        yield Comparison(f"message {place}", "eq", states[place].choice.size, size)
    yield Comparison("cost of CAT", "eq", _paid(states), F(6))
    yield Comparison("cost of one message", "eq", _paid(whole), F(5))
    yield _order(rule, "squares 100, 1, 1, 1", _paid(states), _paid(whole))


def compare_gaps(rule: Rule) -> Iterable[Comparison]:
    """One entry at a time where one message would do, and the stated quotient of the costs."""
    claim = theory.claim(CLAIM)
    for m, r in GAPS:
        values = {"m": m, "r": r}
        q = F(str(evaluate_exact(claim.formulas["decay"], {"r": r})))
        cost = Affine(1, r)
        sizes = greedy([q**place for place in range(m)], cost)
        label = f"m={m}, r={r}"
        yield Comparison(f"{label}: messages", "eq", len(sizes), m)
        paid = F(sum(cost(size) for size in sizes))
        for name, found in (("greedy", paid), ("one_message", F(cost(m)))):
            yield Comparison(
                f"{label}: {name}", "eq", found, F(str(evaluate_exact(claim.formulas[name], values)))
            )
        gap = F(str(evaluate_exact(claim.exact, values)))
        yield Comparison(f"{label}: gap", "eq", paid / cost(m), gap)
        if math.isqrt(r + 2) ** 2 == r + 2:  # the entries are rational: the rule itself
            start = [F(1, math.isqrt(r + 2)) ** place for place in range(m)]
            states = descend(
                RationalQuadratic((1,) * m), functools.partial(cat_s, cost=cost, entry_bits=1), start, 2 * m
            )
            yield Comparison(f"{label}: cost of CAT", "eq", _paid(states), paid)
        if rule.most < math.inf:
            yield Comparison(f"{label}: at most {rule.most}", "le", gap, F(rule.most))
        yield Comparison(f"{label}: at most m", "le", gap, F(m), headline=True)


def compare_rank_one(rule: Rule) -> Iterable[Comparison]:
    """One entry at a time costs 15 for a part of 1e-6 of the product w^T x, both entries 2."""
    claim, problem, cost = theory.claim(CLAIM), RationalQuadratic((0, 0), (5, 4)), Affine(1, 0)
    start = [F(rule.scale), F(rule.scale)]
    target = problem.value(start) / 10**12  # values are squares of the product

    def reached(value: F, _: F) -> bool:
        return value <= target

    one = descend(problem, functools.partial(cat_s, cost=cost, entry_bits=1), start, 40, reached=reached)
    both = descend(problem, fixed_size(2, cost), start, 40, reached=reached)
    left = F(str(evaluate_exact(claim.formulas["left_of_rank_one"], {"w_1": 5, "w_2": 4})))
    for k, state in enumerate(one):
        yield Comparison(f"k={k}: size", "eq", state.choice.size, 1)
        yield Comparison(f"k={k}: what is left", "eq", state.next_value / state.value, left**2)
    yield Comparison("one entry at a time", "eq", _paid(one), F(15))
    yield Comparison("both entries", "eq", _paid(both), F(2))
    yield _order(rule, "rank one", _paid(one), _paid(both))


def compare_logarithm(rule: Rule) -> Iterable[Comparison]:
    """Sizes that the efficiency and its logarithmic form choose for squares that decay like 0.9^j."""
    claim, d, fixed = theory.claim(CLAIM), 200, 10
    share = (1 - 0.9 ** np.arange(1, d + 1)) / (1 - 0.9**d)
    costs = np.arange(1, d + 1) + fixed
    plain = int(np.argmax(share / costs)) + 1
    yield Comparison("by the efficiency", "eq", plain, 11)

    def efficiency(T: int, kappa: int) -> float:
        if share[T - 1] >= kappa:  # the iteration ends with the minimum: no finite logarithm
            return math.inf
        values = {"alpha": float(share[T - 1]), "kappa": kappa, "C": float(costs[T - 1])}
        return evaluate(claim.formulas["logarithmic"], values)

    for kappa, expected in zip(KAPPAS, (200, 14, 11, 11), strict=True):
        best = max(range(1, d + 1), key=lambda T: efficiency(T, kappa))
        yield Comparison(
            f"by the logarithm, kappa={kappa}", "eq", best, plain if rule.logarithmic else expected
        )


def compare_indices(rule: Rule) -> Iterable[Comparison]:
    """All entries of a flat gradient with and without their indices."""
    claim, d, bits = theory.claim(CLAIM), 1024, 32
    values = {"index_bits": index_bits(d), "float_bits": bits}
    stated = F(str(evaluate_exact(claim.formulas["index_overhead"], values)))
    dense = sparse_bits(d, d, bits) if rule.free_indices else dense_bits(d, bits)
    yield Comparison("sparse over dense", "eq", F(sparse_bits(d, d, bits), dense), stated, headline=True)
    # A payload without fixed cost: all sizes have the same efficiency, so d messages send what one would.
    flat = np.ones(d)
    choice = cat_s(flat, Payload(), float_bits=bits)
    cost_of_all = float(choice.cost) * d / choice.size
    label = "all messages of CAT over a dense one"
    yield Comparison(label, "eq", cost_of_all / dense, float(stated), ROUND_OFF)
    chosen = cat_s(flat, Payload(), float_bits=bits, dense=True)
    yield Comparison("with the choice of a dense message", "eq", int(chosen.dense), 1)


def compare_run(rule: Rule, rng: Any) -> Iterable[Comparison]:
    """Total costs to a squared gradient on the quadratic in 20 dimensions."""
    problem, cost = quad(), Affine(1, 5)
    rules: dict[str, Any] = {f"T={size}": fixed_size(size, cost) for size in QUAD_SIZES}
    rules["CAT"] = functools.partial(cat_s, cost=cost, entry_bits=1)
    paid: dict[str, float] = {}
    for name, choose in rules.items():
        result = cat_gd(
            problem,
            choose,
            step_size=1 / problem.L,
            rounds=600,
            rng=rng,
            start=rule.scale * np.ones(problem.d),
        )
        small = result.gradient_norm_sq[0] <= 0.02 * rule.scale**2
        if not small.any():
            raise ValueError(f"{name} does not reach the accuracy; run more rounds")
        paid[name] = float(result.cost[0, int(np.argmax(small))])
    yield _order(rule, "gradient descent, T=20", paid["CAT"], paid["T=20"])
    for size in (1, 4):
        yield Comparison(f"CAT at most T={size}", "le", paid["CAT"], paid[f"T={size}"])
