"""Checks of `cq_marina/comm-ratio`: ratios of the best costs against a search over p, and their limit."""

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from impl.compressors.threshold_quantizer import Grid
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison, Tolerance
from verify.cq_marina.literal_marina import SCHEMES, Rules, compare_bits
from verify.cq_marina.psi import cost, psi
from verify.evaluation import evaluate
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

# Noise of IQ, noise of CQ and length of a message to the claimed ratio of the best costs.
Ratio = Callable[[float, float, float], float]
# Number of coordinates to the length of a message.
Length = Callable[[int], float]

MINIMUM = Tolerance(1e-12, "a minimum found to 1e-8 in p is known to the square of that in the cost")
# Bits for each coordinate, as they are sent.
GRIDS: tuple[tuple[int, Grid], ...] = ((1, "binary"), (2, "ternary"))
SIZES = (10, 100, 1000)
LARGE = (10**4, 10**6, 10**8, 10**12)
NOISES = (1e-6, 1e-3, 0.1, 0.25, 1.0, 3.0, 7.5, 7.6, 100.0)
LENGTHS = (1e-3, 1 / 32, 1 / 16, 0.3, 0.9, 1.0)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/comm-ratio")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        Check("exact", "psi", ExactCase(_compare_psi), {"A": NOISES, "c": LENGTHS}, seconds=0.3),
        *(_ratio(n) for n in SIZES),
        Check("exact", "limit", ExactCase(_compare_limit), {"n": LARGE}),
        Check("exact", "message", ExactCase(_compare_message), {"d": (1, 4, 33)}),
        *(_rounds(name) for name in SCHEMES),
    )


def stated(name: str, **values: Any) -> float:
    """Return a formula of the claim."""
    return evaluate(theory.claim("cq_marina/comm-ratio").formulas[name], values)


def searched(A: float, c: float) -> tuple[float, float]:
    """Return the smallest cost and its p by a search that knows nothing of its form.

    A grid in the logarithm of the odds, then a search between its neighbours; p = 1 is tried apart.
    """
    from scipy.optimize import minimize_scalar

    def at(log: float) -> float:
        return cost(A, c, 1 / (1 + math.exp(log)))

    logs = np.linspace(-20, 40, 2401)
    odds = np.exp(logs)
    p = 1 / (1 + odds)
    place = int(np.argmin((p + (1 - p) * c) * (1 + np.sqrt(odds * A))))
    low, high = logs[max(place - 1, 0)], logs[min(place + 1, len(logs) - 1)]
    found = minimize_scalar(at, bounds=(low, high), method="bounded", options={"xatol": 1e-10})
    return (float(found.fun), 1 / (1 + math.exp(found.x))) if found.fun < 1 else (1.0, 1.0)


def _compare_psi() -> Iterable[Comparison]:
    """The quartic's root against the search, and what is stated of psi."""
    for A in NOISES:
        for c in LENGTHS:
            best, (value, _) = psi(A, c), searched(A, c)
            witness = {"A": A, "c": c, "p": best.probability}
            yield Comparison("smallest cost", "eq", best.value, value, MINIMUM, witness)
            there = stated("cost", A=A, c=c, p=best.probability)
            yield Comparison("cost at its p", "eq", there, best.value, ROUND_OFF, witness)
            yield Comparison("psi", "le", best.value, 1.0, ROUND_OFF, witness)
            yield Comparison("from below", "le", c, best.value, ROUND_OFF, witness)
            small = stated("small_noise", A=A, c=c)
            yield Comparison("small noise", "le", best.value, small, ROUND_OFF, witness)
            threshold = stated("threshold", c=c)
            yield Comparison(
                "full rounds only", "eq", float(best.value == 1.0), float(threshold <= A), witness=witness
            )
    for c in LENGTHS[:4]:
        threshold, jump = stated("threshold", c=c), stated("jump", c=c)
        yield Comparison("cost at the jump", "eq", cost(threshold, c, jump), 1.0, ROUND_OFF, {"c": c})
        near = psi(threshold * (1 - 1e-8), c).probability
        # The minimiser moves with the distance to the threshold, here by some multiple of 1e-8.
        yield Comparison("before the jump", "eq", near, jump, Tolerance(1e-6, "100 times the distance"))


def best_ratio(A_iq: float, A_cq: float, c: float) -> float:
    """Return the ratio of the best costs."""
    return psi(A_iq, c).value / psi(A_cq, c).value


def _one_probability(A_iq: float, A_cq: float, c: float) -> float:
    best = psi(A_iq, c)
    return best.value / cost(A_cq, c, best.probability)


def _fixed_probability(n: int, A_iq: float, A_cq: float, c: float) -> float:
    return cost(A_iq, c, 1 / n) / cost(A_cq, c, 1 / n)


