"""Checks of `cq_marina/finding-ratio-not-maximum`: consistent limits, the kink, and the real ternary grid."""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction as F
from functools import partial
from typing import Any

import theory
from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from impl.compressors.threshold_quantizer import Grid
from verify.binding import Check
from verify.comparison import EXACT, ROUND_OFF, Comparison, Tolerance, rational
from verify.cq_marina.ab_cq import rows
from verify.cq_marina.comm_ratio import best_ratio, searched
from verify.cq_marina.comm_ratio import stated as stated_ratio
from verify.cq_marina.psi import psi
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

# Number of clients and coordinates to the noise of IQ and of CQ.
Noises = Callable[[int, int], tuple[float, float]]
# Bits for each coordinate and number of coordinates to the length of a message.
Length = Callable[[float, int], float]

# Numbers of clients at which the fractions of n y are 1/2 for inputs of odd quarters of their norm.
CLIENTS: dict[Grid, int] = {"binary": 4, "ternary": 2}
LARGE = 10**12
MILLION = 10**6
PEAK_SEARCH = range(2, 2001)
BEYOND = (10**4, 10**6, 10**9, LARGE)
FEW_DIGITS = Tolerance(5e-4, "the specification gives four digits of the peaks")
NEAR_LIMIT = Tolerance(3.2e-3, "CQ costs at most c + A^(1/3), here A <= 1e-12 and c >= 1/32")


def checks() -> tuple[Check, ...]:
    """Return the checks of the finding."""
    claim = theory.claim("cq_marina/finding-ratio-not-maximum")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.3),
        _limits(),
        _off_diagonal(),
        _true_ternary(),
        _compressors(),
    )


def stated(name: str, **values: Any) -> float:
    """Return a formula of the finding."""
    return evaluate(theory.claim("cq_marina/finding-ratio-not-maximum").formulas[name], values)


def quarters(n: int, d: int) -> tuple[float, float]:
    """Return the noise that `cq_marina/comm-ratio` takes."""
    return stated_ratio("A_iq", d=d, n=n), stated_ratio("A_cq", d=d, n=n)


def binary(n: int, d: int) -> tuple[float, float]:
    """Return the noise of the binary grid at equal inputs."""
    return stated("binary_iq", d=d, n=n), d / n**2


def true_ternary(n: int, d: int) -> tuple[float, float]:
    """Return the noise of the ternary grid at equal inputs, for each method at its worst one."""
    return stated("ternary_iq", d=d, n=n), d / (4 * n**2)


def length(beta: float, d: int) -> float:
    """Return the stated length of a message."""
    return stated_ratio("message", beta=beta, d=d)


def _length_in_bytes(beta: float, d: int) -> float:
    return (4 + beta * d / 8) / (4 * d)


def ratio(n: int, d: int, beta: float, noises: Noises, message: Length = length) -> float:
    """Return the ratio of the best costs of IQ and CQ."""
    return best_ratio(*noises(n, d), message(beta, d))


def _limits() -> Check:
    def case(on_binary: Noises = binary, message: Length = length) -> ExactCase:
        return ExactCase(lambda: compare_limits(on_binary, message))

    mutants = {"quarter-for-binary": case(quarters), "bytes": case(message=_length_in_bytes)}
    return Check("exact", "consistent-limits", case(), {"d": "n", "n": LARGE}, mutants)


def compare_limits(on_binary: Noises, message: Length) -> Iterable[Comparison]:
    """The limits of both grids: psi in its stated bracket, the bound, and the ratio near the limit."""
    for name, noises, beta, A in (("binary", on_binary, 1, 1.0), ("ternary", quarters, 2, 0.25)):
        best = psi(A, beta / 32)
        limit = 32 / beta * best.value
        yield Comparison(f"{name}, bracket", "le", stated(f"{name}_lower"), limit)
        yield Comparison(f"{name}, bracket", "le", limit, stated(f"{name}_upper"))
        there = stated(f"{name}_bound", p=best.probability)
        yield Comparison(f"{name}, bound at its best p", "eq", there, limit, ROUND_OFF)
        found = ratio(LARGE, LARGE, beta, noises, message)
        witness = {"grid": name, "n": LARGE, "ratio": found}
        yield Comparison(f"{name}, ratio", "eq", found, limit, NEAR_LIMIT, witness)
        at_thousand = ratio(1000, 1000, beta, noises, message)
        yield Comparison(f"{name}, ratio", "le", at_thousand, limit, ROUND_OFF, headline=True)
        costs = [searched(A, message(beta, 1000))[0] for A in noises(1000, 1000)]
        yield Comparison(f"{name}, searched", "eq", at_thousand, costs[0] / costs[1], ROUND_OFF)


def _off_diagonal() -> Check:
    def case(candidates: Iterable[int], message: Length = length) -> ExactCase:
        return ExactCase(lambda: compare_off_diagonal(tuple(candidates), message))

    around = (*range(30000, 37000, 100), MILLION)
    mutants = {"diagonal-is-best": case((MILLION,)), "bytes": case(around, _length_in_bytes)}
    return Check("exact", "off-diagonal", case(around), {"d": MILLION}, mutants)


