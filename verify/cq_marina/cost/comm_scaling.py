"""Checks of `cq_marina/comm-scaling`: exponents from exact errors, and psi between its bounds."""

import itertools
import math
from collections.abc import Callable, Iterable
from fractions import Fraction as F

import numpy as np

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer, PermK
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import DIFFERENCES, EXACT, ROUND_OFF, Comparison
from verify.cq_marina.fixtures.joint.psi import cost, psi

Noises = Callable[[int], tuple[F, F]]
"""Number of clients to the noise of IQ and of CQ."""

# All inputs (3, 1, ..., 1): the fraction of n y is 1/2 in all coordinates where n/4 is odd.
ODD_QUARTERS = (4, 12, 20, 28)
INPUT = (3, *(1,) * 7)
COORDINATES = 100
DOUBLING = (100, 200, 400, 800)
PROBABILITY = 0.1
MESSAGES = (1e-4, 1 / 32, 1 / 16, 0.5, 1.0)
NOISES = (0.0, 1e-8, 1e-4, 1e-2, 0.1, 1.0, 3.16, 7.6, 100.0)
SIZES = (10**4, 10**6, 10**8)
STEP = 1e-4


def exact_errors(n: int) -> tuple[F, F]:
    """Return the exact errors of both quantizers at equal inputs, relative to the mean square."""
    inputs, square = [list(map(F, INPUT))] * n, F(sum(item * item for item in INPUT))
    return (
        IndependentQuantizer("binary").variance(inputs) / square,
        CorrelatedQuantizer("binary").variance(inputs) / square,
    )


def _pair(n: int) -> tuple[F, F]:
    law = Law("", {}, {}).of("cq_marina/ab-cq")
    return law.exactly("A", n=n, d=COORDINATES), law.exactly("B", n=n, d=COORDINATES)


def constants(n: int) -> tuple[F, F]:
    """Return the constants of both at zero Hessian variance, A - B."""
    A, B = _pair(n)
    return F(COORDINATES - 1, n), A - B


def fixed_hessian_variance(n: int) -> tuple[F, F]:
    """Return the constants where half of the mean smoothness is Hessian variance."""
    A, B = _pair(n)
    independent = F(COORDINATES - 1, n)
    return independent, min(independent, A - B + B / 4)


judge = checks_of(
    "cq_marina/comm-scaling",
    errors=exact_errors,
    constants=constants,
    exponents=lambda: (-0.5, -1.0),
    probability=lambda: PROBABILITY,
    psi=psi,
    sent=lambda draws: PermK().bits(np.ones(draws[1]), draws[0]),
)


def _iq_for_cq(noises: Noises) -> Noises:
    return lambda n: (noises(n)[0], noises(n)[0])


judge.sabotage(
    "cq-exponent-for-iq at exact/exact-errors, exact/constants: Expect the exponent -1 of CQ from the noise "
    "of independent thresholds.",
    lambda law: law.replace(errors=_iq_for_cq(law.errors), constants=_iq_for_cq(law.constants)),
    "one-exponent at exact/exact-errors, exact/constants: Expect of IQ the exponent of CQ.",
    {"exponents": lambda: (-1.0, -1.0)},
    "with-hessian-variance at exact/constants: A family with L_pm = L_+/2 at d = 100: exponents about -.51, "
    "-.01, -.01, -.50 at n = 100, ..., 800.",
    {"constants": fixed_hessian_variance},
    "half-is-reached at exact/local-exponents: Claim the exponents -1/2 and -1 at the best p, too: sigma is "
    "below 1/2 there. | elasticity = 1/2",
    "another-probability, neutral at exact/exact-errors, exact/constants: Another fixed p: the exponents do "
    "not depend on it.",
    {"probability": lambda: 0.3},
    "full-rounds at exact/order, exact/float-messages: Full rounds only, also where compressed ones are "
    "cheaper.",
    {"psi": lambda A, c: psi(1e9, c)},
    "larger-orders at exact/float-messages: Orders that are 1 % larger: half of them exceeds the cost. "
    "| floats_iq = floats_iq * 101/100, floats_cq = floats_cq * 101/100",
    "all-coordinates at exact/perm-k: Clients of PermK that send all coordinates.",
    {"sent": lambda draws: np.full(draws[1][0], 64 * draws[1][1])},
)


def _compared(law: Law, sizes: tuple[int, ...], d: int, noises: Noises) -> Iterable[Comparison]:
    """The excess at each size against the stated one, and its exponent between neighbouring sizes."""
    p = law.probability()
    found: dict[str, list[float]] = {"iq": [], "cq": []}
    for n in sizes:
        for name, noise in zip(found, noises(n), strict=True):
            step = 1 / (1 + math.sqrt((1 - p) / p * float(noise)))
            found[name].append(1 / step - 1)
            stated = law(f"excess_{name}", d=d, n=n, p=p)
            yield eq(f"excess of {name}", found[name][-1], stated, ROUND_OFF, witness={"n": n, "A": noise})
    for name, claimed in zip(found, law.exponents(), strict=True):
        neighbours = itertools.pairwise(sizes)
        for slope, (low, high) in zip(slopes(sizes, found[name]), neighbours, strict=True):
            yield eq(f"exponent of {name}", slope, claimed, ROUND_OFF, witness={"from": low, "to": high})


