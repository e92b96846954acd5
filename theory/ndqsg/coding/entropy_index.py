r"""`ndqsg/entropy-index`: entropy of the indices, without and with the shared dither (arXiv 1904.01197)."""

from typing import Any

from sympy import Expr, Integer, Rational, Symbol, erf, exp, log, pi, sqrt

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.formula import eq, le, lt
from theory.ndqsg.paper import PAPER

M, conditional, inner, outer, s, i = (
    Symbol(name, real=True) for name in ("M", "conditional", "inner", "outer", "s", "i")
)
HALF = Rational(1, 2)


def _curved(t: Expr) -> Expr:
    """Return an antiderivative of the antiderivative of the normal density, up to a linear function."""
    return t * erf(t / (s * sqrt(2))) / 2 + s * exp(-(t**2) / (2 * s**2)) / sqrt(2 * pi)


_CONDITIONAL = log(2 * M) / log(2) + 1 / (4 * M * log(2))
_INDEX = log(2 * M) / log(2) + 1 / (2 * M)
_INNER, _OUTER, _RAW = 1 / (2 * M), 1 / (4 * M), log(2 * M + 1) / log(2)
_ENTROPY = -((2 * M - 1) * _INNER * log(_INNER) + 2 * _OUTER * log(_OUTER)) / log(2)

# Index entropy and conditional entropy in bits; sigma and b in units of the step.
TABLE = (
    ("gauss-1", r"$N(0,1)$", "2.1582872201406", "2.1048326603976"),
    ("gauss-1/2", r"$N(0,\frac14)$", "1.4145964333376", "1.2544269142853"),
    ("laplace-1/2", r"Laplace, $b=\frac12$", "1.7050251575670", "1.6059406812900"),
    ("sparse", r"0 with probability 0.9, else $N(0,1)$", "0.4605867432955", "0.4552708590245"),
    ("uniform-1", r"uniform on $[-1,1]$", "1.5000000000000", "1.3606737602222"),
    ("uniform-3", r"uniform on $[-3,3]$", "2.7516291673878", "2.7051870874619"),
)

