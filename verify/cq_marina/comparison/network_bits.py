"""Checks of `cq_marina/network-bits`: blocks, promises, and runs on the digits and on MNIST."""

from itertools import pairwise
from typing import Any

import numpy as np

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer
from impl.problems import SmoothnessConstants
from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ORACLE, ROUND_OFF, printed
from verify.experiments.cq_marina.networks import (
    Data,
    block_error,
    pilot_constants,
    run_bits,
    stated_runs,
)

NAMES = {"perm_k": "PermK", "correlated": "CQ", "rand_k": "RandK", "independent": "IQ"}

judge = checks_of("cq_marina/network-bits", order=1, pilot=pilot_constants)

judge.sabotage(
    "one-block at exact/blocks: Claim for all blocks what is true of a quarter of them. | bound = bound / 4",
    "cheaper at exact/one-norm: Promise half of it. "
    "| independent_price = independent_price / 2, correlated_price = correlated_price / 2",
    "turned at exact/digits: Turn the orders of the methods. | order = -1",
    "half-constants at exact/constants-on-the-digits: Take half of the ratios.",
    {"pilot": lambda data: _halved(pilot_constants(data))},
)


def _halved(found: SmoothnessConstants) -> SmoothnessConstants:
    return SmoothnessConstants(found.L_minus / 2, found.L_plus / 2, found.L_pm / 2, found.L_pm / 2)


@judge.exact(n=[2, 6], size=4, count=5)
def blocks(law: Law, n: int, size: int, count: int) -> Comparisons:
    """The error of quantizers that work block by block, on inputs of different norms."""
    rng = np.random.default_rng([n, size, count])
    inputs = rng.standard_normal((n, count * size)) * np.linspace(1, 3, n)[:, None]
    M, m = (inputs**2).sum(axis=-1).mean(), (inputs.mean(axis=0) ** 2).sum()
    pair = law.of("cq_marina/ab-cq")
    for name, joint, A, B in (
        ("independent", IndependentQuantizer("binary"), (size - 1) / n, 0.0),
        ("correlated", CorrelatedQuantizer("binary"), pair("A", n=n, d=size), pair("B", n=n, d=size)),
    ):
        error = block_error(joint, size, inputs)
        stated = law("bound", A=A, B=B, M=M, m=m)
        yield le("error of blocks", error, stated, ORACLE, witness={"quantizer": name}, headline=True)


@judge.exact(n=20, d=20680, p=[1.0, 0.5, 0.1, 0.02, 0.001])
def one_norm(law: Law, n: int, d: int, p: float) -> Comparisons:
    """What the rate promises with one norm for the whole network, in units of whole gradients."""
    c = law("length", d=d)
    for name in ("independent", "correlated"):
        price = law(f"{name}_price", n=n, d=d, p=p, c=c)
        yield le("promise of one norm", 1.0, price, ROUND_OFF, witness={"quantizer": name, "p": p})


def _constants(law: Law, data: Data) -> Comparisons:
    """The largest ratios along gradient descent."""
    found = law.pilot(data)
    for name in ("L_minus", "L_plus", "L_pm"):
        stated = law(f"{name}_{data}")
        value, witness = getattr(found, name), {"constant": name}
        yield eq("ratios along gradient descent", value, stated, printed(3), witness=witness)


judge.exact(instance="constants-on-the-digits", data="digits")(_constants)
judge.exact(instance="constants-on-mnist", data="mnist", profile="full", needs="mnist")(_constants)


def _runs(law: Law, data: Data, accuracy: str) -> Comparisons:
    """Bits of each method against those of the next one and of gradient descent, start by start."""
    # Runs are those of the statement, whatever a mutant changes: each one takes a minute on MNIST.
    run = stated_runs(data, accuracy)

    def bits(name: str) -> Any:
        return run_bits(data, name, *run)

    for first, second in pairwise(NAMES):
        pair = [bits(name) for name in (first, second)[:: law.order]]
        for seed, (less, more) in enumerate(zip(*pair, strict=True)):
            witness = {"method": NAMES[first], "seed": seed}
            share = law(first) if data == "digits" else law("share")
            yield le("bits in each run", less, share * more, ROUND_OFF, witness=witness)
    for name in NAMES:
        for seed, (less, more) in enumerate(zip(*(bits(name), bits("whole"))[:: law.order], strict=True)):
            witness = {"method": NAMES[name], "seed": seed}
            yield le("bits of whole gradients", less, more, ROUND_OFF, witness=witness)


judge.exact(instance="digits", data="digits", accuracy="accuracy")(_runs)
judge.exact(instance="mnist", data="mnist", accuracy="coarse", profile="full", needs="mnist")(_runs)
