r"""`ndqsg/dqsg-conditional-independence`: normalised noise is independent of gradients (arXiv 1904.01197)."""

from typing import Any

from sympy import Integer, Rational, Symbol, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq
from theory.hypotheses import definition, domain, parameter
from theory.ndqsg.dither.dq_uniform_error import distribution, uniform_distribution
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

kappa, M, n, g, received, q, u, epsilon = symbols("kappa M n g received q u epsilon", real=True)
moment, normal, least, largest = symbols("moment normal least largest", real=True)
s, t, p, p_other, joint = symbols("s t p p_other joint", real=True)
odd = {order: Symbol(f"odd_{order}", real=True) for order in (1, 3, 5)}
HALF = Rational(1, 2)
_NORMALISED = 1 / ((n + 1) * 2**n)
_EXACT = (kappa / M) ** n * _NORMALISED

CLAIM = Claim(
    id="ndqsg/dqsg-conditional-independence",
    kind="distribution",
    provenance="abstract",
    title="The quantization noise is independent of the gradient, given the scale",
    position=10,
    paper=PAPER,
    **statement(
        r"""
        DQSG sends a coordinate $g_j$ of a gradient of scale $\kappa>0$ as the index $q$ with the dither
        $u$, and decodes $\hat g_j$. Let $\varepsilon=q-u-\frac{Mg_j}\kappa$ be the error in steps; it is
        uniform on $(-\frac12,\frac12]$ at every input (`ndqsg/dq-uniform-error`).
        (a: received) The exact form of the abstract's independence: $\hat g_j=\frac\kappa M(q-u)$ is $$\hat
          g_j=g_j+\frac\kappa M\varepsilon,$$ where the law of $\varepsilon$ <<does not depend on gradient
          and scale -> exact/pairs of coordinates off the law>>. [proof; montecarlo/errors of Student
          gradients; run/errors and the past]
        (b: moment, normalised) So given $\kappa$ for every integer $n\ge1$ $$\mathbb E|\hat
          g_j-g_j|^n=\Big(\frac\kappa M\Big)^n\frac1{(n+1)2^n},\qquad\mathbb
          E|\varepsilon|^n=\frac1{(n+1)2^n}.$$ [proof; exact/moment off the stated one]
        (c: odd-1, odd-3, odd-5) The first, third and fifth moment vanish at every gradient; by the first
          one noise and gradient are uncorrelated: $\mathbb E(\hat g_j-g_j)=0$, $\mathbb E(\hat
          g_j-g_j)^3=0$, $\mathbb E(\hat g_j-g_j)^5=0$. [proof; exact/odd moments]
        (d: joint) The errors $\varepsilon$, $\varepsilon'$ of two coordinates, or of two iterations, with
          independent dithers are independent and uniform at every gradient: if $-\frac12\le s\le\frac12$
          and $-\frac12\le t\le\frac12$, then $$\mathbb P(\varepsilon\le s,\,\varepsilon'\le
          t)=\Big(s+\frac12\Big)\Big(t+\frac12\Big),$$ while the noise itself depends on the gradient
          through the scale, see `ndqsg/finding-scale-dependence`. [proof; exact/pairs of coordinates off
          the law; exact/pairs of iterations off the law]
        """
    ),
    variables=(
        Variable(M, "M", r"\mathbb N", r"levels: the indices are $-M,\dots,M$"),
        Variable(kappa, r"\kappa", r"\mathbb R_{>0}", "transmitted scale"),
        Variable(n, "n", r"\mathbb N", "order of a moment"),
        Variable(g, "g_j", r"\mathbb R", "coordinate of the gradient"),
        Variable(received, r"\hat g_j", r"\mathbb R", "received coordinate"),
        Variable(q, "q", r"\mathbb Z", "index"),
        Variable(u, "u", r"[-\frac12,\frac12)", "dither"),
        Variable(epsilon, r"\varepsilon", r"(-\frac12,\frac12]", "error in steps"),
        Variable(s, "s", r"[-\frac12,\frac12]", "where the distribution function is taken"),
        Variable(t, "t", r"[-\frac12,\frac12]", "the same for the other error"),
        Variable(
            joint,
            r"\mathbb P(\varepsilon\le s,\,\varepsilon'\le t)",
            "[0,1]",
            "joint distribution function of two errors",
        ),
        Variable(p, "p", "[0,1)", "fractional part of the input in steps"),
        Variable(p_other, "p'", "[0,1)", "the same of the other input"),
        Variable(moment, r"\mathbb E|\hat g_j-g_j|^n", r"\mathbb R_{\ge0}", "absolute moment of the noise"),
        Variable(normal, r"\mathbb E|\varepsilon|^n", r"\mathbb R_{\ge0}", "the same in steps"),
        *(
            Variable(
                item,
                r"\mathbb E(\hat g_j-g_j)" + (f"^{order}" if order > 1 else ""),
                r"\mathbb R",
                f"moment of order {order}",
            )
            for order, item in odd.items()
        ),
        Variable(least, r"\varepsilon_-", r"\mathbb R", "least error in steps"),
        Variable(largest, r"\varepsilon_+", r"\mathbb R", "largest error in steps"),
    ),
    hypotheses={
        "sizes": domain(r"$M\ge1$ and $n\ge1$ are integers, $\kappa>0$"),
        "error": definition(r"$\varepsilon=q-u-\frac{Mg_j}\kappa$"),
        "decoding": definition(r"$\hat g_j=\frac\kappa M(q-u)$"),
        "law": definition(
            r"$\mathbb E|\varepsilon|^n=2\frac{2^{1-n}}{4(n+1)}$, "
            r"$\mathbb E|\hat g_j-g_j|^n=\Big(\frac\kappa M\Big)^n\mathbb E|\varepsilon|^n$, "
            r"$\mathbb E(\hat g_j-g_j)=\frac\kappa M\cdot\frac{\varepsilon_+^2-\varepsilon_-^2}2$, "
            r"$\mathbb E(\hat g_j-g_j)^3=\Big(\frac\kappa M\Big)^3\frac{\varepsilon_+^4-\varepsilon_-^4}4$, "
            r"$\mathbb E(\hat g_j-g_j)^5=\Big(\frac\kappa M\Big)^5\frac{\varepsilon_+^6-\varepsilon_-^6}6$, "
            r"since these are integrals over a uniform error"
        ),
        "ends": definition(r"$\varepsilon_-=-\frac12$, $\varepsilon_+=\frac12$"),
        "places": parameter(r"$-\frac12\le s\le\frac12$, $-\frac12\le t\le\frac12$"),
        "two": definition(
            r"$\mathbb P(\varepsilon\le s,\,\varepsilon'\le "
            r"t)=(\min\{1-p,s+\frac12\}"
            r"+\max\{0,s+p-\frac12\})(\min\{1-p',t+\frac12\}+\max\{0,t+p'-\frac12\})$ "
            "(`ndqsg/dq-uniform-error`), since the dithers are independent"
        ),
    },
    notation={r"\varepsilon'": "error of another coordinate or iteration"},
    relations={
        "joint": Relation((joint, (s + HALF) * (t + HALF)), ("=",), under=("places", "two")),
        "received": Relation((received, g + kappa / M * epsilon), ("=",)),
        "moment": Relation((moment, _EXACT), ("=",)),
        "normalised": Relation((normal, _NORMALISED), ("=",)),
        **{f"odd-{order}": Relation((item, 0), ("=",)) for order, item in odd.items()},
    },
    formulas={"exact": _EXACT, "normalised": _NORMALISED},
    worst_cases=cases("""
        order 2 at two levels | kappa = 1, M = 2, n = 2 | 1/48
        order 4 at two levels | kappa = 1, M = 2, n = 4 | 1/1280
        order 6 at two levels | kappa = 1, M = 2, n = 6 | 1/28672
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example({kappa: 3, M: 2, n: 4, g: 1, q: 1, u: Rational(1, 4), s: 0, t: 0, p: 0, p_other: HALF})
    first, second = uniform_distribution(K, p, s), uniform_distribution(K, p_other, t)
    product = ((1, K.given("two")), (distribution(p_other, t), first), (s + HALF, second))
    K.conclude("joint", K.cert(eq(joint, (s + HALF) * (t + HALF)), *product))
    moved = K.cert(
        eq(received, g + kappa / M * epsilon), (1, K.given("decoding")), (-kappa / M, K.given("error"))
    )
    K.conclude("received", moved)
    normalised = K.cert(eq(normal, _NORMALISED), (1, K.given("law")))
    K.conclude("normalised", normalised)
    K.conclude("moment", K.cert(eq(moment, _EXACT), (1, K.given("law", 1)), ((kappa / M) ** n, normalised)))
    ends = [K.given("ends"), K.given("ends", 1)]
    for place, (order, item) in enumerate(odd.items(), 2):
        vanishes = K.cert(eq(item, Integer(0)), (1, K.given("law", place)), using=ends)
        K.conclude(f"odd-{order}", vanishes)
