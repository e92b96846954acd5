"""Checks of `cq_marina/finding-ratio-not-maximum`: consistent limits, the kink, and the real ternary grid."""

import math
from collections.abc import Iterable
from fractions import Fraction as F
from typing import Any

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from impl.compressors.joint.threshold_quantizer import Grid
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import EXACT, ROOT, ROUND_OFF, Comparison, printed, rational
from verify.cq_marina.cost.ratios import (
    binary,
    length,
    length_in_bytes,
    quarters,
    ratio,
    searched,
    true_ternary,
)
from verify.cq_marina.fixtures.joint.psi import psi

CLIENTS: dict[Grid, int] = {"binary": 4, "ternary": 2}
"""Numbers of clients at which the fractions of n y are 1/2 for inputs of odd quarters of their norm."""
LARGE, MILLION = 10**12, 10**6
PEAK_SEARCH = range(2, 2001)
BEYOND = (10**4, 10**6, 10**9, LARGE)
AROUND = (*range(30000, 37000, 100), MILLION)
PEAKS = {"2": 2.0, "3": math.log2(3), "1": 1.0}
"""Bits by the names of places and heights: one bit, two, and those of three levels."""
MESSAGES = ("exact/consistent-limits", "exact/off-diagonal", "exact/true-ternary")


def _constants(law: Law, grid: str, n: int, d: int) -> tuple[Any, Any]:
    return law.exactly(f"{grid}_iq", n=n, d=d), F(d, n * n) / (1 if grid == "binary" else 4)


judge = checks_of(
    "cq_marina/finding-ratio-not-maximum",
    binary=binary,
    ternary=quarters,
    true_ternary=true_ternary,
    sent=length,
    constants=_constants,
    around=lambda: AROUND,
)


judge.sabotage(
    "diagonal-is-best at exact/off-diagonal: Claim that at d = 10^6 the ratio is largest at n = d, where it "
    "is 7.02: it is 23.03 at n = 33300.",
    {"around": lambda: (MILLION,)},
    "quarter-for-binary at exact/consistent-limits, exact/compressors: d/(4n) and d/(4n^2) for the binary "
    "grid: below the errors of both.",
    {"binary": quarters, "constants": lambda law, grid, n, d: (F(d, 4 * n), F(d, 4 * n * n))},
    "binary-for-ternary at exact/consistent-limits, exact/compressors: The noise of the binary grid for the "
    "ternary one.",
    {"ternary": binary, "constants": lambda law, grid, n, d: (F(d - 1, n), F(d, n * n))},
    "quarter-for-ternary at exact/true-ternary: d/(4n) for the noise of IQ on the ternary grid: the ratio "
    "at d = n grows in place of tending to 1.",
    {"true_ternary": quarters},
)
judge.sabotage(
    "bytes, neutral: Count messages in bytes: nothing may change.",
    sent=length_in_bytes,
    at=MESSAGES,
)


@judge.exact(parameters={"d": "n", "n": LARGE})
def consistent_limits(law: Law) -> Iterable[Comparison]:
    """The limits of both grids: psi in its stated bracket, the bound, and the ratio near the limit."""
    for name, noises, beta, A in (("binary", law.binary, 1, 1.0), ("ternary", law.ternary, 2, 0.25)):
        best = psi(A, beta / 32)
        limit = 32 / beta * best.value
        yield le(f"{name}, bracket from below", law(f"{name}_lower"), limit, ROUND_OFF)
        yield le(f"{name}, bracket", limit, law(f"{name}_upper"), ROUND_OFF)
        there = law(f"{name}_bound", p=best.probability)
        yield eq(f"{name}, bound at its best p", there, limit, ROUND_OFF)
        found, witness = ratio(LARGE, LARGE, beta, noises, law.sent), {"grid": name, "n": LARGE}
        # CQ costs at most c + A^(1/3), here A <= 1e-12 and c >= 1/32.
        yield eq(f"{name}, near the limit", found, law(f"{name}_upper"), printed(3), witness=witness)
        at_thousand = ratio(1000, 1000, beta, noises, law.sent)
        yield le(f"{name}, ratio", at_thousand, there, ROUND_OFF, headline=True)
        costs = [searched(A, length(beta, 1000))[0] for A in (binary, quarters)[beta - 1](1000, 1000)]
        yield eq(f"{name}, searched", at_thousand, costs[0] / costs[1], ROOT)
    yield from _three_levels(law)


