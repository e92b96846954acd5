"""Checks of `cat/worst-case-fixed`: flat starts counted exactly and by runs, worst-case costs by size."""

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.communication import Affine
from impl.optimizers.cat_gd import cat_gd
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.fixed_size import fixed_size
from verify.cat.fixtures.golden_vectors import isotropic
from verify.cat.fixtures.rational_descent import RationalQuadratic, descend
from verify.comparison import Comparison

judge = checks_of("cat/worst-case-fixed", sign=1, sent=lambda size: size)

D = 64
SIZES = (1, 3, 20, 64)


judge.sabotage(
    "one-entry-more at */flat-start: Claim the iterations of one entry more: 32 instead of 64 for d = 64, T "
    "= 1. | exact = exact(T = T + 1)",
    "one-more-sent at exact/flat-start: Send one entry more than is said.",
    {"sent": lambda size: min(size + 1, D)},
    "smaller-is-cheaper at exact/worst-case-cost: Leave out the factor d/T, so that a smaller T is cheaper: "
    "equal without c_0, dearer with it. | bound = bound * T / d",
    "other-signs, neutral at */flat-start: Give the start other signs: nothing may change. | sign = -1",
)


def _start(law: Law) -> list[int]:
    return [law.sign**j for j in range(D)]


@judge.exact(instance="flat-start", F="||x||^2 / 2", d=D, T=SIZES)
def counted(law: Law, T: Sequence[int], **_: Any) -> Iterable[Comparison]:
    """Iterations until a flat start has become 0, and what is left before the last one."""
    for size in T:
        rule = fixed_size(law.sent(size), Affine(1, 0))
        states = descend(RationalQuadratic((1,) * D), rule, _start(law), rounds=2 * D)
        stated, witness = law.exactly("exact", d=D, T=size), {"T": size}
        yield eq("iterations", len(states), stated, witness=witness, headline=True)
        left = [sum(item != 0 for item in state.x) for state in states]
        yield eq("share of the first message", states[0].choice.share, F(size, left[0]), witness=witness)
        for k, (before, after) in enumerate(itertools.pairwise([*left, 0])):
            yield eq("nonzeros that are left", after, max(before - size, 0), witness={**witness, "k": k})


@judge.exact(d=D, A=10, costs=(("affine", 5, 1), ("payload", 0, 1)))
def worst_case_cost(law: Law, d: int, A: int, costs: Any) -> Iterable[Comparison]:
    """Worst-case costs of all sizes: equal without a fixed cost, falling with one."""
    for name, fixed, per_entry in costs:
        given = {"d": d, "A": A, "c_0": fixed, "c_1": per_entry}
        found = [law.exactly("bound", **given, T=T) for T in range(1, d + 1)]
        yield eq("all entries", found[-1], F(A * (fixed + per_entry * d)), witness={"cost": name})
        for T, (cost, following) in enumerate(itertools.pairwise(found), 1):
            witness = {"cost": name, "T": T}
            saved = law.exactly("saved_by_one_more", d=d, A=A, c_0=fixed, T=T)
            yield eq("saved by one more", cost - following, saved, witness=witness)
            yield le("one more is no dearer", following, cost, witness=witness, headline=fixed > 0)
            if not fixed:
                yield eq("payload", cost, law.exactly("payload", d=d, A=A, c_1=per_entry), witness=witness)


@judge.drift(instance="flat-start", F="2 ||x||^2", d=D, T=SIZES)
def runs(law: Law, rng: Any, T: Sequence[int], **_: Any) -> Iterable[Comparison]:
    """The same count in runs in double precision: all entries are multiples of powers of 2."""
    for size in T:
        result = cat_gd(
            isotropic(D, 4.0),
            fixed_size(size, Affine(1, 5)),
            step_size=1 / 4.0,
            rounds=D + 1,
            rng=rng,
            start=np.array(_start(law), dtype=float),
            until=0.0,
        )
        expected = law.exactly("exact", d=D, T=size)
        yield eq("iterations", result.rounds, expected, witness={"T": size}, headline=True)
        paid = F(float(result.cost[0, -1]))
        yield eq("cost", paid, expected * (size + 5), witness={"T": size})