def slopes(sizes: tuple[int, ...], values: list[float]) -> list[float]:
    """Return the exponents between neighbouring sizes."""
    pairs = zip(itertools.pairwise(sizes), itertools.pairwise(values), strict=True)
    return [math.log(after / before) / math.log(high / low) for (low, high), (before, after) in pairs]


@judge.exact(instance="exact-errors", parameters={"n": ODD_QUARTERS, "d": 8, "p": PROBABILITY})
def of_exact_errors(law: Law) -> Iterable[Comparison]:
    """Exponents of the exact errors of the compressors."""
    yield from _compared(law, ODD_QUARTERS, 8, law.errors)


@judge.exact(instance="constants", parameters={"n": DOUBLING, "d": COORDINATES, "p": PROBABILITY})
def of_constants(law: Law) -> Iterable[Comparison]:
    """Exponents of the constants of the AB inequalities."""
    yield from _compared(law, DOUBLING, COORDINATES, law.constants)


@judge.exact(parameters={"c": (1 / 32, 1 / 16)})
def local_exponents(law: Law) -> Iterable[Comparison]:
    """The stated elasticity against differences of psi, below the threshold; and exponents of n from it."""

    def elasticity(A: float, c: float) -> float:
        return law("elasticity", A=A, p=psi(A, c).probability)

    for c in (1 / 32, 1 / 16):
        for A in (1e-4, 1e-3, 1e-2, 0.1, 1.0, 3.16):
            more, less = (psi(A * math.exp(sign * STEP), c).value for sign in (1, -1))
            sigma, witness = elasticity(A, c), {"A": A, "c": c}
            yield eq("elasticity", math.log(more / less) / (2 * STEP), sigma, DIFFERENCES, witness=witness)
            yield le("below one half", sigma, 0.5 - 1e-3, ROUND_OFF, witness=witness, headline=True)
    for n in (10.0, 100.0, 1000.0):
        for name, power in (("iq", 1), ("cq", 2)):
            less, noise, more = (99.0 / (n * math.exp(x)) ** power for x in (-STEP, 0.0, STEP))
            found = math.log(psi(more, 1 / 32).value / psi(less, 1 / 32).value) / (2 * STEP)
            if noise < 7:
                claimed = -power * elasticity(noise, 1 / 32)
                yield eq(f"local exponent of {name}", found, claimed, DIFFERENCES, witness={"n": n})


@judge.exact(parameters={"A": NOISES, "c": MESSAGES})
def order(law: Law) -> Iterable[Comparison]:
    """Psi between half the bound and the bound."""
    for c in MESSAGES:
        for A in NOISES:
            value, bound = law.psi(A, c).value, law("bound", A=A, c=c)
            yield le("from above", value, bound, ROUND_OFF, witness={"A": A, "c": c}, headline=True)
            yield le("from below", law("lower", A=A, c=c), value, ROUND_OFF, witness={"A": A, "c": c})


@judge.exact(parameters={"d": SIZES})
def float_messages(law: Law) -> Iterable[Comparison]:
    """Costs in floats with messages of one or three floats against the stated orders."""
    for d in SIZES:
        for n in (2, 100, 10**4, 10**8):
            for kappa in (1, 3):
                for name, noise in (("iq", (d - 1) / n), ("cq", d / n**2)):
                    bound, there = (
                        law(f"floats_{name}", kappa=kappa, d=d, n=n),
                        d * cost(noise, kappa / d, 1 / d),
                    )
                    witness = {"d": d, "n": n, "floats": kappa}
                    yield le(f"floats of {name} at p = 1/d", there, bound, ROUND_OFF, witness=witness)
                    best = d * law.psi(noise, kappa / d).value
                    least = min(float(d), bound)
                    yield le("floats at the best p", best, least, ROUND_OFF, witness=witness, headline=True)
                    if kappa == 1:
                        # The specification: between 1.99 and 2 times 1 + d/n or 1 + d/root(n).
                        yield le(f"no less of {name}", 1.99 / 2 * bound, there, ROUND_OFF, witness=witness)


@judge.exact(instance="perm-k", size=[(2, 4), (4, 2), (2, 3), (3, 2), (3, 3), (4, 1)])
def floats_of_perm_k(law: Law, size: tuple[int, int]) -> Iterable[Comparison]:
    """The floats that a client of PermK sends, on average over the clients and all outcomes."""
    n, d = size
    floats = F(0)
    for probability, draws in PermK().outcomes([[F(1)] * d] * n):
        floats += probability * F(int(law.sent((draws, size)).sum()), 64 * n)
    yield eq("floats of PermK", floats, max(F(d, n), F(1)), EXACT)
    yield le("PermK in order", floats, law.exactly("floats_permk", d=d, n=n), EXACT)