def _three_levels(law: Law) -> Iterable[Comparison]:
    """The bits of three levels between the stated ones, and the minimum of the bound at both ends."""
    bits, lower, upper = math.log2(3), law("three_lower"), law("three_upper")
    least, most = law("least_bits"), law("most_bits")
    yield le("three levels, bits", least, bits, ROUND_OFF)
    yield le("three levels, bits", bits, most, ROUND_OFF)
    for beta in (least, bits, most):
        best = psi(0.25, beta / 32)
        limit = 32 / beta * best.value
        at_best = law("three_bound", beta=beta, p=best.probability)
        yield eq("three levels, bound at its best p", at_best, limit, ROUND_OFF)
        yield le("three levels, limit", lower, limit, ROUND_OFF)
        yield le("three levels, limit", limit, upper, ROUND_OFF)
    found = ratio(LARGE, LARGE, bits, law.ternary, law.sent)
    yield eq("three levels, near the limit", found, upper, printed(3), witness={"n": LARGE})


@judge.exact(parameters={"d": MILLION})
def off_diagonal(law: Law) -> Iterable[Comparison]:
    """The largest ratio over n at a million coordinates: at the kink, far above the limit at d = n."""
    candidates = law.around()
    best = max(candidates, key=lambda n: ratio(n, MILLION, 1, quarters, law.sent))
    found = ratio(best, MILLION, 1, quarters, law.sent)
    witness = {"n": best, "ratio": found}
    of_ratio = law.of("cq_marina/comm-ratio")
    top = 3 * of_ratio("limit_upper")
    yield le("above three times the limit at d = n", top, found, ROUND_OFF, witness=witness)
    lower = law("bound", n=33299, d=MILLION, p=4 / (4 + 33**2))
    there = ratio(33299, MILLION, 1, quarters, law.sent)
    yield le("stated bound", lower, there, ROUND_OFF, witness={"n": 33299}, headline=True)
    threshold = of_ratio("threshold", c=length(1, MILLION))
    # The candidates are 100 apart, 0.3 % of the place of the kink.
    yield eq("place", best, MILLION / (4 * threshold), printed(3), witness=witness)
    there = psi(quarters(best, MILLION)[0], length(1, MILLION)).value
    yield eq("IQ gains nothing there", there, 1.0, printed(3), witness=witness)


@judge.exact(instance="true-ternary", parameters={"d": "n", "n": (PEAK_SEARCH.start, PEAK_SEARCH.stop - 1)})
def with_the_true_noise(law: Law) -> Iterable[Comparison]:
    """The ratio at d = n with the real noise of IQ: its bound, its peak, and its way to 1."""

    def at(n: int, beta: float) -> float:
        return ratio(n, n, beta, law.true_ternary, law.sent)

    for name, beta in PEAKS.items():
        place = round(law(f"place_{name}"))
        top = at(place, beta)
        witness = {"beta": beta, "n": place}
        yield eq("height of the peak", top, law(f"height_{name}"), printed(4), witness=witness)
        for n in (place - 50, place - 1, place + 1, place + 50, *BEYOND):
            yield le("no larger ratio", at(n, beta), top, ROUND_OFF, witness={**witness, "other": n})
        for n in BEYOND:
            bound = law("true_ternary_upper", beta=beta, n=n)
            yield le(
                "ratio with the true noise", at(n, beta), bound, ROUND_OFF, witness={"n": n}, headline=True
            )
    every = [at(n, 2.0) for n in PEAK_SEARCH]
    best = PEAK_SEARCH[max(range(len(every)), key=every.__getitem__)]
    yield eq("place of the peak", best, law.exactly("place_2"), witness={"ratio": max(every)})


@judge.exact(parameters={"d": (4, 8)})
def compressors(law: Law) -> Iterable[Comparison]:
    """IQ at a flat input, which is its worst one; CQ where the fraction of n y is 1/2 in all coordinates."""
    flat, halves = (1,) * 4, (3, *(1,) * 7)
    for grid, n in CLIENTS.items():
        inputs = [list(map(F, halves))] * n
        noise = law.constants(law, grid, n, 8)[1]
        error = CorrelatedQuantizer(grid).variance(inputs)
        yield eq(f"CQ, {grid}", error, noise * 16, witness={"a": halves}, headline=True)
        inputs = [list(map(F, flat))] * n
        noise = law.constants(law, grid, n, 4)[0]
        error = IndependentQuantizer(grid).variance(inputs)
        yield eq(f"IQ, {grid}", error, rational(noise) * 4, EXACT, witness={"a": flat})
