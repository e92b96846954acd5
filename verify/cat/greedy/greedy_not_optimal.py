"""Checks of `cat/greedy-not-optimal`: constructions in rationals, a run, and what indices cost."""

import functools
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.adaptive import cat_s
from impl.communication import Affine, Payload, dense_bits, index_bits, sparse_bits
from impl.optimizers.cat_gd import cat_gd
from verify.authoring import checks_of, eq, le, lt
from verify.authoring.law import Law
from verify.cat.fixtures.fixed_size import fixed_size
from verify.cat.fixtures.golden_vectors import quad
from verify.cat.fixtures.rational_descent import RationalQuadratic, descend
from verify.cat.greedy.schedules import greedy
from verify.comparison import ROUND_OFF, Comparison

GAPS = ((8, 10), (5, 2), (6, 7), (4, 98))
"""Numbers of entries m and fixed costs r; r + 2 is a square in all but the first."""
SIZES = {1: 200, 2: 14, 10: 11, 100: 11}
"""Best sizes by the logarithm, for each condition number."""
BY_EFFICIENCY = 11
QUAD = {"quad_cat": 0, "quad_gd": 20, "quad_four": 4, "quad_one": 1}
"""Sizes of the runs by the formula of their cost, 0 for CAT."""

judge = checks_of(
    "cat/greedy-not-optimal",
    rule=cat_s,
    fixed=fixed_size,
    schedule=greedy,
    scale=1,
    dense_bits=dense_bits,
    dense=True,
    by="logarithmic",
    message=10,
)


judge.sabotage(
    "one-entry at exact/four-squares, exact/quad: One entry in each message.",
    rule=lambda g, cost, entry_bits=None, **rest: fixed_size(1, cost, entry_bits=entry_bits)(g),
)


@judge.mutant(
    "All entries in each message.", at=("exact/rank-one", "exact/four-squares", "exact/any-gap", "exact/quad")
)
def all_entries(law: Law) -> Law:
    def rule(g: Any, cost: Any, entry_bits: int | None = None) -> Any:
        return fixed_size(len(g), cost, entry_bits=entry_bits or 1)(g)

    return law.replace(rule=rule, schedule=lambda squares, cost: [len(squares)])


judge.sabotage(
    "one-less at exact/four-squares, exact/rank-one, exact/quad: Fixed sizes are one too small.",
    {"fixed": lambda size, cost: fixed_size(max(size - 1, 1), cost)},
    "free-messages at exact/logarithm: Leave out the cost of a message besides its entries. | message = 0",
    "never-dense at exact/indices: Never send a dense message. | dense = False",
    "same-as-logarithmic at exact/logarithm: Claim that the efficiency chooses what its logarithm does. "
    "| by = 'share'",
    "free-indices at exact/indices: Charge dense gradient descent its indices: no overhead is left.",
    {"dense_bits": lambda d, bits: sparse_bits(d, d, bits)},
    "scaled-start, neutral at exact/four-squares, exact/rank-one, exact/quad: Multiply starts and "
    "accuracies on gradients by the same power of 2: nothing may change. | scale = 4",
)


def _paid(states: Sequence[Any]) -> F:
    return sum((F(state.choice.cost) for state in states), F(0))


def _rule(law: Law, cost: Any) -> Any:
    return functools.partial(law.rule, cost=cost, entry_bits=1)


@judge.exact(squares=(100, 1, 1, 1))
def four_squares(law: Law, squares: Sequence[int]) -> Iterable[Comparison]:
    """Two messages of CAT at cost 6 where one message costs 5."""
    problem, cost = RationalQuadratic((1,) * len(squares)), Affine(1, 1)
    start = [law.scale * math.isqrt(item) for item in squares]
    states = descend(problem, _rule(law, cost), start, 9)
    whole = descend(problem, law.fixed(len(squares), cost), start, 9)
    for state, size in zip(states, (1, 3), strict=False):
        yield eq("messages of CAT", state.choice.size, size)
    yield eq("cost of CAT", _paid(states), law.exactly("four_cat"))
    yield eq("cost of one message", _paid(whole), law.exactly("four_one"))
    yield lt("CAT costs more", _paid(whole), _paid(states), headline=True)


@judge.exact(parameters={"m,r": GAPS}, gaps=GAPS)
def any_gap(law: Law, gaps: Sequence[tuple[int, int]]) -> Iterable[Comparison]:
    """One entry at a time where one message would do, and the stated quotient of the costs."""
    for m, r in gaps:
        q, cost, witness = law.exactly("decay", r=r), Affine(1, r), {"m": m, "r": r}
        sizes = law.schedule([q**place for place in range(m)], cost)
        yield eq("number of messages", len(sizes), m, witness=witness)
        paid = F(sum(cost(size) for size in sizes))
        yield eq("cost of the greedy schedule", paid, law.exactly("greedy", m=m, r=r), witness=witness)
        one = law.exactly("one_message", m=m, r=r)
        yield eq("cost of the one message", F(cost(m)), one, witness=witness)
        gap = law.exactly("exact", m=m, r=r)
        yield eq("gap", paid / cost(m), gap, witness=witness)
        if math.isqrt(r + 2) ** 2 == r + 2:  # the entries are rational: the rule itself
            start = [F(1, math.isqrt(r + 2)) ** place for place in range(m)]
            states = descend(RationalQuadratic((1,) * m), _rule(law, cost), start, 2 * m)
            yield eq("gap of the rule", _paid(states) / cost(m), gap, witness=witness)
        yield le("gap at most m", gap, F(m), witness=witness, headline=True)


