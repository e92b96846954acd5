"""Checks of `cq_marina/finding-message-size`: costs in floats with the bits of real messages."""

from collections.abc import Iterable

import numpy as np
from sympy import sqrt, symbols

from impl.compressors import CorrelatedQuantizer
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison
from verify.cq_marina.fixtures.joint.psi import psi

SIZES = (100, 10**4, 10**6)
CLIENTS = (2, 100, 10**4, 10**6, 10**9)


def sent(d: int) -> float:
    """Return the length of a real message of the one-bit quantizer."""
    quantizer = CorrelatedQuantizer("binary", norm_bits=32)
    return float(quantizer.expected_bits(np.ones((1, d)))[0]) / (32 * d)


judge = checks_of("cq_marina/finding-message-size", sent=sent)


judge.sabotage(
    "one-float-messages at exact/one-bit: Take one-bit messages for single floats, c = 1/d: the cost seems "
    "to fall below d/32.",
    sent=lambda d: 1 / d,
)


@judge.mutant(
    "Claim 2(1 + d/n) floats for one-bit messages: exceeded 78 times at d = n = 10^4.", at=("exact/one-bit",)
)
def claimed_order(law: Law) -> Law:
    # A = d/n^2, so that d/n is the root of dA.
    d, A = symbols("d A", real=True)
    return law.replace(order=2 * (1 + sqrt(d * A)))


judge.sabotage(
    "bytes, neutral at exact/one-bit: Count messages in bytes: nothing may change.",
    sent=lambda d: (4 + d / 8) / (4 * d),
)


@judge.exact(instance="one-bit", parameters={"d": SIZES, "n": CLIENTS})
def costs(law: Law) -> Iterable[Comparison]:
    """The best cost in floats: from below by the message, from above by the order."""
    for d in SIZES:
        c = law.sent(d)
        least, gain = law("bound", d=d), law("largest_gain", d=d)
        for n in CLIENTS:
            floats = d * psi(d / n**2, c).value
            witness = {"d": d, "n": n, "c": c}
            yield le("a message", least, floats, ROUND_OFF, witness=witness, headline=True)
            order = law("order", d=d, A=d / n**2, c=c)
            yield le("order", floats, order, ROUND_OFF, witness=witness)
            half = law("half_order", d=d, A=d / n**2, c=c)
            yield le("half the order", half, floats, ROUND_OFF, witness=witness)
            yield le("gain", d / floats, gain, ROUND_OFF, witness=witness)
        factor, claimed = law("overshoot", n=d), law("claimed", d=d, n=d)
        yield eq("overshoot at d = n", factor * claimed, law("bound", d=d), ROUND_OFF, witness={"d": d})
