"""Checks of `cq_marina/comm-ratio`: ratios of the best costs against a search over p, and their limit."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from impl.compressors.joint.threshold_quantizer import Grid
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ORACLE, ROOT, ROUND_OFF, Comparison
from verify.cq_marina.cost.ratios import best_ratio, length, length_in_bytes, searched
from verify.cq_marina.fixtures.joint.psi import Best, cost, psi
from verify.cq_marina.fixtures.marina.literal_marina import SCHEMES, Rules, bits_of_rounds

SIZES = (10, 100, 1000)
LARGE = (10**4, 10**6, 10**8, 10**12)
NOISES = (1e-6, 1e-3, 0.1, 0.25, 1.0, 3.0, 7.5, 7.6, 100.0)
LENGTHS = (1e-3, 1 / 32, 1 / 16, 0.3, 0.9, 1.0)
# Bits for each coordinate, as they are sent.
GRIDS: tuple[tuple[int, Grid], ...] = ((1, "binary"), (2, "ternary"))
UNEQUAL = ("perm-k", "partition", "sampled-clients", "sampled-clients-correlated", "grid")
"""Schemes whose clients send messages of different lengths in a round."""


def _best(n: int, A_iq: float, A_cq: float, c: float) -> float:
    return best_ratio(A_iq, A_cq, c)


def _fixed_probability(n: int, A_iq: float, A_cq: float, c: float) -> float:
    return cost(A_iq, c, 1 / n) / cost(A_cq, c, 1 / n)


def _one_probability(n: int, A_iq: float, A_cq: float, c: float) -> float:
    best = psi(A_iq, c)
    return best.value / cost(A_cq, c, best.probability)


judge = checks_of("cq_marina/comm-ratio", ratio=_best, psi=psi, sent=length, rules=Rules())


judge.sabotage(
    "fixed-probability at exact/n100, exact/n1000: p = 1/n for both methods in place of the best one: 3.990 "
    "in place of 3.533 at d = n = 100, and 11.20 at 1000, above the limit.",
    {"ratio": _fixed_probability},
    "one-probability at exact/n100, exact/n1000: Use the probability that is best for IQ for CQ as well: "
    "3.078 in place of 3.533 at d = n = 100.",
    {"ratio": _one_probability},
    "no-norm-bits at exact/n10, exact/n100, exact/n1000: Leave out the 32 bits of the norm: 2.185 in place "
    "of 1.838 at d = n = 10.",
    {"sent": lambda beta, d: beta / 32},
    "bytes, neutral at exact/n10, exact/n100, exact/n1000: Count messages in bytes: nothing may change.",
    {"sent": length_in_bytes},
    "order-alone at exact/psi, exact/limit, exact/threshold: Take p = c for the best probability.",
    {"psi": lambda A, c: Best(cost(A, c, c), c)},
    "never-full at exact/psi: Call compressed rounds the best ones at any noise.",
    {"psi": lambda A, c: replace(psi(A, c), value=min(psi(A, c).value, 1 - 1e-6))},
    "full-rounds-in-company at exact/rounds-*: A full round is charged only where all runs of a batch have "
    "one.",
    lambda law: law.replace(rules=Rules(mixed=False)),
    "one-float-less at exact/rounds-*: A full gradient is charged with d - 1 floats.",
    lambda law: law.replace(rules=Rules(full=lambda d, float_bits: float_bits * (d - 1))),
    "first-round-free at exact/rounds-*: The gradient at the start is not charged.",
    lambda law: law.replace(rules=Rules(first=False)),
)
judge.sabotage(
    "first-message-for-all: All clients are charged the message of the first.",
    lambda law: law.replace(rules=Rules(alike=True)),
    at=tuple(f"exact/rounds-{name}" for name in UNEQUAL),
)


@judge.exact(instance="psi", parameters={"A": NOISES, "c": LENGTHS})
def smallest_cost(law: Law) -> Iterable[Comparison]:
    """The quartic's root against the search, and what is stated of psi."""
    for A in NOISES:
        for c in LENGTHS:
            best, (value, _) = law.psi(A, c), searched(A, c)
            witness = {"A": A, "c": c, "p": best.probability}
            yield eq("smallest cost", best.value, value, ROOT, witness=witness)
            at_best = law("cost", A=A, c=c, p=best.probability)
            yield eq("cost at the best probability", at_best, value, ROOT, witness=witness)
            yield le("small noise", best.value, law("small_noise", A=A, c=c), ROUND_OFF, witness=witness)
            full = int(law("threshold", c=c) <= A)
            yield eq("full rounds only", int(best.value == 1), full, witness=witness)


