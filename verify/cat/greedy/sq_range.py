"""Checks of `cat/sq-range`: shares of signs in rationals, at their extremes, and searched for beyond them."""

import functools
import math
import random
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.adaptive import cat_sq
from impl.communication import Affine, Packet
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.fixed_size import fixed_signs
from verify.cat.fixtures.literal_shares import alphas, betas, float_alphas, float_betas
from verify.cat.fixtures.rational_descent import RationalQuadratic, descend
from verify.comparison import ROUND_OFF, Comparison
from verify.rungs.adversarial import AdversarialCase

DIMENSIONS = (2, 4, 30, 100)
BEST = 64
"""Dimension of the search for the least largest share: rho is above 2 there."""

judge = checks_of("cat/sq-range", signs=betas, entries=alphas, floats=float_betas, rule=cat_sq, scale=1)


judge.sabotage(
    "share-of-flat at exact/rational-vectors, adversarial/d6-T4: Claim T/d as for the entries themselves: "
    "one nonzero entry, d = T = 8, has 1/8.",
    {"bound": lambda formula: formula.args[1] if formula.args[0].is_Pow else formula.args[0]},
    "one-half at exact/extremal, adversarial/largest-share: Claim that the largest share is at least 1/2 in "
    "all dimensions: 0.4653 at the extremal vector, d = 100. | best = 1/2",
    "alpha-below at exact/rational-vectors, exact/extremal: Take the shares of signs and of entries for "
    "each other.",
    {"signs": alphas, "entries": betas, "floats": float_alphas},
    "no-divisor at exact/rational-vectors: Leave out the divisor T of the share of signs.",
    {"signs": lambda g: [T * share for T, share in enumerate(betas(g), 1)]},
    "one-sign at exact/extremal: The rule sends one sign.",
    {"rule": lambda g, cost, **bits: cat_sq(g[:1], cost, **bits)},
    "without-last-message at exact/polyak-cost: Leave out the last message: for d = 1, F = x^2/2 and 9/10 "
    "of the first gap the bound is 0.105 C(1). | polyak_cost = cost",
    "iterations-of-flat at exact/fixed-sizes: A d/T iterations as for the entries themselves: all eight "
    "signs take 9 iterations from one nonzero entry to a tenth of the gap, of at most 2.3. "
    "| fixed_iterations = A * d / T",
    "half-of-the-iterations at exact/fixed-sizes: Half of them: one sign of 16 equal entries takes 8 "
    "iterations to half of the gap, of at most 5.5. | fixed_iterations = fixed_iterations / 2",
    "scaled-vector, neutral at exact/*: Multiply the vector by 8: nothing may change. | scale = 8",
)


def _vectors() -> Iterable[tuple[int, ...]]:
    rng = random.Random(4)
    yield from ((1, 0, 0, 0, 0, 0, 0, 0), (2,) * 8, (3, 3, 1), (5,))
    for _ in range(60):
        vector = tuple(rng.choice((-7, -3, -1, 0, 1, 1, 2, 9)) for _ in range(rng.randint(1, 9)))
        if any(vector):
            yield vector


@judge.exact(vectors=64)
def rational_vectors(law: Law, vectors: int) -> Iterable[Comparison]:
    """The share of signs between its bound and the share of entries; equal where the magnitudes are."""
    for vector in _vectors():
        g = [F(law.scale * item) for item in vector]
        s, d = sorted(map(abs, g), reverse=True), len(g)
        E = sum(item * item for item in g)
        for T, (beta, alpha) in enumerate(zip(law.signs(g), law.entries(g), strict=True), 1):
            witness = {"g": vector, "T": T}
            yield eq("share of signs", beta, law.exactly("beta", s=s, d=d, T=T), witness=witness)
            yield eq("share of entries", alpha, law.exactly("alpha", s=s, d=d, T=T), witness=witness)
            yield le("beta and alpha", beta, alpha, witness=witness)
            for i in range(T):
                spread = law.exactly("spread", s=s, i=i, S=sum(s[:T]), T=T, E=E)
                yield le("spread of the kept magnitudes", beta + spread, alpha, witness=witness)
            if s[0] == s[T - 1]:
                yield eq("equal magnitudes", beta, alpha, witness=witness)
            least = law.exactly("bound", T=T, d=d)
            yield le("least", least, beta, witness=witness, headline=True)
            if vector == (1, 0, 0, 0, 0, 0, 0, 0):
                yield eq("one nonzero entry", beta, F(1, T))
            if vector == (2,) * 8:
                yield eq("equal entries", beta, F(T, d))


def extremal_vector(d: int) -> Any:
    """Return the magnitudes sqrt(j) - sqrt(j-1), (d,)."""
    return np.diff(np.sqrt(np.arange(d + 1)))


@judge.exact(d=DIMENSIONS)
def extremal(law: Law, d: Sequence[int]) -> Iterable[Comparison]:
    """The largest share at the extremal vectors, and at others; what the rule finds at a constant cost."""
    rng = np.random.default_rng(5)
    for size in d:
        stated, witness = law("best", d=size), {"d": size}
        constant = law.floats(law.scale * extremal_vector(size))
        yield le("least share", stated, float(constant.min()), ROUND_OFF, witness=witness)
        yield eq("the same for all sizes", float(constant.min()), float(constant.max()), ROUND_OFF)
        share = float(constant.max())
        yield eq("largest share", share, stated, ROUND_OFF, witness=witness, headline=True)
        for g in (*rng.standard_normal((4, size)), np.ones(size), np.eye(size)[0]):
            # All sizes cost the same.
            choice = law.rule(law.scale * g, Packet(10**9), entry_bits=1)
            found = float(float_betas(g)[choice.size - 1])
            yield le("share that is chosen", stated, found, ROUND_OFF, witness={"T": choice.size})


