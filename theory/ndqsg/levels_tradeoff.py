r"""`ndqsg/levels-tradeoff`: how many levels need the fewest bits to an accuracy (arXiv 1904.01197).

Derivation: where noise limits the accuracy, the number of iterations is proportional to the variance $V$ of
`ndqsg/conv-convex`, and an iteration costs $\log_2(2M+1)$ bits per coordinate.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, log, oo

from theory.ndqsg.conv_convex import CLAIM as CONVEX
from theory.ndqsg.conv_convex_derivation import K_sq, V
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import DIMENSION, DITHER, LEVELS, M, d, sigma_sq
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

c = Symbol("c", nonnegative=True)

_positive_sq = Symbol("sigma_sq", positive=True)

_EXACT = (1 + c / M**2) * log(2 * M + 1) / log(2)
_FORMULAS = {
    "c": d * K_sq / (12 * sigma_sq),
    "iterations": 1 + c / M**2,
    "raw": log(2 * M + 1) / log(2),
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    variance = CONVEX.formulas["variance"].xreplace({sigma_sq: _positive_sq})
    needed = CONVEX.formulas["iterations"].subs(V, variance)
    uncompressed = needed.limit(M, oo)
    return (
        Identity(
            "uncompressed",
            r"As $M\to\infty$ the variance $V$ of `ndqsg/conv-convex` becomes $\sigma^2/P$.",
            uncompressed,
            needed.subs(K_sq, 0),
        ),
        Identity(
            "iterations",
            r"The iterations to an accuracy, $4R^2V/\varepsilon^2$, relative to those without compression, "
            r"are as stated with the stated $c$.",
            needed / uncompressed,
            stated["iterations"].subs(c, stated["c"].xreplace({sigma_sq: _positive_sq})),
        ),
        Identity(
            "raw",
            r"The indices $-M,\dots,M$ cost the stated raw bits.",
            stated["raw"] * log(2),
            log(M - (-M) + 1),
        ),
        Identity(
            "bits",
            r"The stated product: iterations times bits of an iteration.",
            stated["exact"],
            stated["iterations"] * stated["raw"],
        ),
        Certificate(
            "many-levels",
            r"It is at least the raw bits: levels whose raw bits exceed the least product found are no "
            r"candidates, so the search for the minimiser is finite.",
            stated["raw"],
            stated["exact"],
            (Term(c / M**2, log(2 * M + 1) / log(2), "the logarithm of a number above one"),),
        ),
    )


_MUTANTS = (
    Mutant(
        "wrong-raw-bits",
        r"$\log_2M$ raw bits: one level would cost nothing, $M=1$ is the best of all.",
        ("exact",),
    ),
    Mutant(
        "linear-variance",
        r"The variance falls like $c/M$: the best numbers of levels are 33 and 612 for 7 and 27.",
        ("exact",),
    ),
    Mutant(
        "bits-per-iteration", r"Only the bits of an iteration count: $M=1$ is always the best.", ("exact",)
    ),
    Mutant("nats", "Count in nats: the minimisers stay.", ("exact",), neutral=True),
)

CLAIM = Claim(
    id="ndqsg/levels-tradeoff",
    paper=PAPER,
    kind="identity",
    provenance="abstract",
    title="Number of levels with the fewest bits to an accuracy",
    statement=(
        r"Where noise limits the accuracy, the bound of `ndqsg/conv-convex` asks for $1+\frac c{M^2}$ times "
        r"the iterations of uncompressed SGD with DQSG of $M$ levels, "
        r"$c=\frac{dK^2}{12\sigma^2}$, and so for bits to an accuracy in proportion to "
        r"$$B(M)=\Big(1+\frac c{M^2}\Big)\log_2(2M+1).$$ The best integer is $M=1$ for small $c$ only "
        r"($c=0.1$), $M=2$ for $c=1$, $M=7$ for $c=10$ and $M=27$ for $c=100$."
    ),
    variables=(
        Variable(c, r"\mathbb R_{\ge0}", r"$\frac{dK^2}{12\sigma^2}$"),
        Variable(K_sq, r"\mathbb R_{\ge0}", r"$K^2$, bound on $\mathbb E\kappa^2$"),
        Variable(sigma_sq, r"\mathbb R_{>0}", r"$\sigma^2$: variance of the gradient of one worker"),
        DIMENSION,
        LEVELS,
    ),
    assumptions=(
        DITHER,
        r"The number of iterations is $4R^2V/\varepsilon^2$ as in `ndqsg/conv-convex`, where "
        r"$\varepsilon\le V/L$.",
        "Raw indices: scales and headers are not counted.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=tuple(
        WorstCase(rf"$c={shown}$: the best number of levels", {"c": value, "M": best})
        for shown, value, best in (
            ("0.1", Rational(1, 10), 1),
            ("1", Integer(1), 2),
            ("10", Integer(10), 7),
            ("100", Integer(100), 27),
        )
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