@judge.exact(w=(5, 4), C="T")
def rank_one(law: Law, w: Sequence[int], **_: Any) -> Iterable[Comparison]:
    """One entry at a time costs 15 for a part of 1e-6 of the product w^T x, both entries 2."""
    problem, cost = RationalQuadratic((0, 0), tuple(w)), Affine(1, 0)
    start = [F(law.scale), F(law.scale)]
    target = problem.value(start) / 10**12  # values are squares of the product

    def reached(value: F, _: F) -> bool:
        return value <= target

    one = descend(problem, _rule(law, cost), start, 40, reached=reached)
    both = descend(problem, law.fixed(2, cost), start, 40, reached=reached)
    left = law.exactly("left_of_rank_one", w_1=w[0], w_2=w[1])
    for k, state in enumerate(one):
        yield eq("size on rank one", state.choice.size, 1, witness={"k": k})
        yield eq("left on rank one", state.next_value / state.value, left**2, witness={"k": k})
    yield eq("left on rank one", both[0].next_value, 0)
    yield eq("cost on rank one", _paid(one), 15)
    yield eq("cost on rank one", _paid(both), 2)
    yield lt("CAT costs more", _paid(both), _paid(one), headline=True)


@judge.exact(rho=0.9, d=200)
def logarithm(law: Law, rho: float, d: int) -> Iterable[Comparison]:
    """Sizes that the efficiency and its logarithmic form choose for squares that decay like 0.9^j."""
    share = (1 - rho ** np.arange(1, d + 1)) / (1 - rho**d)
    costs = np.arange(1, d + 1) + law.message
    plain = int(np.argmax(share / costs)) + 1
    yield eq("size by the efficiency", plain, BY_EFFICIENCY)

    def efficiency(T: int, kappa: int) -> float:
        if share[T - 1] >= kappa:  # the iteration ends with the minimum: no finite logarithm
            return math.inf
        return law("logarithmic", alpha=float(share[T - 1]), kappa=kappa, C=float(costs[T - 1]))

    for kappa, expected in SIZES.items():
        best = max(range(1, d + 1), key=lambda T: efficiency(T, kappa))
        found = best if law.by == "logarithmic" else plain
        yield eq("size by the logarithm", found, expected, witness={"kappa": kappa})


@judge.exact(d=1024, float_bits=32)
def indices(law: Law, d: int, float_bits: int) -> Iterable[Comparison]:
    """All entries of a flat gradient with and without their indices."""
    stated = law.exactly("index_overhead", index_bits=index_bits(d), float_bits=float_bits)
    dense = law.dense_bits(d, float_bits)
    yield eq("sparse over dense", F(sparse_bits(d, d, float_bits), dense), stated, headline=True)
    # A payload without fixed cost: all sizes have the same efficiency, so d messages send what one would.
    flat = np.ones(d)
    choice = cat_s(flat, Payload(), float_bits=float_bits)
    ratio = float(choice.cost) * d / choice.size / dense
    yield eq("all messages of CAT over a dense one", ratio, float(stated), ROUND_OFF)
    chosen = cat_s(flat, Payload(), float_bits=float_bits, dense=law.dense)
    yield eq(
        "with the choice of a dense message",
        float(choice.efficiency / chosen.efficiency) * float(stated),
        1.0,
        ROUND_OFF,
    )


@functools.cache  # a mutant replaces what is fixed, or the rule: the runs of the other one are the same
def _spent(run: Any, by: Any, size: int, scale: int) -> float:
    """Return the cost of a run with messages of this size, or by the rule where it is 0."""
    problem, cost = quad(), Affine(1, 5)
    choose = by(size, cost) if size else functools.partial(by, cost=cost, entry_bits=1)
    start = scale * np.ones(problem.d)
    rng, accuracy = np.random.default_rng(0), 0.02 * scale**2  # the rules draw nothing
    # Where f is this close to its minimum the squared gradient, at most 2 L (f - f*), has been small.
    until = float(problem.objective(problem.solution)) + accuracy / (2 * problem.L)
    step = 1 / problem.L
    result = run(problem, choose, step_size=step, rounds=600, rng=rng, start=start, until=until)
    small = result.gradient_norm_sq[0] <= accuracy
    if not small.any():
        raise ValueError(f"size {size} does not reach the accuracy; run more rounds")
    return float(result.cost[0, int(np.argmax(small))])


@judge.exact(instance="quad", parameters={"problem": "quad", "C": "T + 5", "accuracy": "1/50"})
def total_cost(law: Law) -> Iterable[Comparison]:
    """Total costs to a squared gradient on the quadratic in 20 dimensions."""
    paid: dict[str, float] = {}
    for name, size in QUAD.items():
        paid[name] = _spent(cat_gd, law.fixed if size else law.rule, size, law.scale)
        yield eq("total cost", paid[name], law(name), ROUND_OFF)
    dear, whole = paid["quad_cat"], paid["quad_gd"]
    yield lt("CAT costs more than gradient descent", whole, dear, ROUND_OFF, headline=True)
