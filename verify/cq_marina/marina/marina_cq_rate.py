"""Checks of `cq_marina/marina-cq-rate`: exact noise, exact rounds, runs and their bits."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np
from sympy import Min, Rational, sqrt

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from impl.optimizers import MarinaEstimator, marina
from impl.problems import Quadratic, smoothness_constants, tridiagonal
from theory.cq_marina.marina.marina_cq_rate import n
from theory.cq_marina.marina.round import L_plus, L_pm, d
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import LONG_RUN, ROUND_OFF, Comparison
from verify.cq_marina.fixtures.averages import running_averages
from verify.cq_marina.fixtures.marina.literal_marina import (
    Rules,
    bits_of_rounds,
    compare_iterates,
    literal_marina,
)
from verify.cq_marina.marina.expected_round import expected_round, visited
from verify.cq_marina.marina.sabotaged_marina import PrivateCoin
from verify.rungs.run import TrajectoryCase

judge = checks_of(
    "cq_marina/marina-cq-rate",
    compressor=CorrelatedQuantizer("binary"),
    estimator=MarinaEstimator,
    rules=Rules(),
)
_RUNS = ("run/equal-hessians-*",)


@judge.mutant(
    "d / (4n^2) for d / n^2, the constant of the ternary grid: exceeded four times at n = 4, d = 8.",
    at=("exact/equal-hessians", *_RUNS),
)
def quarter_constant(law: Law) -> Law:
    def quartered(formula: Any) -> Any:
        first, second = sorted(formula.args, key=lambda branch: branch.has(L_pm))
        return Min(first, second - Rational(3, 4) * d / n**2 * L_plus**2)

    return law.replace(X=quartered)


judge.sabotage(
    "independent-thresholds at exact/equal-hessians, run/equal-hessians-4-64, run/drift: Independent "
    "thresholds with the constant of correlated ones.",
    lambda law: law.replace(compressor=IndependentQuantizer("binary")),
    "no-hessian-variance at exact/one-hessian: Leave out L_pm: one client with a Hessian, the others "
    "without. | X = X(L_pm = 0)",
    "equal-norms at exact/one-hessian: (n - 2) / (2(n - 1)) for all norms: too small for one client. "
    "| X = d / n**2 * L_plus**2 + (n - 2) / (2 * (n - 1)) * L_pm**2",
    "heavy-error at run/drift: The error weighs gamma / p^2. | weight = 2 * weight / p",
    "private-coin at exact/literal: Each client tosses its own coin.",
    {"estimator": PrivateCoin},
    "mixed-rounds at exact/literal: Runs with a full round are charged only if all runs have one.",
    lambda law: law.replace(rules=Rules(mixed=False)),
    "short-floats at exact/literal: Floats of 32 bits in full rounds, whatever was asked for.",
    lambda law: law.replace(rules=Rules(full=lambda d, float_bits: 32 * d)),
)
judge.sabotage_data(
    "permuted-clients, neutral: Number the clients differently: nothing may change.",
    lambda scales, direction: {"scales": scales[::-1]},
    at=tuple(f"exact/{name}" for name in ("equal-hessians", "one-hessian", "two-clients", "mixed-signs")),
)


# ---------------------------------------------------------------- one round

ODD = (3, 1, 1, 1, 1, 1, 1, 1)


@judge.exact(
    instances={
        "equal-hessians": {"scales": (1, 1, 1, 1), "direction": ODD},
        "one-hessian": {"scales": (4, 0, 0, 0), "direction": ODD},
        "two-clients": {"scales": (1, 3), "direction": (1, 2, 2, 4)},
        "mixed-signs": {"scales": (2, -1, 3, 0, 1), "direction": (2, 3, 6)},
        "many-clients": {"scales": (1, 2, 3, 4, 5, 6, 7, 8), "direction": (1, 2, -2)},
    }
)
def noise(law: Law, scales: Sequence[int], direction: Sequence[int]) -> Iterable[Comparison]:
    """Quadratics A_i = scale_i I: the exact variance against X times the squared length, in rationals."""
    n, d = len(scales), len(direction)
    square = Rational(sum(item**2 for item in scales), n)
    spread = square - Rational(sum(scales), n) ** 2
    stated = law.exactly("X", n=n, d=d, L_plus=sqrt(square), L_pm=sqrt(spread))
    stated *= sum(entry**2 for entry in direction)
    variance = law.compressor.variance([[F(scale * entry) for entry in direction] for scale in scales])
    yield le("noise", variance, stated, headline=True)
    if direction == ODD:
        yield eq("noise is attained", variance, stated)


@judge.drift(parameters={"n": 10, "d": 32, "lambda": 0.5, "p": 0.1})
def drift(law: Law, rng: Any) -> Iterable[Comparison]:
    """Noise and potential in exact expectation at states of a run in which clients differ."""
    n, d, p = 10, 32, 0.1
    problem = tridiagonal(n, d, heterogeneity=0.5, mu=0.01, offset=0.5)
    constants = smoothness_constants(problem)
    X = law("X", n=n, d=d, L_plus=constants.L_plus, L_pm=constants.L_pm)
    gamma = law("step_size", L_minus=constants.L_minus, X=X, p=p)
    result = marina(
        problem,
        law.compressor,
        step_size=gamma,
        probability=p,
        rounds=40,
        rng=rng,
        replicates=4,
        trace=True,
    )
    if result.iterates is None:
        raise ValueError("the run was asked for a trace")
    x, g = visited(result.iterates, gamma)
    found = expected_round(problem, law.compressor, x, g, step_size=gamma, probability=p)
    allowed = (1 - p) * (found.error + X * found.length)
    before, after = found.potentials(law("weight", gamma=gamma, p=p))
    fallen = before - gamma / 2 * found.gradient_norm_sq
    for k in range(len(x)):
        yield le("noise at a visited state", float(found.error_next[k]), float(allowed[k]), ROUND_OFF)
        yield le("potential at a visited state", float(after[k]), float(fallen[k]), LONG_RUN, headline=True)


# ---------------------------------------------------------------- runs

ROUNDS_RUN = 150
TIMES = range(10, ROUNDS_RUN + 1, 10)


def equal_hessians_run(law: Law, n: int, d: int, p: float, rng: Any, replicates: int) -> tuple[Any, Any]:
    """Return averages of |grad f|^2 over T = 10, 20, ..., 150 rounds, (R, 15), and their bounds, (15,).

    All clients have f_i = |x|^2 / 2 and the start is the ones vector.
    """
    gamma = law("step_size", L_minus=1.0, X=law("X", n=n, d=d, L_plus=1.0, L_pm=0.0), p=p)
    bounds = [law("bound", Delta_0=d / 2, gamma=gamma, T=T) for T in TIMES]
    result = marina(
        Quadratic(np.ones((n, d))),
        law.compressor,
        step_size=gamma,
        probability=p,
        rounds=ROUNDS_RUN,
        rng=rng,
        replicates=replicates,
        start=np.ones(d),
    )
    return running_averages(result.gradient_norm_sq)[:, np.array(TIMES) - 1], np.array(bounds)


def _averages(law: Law, n: int, d: int, p: float, replicates: int) -> TrajectoryCase:
    def bounds() -> Any:
        return equal_hessians_run(law, n, d, p, np.random.default_rng(0), 1)[1]

    def rows(rng: Any, size: int) -> Any:
        return equal_hessians_run(law, n, d, p, rng, size)[0]

    return TrajectoryCase(bounds, rows, replicates)


@judge.trajectory(instance="equal-hessians-4-64", label="averages of the squared gradient", n=4, d=64, p=0.02)
def wide_messages(law: Law, n: int, d: int, p: float) -> TrajectoryCase:
    """Equal Hessians: the average of |grad f|^2 over replicates against the bound, at every T.

    With 64 replicates the mutant `quarter-constant` passed at one of the three seeds of the full profile.
    """
    return _averages(law, n, d, p, 256)


@judge.trajectory(
    instances={f"equal-hessians-2-{d}": {"n": 2, "d": d, "p": 0.05} for d in (4, 16)},
    label="averages of the squared gradient",
    profile="full",
)
def two_clients(law: Law, n: int, d: int, p: float) -> TrajectoryCase:
    """The same, with the replicates that the quarter of the constant needs."""
    return _averages(law, n, d, p, 2000)


@judge.exact(parameters={"n": 4, "d": 6, "rounds": 7})
def literal(law: Law) -> Iterable[Comparison]:
    """Iterates and bits of the batched method against the literal one with packed messages."""
    yield from compare_iterates("correlated", law.rules, law.estimator)
    yield from bits_of_rounds("correlated", law.rules, law.estimator)
    run, d, w = literal_marina("correlated", seed=5, float_bits=64, rules=law.rules), 6, 64
    sizes = sorted(set(run.bits.ravel().tolist()))
    stated = sorted([law.exactly("full_bits", d=d, w=w), law.exactly("message_bits", d=d)])
    for size, allowed in zip(sizes, stated, strict=True):
        yield eq("bits of a message", size, allowed)
