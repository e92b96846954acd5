"""Checks of `cat/finding-distance-grows`: growth in the plane, one iteration, a slow phase after growth."""

import functools
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np
from sympy import Rational, sqrt

from impl.compressors import TopK
from impl.compressors.contract import Draws
from impl.optimizers.cat_gd import cat_gd
from impl.problems import Quadratic
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.descent.nested_problem import NestedProblem
from verify.cat.descent.s_descent import stated_share
from verify.cat.fixtures.golden_vectors import GI
from verify.cat.fixtures.top_runs import fixed
from verify.comparison import ROUND_OFF, SINGLE_PRECISION, Comparison, printed

SHORT = NestedProblem(4, 1e-3, 0.2, 1e-12)
LONG = NestedProblem(5, 0.01, 0.4, 1e-9)
HESSIAN = ((4, 2), (2, 2))

# `phase`: the first phase; `sent`: entries that it sends where the method itself is run; `signs`: of entries.
judge = checks_of(
    "cat/finding-distance-grows",
    # Both are taken once, whatever else is changed; `each_step`, step by step, takes a minute.
    phase=functools.cache(NestedProblem.after_leaps),
    each_step=functools.cache(NestedProblem.after_each_step),
    sent=1,
    signs=1,
    kernel=lambda problem: problem.kernel,
)


judge.sabotage(
    "all-entries at exact/in-the-plane, exact/slow-phase, run/growth: Send all entries in the first phase: "
    "the distance falls, and no rate is exceeded.",
    phase=NestedProblem.after_all_entries,
    sent=5,
)


@judge.mutant(
    "Leave the first phase out: u^2 is at most R_0^2, an eighth of what is needed.",
    at=("exact/slow-phase", "run/every-step"),
)
def no_first_phase(law: Law) -> Law:
    def start(problem: NestedProblem, count: int) -> Any:
        return problem.start

    return law.replace(phase=start, each_step=start)


judge.sabotage(
    "share-twice at exact/one-iteration: 1 + 2 alpha in the bound for one iteration: exceeded on |x|^2/2, "
    "flat, d = 64. | bound = bound(alpha = 2 * alpha)",
    "other-kernel at exact/slow-phase, run/every-step: Take the first coordinate for the kernel of M.",
    {"kernel": lambda problem: problem.start},
    "mirrored, neutral at exact/in-the-plane, exact/slow-phase: Change the signs of some coordinates: "
    "nothing may change. | signs = -1",
)


@judge.exact(H=HESSIAN, x_0=(0, 1), T=1, eta=("1/4", "1/100"))
def in_the_plane(law: Law, H: Any, x_0: Any, eta: Any, **_: Any) -> Iterable[Comparison]:
    """Steps on one entry in the plane: the distance grows, to the stated values."""
    size = min(law.sent, 2)
    signs = np.array([law.signs, 1.0])
    x = np.array(x_0, dtype=float) * signs
    # The two entries of the gradient are equal: the first one is sent.
    sent = TopK(size).compress((np.array(H, dtype=float) * np.outer(signs, signs)) @ x, Draws())
    after = x - sent / law("top")
    found, witness = float(after @ after), {"x": after}
    yield eq("squared distance", found, law("grown"), ROUND_OFF, witness=witness)
    yield le("grows", 1.0, found, ROUND_OFF, witness=witness, headline=True)
    for excess in map(F, eta):
        r = [F(-law.signs), 1 + excess]
        L = sum(item**2 for item in r)
        point = [F(law.signs), F(0)]
        for _step in range(40):
            along = sum(a * b for a, b in zip(r, point, strict=True))
            step = TopK(size).reference([along * item for item in r], Draws())
            point = [item - q / L for item, q in zip(point, step, strict=True)]
        square = sum(item**2 for item in point)
        limit, witness = law.exactly("plane_limit", eta=excess), {"eta": excess, "steps": 40}
        # Each step leaves the part 1 / (1 + (1 + eta)^2) of the way, less than half.
        yield le("below its limit", square, limit, witness=witness)
        yield le("near its limit", limit - F(1, 2**38), square, witness=witness)


