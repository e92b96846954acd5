r"""`cq_marina/comm-ratio`: the number 7.29 for the gain in communication (arXiv 2401.05518).

With the noise $A_{\rm IQ}=\frac d{4n}$ and $A_{\rm CQ}=\frac d{4n^2}$ and one bit for each coordinate the
ratio of the best costs at $d=n$ tends to $32\,\psi(\frac14,\frac1{32})=7.287354011\ldots$, a limit.

Derivation: $c\le\psi(A,c)\le c+A^{1/3}$, so the cost of CQ tends to $c\to\frac1{32}$ while that of IQ tends
to $\psi(\frac14,\frac1{32})$; both sides come with a bound for every $n$
(`theory.cq_marina.comm_ratio_derivation`).
"""

from sympy import Integer, Rational

from theory.cq_marina.comm_ratio_derivation import QUARTER, beta, derivation, message, noise, root_of_odds
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, DIMENSION, EXACT_REALS, PROBABILITY, d, n, p
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

_COST = (p + (1 - p) * message) * (1 + root_of_odds(p) * noise ** Rational(1, 2))
_BOUND = (1 + 31 * p) * (1 + root_of_odds(p) / 2)
_FORMULAS = {
    "cost": _COST,
    "threshold": (1 - message) ** 2 / (4 * message),
    "jump": message / (1 + message),
    "small_noise": message + noise ** Rational(1, 3),
    "message": (32 + beta * d) / (32 * d),
    "A_iq": d / (4 * n),
    "A_cq": d / (4 * n**2),
    "shortfall": 1 / (1 + 32 / n + 32 * (4 * n) ** Rational(-1, 3)),
    "limit_lower": QUARTER.lower,
    "limit_upper": QUARTER.upper,
}

NOISE = Variable(noise, r"\mathbb R_{\ge0}", r"noise at zero Hessian variance, $V\le AM$ for equal inputs")
MESSAGE = Variable(message, r"(0,1]", "bits of a compressed message over those of an uncompressed one")
BITS = Variable(beta, r"\mathbb R_{>0}", "bits for each coordinate of a compressed message")

_MUTANTS = (
    Mutant(
        "fixed-probability",
        r"$p=\frac1n$ for both methods in place of the best one: 3.990 in place of 3.533 at $d=n=100$, and "
        r"11.20 at 1000, above the limit.",
        ("exact",),
    ),
    Mutant(
        "no-norm-bits",
        r"Leave out the 32 bits of the norm: 2.185 in place of 1.838 at $d=n=10$.",
        ("exact",),
    ),
    Mutant(
        "one-probability",
        r"Use the probability that is best for IQ for CQ as well: 3.078 in place of 3.533 at $d=n=100$.",
        ("exact",),
    ),
    Mutant(
        "bytes",
        "Count messages in bytes: nothing may change.",
        ("exact",),
        neutral=True,
    ),
    Mutant(
        "full-rounds-in-company",
        "A full round is charged only where all runs of a batch have one.",
        ("exact",),
    ),
    Mutant("one-float-less", r"A full gradient is charged with $d-1$ floats.", ("exact",)),
    Mutant("first-round-free", "The gradient at the start is not charged.", ("exact",)),
    Mutant("first-message-for-all", "All clients are charged the message of the first.", ("exact",)),
)

CLAIM = Claim(
    id="cq_marina/comm-ratio",
    paper=PAPER,
    kind="tight",
    provenance="rederived",
    title="The gain of 7.29 in communication: a limit at as many coordinates as clients",
    statement=(
        r"At zero Hessian variance MARINA with the step of `cq_marina/marina-rate` sends, up to rounding and "
        r"the first round, $\frac{2\Delta_0L}{\varepsilon^2}\,32d\,\psi(A,c)$ bits for each client at the "
        r"best $p$, with $$\psi(A,c)=\min_{0<p\le1}\big(p+(1-p)c\big)\Big(1+\sqrt{\tfrac{1-p}pA}\Big)\le1,"
        r"\qquad c=\frac{32+\beta d}{32d}.$$ $\psi=1$ iff $A\ge\frac{(1-c)^2}{4c}$, where the best $p$ jumps "
        r"from $\frac c{1+c}$ to 1, and $c\le\psi\le c+A^{1/3}$. With $A_{\rm IQ}=\frac d{4n}$, $A_{\rm CQ}="
        r"\frac d{4n^2}$, $\beta=1$ and $d=n$ the ratio of the costs of IQ and CQ is for every $p$ at most "
        r"$(1+31p)\big(1+\frac12\sqrt{\frac{1-p}p}\big)$, whose minimum $32\,\psi(\frac14,\frac1{32})$ lies "
        r"between 7.287354011 and 7.287354012, and at least $\big(1+\frac{32}n+32(4n)^{-1/3}\big)^{-1}$ times"
        r" this minimum. So 7.29 is the limit as $d=n\to\infty$, approached slowly (3.53 at 100, 5.14 at "
        r"1000) and never reached. Which quantizers the constants belong to: "
        r"`cq_marina/finding-ratio-not-maximum`."
    ),
    variables=(CLIENTS, DIMENSION, PROBABILITY, NOISE, MESSAGE, BITS),
    assumptions=(
        r"Zero Hessian variance, so that the differences of all clients are equal and only $A-B$ counts; it "
        r"is called $A$ here.",
        r"A full round costs $32d$ bits, a compressed one $32+\beta d$; both methods use their best $p$.",
        r"The noise $\frac d{4n}$ and $\frac d{4n^2}$ as reported in a public summary of the paper.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase("full rounds only", {"A": Rational(961, 128), "c": Rational(1, 32), "p": 1}, Integer(1)),
        WorstCase(
            r"at the threshold a second best probability, $\frac1{33}$",
            {"A": Rational(961, 128), "c": Rational(1, 32), "p": Rational(1, 33)},
            Integer(1),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
