"""Checks of `cat/finding-fixed-sparsity`: flat starts cost no less with fewer entries, steep ones do."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.communication import Affine
from impl.optimizers.cat_gd import cat_gd
from verify.authoring import checks_of, eq, le, lt
from verify.authoring.law import Law
from verify.cat.fixtures.fixed_size import fixed_size
from verify.cat.fixtures.golden_vectors import isotropic
from verify.cat.fixtures.rational_descent import RationalQuadratic, descend
from verify.comparison import Comparison

D = 24
SIZES = (1, 5, 8, 24)
COSTS = (("payload", 0, 1), ("affine", 5, 1))
GRADIENTS: dict[str, list[int]] = {
    "flat": [1] * D,
    "steep": [2 ** (D - j) for j in range(D)],
    "balanced": [3] * 4 + [2] * 20,
}
BALANCED = 4
"""Entries of the last gradient that pay exactly, at a fixed cost of 5."""
ACCURACY = 1e-3

# `order` puts what the messages cost and what one with all entries costs in their order.
judge = checks_of(
    "cat/finding-fixed-sparsity",
    order=lambda paid, whole: (whole, paid),
    start=np.ones(D),
    accuracy=0.0,
    scale=1,
    count=len,
)


judge.sabotage(
    "claims-saving at */flat-start: Claim that few entries in a message lower the cost of a flat start "
    "below one message with all.",
    {"order": lambda paid, whole: (paid, whole - 1)},
    "flat-share-pays at exact/share-that-pays: Claim that a share above T/d pays whatever the fixed cost of "
    "a message. | break_even = break_even(c_0 = 0)",
    "one-message-more at exact/flat-start: Count one message too many.",
    {"count": lambda states: len(states) + 1},
    "any-share-pays at exact/share-that-pays: Claim that hardly any share pays. "
    "| break_even = break_even / 30",
    "hardly-a-share-pays at exact/share-that-pays: Claim that only a gradient with all in its largest "
    "entries pays. | break_even = break_even * 10**9",
    "steep-start at run/flat-start: Start from 2^-j and stop at 1e-3 of the squared gradient: few entries "
    "do save.",
    lambda law: law.replace(start=2.0 ** -np.arange(D), accuracy=ACCURACY),
    "scaled-start, neutral: Multiply the start by 3: nothing may change. | scale = 3",
)


@judge.exact(instance="flat-start", F="||x||^2 / 2", d=D, T=SIZES, costs=COSTS)
def messages(law: Law, d: int, T: Sequence[int], costs: Any, **_: Any) -> Iterable[Comparison]:
    """What flat starts cost until they are 0, against the stated value and one message with all entries."""
    for name, fixed, per_entry in costs:
        for size in T:
            rule = fixed_size(size, Affine(per_entry, fixed))
            states = descend(RationalQuadratic((1,) * d), rule, [law.scale] * d, rounds=2 * d)
            paid = sum((F(state.choice.cost) for state in states), F(0))
            given = {"d": d, "c_0": fixed, "c_1": per_entry}
            stated, whole = law.exactly("exact", **given, T=size), law.exactly("bound", **given)
            witness = {"cost": name, "T": size, "paid": paid, "all entries": whole}
            yield eq("cost", paid, stated, witness=witness)
            yield le("at least all entries", *law.order(paid, whole), witness=witness, headline=True)
            count = law.count(states)
            if stated == whole:
                yield eq("entries of all messages", count * size, d, witness=witness)
                yield eq("fixed cost of all but one", (count - 1) * fixed, 0, witness=witness)
            if count * size == d and (count - 1) * fixed == 0:
                yield eq("as much as all entries", paid, whole, witness=witness)


@judge.exact(g=tuple(GRADIENTS), d=D, T=SIZES, costs=COSTS)
def share_that_pays(law: Law, g: Sequence[str], d: int, T: Sequence[int], costs: Any) -> Iterable[Comparison]:
    """Where a message costs no more for its share than all entries: at the stated share and above it."""
    for name, fixed, per_entry in costs:
        whole = fixed + per_entry * d
        for size in T:
            share = law.exactly("break_even", d=d, T=size, c_0=fixed, c_1=per_entry)
            yield le("at least T/d", F(size, d), share, witness={"cost": name, "T": size}, headline=True)
            if not fixed:
                yield eq("share without fixed cost", share, F(size, d), witness={"T": size})
            for kind in g:
                gradient = [F(law.scale * item) for item in GRADIENTS[kind]]
                choice = fixed_size(size, Affine(per_entry, fixed))(gradient)
                witness = {"cost": name, "T": size, "g": kind, "share": choice.share, "stated": share}
                guarantee = choice.cost / choice.share
                if choice.share >= share:
                    yield le("pays", guarantee, whole, witness=witness)
                else:
                    yield lt("does not pay", whole, guarantee, witness=witness)
    _, fixed, per_entry = costs[1]
    stated = law.exactly("break_even", d=d, T=BALANCED, c_0=fixed, c_1=per_entry)
    choice = fixed_size(BALANCED, Affine(per_entry, fixed))([F(item) for item in GRADIENTS["balanced"]])
    yield eq("balanced share", choice.share, stated)
    whole = law.exactly("bound", d=d, c_0=fixed, c_1=per_entry)
    yield eq("balanced guarantee", choice.cost / choice.share, whole)


@judge.drift(instance="flat-start", F="||x||^2", d=D, T=SIZES, costs=COSTS)
def runs(law: Law, rng: Any, d: int, T: Sequence[int], costs: Any, **_: Any) -> Iterable[Comparison]:
    """The same in runs in double precision; all entries are multiples of powers of 2."""
    start, problem = law.scale * law.start, isotropic(d, 2.0)
    for name, fixed, per_entry in costs:
        for size in T:
            result = cat_gd(
                problem,
                fixed_size(size, Affine(per_entry, fixed)),
                step_size=0.5,
                rounds=2 * d,
                rng=rng,
                start=start,
                until=law.accuracy * float(problem.objective(start)),
            )
            paid = F(float(result.cost[0, -1]))
            whole = law.exactly("bound", d=d, c_0=fixed, c_1=per_entry)
            witness = {"cost": name, "T": size, "paid": paid, "all entries": whole}
            yield le("at least all entries", *law.order(paid, whole), witness=witness, headline=True)
