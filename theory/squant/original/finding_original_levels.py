r"""`squant/finding-original-levels`: levels and constant of the original baseline (arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Integer, Min, Rational, Sum, floor, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.expectation import bernoulli
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.public_constant import PublicConstant, Words
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

n, d, s, V, M, omega, N, j, k = symbols("n d s V M omega N j k", real=True)
a, p, b = symbols("a p b", cls=IndexedBase, real=True)
OVER, TAIL = (j, 0, d - 1), (j, 1, d - 1)
LEVELS = floor(sqrt(d) / n)
SHARP = (sqrt(d) - 1) / 2
USED = Min(d / s**2, sqrt(d) / s)
_HALF = Rational(1, 2)
_LATER = M / (1 + sqrt(d))
_ROUNDED = bernoulli((M * b[0] - a[j]) ** 2, b, (k, 0, 0), p=p[j])

CLAIM = Claim(
    id="squant/finding-original-levels",
    kind="finding",
    provenance="derived",
    title="Below n^2 dimensions the original baseline has no level, above it the constant of another norm",
    position=29,
    paper=PAPER,
    **statement(
        r"""
        Public code of the experiments gives the baseline $s=\lfloor\sqrt d/n\rfloor$ levels of the largest
        magnitude $M$, in the first coordinate here, and takes the constant $\omega=\min\Big\{\frac
        d{s^2},\frac{\sqrt d}s\Big\}$, which belongs to the Euclidean norm. $V$ is the variance with one
        level: $|x_j|$ becomes $M$ with probability $p_j$, else zero.
        (a: none) For $d<n^2$ there is no level, $s=0$, <<and our protocol refuses it: the step is a division
          by zero -> exact/refused>>. [proof; exact/number of levels; exact/refused]
        (b: some) For $n^2\le d$ there is one, $1\le s$. [proof; exact/number of levels;
          exact/levels of our protocol]
        (c: used) At $s=1$ the constant in use is $\omega=\sqrt d$. [proof; exact/constant in use]
        (d: sharp) With one level of the largest magnitude $$V\le\frac{\sqrt d-1}2\sum_jx_j^2.$$ [proof;
          exact/variance; adversarial/largest variance]
        (e: attained) <<It is attained at one size of all magnitudes but the largest -> exact/attained>>:
          for $|x_j|=\frac M{1+\sqrt d}$ but at the first one $$V=\frac{\sqrt d-1}2\sum_jx_j^2.$$ [proof;
          exact/attained]
        (f: loose) So at one level the constant in use is more than twice as large as is needed,
          $$2\cdot\frac{\sqrt d-1}2<\sqrt d;$$ <<at $d=60$ -> exact/splice>> {value:used,2} against
          {value:sharp,2}. [proof; exact/splice]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of nodes"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(s, "s", r"\mathbb N_0", "number of levels"),
        Variable(omega, r"\omega", r"\mathbb R_{\ge0}", "constant in use"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "variance of a message"),
        Variable(M, "M", r"\mathbb R_{\ge0}", "largest magnitude"),
        Variable(a, "|x_{#1}|", r"\mathbb R^d_{\ge0}", "magnitudes, the largest one first", "(d,)"),
        Variable(N, r"\sum_jx_j^2", r"\mathbb R_{\ge0}", "squared norm"),
        Variable(p, "p", "[0,1]^d", "probabilities", "(d,)"),
        Variable(b, "b", r"\{0,1\}", "whether a coordinate is sent", "(1,)"),
    ),
    hypotheses={
        "sizes": domain("$n$ and $d$ are positive integers"),
        "levels": definition(r"$s=\lfloor\sqrt d/n\rfloor$"),
        "constant": definition(r"$\omega=\min\Big\{\frac d{s^2},\frac{\sqrt d}s\Big\}$"),
        "first": definition(r"$|x_1|=M$, $M\ge0$"),
        "norm": definition(r"$\sum_jx_j^2=\sum_j|x_j|^2$"),
        "range": domain(r"$0\le p_j\le1$"),
        "probabilities": definition("$Mp_j=|x_j|$"),
        "variance": definition(
            r"$V=\sum_j\mathbb E\bigl((Mb-|x_j|)^2\bigr)$, over $b\sim\mathrm{Bernoulli}(p_j)$"
        ),
        "few": parameter("$d<n^2$"),
        "many": parameter(r"$n^2\le d$"),
        "one": parameter("$s=1$"),
        "equal": parameter(r"$|x_j|=\frac M{1+\sqrt d}$ for $j>1$"),
    },
    relations={
        "none": Relation((s, 0), ("=",), under=("few",)),
        "some": Relation((1, s), ("<=",), under=("many",)),
        "used": Relation((omega, sqrt(d)), ("=",), under=("one",)),
        "sharp": Relation((V, SHARP * N), ("<=",)),
        "attained": Relation((V, SHARP * N), ("=",), under=("equal",)),
        "loose": Relation((2 * SHARP, sqrt(d)), ("<",)),
    },
    formulas={"bound": SHARP, "exact": SHARP, "levels": LEVELS, "used": USED},
    internal={"levels": "the definition of the levels", "used": "the definition of the constant in use"},
    values={"used": sqrt(60), "sharp": (sqrt(60) - 1) / 2},
    worst_cases=cases(r"""
        nine coordinates, the others a quarter of the first one | d = 9 | 1
    """),
    public=(
        PublicConstant(
            code="bokun-wang/Paper_9107_code at 144c6f3",
            of="variance constant of one level of the largest magnitude",
            theirs="used",
            ours="exact",
            right="both",
            part="f",
            at="d = 60, s = 1",
        ),
        PublicConstant(
            code="bokun-wang/Paper_9107_code at 144c6f3",
            of="levels of the baseline below the square of the number of nodes",
            theirs="levels",
            ours=Words("one level, where it is asked for"),
            right="neither",
            part="a",
            at="d = 24, n = 6",
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(OVER)
    K.example({n: 6, d: 24, M: 0, s: 1})
    K.example({n: 2, d: 9, M: 4, a: (4, *(1,) * 8), p: (1, *(Rational(1, 4),) * 8), N: 24, V: 24, s: 1})
    _levels(K)
    dimension = K.cert(le(1, d), K.given("sizes", 3))
    root = K.cert(le(1, sqrt(d)), K.power(dimension, _HALF))
    order = K.cert(le(sqrt(d), d), (sqrt(d), root))
    smaller = K.discharge(K.axiom("min-is-left", sqrt(d), d), order)
    K.show("used", smaller, using=["constant", "one"])
    K.show("loose")
    _variance(K)


def _levels(K: Any) -> None:
    below = K.cert(lt(sqrt(d), n), K.given("few"), squared=True)
    inside = K.cert(lt(sqrt(d) / n, 1), (1 / n, below))
    K.show("none", "levels", K.discharge(K.axiom("floor-unique", sqrt(d) / n, Integer(0)), inside))
    above = K.cert(le(n, sqrt(d)), K.given("many"), squared=True)
    level = K.floor(K.cert(le(1, sqrt(d) / n), (1 / n, above)))
    K.show("some", "levels", level)


def _variance(K: Any) -> None:
    """Each entry but the largest spends at most its share of the square of the largest."""
    entry = K.cert(
        eq(_ROUNDED, M * a[j] - a[j] ** 2),
        (1, K.identity(_ROUNDED, M**2 * p[j] - 2 * M * a[j] * p[j] + a[j] ** 2)),
        (M - 2 * a[j], K.at("probabilities", j)),
    )
    total = Sum(M * a[j] - a[j] ** 2, OVER)
    split, squares = K.split_off(total, 0), K.split_off(Sum(a[j] ** 2, OVER), 0)
    rest = Sum((a[j] - _LATER) ** 2, TAIL)
    exact = K.cert(
        eq(V, SHARP * N - (1 + SHARP) * rest),
        (1, K.given("variance")),
        (1, K.sum_over(entry, OVER)),
        (1, split),
        (-SHARP, K.given("norm")),
        (-SHARP, squares),
        (M - (1 + sqrt(d)) / 2 * (a[0] + M), K.given("first")),
    )
    K.show("sharp", exact, (1 + SHARP, rest))
    equal = K.cert(eq((a[j] - _LATER) ** 2, 0), (a[j] - _LATER, K.at("equal", j)))
    K.show("attained", exact, K.sum_over(equal, TAIL))