@judge.exact(c=[*LENGTHS[:4]])
def threshold(law: Law, c: float) -> Iterable[Comparison]:
    """At the threshold two probabilities have the same cost."""
    noise, jump = law("threshold", c=c), law("jump", c=c)
    yield eq("cost at the jump", law("cost", A=noise, c=c, p=jump), 1.0, ROUND_OFF)
    # The minimiser moves with the distance to the threshold, here by some multiple of 1e-12.
    yield eq("before the jump", law.psi(noise * (1 - 1e-12), c).probability, jump, ORACLE)


@judge.exact(instances={f"n{n}": {"n": n} for n in SIZES})
def ratio_at(law: Law, n: int) -> Iterable[Comparison]:
    """The ratio at d = n against the ratio of searched costs, the stated bound and the stated share."""
    noises = law("A_iq", d=n, n=n), law("A_cq", d=n, n=n)
    found = law.ratio(n, *noises, law.sent(1, n))
    # Bits of a message as they are sent, over those of d floats.
    sent = float(CorrelatedQuantizer("binary", norm_bits=32).expected_bits(np.ones((1, n)))[0]) / (32 * n)
    independent, correlated = (searched(A, sent)[0] for A in noises)
    yield eq("ratio of searched costs", found, independent / correlated, ROOT)
    yield le("ratio", found, law("limit_upper"), ROUND_OFF, headline=True)
    share = law("share", n=n, noise_cq=noises[1])
    yield le("share of the limit", share, found, ROUND_OFF)
    if f"ratio_{n}" in law.formulas:
        yield eq("ratio in four digits", round(found, 3), law(f"ratio_{n}"), ROUND_OFF)


@judge.exact(parameters={"n": LARGE})
def limit(law: Law) -> Iterable[Comparison]:
    """The limit, its bracket, and ratios that approach it from below."""
    best = law.psi(0.25, 1 / 32)
    top = 32 * best.value
    yield le("bracket from below", law("limit_lower"), top, ROUND_OFF)
    yield le("bracket", top, law("limit_upper"), ROUND_OFF)
    yield eq("bound at its best p", law("bound", p=best.probability), top, ROUND_OFF)
    for factor in (0.5, 0.9, 1.1, 2.0):
        value = law("bound", p=factor * best.probability)
        yield le("bound at another p", top, value, ROUND_OFF, witness={"factor": factor})
    for n in LARGE:
        noise, witness = law("A_cq", d=n, n=n), {"n": n}
        found = law.ratio(n, 0.25, noise, length(1, n))
        yield le("ratio", found, law("limit_upper"), ROUND_OFF, witness=witness, headline=True)
        share = law("share", n=n, noise_cq=noise)
        yield le("share of the limit", share, found, ROUND_OFF, witness=witness)
        if f"ratio_{n}" in law.formulas:
            yield eq("ratio in four digits", round(found, 3), law(f"ratio_{n}"), ROUND_OFF, witness=witness)


@judge.exact(d=[1, 4, 33])
def message(law: Law, d: int) -> Iterable[Comparison]:
    """The length of real messages."""
    x = np.arange(1.0, 2 * d + 1).reshape(2, d)
    for kind in (IndependentQuantizer, CorrelatedQuantizer):
        for beta, grid in GRIDS:
            bits = float(kind(grid, norm_bits=32).expected_bits(x)[0])
            stated = law("message", beta=beta, d=d)
            yield eq(
                "length of a message", bits / (32 * d), stated, ROUND_OFF, witness={"d": d, "grid": grid}
            )


@judge.exact(
    instances={
        f"rounds-{name}": {"scheme": name, "compressor": repr(compressor), "n": n, "d": d}
        for name, (compressor, n, d) in SCHEMES.items()
    }
)
def rounds(law: Law, scheme: str, **_: Any) -> Iterable[Comparison]:
    """Bits and costs of runs, full and compressed rounds side by side, against the payloads that travel."""
    yield from bits_of_rounds(scheme, law.rules)