@judge.exact(F="L |x|^2 / 2", x_0=("flat, d=64", "gi"), L=("1", "5/2"))
def one_iteration(law: Law, L: Any, **_: Any) -> Iterable[Comparison]:
    """After one iteration the bound with the initial distance holds, and it is below the rate."""
    shares = law.of("cat/s-descent")
    for g in ((1,) * 64, GI):
        for constant in map(F, L):
            for size in (1, 2, len(g) // 2, len(g)):
                x = [F(item) / constant for item in g]
                sent = TopK(size).reference([F(item) for item in g], Draws())
                left = [item - q / constant for item, q in zip(x, sent, strict=True)]
                square, share = sum((item**2 for item in x), F(0)), stated_share(shares, g, size)
                gap = constant / 2 * sum(item**2 for item in left)
                given: dict[str, Any] = {
                    "L": constant,
                    "R_0": sqrt(Rational(square.numerator, square.denominator)),
                }
                bound = law.exactly("bound", **given, alpha=share)
                rate = law.exactly("rate", **given, Sigma=share)
                witness = {"d": len(g), "T": size, "L": constant}
                yield le("gap", gap, bound, witness=witness, headline=True)
                yield le("bound below the rate", bound, rate, witness=witness)


def _exceeded(law: Law, problem: NestedProblem, x: Any, name: str) -> Iterable[Comparison]:
    """The gap after half of the way down the Huber function exceeds the rate, in closed form."""
    kernel = law.kernel(problem)
    u = float(problem.kernel @ x)
    # c = L is allowed: M and v v^T act on orthogonal spaces.
    tau = problem.pull / problem.L
    witness = {"x": x, "u": u, "L": problem.L}
    flatness = float(np.abs(problem.matrix @ kernel).max())
    yield le("M v = 0", flatness, 1e-14, ROUND_OFF, witness=witness)
    yield le("growth above eight", 8.0, u**2, ROUND_OFF, witness=witness)
    given = {"u": u, "f": problem.pull, "L": problem.L}
    count = law("half_way", **given)
    gap = law("gap", **given, tau=tau, N=count)
    # The shares of the first phase would only lower the rate.
    rate = law("rate", L=problem.L, R_0=1.0, Sigma=count)
    yield le("rate from the initial distance", rate, gap, ROUND_OFF, witness=witness, headline=True)
    yield le("times the rate", law(f"times_{name}"), gap / rate, ROUND_OFF, witness=witness)
    yield eq("square of u", u**2, law(f"square_{name}"), printed(4), witness=witness)
    yield le("stated ratio", law("ratio", u=u, tau=tau, R_0=1.0), gap / rate, ROUND_OFF, witness=witness)


@judge.exact(
    d=4,
    q=0.001,
    eta=0.2,
    steps=15_000_000,
    parameters={"d": 4, "q": 0.001, "eta": 0.2, "c tau": 1e-12, "steps": 15_000_000},
)
def slow_phase(law: Law, steps: int, **_: Any) -> Iterable[Comparison]:
    """After growth on single entries a slow last phase exceeds the rate from the initial distance."""
    problem = replace(SHORT, signs=(1, -1, -1, 1)) if law.signs < 0 else SHORT
    x = law.phase(problem, steps)
    yield from _exceeded(law, problem, x, "short")


# ---------------------------------------------------------------- runs


@judge.drift(d=5, q=0.01, eta=0.4, T=1, rounds=1000)
def growth(law: Law, rng: Any, rounds: int, **_: Any) -> Iterable[Comparison]:
    """The method itself moves away from the solution 0."""
    problem = replace(LONG, pull=0.0)
    found = cat_gd(
        Quadratic(problem.matrix[None]),
        fixed(law.sent),
        step_size=1 / problem.L,
        rounds=rounds,
        rng=rng,
        start=problem.start,
    )
    square = float((found.x[0] ** 2).sum())
    yield le("twice the squared distance", 2.0, square, ROUND_OFF, witness={"x": found.x[0]})
    leapt = problem.after_leaps(rounds)
    yield eq("leaps", float(leapt @ leapt), square, SINGLE_PRECISION, witness={"x": leapt})


@judge.drift(profile="full", d=5, q=0.01, eta=0.4, steps=30_000_000)
def every_step(law: Law, rng: Any, steps: int, **_: Any) -> Iterable[Comparison]:
    """The instance of the specification, each of its steps taken."""
    x = law.each_step(LONG, steps)
    yield from _exceeded(law, LONG, x, "long")