CLAIM = Claim(
    id="ndqsg/entropy-index",
    kind="identity",
    provenance="derived",
    title="Entropy of the indices, without and with the shared dither",
    position=15,
    paper=PAPER,
    setting=(
        r"$x$, in units of the step, has a distribution function; $x+e$ is $x$ plus a uniform error of one "
        r"step, with the density $f$. The index $q$ of $x$ with the dither $u$ has the entropy $H(q)$, and "
        r"$H(q\mid u)$ given the dither, in bits."
    ),
    parts=(
        Part(
            "a",
            r"Given the dither the entropy of the index is the differential entropy of $x+e$: for the six "
            "laws of the worst cases the average over the dither and the integral over the density agree.",
            evidence=("exact/average over the dither", "montecarlo/conditional"),
            pins={
                "is the differential entropy of $x+e$": "exact/average over the dither",
                "for the six laws": "exact/average over the dither",
            },
        ),
        Part(
            "b",
            r"It is at most $H(q)$, for these six laws and all laws with four atoms that a search tries.",
            evidence=("exact/order", "adversarial/atoms"),
            pins={
                "It is at most $H(q)$, for these six laws": "exact/order",
                "all laws with four atoms that a search tries": "adversarial/atoms",
            },
        ),
        Part(
            "c",
            r"For uniform $x$ on $[-M,M]$ an index inside has the probability $\Pr(|q|<M)=\frac1{2M}$ each, "
            r"the two outermost ones $\Pr(|q|=M)=\frac1{4M}$ each.",
            says=("inner", "outer"),
            evidence=("exact/probability of an index",),
            pins={"on $[-M,M]$": "exact/probability of an index"},
        ),
        Part(
            "d",
            r"The entropy $H(q)$ of these probabilities is $$-\frac1{\ln2}\Big((2M-1)\frac1{2M}\ln\frac1{2M}"
            r"+2\cdot\frac1{4M}\ln\frac1{4M}\Big)=\log_2(2M)+\frac1{2M}.$$",
            says=("index",),
            evidence=("proof", "exact/entropy of the index"),
        ),
        Part(
            "e",
            r"Given the dither it is, for these $x$, $$H(q\mid u)=\log_2(2M)+\frac1{4M\ln2}.$$",
            says=("conditional",),
            evidence=("exact/entropy given the dither",),
        ),
        Part(
            "f",
            r"This is less than $H(q)$, by (d), which is at most half a bit above $\log_2(2M)$: "
            r"$$\log_2(2M)+\frac1{4M\ln2}<\log_2(2M)+\frac1{2M}\le\log_2(2M)+\frac12.$$",
            says=("gain",),
            evidence=("proof", "exact/entropy given the dither"),
            pins={r"at most half a bit above $\log_2(2M)$": "proof"},
        ),
        Part(
            "g",
            r"The raw index costs more than $H(q)$ at every $M$ tried: $\log_2(2M+1)$ bits.",
            evidence=("exact/raw bits",),
            pins={r"more than $H(q)$ at every $M$ tried: $\log_2(2M+1)$ bits": "exact/raw bits"},
        ),
        Part(
            "h",
            r"The two entropies of normal, Laplace, sparse and uniform $x$ are those of the worst cases.",
            evidence=(
                "exact/entropy of a law",
                "exact/entropy of a law given the dither",
                "exact/normal probability",
                "exact/normal density",
                "montecarlo/index",
                "montecarlo/conditional",
            ),
            pins={"are those of the worst cases": "exact/entropy of a law"},
        ),
    ),
    variables=(
        Variable(M, "M", r"\mathbb N", "number of levels"),
        Variable(conditional, r"H(q\mid u)", r"\mathbb R_{\ge0}", "entropy of the index given the dither"),
        Variable(inner, r"\Pr(|q|<M)", "[0,1]", "probability of an index inside"),
        Variable(outer, r"\Pr(|q|=M)", "[0,1]", "probability of an outermost index"),
    ),
    notation={
        "H(q)": "entropy of the index",
        "x": "what is sent",
        "x+e": "what is received",
        "q": "index",
        "u": "dither",
        "f": "density",
    },
    hypotheses={
        "levels": Hypothesis("domain", le(1, M), r"$M\ge1$"),
    },
    relations={
        "inner": Relation((inner, _INNER), ("=",)),
        "outer": Relation((outer, _OUTER), ("=",)),
        "index": Relation((_ENTROPY, _INDEX), ("=",)),
        "conditional": Relation((conditional, _CONDITIONAL), ("=",)),
        "gain": Relation((_CONDITIONAL, _INDEX, log(2 * M) / log(2) + HALF), ("<", "<=")),
    },
    formulas={
        "exact": _CONDITIONAL,
        "index": _INDEX,
        "raw": _RAW,
        "inner": _INNER,
        "outer": _OUTER,
        "gauss_index": _curved(i + 1) - 2 * _curved(i) + _curved(i - 1),
        "gauss_density": erf((i + HALF) / (s * sqrt(2))) / 2 - erf((i - HALF) / (s * sqrt(2))) / 2,
    },
    internal={
        "raw": "said in part (g) in words",
        "gauss_index": "probabilities of a normal law, for part (h)",
        "gauss_density": "density of a normal law plus the error, for part (h)",
    },
    worst_cases=tuple(
        WorstCase(shown, {"law": name, "index": index, "conditional": given})
        for name, shown, index, given in TABLE
    ),
)


def derive(K: Any) -> None:
    """Prove the relations: logarithms of products, and ln 2 > 1/2."""
    K.example({M: 2})
    two = Integer(2)
    K.know(K.cert(lt(0, log(2)), (1, K.log(K.sign(lt(1, 2))))))
    strict = _above_half(K)
    inverse, quarter = K.axiom("log-power", 2 * M, -1), K.axiom("log-power", 4 * M, -1)
    product = K.axiom("log-product", two, 2 * M)
    K.conclude(
        "index",
        K.cert(
            eq(_ENTROPY, _INDEX),
            (-(2 * M - 1) * _INNER / log(2), inverse),
            (-2 * _OUTER / log(2), quarter),
            (2 * _OUTER / log(2), product),
        ),
    )
    K.conclude(
        "gain",
        K.cert(lt(_CONDITIONAL, _INDEX), (1 / (2 * M * log(2)), strict)),
        K.cert(le(_INDEX, log(2 * M) / log(2) + HALF), (1 / (2 * M), K.given("levels"))),
    )


def _above_half(K: Any) -> Any:
    """Return ln 2 > 1/2: it is at least 1/3 + 1/4."""
    ratios = (Rational(2, 3), Rational(3, 4))
    terms = [(1, K.axiom("log-below", ratio)) for ratio in ratios]
    product = K.axiom("log-product", *ratios)
    return K.cert(lt(HALF, log(2)), *terms, (1, product), (-1, K.axiom("log-power", Integer(2), -1)))
