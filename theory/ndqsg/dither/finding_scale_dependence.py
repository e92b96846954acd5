r"""`ndqsg/finding-scale-dependence`: noise depends on the gradient through the scale (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, Symbol

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.expectation import E
from theory.formula import IsInteger, eq, every, le, lt
from theory.ndqsg.paper import PAPER

M, mixed, scale_sq, gradient_sq, v, V, c, C, mean, n, k, one = (
    Symbol(s, real=True)
    for s in ("M", "mixed", "scale_sq", "gradient_sq", "v", "V", "c", "C", "mean", "n", "k", "one")
)
weight, kappa, g, e = (IndexedBase(s, real=True) for s in ("w", "kappa", "g", "e"))
LAW = (k, 0, n - 1)

_EXACT = (mixed - scale_sq * gradient_sq) / (12 * M**2)
_TWO = V**2 * v**2 * (c**2 - 1) ** 2 / (48 * M**2)


def _noise(body: Any) -> Any:
    return E(body, e, (one, 0, 0), mean=0, variance=Rational(1, 12))


_SQUARE = _noise((kappa[k] / M * e[0]) ** 2)
_COVARIANCE = Sum(weight[k] * g[k] ** 2 * _SQUARE, LAW) - Sum(weight[k] * _SQUARE, LAW) * gradient_sq

CLAIM = Claim(
    id="ndqsg/finding-scale-dependence",
    kind="finding",
    provenance="derived",
    title="Unconditional independence of noise and gradient is false: the scale carries it",
    position=11,
    paper=PAPER,
    setting=(
        r"The abstract says that the quantization noise is independent of the gradient. Let a gradient be "
        r"random with finitely many values, $g_j$ a coordinate and $\kappa$ its scale, and $\hat "
        r"g_j-g_j$ the error of DQSG with $M$ levels."
    ),
    parts=(
        Part(
            "a",
            r"The two are uncorrelated: $\mathbb E[(\hat g_j-g_j)g_j]=0$.",
            says=("uncorrelated",),
            evidence=("proof",),
        ),
        Part(
            "b",
            r"Read literally independence is false: $$\mathrm{Cov}\big((\hat "
            r"g_j-g_j)^2,g_j^2\big)=\frac{\mathbb E[\kappa^2g_j^2]-\mathbb E\kappa^2\,\mathbb "
            r"Eg_j^2}{12M^2}.$$",
            says=("covariance",),
            evidence=("proof", "exact/two forms"),
        ),
        Part(
            "c",
            r"For a gradient of a fixed direction with $|g_j|=v$ and scale $V$, or with probability one half "
            r"$c$ times as long, it is $$\mathrm{Cov}\big((\hat "
            r"g_j-g_j)^2,g_j^2\big)=\frac{V^2v^2(c^2-1)^2}{48M^2}.$$",
            says=("two-lengths",),
            evidence=("proof", "exact/covariance of squares", "exact/two forms", "montecarlo/mixed moment"),
            pins={
                "For a gradient of a fixed direction with $|g_j|=v$ and scale $V$, or with probability one "
                "half $c$ times as long": "exact/covariance of squares"
            },
        ),
        Part(
            "d",
            r"That is positive unless the scale is fixed: if $V,v>0$ and $c>1$, then "
            r"$0<\mathrm{Cov}\big((\hat g_j-g_j)^2,g_j^2\big)$.",
            says=("positive",),
            evidence=("proof",),
        ),
        Part(
            "e",
            r"For four Student variables with 5 degrees of freedom and one level the correlation of the "
            r"squares is 0.342. What holds instead: given the scale they are independent "
            r"(`ndqsg/dqsg-conditional-independence`).",
            evidence=("exact/correlation for Student gradients",),
            pins={
                "with 5 degrees of freedom": "exact/correlation for Student gradients",
                "the correlation of the squares is 0.342": "exact/correlation for Student gradients",
            },
        ),
    ),
    variables=(
        Variable(M, "M", r"\mathbb N", r"levels: the indices are $-M,\dots,M$"),
        Variable(mean, r"\mathbb E[(\hat g_j-g_j)g_j]", r"\mathbb R", "correlation of noise and gradient"),
        Variable(
            C,
            r"\mathrm{Cov}\big((\hat g_j-g_j)^2,g_j^2\big)",
            r"\mathbb R",
            "covariance of squared noise and squared gradient",
        ),
        Variable(mixed, r"\mathbb E[\kappa^2g_j^2]", r"\mathbb R_{\ge0}", "mixed moment"),
        Variable(scale_sq, r"\mathbb E\kappa^2", r"\mathbb R_{\ge0}", "mean square of the scale"),
        Variable(gradient_sq, r"\mathbb Eg_j^2", r"\mathbb R_{\ge0}", "mean square of the coordinate"),
        Variable(v, "v", r"\mathbb R_{\ge0}", "coordinate of the shorter gradient"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "its largest absolute coordinate"),
        Variable(c, "c", r"\mathbb R_{\ge0}", "how many times as long the longer one is"),
    ),
    notation={
        "g_j": "coordinate",
        r"\kappa": "scale",
        r"\hat g_j": "received coordinate",
        r"|g_j|": "modulus",
    },
    hypotheses={
        "sizes": Hypothesis(
            "domain",
            (IsInteger(M), le(1, M), IsInteger(n), le(1, n)),
            "numbers of levels and of values are positive integers",
        ),
        "weights": Hypothesis(
            "domain",
            (every(le(0, weight[k]), LAW), eq(Sum(weight[k], LAW), 1)),
            "probabilities are at least 0 and add up to one",
        ),
        "law": Hypothesis(
            "definition",
            (
                eq(mixed, Sum(weight[k] * kappa[k] ** 2 * g[k] ** 2, LAW)),
                eq(scale_sq, Sum(weight[k] * kappa[k] ** 2, LAW)),
                eq(gradient_sq, Sum(weight[k] * g[k] ** 2, LAW)),
            ),
            "the expectations over the values of gradient and scale",
        ),
        "noise": Hypothesis(
            "definition",
            (
                eq(mean, Sum(weight[k] * g[k] * _noise(kappa[k] / M * e[0]), LAW)),
                eq(C, _COVARIANCE),
            ),
            "given a gradient its error is the step times one of mean 0 and variance 1/12",
        ),
        "two-lengths": Hypothesis(
            "definition",
            (
                eq(n, 2),
                every(eq(weight[k], Rational(1, 2)), LAW),
                eq(g[0], v),
                eq(g[1], c * v),
                eq(kappa[0], V),
                eq(kappa[1], c * V),
            ),
            "two values, each with probability one half: $v$ at the scale $V$, and $c$ times both",
        ),
        "longer": Hypothesis("parameter", (lt(0, V), lt(0, v), lt(1, c)), r"$V,v>0$ and $c>1$"),
    },
    relations={
        "uncorrelated": Relation((mean, 0), ("=",)),
        "covariance": Relation((C, _EXACT), ("=",)),
        "two-lengths": Relation((C, _TWO), ("=",), under=("two-lengths",)),
        "positive": Relation((0, C), ("<",), under=("two-lengths", "longer")),
    },
    formulas={"exact": _EXACT, "two_lengths": _TWO},
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
)


def derive(K: Any) -> None:
    """Prove the relations."""
    half = Rational(1, 2)
    K.example({n: 2, M: 2, V: 3, v: 1, c: 2, weight: (half, half), kappa: (3, 6), g: (1, 2)})
    K.conclude("uncorrelated", K.cert(eq(mean, Integer(0)), (1, K.given("noise"))))
    unit = 1 / (12 * M**2)
    covariance = K.cert(
        eq(C, _EXACT),
        (1, K.given("noise", 1)),
        (-unit, K.given("law")),
        (gradient_sq * unit, K.given("law", 1)),
    )
    K.conclude("covariance", covariance)
    two = K.cert(eq(C, _TWO), (1, covariance), using=_two_lengths(K))
    K.conclude("two-lengths", two)
    K.know(*(K.given("longer", place) for place in range(3)))
    square = K.cert(lt(0, c**2 - 1), (c + 1, K.given("longer", 2)))
    K.know(square)
    K.conclude("positive", K.cert(lt(0, C), (-1, two), (1, K.sign(lt(0, _TWO)))))


def _two_lengths(K: Any) -> list[Any]:
    """Return the moments of a law with two values."""
    given = [K.given("two-lengths", place) for place in range(6)]
    values = [K.at(given[1], 0), K.at(given[1], 1), *given[2:]]
    found = []
    moments = (
        (mixed, weight[k] * kappa[k] ** 2 * g[k] ** 2, values, V**2 * v**2 * (1 + c**4) / 2),
        (scale_sq, weight[k] * kappa[k] ** 2, values[:2] + values[4:], V**2 * (1 + c**2) / 2),
        (gradient_sq, weight[k] * g[k] ** 2, values[:4], v**2 * (1 + c**2) / 2),
    )
    for place, (name, term, used, moment) in enumerate(moments):
        two = K.rewrite(K.given("law", place), given[0])
        written = K.cert(eq(name, term.subs(k, 0) + term.subs(k, 1)), (1, two))
        for value in used:
            written = K.rewrite(written, value)
        found.append(K.cert(eq(name, moment), (1, written)))
    return found
