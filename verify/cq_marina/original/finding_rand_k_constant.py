"""Checks of `cq_marina/finding-rand-k-constant`: promises and exact expectations of runs."""

from fractions import Fraction as F

import numpy as np

from impl.compressors import RandK
from verify.authoring import Comparisons, Law, checks_of, eq, le, lt
from verify.comparison import ROUND_OFF, printed
from verify.cq_marina.fixtures.joint.psi import cost
from verify.expectation.rational_norm import rational_root
from verify.experiments.cq_marina.methods import FLOAT_BITS, first_below
from verify.experiments.cq_marina.public_rand_k import kept, methods, parameters
from verify.experiments.cq_marina.quadratics import DIMENSION, expectations

ACCURACY, LONGEST = 1e-3, 320
NAMES = {
    "public": "RandK in the code",
    "corrected": "RandK",
    "independent": "independent quantization",
    "whole": "whole gradients",
}
PROBABILITY, PROMISE = 0.07005979, 2.728327

judge = checks_of("cq_marina/finding-rand-k-constant", entries=1, order=1)

judge.sabotage(
    "longer at exact/steps: Claim twice the step of the code. | public_step = 2 * public_step",
    "thrice at exact/steps: Claim three times the step for the average. | step_size = 3 * step_size",
    "shorter at exact/steps: Let a sixteenth of the clients average. | step_size = step_size(n = n / 16)",
    "less-noise at exact/promise, exact/one-entry: Let the code take a tenth of its noise. "
    "| used_noise = used_noise / 10",
    "cheaper at exact/promise: Promise half of it. | bound = bound / 2",
    "of-the-average at exact/clients-*: Let the code take an eighth of its noise. "
    "| used_noise = used_noise / 8",
    "turned at exact/clients-*: Turn the orders. | order = -1",
    "more-entries at exact/one-entry: Send a quarter of the entries. | entries = 8",
)


@judge.exact(n=4, L=F(3, 2), odds=[(F(1, 2), 4), (F(1, 5), 9), (1, 5), (F(1, 2), 0)])
def steps(law: Law, n: int, L: F, odds: tuple[F, int]) -> Comparisons:
    """Probabilities and noises for which both steps are rational."""
    p, omega = odds
    root = rational_root((1 / F(p) - 1) * omega)
    public, own = law.exactly("public_step", L=L, p=p, omega=omega), 1 / (L * (1 + root / 2))
    yield eq("step of the code", public, 1 / (L * (1 + root)))
    stated = law.exactly("step_size", L=L, p=p, omega=omega, n=n)
    yield eq("step", stated, own)
    yield le("shorter", public, stated)
    yield le("root of n", stated, 2 * public)


@judge.exact(d=DIMENSION)
def one_entry(law: Law, d: int) -> Comparisons:
    """Noise of one entry by the compressor, against the threshold at the length of a one-bit message."""
    noise = RandK(law.entries).variance(np.eye(d)[0])
    length = law.exactly("used_length", d=d)
    yield eq("length in use", length, F(FLOAT_BITS + d, FLOAT_BITS * d))
    yield eq("noise of an entry", noise, law("used_noise", d=d, K=1), ROUND_OFF)
    yield le("noise in use", law("threshold", c=float(length)), noise, ROUND_OFF)


@judge.exact(d=DIMENSION, K=1)
def promise(law: Law, d: int, K: int) -> Comparisons:
    """The promise of the code at every probability, and where its search stops."""
    noise, length = law("used_noise", d=d, K=K), law("used_length", d=d)
    found = parameters(noise, length)
    for p in (1.0, 0.9, 0.5, found.probability, 0.01, 1e-4):
        stated = law("bound", p=p, c=length, A=noise)
        yield eq("promise", cost(noise, length, p), stated, ROUND_OFF)
        yield le("promised cost", 1.0, stated, ROUND_OFF, witness={"p": p})
    yield eq("local minimum", found.probability, PROBABILITY, printed(6))
    yield eq("promised by the code", found.promise, PROMISE, printed(6))
    for p in (0.9 * found.probability, 1.1 * found.probability):
        yield lt("about the local minimum", found.promise, cost(noise, length, p), ROUND_OFF)


def _clients(law: Law, n: int) -> Comparisons:
    """Kbits in exact expectations, and the orders."""
    noise, length = law("used_noise", d=DIMENSION, K=kept(n, DIMENSION)), law("used_length", d=DIMENSION)
    kbits = {}
    for name, method in methods(n, parameters(noise, length)).items():
        rounds = first_below(expectations(method, LONGEST).gradient_norm_sq, ACCURACY)
        kbits[name] = float(method.bits(rounds)) / 1000
        stated = law(f"kbits_{name}", n=n)
        witness = {"p": method.probability, "gamma": method.step_size, "rounds": rounds}
        yield eq(
            f"kbits of {NAMES[name]}", kbits[name], stated, printed(4 if stated >= 10 else 3), witness=witness
        )
    for other in ("independent", "whole"):
        for label, pair in (("code", (other, "public")), ("average", ("corrected", other))):
            first, second = pair[:: law.order]
            yield lt(f"order of the {label}", kbits[first], kbits[second], ROUND_OFF)


for _n in (10, 50):
    judge.exact(instance=f"clients-{_n}", n=_n)(_clients)
