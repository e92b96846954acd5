"""Checks of `cq_marina/finding-message-size`: costs in floats with the bits of real messages."""

from collections.abc import Callable, Iterable

import numpy as np

import theory
from impl.compressors import CorrelatedQuantizer
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison
from verify.cq_marina.psi import psi
from verify.evaluation import evaluate
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

# Number of coordinates to the length of a message, relative to an uncompressed one.
Length = Callable[[int], float]
# Number of clients, of coordinates and length of a message to the claimed order of the cost in floats.
Order = Callable[[int, int, float], float]

SIZES = (100, 10**4, 10**6)
CLIENTS = (2, 100, 10**4, 10**6, 10**9)


def checks() -> tuple[Check, ...]:
    """Return the checks of the finding."""
    claim = theory.claim("cq_marina/finding-message-size")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        _costs(),
    )


def sent(d: int) -> float:
    """Return the length of a real message of the one-bit quantizer."""
    quantizer = CorrelatedQuantizer("binary", norm_bits=32)
    return float(quantizer.expected_bits(np.ones((1, d)))[0]) / (32 * d)


def honest(n: int, d: int, c: float) -> float:
    """Return the stated order at a message of this length."""
    return d * evaluate(theory.claim("cq_marina/comm-scaling").bound, {"A": d / n**2, "c": c})


def claimed(n: int, d: int, c: float) -> float:
    """Return the order that holds for messages of one float."""
    formula = theory.claim("cq_marina/comm-scaling").formulas["floats_cq"]
    return evaluate(formula, {"d": d, "n": n, "kappa": 1})


def _costs() -> Check:
    def case(length: Length = sent, order: Order = honest) -> ExactCase:
        return ExactCase(lambda: compare(length, order))

    mutants = {
        "one-float-messages": case(lambda d: 1 / d),
        "claimed-order": case(order=claimed),
        "bytes": case(lambda d: (4 + d / 8) / (4 * d)),
    }
    return Check("exact", "one-bit", case(), {"d": SIZES, "n": CLIENTS}, mutants, seconds=0.2)


def compare(length: Length, order: Order) -> Iterable[Comparison]:
    """The best cost in floats: from below by the message, from above by the order."""
    claim = theory.claim("cq_marina/finding-message-size")
    for d in SIZES:
        c = length(d)
        least = evaluate(claim.bound, {"d": d})
        gain = evaluate(claim.formulas["largest_gain"], {"d": d})
        for n in CLIENTS:
            floats = d * psi(d / n**2, c).value
            witness = {"d": d, "n": n, "c": c}
            yield Comparison("a message", "le", least, floats, ROUND_OFF, witness, headline=True)
            yield Comparison("order", "le", floats, order(n, d, c), ROUND_OFF, witness)
            yield Comparison("half the order", "le", honest(n, d, c) / 2, floats, ROUND_OFF, witness)
            yield Comparison("gain", "le", d / floats, gain, ROUND_OFF, witness)
        diagonal = evaluate(claim.formulas["overshoot"], {"n": d})
        floats = d * psi(1 / d, c).value
        yield Comparison("overshoot at d = n", "le", diagonal, floats / claimed(d, d, c), ROUND_OFF, {"d": d})
