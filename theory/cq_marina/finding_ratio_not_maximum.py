r"""`cq_marina/finding-ratio-not-maximum`: what 7.29 is not (arXiv 2401.05518).

The number of `cq_marina/comm-ratio` takes the noise of one grid with the message of another, and its choice
$d=n$ is not the best case.

Derivation: the limits of consistent choices are again minima of cubics over quadratics, with certificates.
Where $A_{\rm IQ}$ is at least the threshold, IQ gains nothing, $\psi=1$, and any $p$ for CQ bounds the ratio
from below (`theory.cq_marina.comm_ratio_derivation`).
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, sqrt

from theory.cq_marina.comm_ratio import BITS
from theory.cq_marina.comm_ratio import CLAIM as RATIO
from theory.cq_marina.comm_ratio_derivation import (
    Bracket,
    beta,
    cost_in_t,
    in_t,
    message,
    noise,
    psi_steps,
    root_of_odds,
    roots_out,
    t,
)
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, DIMENSION, EXACT_REALS, PROBABILITY, d, n, p
from theory.old_form import Claim, Mutant, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

# 32 psi(1, 1/32), t = 6.18015...; 16 psi(1/4, 1/16), t = 4.94716...
BINARY = Bracket(
    "binary",
    Rational(1),
    Rational(1, 32),
    Rational(32),
    Rational("6.180153105211"),
    Rational(12859162282, 10**9),
    Rational(12859162283, 10**9),
)
TERNARY = Bracket(
    "ternary",
    Rational(1, 2),
    Rational(1, 16),
    Rational(16),
    Rational("4.947162806569"),
    Rational(5518916346, 10**9),
    Rational(5518916347, 10**9),
)

_SIZES = {n: Integer(33299), d: Integer(10**6)}
_POINT = Rational(33, 2)
_AT_LEAST = Rational(2303, 100)

_LENGTH = RATIO.formulas["message"].xreplace({beta: Integer(1)})
_CQ_COST = RATIO.formulas["cost"].xreplace({noise: RATIO.formulas["A_cq"], message: _LENGTH})
_BOUND = 1 / _CQ_COST
_FORMULAS = {
    "binary_bound": (1 + 31 * p) * (1 + root_of_odds(p)),
    "binary_lower": BINARY.lower,
    "binary_upper": BINARY.upper,
    "ternary_bound": (1 + 15 * p) * (1 + root_of_odds(p) / 2),
    "ternary_lower": TERNARY.lower,
    "ternary_upper": TERNARY.upper,
    "binary_iq": (d - 1) / n,
    "ternary_iq": (sqrt(d) - 1) / n,
    "true_ternary_upper": 1 + 32 / beta * n ** Rational(-1, 6),
}

_h, _r = Symbol("h", positive=True), Symbol("r", positive=True)
_s = Symbol("s", nonnegative=True)
_sum = Symbol("S", nonnegative=True)
_sigma = Symbol("sigma", positive=True)
_e = Symbol("e", nonnegative=True)
_root = Symbol("root_n", positive=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *psi_steps(RATIO.formulas),
        *_noise(stated),
        *_limits(stated),
        *_off_diagonal(stated),
        *_true_ternary(stated),
    )


def _noise(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Identity(
            "binary-noise",
            r"On the binary grid each client has the error $\sum_j(r^2-a_j^2)=(d-1)r^2$ at every input: the "
            r"stated noise of IQ.",
            (d * _r**2 - _r**2) / n,
            stated["binary_iq"] * _r**2,
        ),
        Identity(
            "ternary-noise",
            r"On the ternary grid it is $\|a\|_2\|a\|_1-\|a\|_2^2$, at a flat input the stated noise of IQ "
            r"times $\|a\|_2^2=dh^2$.",
            (sqrt(d) * _h * d * _h - d * _h**2) / n,
            stated["ternary_iq"] * d * _h**2,
        ),
        Certificate(
            "ternary-noise-at-most",
            r"No input has more, by $\|a\|_1\le\sqrt d\,\|a\|_2$ (Cauchy-Schwarz).",
            (_r * _sum - _r**2) / n,
            stated["ternary_iq"] * _r**2,
            (Term(_r / n, sqrt(d) * _r - _sum, "hypothesis: the sum S of |a_j| is at most sqrt(d) r"),),
        ),
        Certificate(
            "quarter-of-ternary",
            r"So $\frac d{4n}$ bounds the noise of the ternary grid: $\sqrt d-1\le\frac d4$.",
            stated["ternary_iq"],
            RATIO.formulas["A_iq"],
            (Term(1 / n, (sqrt(d) / 2 - 1) ** 2, "square of a real number"),),
        ),
    )


def _limits(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    binary, ternary = in_t(stated["binary_bound"]), in_t(stated["ternary_bound"])
    shares = {d: n}
    return (
        Certificate(
            "binary-at-most-one",
            r"At $d=n$ the noise of IQ on the binary grid is below 1, its limit.",
            stated["binary_iq"].xreplace(shares),
            Integer(1),
            (Term(1 / n, Integer(1), "one"),),
        ),
        Certificate(
            "binary-ratio",
            r"The ratio is at most $\frac1c$ times the cost of IQ, which is at most the stated bound since "
            r"$s=\sqrt A\le1$ and $c\ge\frac1{32}$.",
            cost_in_t(_s, message) / message,
            binary,
            (
                Term((1 + message * t**2) * t / ((1 + t**2) * message), 1 - _s, "binary-at-most-one"),
                Term(
                    32 * (1 + t) / ((1 + t**2) * message),
                    message - Rational(1, 32),
                    "hypothesis: c is at least 1/32",
                ),
            ),
        ),
        *BINARY.steps(binary, stated["binary_lower"], stated["binary_upper"]),
        Identity(
            "ternary-cost",
            r"With two bits for each coordinate $c\to\frac1{16}$, and the limit is the minimum of 16 times "
            r"the cost at $A=\frac14$.",
            ternary,
            16 * cost_in_t(Rational(1, 2), Rational(1, 16)),
        ),
        *TERNARY.steps(ternary, stated["ternary_lower"], stated["ternary_upper"]),
    )


def _off_diagonal(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    noise_iq = RATIO.formulas["A_iq"].xreplace(_SIZES)
    threshold = RATIO.formulas["threshold"].xreplace({message: _LENGTH.xreplace(_SIZES)})
    bound = roots_out(stated["bound"].xreplace({p: 1 / (1 + t**2)}))
    found = roots_out(stated["bound"].xreplace(_SIZES).xreplace({p: 1 / (1 + _POINT**2)}))
    best = 1 / cost_in_t(sqrt(_SIZES[d]) / (2 * _SIZES[n]), _LENGTH.xreplace(_SIZES)).xreplace({t: _POINT})
    return (
        Identity(
            "bound",
            r"The stated bound is the cost of IQ without compression, 1, over that of CQ at any $p$.",
            bound * cost_in_t(sqrt(d) / (2 * n), _LENGTH),
            Integer(1),
        ),
        Certificate(
            "no-gain-of-iq",
            r"At $d=10^6$, $n=33299$ the noise $\frac d{4n}$ is above the threshold, so $\psi=1$ for IQ "
            r"(`only-full-rounds`).",
            threshold,
            noise_iq,
            (Term(noise_iq - threshold, Integer(1), "one"),),
        ),
        Certificate(
            "far-above",
            r"There the ratio is at least 23.03, three times the limit at $d=n$.",
            _AT_LEAST,
            found,
            (Term(best - _AT_LEAST, Integer(1), "one"),),
        ),
    )


def _true_ternary(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    at = {d: _root**2, n: _root**2}
    share = beta / 32
    return (
        Certificate(
            "vanishing-noise",
            r"At $d=n$ the noise of IQ on the ternary grid is at most $n^{-1/2}$.",
            stated["ternary_iq"].xreplace(at),
            1 / _root,
            (Term(1 / _root**2, Integer(1), "one"),),
        ),
        Certificate(
            "tends-to-one",
            r"The ratio is at most $\psi/c\le1+A^{1/3}/c$ with $A\le\sigma^6=n^{-1/2}$ and "
            r"$c\ge\frac\beta{32}$, at most the stated bound, which tends to 1.",
            1 + _sigma**2 / message,
            stated["true_ternary_upper"].xreplace({n: _sigma**-12}),
            (Term(_sigma**2 / (share * message), message - share, "hypothesis: c is at least beta/32"),),
        ),
    )


_MUTANTS = (
    Mutant(
        "diagonal-is-best",
        r"Claim that at $d=10^6$ the ratio is largest at $n=d$, where it is 7.02: it is 23.03 at $n=33300$.",
        ("exact",),
    ),
    Mutant(
        "quarter-for-binary",
        r"$A_{\rm IQ}=\frac d{4n}$ and $A_{\rm CQ}=\frac d{4n^2}$ for the binary grid: below the errors of "
        r"both.",
        ("exact",),
    ),
    Mutant(
        "quarter-for-ternary",
        r"$\frac d{4n}$ for the noise $\frac{\sqrt d-1}n$ of IQ on the ternary grid: the ratio at $d=n$ "
        r"grows in place of tending to 1.",
        ("exact",),
    ),
    Mutant("bytes", "Count messages in bytes: nothing may change.", ("exact",), neutral=True),
)

CLAIM = Claim(
    id="cq_marina/finding-ratio-not-maximum",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="The gain of 7.29 mixes two grids and is not the largest",
    statement=(
        r"The limit 7.29 of `cq_marina/comm-ratio` takes the constants $\frac d{4n}$ and $\frac d{4n^2}$, "
        r"which fit the ternary grid, with the message of the binary one. Consistent choices at "
        r"$d=n\to\infty$: on the binary grid ($\frac{d-1}n$, $\frac d{n^2}$, $\beta=1$) the limit is "
        r"$32\,\psi(1,\frac1{32})$, between 12.859162282 and 12.859162283; on the ternary one with "
        r"$\beta=2$ it is $16\,\psi(\frac14,\frac1{16})$, between 5.518916346 and 5.518916347. But IQ on "
        r"the ternary grid has only the noise $\frac{\sqrt d-1}n$; with it the ratio at $d=n$ is at most "
        r"$1+\frac{32}\beta n^{-1/6}$ and tends to 1, after a peak of 2.26 at $n=229$ ($\beta=2$). Nor is "
        r"$d=n$ the best case: at $d=10^6$ the same formula gives 23.03 at $n=33300$, the kink $\frac "
        r"d{4n}=\frac{(1-c)^2}{4c}$ up to which IQ gains nothing. What holds: wherever $\frac d{4n}$ is at "
        r"least this threshold the ratio is at least $1/\mathrm{cost}(\frac d{4n^2},c,p)$ for every $p$."
    ),
    variables=(CLIENTS, DIMENSION, PROBABILITY, BITS),
    assumptions=(
        *RATIO.assumptions[:2],
        r"$A_{\rm CQ}$ at equal inputs: $\frac d{n^2}$ on the binary and $\frac d{4n^2}$ on the ternary grid "
        r"(`cq_marina/cq-equal-inputs`).",
        "The peak is computed in floating point, at every n up to 2000 and some beyond.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "where IQ gains nothing, a million coordinates",
            {"n": 33299, "d": 10**6, "p": 1 / (1 + _POINT**2)},
            1 / cost_in_t(Rational(500, 33299), _LENGTH.xreplace(_SIZES)).xreplace({t: _POINT}),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
