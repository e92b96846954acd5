"""Checks of `cq_marina/neg-control`: equal laws, equal constants, runs with and without the claimed gain."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from impl.problems import Quadratic
from impl.problems.hessian_variance import SmoothnessConstants, smoothness_constants
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, ROUNDS, Comparison
from verify.cq_marina.fixtures.joint.joint_enumeration import estimates
from verify.cq_marina.fixtures.joint.sabotaged_thresholds import NoJitter, SabotagedQuantizer
from verify.cq_marina.fixtures.marina.marina_settings import (
    Setting,
    along_the_run,
    finite,
    one_bit,
    stated_step,
    trajectory,
)
from verify.expectation.rational_norm import rational_norm
from verify.rungs.run import TrajectoryCase

Vectors = Sequence[Sequence[int]]
CORRELATED, INDEPENDENT = CorrelatedQuantizer("binary"), IndependentQuantizer("binary")

# Vectors of norm 7 and 9, so that all is rational.
FIRST = ((2, 3, 6), (0, 0, 0), (0, 0, 0))
LONGER = ((1, 4, -8, 0), *[(0, 0, 0, 0)] * 4)
DIRECTIONS = ((2, 3, 6), (3, -6, 2), (-6, -2, 3))
SIZES = ((2, 1), (2, 5), (3, 4), (4, 8), (10, 3), (10, 32))
N, D, P, ROUNDS_RUN = 4, 8, 0.1, 100
PROVED_AT = 1 / 9
"""The probability of a full gradient at which the step that is too long has a rational moment recursion."""
RUN = {"n": N, "d": D, "p": P, "rounds": ROUNDS_RUN}

judge = checks_of("cq_marina/neg-control", correlated=CORRELATED, constant="X", shares=lambda n: n)


judge.sabotage(
    "claimed-advantage at exact/variance: V_CQ = d M / n^2, the value for equal inputs. "
    "| exact = d / n**3 * r**2",
    "zero-variance-step at exact/recursion, run/correlated: The step for d L_-^2 / n^2, as if L_pm = 0: "
    "more than 10^6 times the bound by T = 100. | constant = 'X_without_variance'",
    "right-step at exact/recursion: The wrong step is the right one. | X_without_variance = X",
    "light-client at exact/constants: The first Hessian is L I, not n L I.",
    {"shares": lambda n: 1},
    "no-jitter at exact/same-law: Thresholds at the lower ends of their strata.",
    lambda law: law.replace(correlated=SabotagedQuantizer("binary", NoJitter())),
    "no-correlation at exact/random-directions: Independent thresholds: no gain.",
    {"correlated": INDEPENDENT},
    "independent-thresholds, neutral at exact/same-law: Independent thresholds: nothing may change.",
    {"correlated": INDEPENDENT},
)
judge.sabotage_data(
    "equal-norms at exact/variance: Unit vectors in all directions: L_pm is as large, but correlation does "
    "help.",
    lambda inputs: {"inputs": (DIRECTIONS,)},
    "other-client, neutral at exact/variance: Another client has it: nothing may change.",
    lambda inputs: {"inputs": tuple(rows[::-1] for rows in inputs)},
    "one-direction at exact/all-directions: One input again: correlation gains nothing.",
    lambda rows: {"rows": FIRST},
    "one-vector at exact/random-directions: One input of the eight is left: correlation gains nothing.",
    lambda **given: given | {"nonzero": 1},
)


# ---------------------------------------------------------------- one round


def rational(rows: Vectors) -> list[list[F]]:
    """Return the rows in rationals."""
    return [[F(item) for item in row] for row in rows]


def _norm(rows: Vectors) -> F:
    """Return the largest norm of vectors of rational norm."""
    return max(map(rational_norm, rows))


@judge.exact(instance="variance", inputs=(FIRST, LONGER))
def variances(law: Law, inputs: Sequence[Vectors]) -> Iterable[Comparison]:
    """Both quantizers at one nonzero input."""
    for rows in inputs:
        stated = law.exactly("exact", n=len(rows), d=len(rows[0]), r=_norm(rows))
        yield eq("correlated", law.correlated.variance(rational(rows)), stated, headline=True)
        yield eq("independent", INDEPENDENT.variance(rational(rows)), stated)


@judge.exact(instance="all-directions", rows=DIRECTIONS)
def directions(law: Law, rows: Vectors) -> Iterable[Comparison]:
    """Inputs of one norm in all directions."""
    gain = INDEPENDENT.variance(rational(rows)) / law.correlated.variance(rational(rows))
    yield eq("equal norms", gain, law.exactly("gain"))


@judge.exact(n=8, d=64, draws=20, nonzero=8)
def random_directions(law: Law, n: int, d: int, draws: int, nonzero: int) -> Iterable[Comparison]:
    """Random unit vectors, nearly orthogonal: the constants are as large as in the control, nearly."""
    rng = np.random.Generator(np.random.Philox(20240601))
    for drawn in range(draws):
        rows, witness = rng.standard_normal((n, d)), {"draw": drawn}
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        rows[nonzero:] = 0.0
        alone = float(INDEPENDENT.variance(rows))
        stated = law("X_independent", n=n, d=d, L_plus_sq=1.0)
        yield eq("variance of independent bits", alone, stated, ROUND_OFF, witness=witness)
        gain = alone / float(law.correlated.variance(rows))
        yield le("least gain of random directions", law("least_gain"), gain, ROUND_OFF, witness=witness)
        yield le("most gain of random directions", gain, law("most_gain"), ROUND_OFF, witness=witness)


def probabilities(compressor: Any, rows: Any) -> dict[tuple[F, ...], F]:
    """Return the probability of every estimate."""
    found: dict[tuple[F, ...], F] = defaultdict(F)
    for chance, estimate in estimates(compressor, rows):
        found[tuple(estimate)] += chance
    return {key: chance for key, chance in found.items() if chance}


@judge.exact(a=(3, 4), clients=(2, 3))
def same_law(law: Law, a: Sequence[int], clients: Sequence[int]) -> Iterable[Comparison]:
    """The probabilities of all estimates of both quantizers, and of a bit of the first client."""
    for n in clients:
        rows = rational((a, *[(0,) * len(a)] * (n - 1)))
        correlated, independent = probabilities(law.correlated, rows), probabilities(INDEPENDENT, rows)
        for estimate in sorted(correlated.keys() | independent.keys()):
            yield eq("probability", correlated.get(estimate, F(0)), independent.get(estimate, F(0)))
        for j in range(len(a)):
            one = sum((chance for estimate, chance in correlated.items() if estimate[j] > 0), F(0))
            yield eq("a bit is one", one, law.exactly("chance", first=a, j=j, r=_norm([a])))


# ---------------------------------------------------------------- constants and runs


def family(n: int, d: int, curvature: float) -> Quadratic:
    """Return A_1 = curvature I, A_i = 0 else."""
    matrices = np.zeros((n, d))
    matrices[0] = curvature
    return Quadratic(matrices)


@judge.exact(sizes=SIZES)
def constants(law: Law, sizes: Sequence[tuple[int, int]]) -> Iterable[Comparison]:
    """Smoothness constants of the family, and the constants of the rates at them."""
    L = 1.5
    for n, d in sizes:
        found, where = smoothness_constants(family(n, d, law.shares(n) * L)), {"n": n, "d": d}
        yield eq("L_minus", found.L_minus, L, ROUND_OFF, witness=where)
        plus, pm = found.L_plus**2, found.L_pm**2
        yield eq("L_plus_sq", plus, law("L_plus_sq", n=n, L=L), ROUND_OFF, witness=where)
        yield eq("L_pm_sq", pm, law("L_pm_sq", n=n, L=L), ROUND_OFF, witness=where)
        B, stated = law("B", n=n, d=d), law("X", d=d, L=L)
        chi = law("X_correlated", n=n, d=d, L_plus_sq=plus, L_pm_sq=pm, B=B)
        yield eq("constant", chi, stated, ROUND_OFF, witness=where, headline=True)
        alone = law("X_independent", n=n, d=d, L_plus_sq=plus)
        yield eq("constant of independent thresholds", alone, stated, ROUND_OFF, witness=where)


def control(law: Law, probability: float = P) -> Setting:
    """Return the family with one-bit quantizers, whose second moments are those of correlated ones here."""

    def rule(found: SmoothnessConstants, _: float, p: float) -> float:
        sizes = {"d": D} if law.constant == "X" else {"n": N, "d": D}
        return stated_step(found, law(law.constant, **sizes, L=found.L_minus), p)

    problem = family(N, D, law.shares(N))
    return Setting("control", problem, one_bit(N, D), np.ones(D), probability, ROUNDS_RUN, rule)


@judge.exact(parameters=RUN)
def recursion(law: Law) -> Iterable[Comparison]:
    """Average and potential along the exact second moments, and what the wrong step does."""
    yield from along_the_run(control(law))
    for p in (P, PROVED_AT):
        wrong = control(law.replace(constant="X_without_variance"), p)
        average = finite(wrong.trace.average(ROUNDS_RUN))
        yield le(
            "too long a step", law("broken") * wrong.bound(ROUNDS_RUN), average, ROUNDS, witness={"p": p}
        )


@judge.trajectory(label="averages of the squared gradient", parameters=RUN)
def correlated(law: Law) -> TrajectoryCase:
    """Sampled runs with the correlated quantizer."""
    return trajectory(control(law), CORRELATED)
