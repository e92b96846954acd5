r"""`ndqsg/finding-scale-dependence`: the noise depends on the gradient through the scale (arXiv 1904.01197).

The covariance of squared noise and squared gradient is $\frac1{12M^2}\mathrm{Cov}(\kappa^2,g_j^2)$, which is
not 0 unless the scale is fixed.

Derivation: $\hat g_j-g_j=\frac\kappa M\varepsilon_j$ with $\varepsilon_j$ independent of $(g,\kappa)$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol

from theory.ndqsg.dither_moments import HALF, error_moment
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import DITHER, LEVELS, ROUNDING, M
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.two_point_law import INDEPENDENCE, expectation

mixed = Symbol("mixed", nonnegative=True)
scale_sq = Symbol("scale_sq", nonnegative=True)
gradient_sq = Symbol("gradient_sq", nonnegative=True)
v = Symbol("v", real=True)
V = Symbol("V", nonnegative=True)
c = Symbol("c", nonnegative=True)

_EXACT = (mixed - scale_sq * gradient_sq) / (12 * M**2)
_FORMULAS = {"two_lengths": V**2 * v**2 * (c**2 - 1) ** 2 / (48 * M**2)}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""

    def mean(function: object) -> Expr:
        return expectation(lambda up: function(1 + up * (c - 1)), HALF)  # type: ignore[operator]

    laws = {
        mixed: mean(lambda t: (t * V) ** 2 * (t * v) ** 2),
        scale_sq: mean(lambda t: (t * V) ** 2),
        gradient_sq: mean(lambda t: (t * v) ** 2),
    }
    return (
        INDEPENDENCE,
        Identity(
            "uncorrelated",
            r"Noise and gradient themselves are uncorrelated: $\mathbb E\varepsilon=0$.",
            error_moment(1),
            Integer(0),
        ),
        Identity(
            "covariance",
            r"$\mathbb E[(\frac\kappa M\varepsilon)^2g^2]-\mathbb E(\frac\kappa M\varepsilon)^2\,\mathbb "
            r"Eg^2$ with $\mathbb E\varepsilon^2=\frac1{12}$ is the stated covariance.",
            error_moment(2) / M**2 * mixed - error_moment(2) / M**2 * scale_sq * gradient_sq,
            stated["exact"],
        ),
        Identity(
            "two-lengths",
            r"For a gradient of a fixed direction, times 1 or $c$ with probability $\frac12$ each, it is as "
            r"stated.",
            stated["exact"].xreplace(laws),
            stated["two_lengths"],
        ),
        Certificate(
            "positive",
            r"That is not negative, and 0 only for $c=1$: then the scale is fixed.",
            Integer(0),
            stated["two_lengths"],
            (Term(V**2 / (48 * M**2), v**2 * (c**2 - 1) ** 2, "square of a real number"),),
        ),
    )


CLAIM = Claim(
    id="ndqsg/finding-scale-dependence",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="Unconditional independence of noise and gradient is false: the scale carries it",
    statement=(
        r"The abstract says that the quantization noise is independent of the gradient. Read literally, for "
        r"$\hat g-g$ and a scale $\kappa=\|g\|_\infty$, this is false: the two are uncorrelated, but "
        r"$$\mathrm{Cov}\big((\hat g_j-g_j)^2,g_j^2\big)=\frac{\mathbb E[\kappa^2g_j^2]-\mathbb "
        r"E\kappa^2\,\mathbb Eg_j^2}{12M^2},$$ for a gradient of a fixed direction with $|g_j|=|v|$, "
        r"$\kappa=V$ and with probability $\frac12$ $c$ times as long, "
        r"$\frac{V^2v^2(c^2-1)^2}{48M^2}>0$. For four Student variables with 5 degrees of freedom and "
        r"$M=1$ the correlation of the squares is 0.342. What holds instead: given the scale they are "
        r"independent, and so they are where the scale is fixed or predetermined."
    ),
    variables=(
        LEVELS,
        Variable(mixed, r"\mathbb R_{\ge0}", r"$\mathbb E[\kappa^2g_j^2]$"),
        Variable(scale_sq, r"\mathbb R_{\ge0}", r"$\mathbb E\kappa^2$"),
        Variable(gradient_sq, r"\mathbb R_{\ge0}", r"$\mathbb Eg_j^2$"),
        Variable(v, r"\mathbb R", "coordinate of the shorter gradient"),
        Variable(V, r"\mathbb R_{\ge0}", "its largest absolute coordinate"),
        Variable(c, r"\mathbb R_{\ge0}", "how many times as long the longer one is"),
    ),
    assumptions=(DITHER, ROUNDING, r"$\kappa=\|g\|_\infty$ is taken anew for every gradient."),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "a gradient that is 1 or 2 units long, one level",
            {"mixed": Rational(17, 2), "scale_sq": Rational(5, 2), "gradient_sq": Rational(5, 2), "M": 1},
            Rational(3, 16),
        ),
        WorstCase(
            "a fixed length: no covariance",
            {"mixed": 1, "scale_sq": 1, "gradient_sq": 1, "M": 1},
            Integer(0),
        ),
    ),
    mutants=(
        Mutant(
            "independent",
            r"Claim the covariance 0 of independent variables, as the abstract read literally.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "fixed-scale",
            r"Use a fixed scale for both lengths: noise and gradient are then independent.",
            ("exact", "montecarlo"),
        ),
        Mutant("negated", "Negate the gradient: nothing may change.", ("exact",), neutral=True),
    ),
    exact=_EXACT,
    formulas=_FORMULAS,
)