def _length(d: int) -> float:
    return stated("message", beta=1, d=d)


def _length_in_bytes(d: int) -> float:
    return (4 + d / 8) / (4 * d)


def _length_without_norm(d: int) -> float:
    return d / (32 * d)


def _ratio(n: int) -> Check:
    def case(ratio: Ratio = best_ratio, length: Length = _length) -> ExactCase:
        return ExactCase(lambda: compare_ratio(n, ratio, length))

    mutants = {"bytes": case(length=_length_in_bytes), "no-norm-bits": case(length=_length_without_norm)}
    if n > 10:
        mutants["one-probability"] = case(_one_probability)
        mutants["fixed-probability"] = case(partial(_fixed_probability, n))
    return Check("exact", f"n{n}", case(), {"n": n, "d": n}, mutants)


def compare_ratio(n: int, ratio: Ratio, length: Length) -> Iterable[Comparison]:
    """The ratio at d = n against the ratio of searched costs, the stated bound and the stated share."""
    noises = stated("A_iq", d=n, n=n), stated("A_cq", d=n, n=n)
    found = ratio(*noises, length(n))
    # Bits of a message as they are sent, over those of d floats.
    sent = float(CorrelatedQuantizer("binary", norm_bits=32).expected_bits(np.ones((1, n)))[0]) / (32 * n)
    independent, correlated = (searched(A, sent)[0] for A in noises)
    limit = stated("limit_upper")
    witness = {"n": n, "ratio": found}
    yield Comparison("ratio of searched costs", "eq", found, independent / correlated, MINIMUM, witness)
    yield Comparison("ratio", "le", found, limit, ROUND_OFF, witness, headline=True)
    share = stated("shortfall", n=n) * stated("limit_lower")
    yield Comparison("share of the limit", "le", share, found, ROUND_OFF, witness)


def _compare_limit() -> Iterable[Comparison]:
    """The limit, its bracket, and ratios that approach it from below."""
    best = psi(0.25, 1 / 32)
    limit = 32 * best.value
    yield Comparison("bracket", "le", stated("limit_lower"), limit)
    yield Comparison("bracket", "le", limit, stated("limit_upper"))
    bound = theory.claim("cq_marina/comm-ratio").bound
    at_best = evaluate(bound, {"p": best.probability})
    yield Comparison("bound at its best p", "eq", at_best, limit, ROUND_OFF)
    for factor in (0.5, 0.9, 1.1, 2.0):
        value = evaluate(bound, {"p": factor * best.probability})
        yield Comparison("bound at another p", "le", limit, value, ROUND_OFF, {"factor": factor})
    last = 0.0
    for n in LARGE:
        found = best_ratio(0.25, stated("A_cq", d=n, n=n), _length(n))
        yield Comparison("ratio", "le", found, limit, ROUND_OFF, {"n": n}, headline=True)
        share = stated("shortfall", n=n) * limit
        yield Comparison("share of the limit", "le", share, found, ROUND_OFF, {"n": n})
        yield Comparison("it rises", "le", last, found, ROUND_OFF, {"n": n})
        last = found


def _compare_message() -> Iterable[Comparison]:
    """The length of real messages."""
    for d in (1, 4, 33):
        x = np.arange(1.0, 2 * d + 1).reshape(2, d)
        for kind in (IndependentQuantizer, CorrelatedQuantizer):
            for beta, grid in GRIDS:
                bits = float(kind(grid, norm_bits=32).expected_bits(x)[0])
                length = stated("message", beta=beta, d=d)
                witness = {"d": d, "grid": grid}
                yield Comparison("bits", "eq", bits / (32 * d), length, ROUND_OFF, witness, headline=True)


UNEQUAL = ("perm-k", "partition", "sampled-clients", "sampled-clients-correlated", "grid")
"""Schemes whose clients send messages of different lengths in a round."""


def _rounds(name: str) -> Check:
    """Bits and costs of runs, full and compressed rounds side by side, against the payloads that travel."""
    rules = {
        "full-rounds-in-company": Rules(mixed=False),
        "one-float-less": Rules(full=lambda d, float_bits: float_bits * (d - 1)),
        "first-round-free": Rules(first=False),
    }
    if name in UNEQUAL:
        rules["first-message-for-all"] = Rules(alike=True)
    mutants = {key: ExactCase(partial(compare_bits, name, rule)) for key, rule in rules.items()}
    compressor, n, d = SCHEMES[name]
    parameters = {"compressor": repr(compressor), "n": n, "d": d}
    return Check(
        "exact", f"rounds-{name}", ExactCase(partial(compare_bits, name)), parameters, mutants, seconds=0.1
    )