RUNS: tuple[tuple[RationalQuadratic, tuple[int, ...], F, int], ...] = (
    (RationalQuadratic((1,)), (1,), F(9, 10), 3),
    (RationalQuadratic((3,) * 4), (1, 1, -1, 1), F(1, 10), 0),
    (RationalQuadratic((1, 2, 3, 2)), (4, -1, 1, 2), F(1, 3), 5),
    (RationalQuadratic((2, 1, 1), (1, -1, 1)), (1, 3, -1), F(1, 20), 1),
)
"""Objective, start, accuracy relative to the first gap, and fixed cost of a message of T + c_0."""


def _at_most(accuracy: F, value: F, square: F) -> bool:
    return value <= accuracy


@judge.exact(runs=len(RUNS))
def polyak_cost(law: Law, runs: int) -> Iterable[Comparison]:
    """The cost of runs of CAT-SQ until a gap against the stated one; steps in rationals."""
    for problem, start, part, fixed in RUNS[:runs]:
        x, d = [law.scale * item for item in start], len(start)
        rule = functools.partial(cat_sq, cost=Affine(1, fixed), entry_bits=1)
        target = part * problem.value([F(item) for item in x])
        states = descend(problem, rule, x, 200, reached=functools.partial(_at_most, target))
        spent = float(sum(state.choice.cost for state in states))
        A = float(problem.L / problem.mu) * math.log(1 / part)
        stated = law("polyak_cost", A=A, rho=law("rho", d=d), C_d=d + fixed)
        witness = {"h": problem.diagonal, "x_0": start, "epsilon": part, "messages": len(states)}
        yield le("cost until the gap", spent, stated, ROUND_OFF, witness=witness, headline=True)
        plain = law(
            "cost", A=sum(float(state.choice.share) for state in states), rho=law("rho", d=d), C_d=d + fixed
        )
        yield le("cost by the shares", spent, plain, ROUND_OFF, witness=witness)


FIXED: tuple[tuple[RationalQuadratic, tuple[int, ...], F, tuple[int, ...]], ...] = (
    (RationalQuadratic((2,) * 16), (1,) * 16, F(1, 2), (1, 4)),
    (RationalQuadratic((1,) * 8), (1,) + 7 * (0,), F(1, 10), (8, 2)),
    (RationalQuadratic((1, 2, 3, 2)), (4, -1, 1, 2), F(1, 10), (1, 2, 4)),
)
"""Objective, start, accuracy relative to the first gap, and the fixed sizes."""


@judge.exact(runs=len(FIXED))
def fixed_sizes(law: Law, runs: int) -> Iterable[Comparison]:
    """Signs of a fixed size, until a gap: the iterations before the last one are fewer than stated."""
    for problem, start, part, sizes in FIXED[:runs]:
        x, A = [law.scale * item for item in start], float(problem.L / problem.mu) * math.log(1 / part)
        target = part * problem.value([F(item) for item in x])
        for T in sizes:
            rule = fixed_signs(T, Affine(1, 0))
            states = descend(problem, rule, x, 200, reached=functools.partial(_at_most, target))
            stated = law("fixed_iterations", A=A, T=T, d=len(start))
            witness = {"h": problem.diagonal, "x_0": start, "T": T, "epsilon": part}
            yield le("iterations before the last", len(states) - 1, stated, ROUND_OFF, witness=witness)


@judge.exact(d=(1, 2, 4, 100, 10_000))
def rho(law: Law, d: Sequence[int]) -> Iterable[Comparison]:
    """The sum rho against its bound, as the dimension grows."""
    for size in d:
        found, bound = law("rho", d=size), law("rho_bound", d=size)
        yield eq("rho", float((extremal_vector(size) ** 2).sum()), found, ROUND_OFF)
        yield le("rho and its bound", found, bound, ROUND_OFF, headline=size > 1)


def _shares(inputs: Any) -> Any:
    """Return beta of all sizes, (m, d)."""
    sizes = -np.sort(-np.abs(np.asarray(inputs, dtype=float)), axis=-1)
    sums, whole = np.cumsum(sizes, axis=-1), (sizes**2).sum(axis=-1, keepdims=True)
    counts = np.arange(1, sizes.shape[-1] + 1)
    return np.divide(sums**2, counts * whole, out=np.zeros_like(sums), where=whole > 0)


def _inverse(shares: Any) -> Any:
    return np.divide(1.0, shares, out=np.zeros_like(shares), where=shares > 0)


@judge.adversarial(
    label="least share of a fixed size", instances={f"d6-T{T}": {"d": 6, "T": T} for T in (2, 4)}
)
def searched_fixed(law: Law, d: int, T: int) -> AdversarialCase:
    """The input with the least share of T signs; what is held is its inverse."""
    most = 1 / law("bound", T=T, d=d)
    return AdversarialCase(
        lambda inputs: _inverse(_shares(inputs)[:, T - 1]),
        lambda inputs: np.full(len(inputs), most),
        d,
        starts=(np.ones(d), np.eye(d)[0]),
        budget=3000,
    )


@judge.adversarial(instance="largest-share", d=BEST)
def largest_share(law: Law, d: int) -> AdversarialCase:
    """The input whose largest share is least."""
    most = 1 / law("best", d=d)
    return AdversarialCase(
        lambda inputs: _inverse(_shares(inputs).max(axis=-1)),
        lambda inputs: np.full(len(inputs), most),
        d,
        starts=(extremal_vector(d), np.ones(d), np.eye(d)[0]),
        budget=2000,
    )