def compare_off_diagonal(candidates: tuple[int, ...], message: Length) -> Iterable[Comparison]:
    """The largest ratio over n at a million coordinates: at the kink, far above the limit at d = n."""
    best = max(candidates, key=lambda n: ratio(n, MILLION, 1, quarters, message))
    found = ratio(best, MILLION, 1, quarters, message)
    witness = {"n": best, "ratio": found}
    limit = stated_ratio("limit_upper")
    yield Comparison("above three times the limit at d = n", "le", 3 * limit, found, ROUND_OFF, witness)
    claim = theory.claim("cq_marina/finding-ratio-not-maximum")
    case = claim.worst_cases[0]
    lower = evaluate(claim.bound, {**case.values, "p": float(case.values["p"])})
    n = int(case.values["n"])
    there = ratio(n, MILLION, 1, quarters, message)
    yield Comparison("stated bound", "le", lower, there, ROUND_OFF, {"n": n}, headline=True)
    # A hundred clients are 0.3 % of the place of the kink, where the ratio moves by less than that.
    kink = MILLION / (4 * stated_ratio("threshold", c=message(1, MILLION)))
    yield Comparison("place", "eq", best, kink, Tolerance(100 / kink, "candidates 100 apart"), witness)
    threshold = evaluate_exact(
        theory.claim("cq_marina/comm-ratio").formulas["threshold"], {"c": F(32 + MILLION, 32 * MILLION)}
    )
    yield Comparison("IQ gains nothing there", "le", rational(threshold), F(MILLION, 4 * n), EXACT)
    yield Comparison("psi of IQ", "eq", psi(quarters(n, MILLION)[0], message(1, MILLION)).value, 1.0)


def _true_ternary() -> Check:
    def case(noises: Noises = true_ternary, message: Length = length) -> ExactCase:
        return ExactCase(lambda: compare_true_ternary(noises, message))

    mutants = {"quarter-for-ternary": case(quarters), "bytes": case(message=_length_in_bytes)}
    parameters = {"d": "n", "n": (PEAK_SEARCH.start, PEAK_SEARCH.stop - 1)}
    return Check("exact", "true-ternary", case(), parameters, mutants, seconds=0.5)


def compare_true_ternary(noises: Noises, message: Length) -> Iterable[Comparison]:
    """The ratio at d = n with the real noise of IQ: its bound, its peak, and its way to 1."""
    peaks = ((2.0, 229, 2.260), (math.log2(3), 262, 2.355), (1.0, 348, 2.556))
    for beta, place, height in peaks:
        top = ratio(place, place, beta, noises, message)
        witness = {"beta": beta, "n": place}
        yield Comparison("height of the peak", "eq", top, height, FEW_DIGITS, witness)
        for n in (place - 50, place - 1, place + 1, place + 50, *BEYOND):
            other = ratio(n, n, beta, noises, message)
            yield Comparison("no larger ratio", "le", other, top, ROUND_OFF, {**witness, "other": n})
        far = [ratio(n, n, beta, noises, message) for n in BEYOND]
        for n, value in zip(BEYOND, far, strict=True):
            bound = stated("true_ternary_upper", beta=beta, n=n)
            yield Comparison("ratio", "le", value, bound, ROUND_OFF, {**witness, "n": n}, headline=True)
    every = [ratio(n, n, 2.0, noises, message) for n in PEAK_SEARCH]
    found = PEAK_SEARCH[max(range(len(every)), key=every.__getitem__)]
    yield Comparison("place of the peak", "eq", found, 229, witness={"ratio": max(every)})


def _compressors() -> Check:
    """The constants against the exact errors of the compressors, at equal inputs of rational norm."""

    def case(constants: Callable[[str, int, int], Any]) -> ExactCase:
        return ExactCase(partial(compare_compressors, constants))

    mutants = {"quarter-for-binary": case(_quarters_of_both)}
    return Check("exact", "compressors", case(_constants), {"d": (4, 8)}, mutants)


def _constants(grid: str, n: int, d: int) -> tuple[Any, Any]:
    formulas = theory.claim("cq_marina/finding-ratio-not-maximum").formulas
    independent = rational(evaluate_exact(formulas[f"{grid}_iq"], {"n": n, "d": d}))
    return independent, F(d, n * n) / (1 if grid == "binary" else 4)


def _quarters_of_both(grid: str, n: int, d: int) -> tuple[Any, Any]:
    return F(d, 4 * n), F(d, 4 * n * n)


def compare_compressors(constants: Callable[[str, int, int], Any]) -> Iterable[Comparison]:
    """IQ at a flat input, which is its worst one; CQ where the fraction of n y is 1/2 in all coordinates."""
    flat, halves = (1,) * 4, (3, *(1,) * 7)
    for grid, n in CLIENTS.items():
        inputs = rows(*(halves,) * n)
        _, A = constants(grid, n, 8)
        error = CorrelatedQuantizer(grid).variance([list(row) for row in inputs])
        yield Comparison(f"CQ, {grid}", "eq", error, A * 16, witness={"a": inputs}, headline=True)
        inputs = rows(*(flat,) * n)
        A, _ = constants(grid, n, 4)
        error = IndependentQuantizer(grid).variance([list(row) for row in inputs])
        yield Comparison(f"IQ, {grid}", "eq", error, A * 4, witness={"a": inputs})
