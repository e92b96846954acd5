r"""`ndqsg/finding-silent-desync`: a desynchronised dither in noisy training (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

s, D, p, c, one, v, w, mean, average = symbols("s D p c one v w mean average", real=True)
E_plain, E_off = symbols("E_plain E_off", real=True)
b = IndexedBase("b", real=True)
HALF, TWELFTH = Rational(1, 2), Rational(1, 12)

_EXACT = (s + 12 * D * (p * (1 - p) + TWELFTH)) / (s + D)
_BOUND = (s + 4 * D) / (s + D)
_AVERAGE = (s + 3 * D) / (s + D)


CLAIM = Claim(
    id="ndqsg/finding-silent-desync",
    kind="finding",
    provenance="derived",
    title="A desynchronised dither leaves DQSG unbiased, and its variance is lost where gradients are noisy",
    position=8,
    paper=PAPER,
    **statement(
        r"""
        DQSG, no messages nested: sender and receiver use independent dithers instead of the same one. Let
        $s$ be the variance of a worker's gradient per coordinate, $D>0$ the error variance of a synchronous
        pair, a twelfth of the squared step, and $p$ the phase of a coordinate, in steps. The gradient
        estimate has the variance $v$ with a synchronous pair and $w$ without.
        (a: unbiased) Messages stay unbiased: rounding up with probability $p$ and down otherwise has a mean
          error $\mu=0$, and so has the receiver's own dither. [proof; exact/bias]
        (b: ratio) The variance grows by $$\frac wv=\frac{s+12D\Big(p(1-p)+\frac1{12}\Big)}{s+D}.$$ [proof;
          exact/ratio]
        (c: bound) That is $\frac wv\le\frac{s+4D}{s+D}$ at every phase. [proof; exact/bound; run/noisy
          training]
        (d: average) On average over the phase it is $A=\frac{s+3D}{s+D}$. [proof; exact/average]
        (e: small-average, small-worst) If $18D\le s$, then $A\le1+\frac2{19}$ on average and $\frac
          wv\le1+\frac3{19}$ at the worst phase. [proof]
        (f: stationary) The stationary error $V$ of SGD on a quadratic is proportional to the variance: if
          $V=c^2V+v$, $V'=c^2V'+w$ and $c^2\ne1$, then $vV'=wV$. [proof]
        (g: larger) The errors themselves have a larger variance off the grid, $0<p$:
          $D<12D\Big(p(1-p)+\frac1{12}\Big)$. [proof]
        (h) What holds instead: a test of the law of the errors at three inputs together shows it, two of
          which are off the grid, and the wire protocol refuses such messages (`ndqsg/protocol-desync`).
          [montecarlo/law of the errors]
        """
    ),
    variables=(
        Variable(s, "s", r"\mathbb R_{\ge0}", "variance of a worker's gradient per coordinate"),
        Variable(D, "D", r"\mathbb R_{>0}", "error variance of a synchronous pair"),
        Variable(p, "p", "[0,1)", "fractional part of the input in units of the step"),
        Variable(v, "v", r"\mathbb R_{>0}", "variance of the estimate, synchronous"),
        Variable(w, "w", r"\mathbb R_{>0}", "variance of the estimate, desynchronised"),
        Variable(mean, r"\mu", r"\mathbb R", "mean error of rounding"),
        Variable(average, "A", r"\mathbb R_{>0}", "average of the ratio over the phase"),
        Variable(c, "c", r"\mathbb R", "contraction factor of SGD"),
        Variable(E_plain, "V", r"\mathbb R_{\ge0}", "stationary error, synchronous"),
        Variable(E_off, "V'", r"\mathbb R_{\ge0}", "stationary error, desynchronised"),
        Variable(b, "b", r"\{0,1\}", "bit of rounding", "(1,)"),
    ),
    hypotheses={
        "signs": domain(r"$s\ge0$, $D>0$, $0\le p<1$"),
        "estimates": definition(
            r"$v=D+s$; $w=12D(\frac1{12}+\mathbb E\bigl((b-p)^2\bigr))+s$, over "
            r"$b\sim\mathrm{Bernoulli}(p)$"
        ),
        "mean": definition(r"$\mu=\mathbb E\bigl(b-p\bigr)$, over $b\sim\mathrm{Bernoulli}(p)$"),
        "average": definition(
            r"$A(s+D)=s+12D\Big(\frac12-\frac13+\frac1{12}\Big)$, since it is an integral over the phase"
        ),
        "off-grid": parameter("$0<p$"),
        "noisy": parameter(r"$18D\le s$"),
        "recursion": parameter(r"$V=c^2V+v$, $V'=c^2V'+w$, $c^2\ne1$"),
    },
    relations={
        "unbiased": Relation((mean, 0), ("=",)),
        "ratio": Relation((w / v, _EXACT), ("=",)),
        "bound": Relation((w / v, _BOUND), ("<=",)),
        "average": Relation((average, _AVERAGE), ("=",)),
        "small-average": Relation((average, 1 + Rational(2, 19)), ("<=",), under=("noisy",)),
        "small-worst": Relation((w / v, 1 + Rational(3, 19)), ("<=",), under=("noisy",)),
        "larger": Relation((D, 12 * D * (p * (1 - p) + TWELFTH)), ("<",), under=("off-grid",)),
        "stationary": Relation((v * E_off, w * E_plain), ("=",), under=("recursion",)),
    },
    formulas={"bound": _BOUND, "exact": _EXACT, "average": _AVERAGE},
    worst_cases=cases("""
        no worker noise, half a step: four times | s = 0, D = 1/12, p = 1/2 | 4
        much worker noise: silent | s = 19/12, D = 1/12, p = 1/2 | 23/20
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example({s: 36, D: 2, p: Rational(1, 4), c: HALF, average: Rational(21, 19)})
    K.example({s: 36, D: 2, p: Rational(1, 4), c: HALF, E_plain: Rational(152, 3), E_off: Rational(170, 3)})
    K.know(K.cert(le(0, p * (1 - p)), (p, 1 - p)))
    K.conclude("unbiased", K.cert(eq(mean, Integer(0)), (1, K.given("mean"))))
    plain, other = K.given("estimates"), K.given("estimates", 1)
    positive = K.cert(lt(0, v), (-1, plain), (1, s), (1, K.given("signs", 1)))
    K.know(positive)
    ratio = K.cert(eq(w / v, _EXACT), using=[plain, other])
    K.conclude("ratio", ratio)
    bound = K.cert(le(w / v, _BOUND), (1, ratio), (12 * D / (s + D), (p - HALF) ** 2))
    K.conclude("bound", bound)
    average_value = K.cert(eq(average, _AVERAGE), (1 / (s + D), K.given("average")))
    K.conclude("average", average_value)
    K.know(K.given("noisy"))
    for name, start, value, extra in (
        ("small-average", average_value, average, 2),
        ("small-worst", bound, w / v, 3),
    ):
        goal = le(value, 1 + Rational(extra, 19))
        found = K.cert(goal, (1, start), (Rational(extra, 19) / (s + D), K.given("noisy")))
        K.conclude(name, found)
    K.know(K.given("off-grid"))
    K.conclude("larger", K.cert(lt(D, 12 * D * (p * (1 - p) + TWELFTH)), (12 * D * p, K.given("signs", 3))))
    first, second = K.given("recursion"), K.given("recursion", 1)
    K.conclude("stationary", K.cert(eq(v * E_off, w * E_plain), (-E_off, first), (E_plain, second)))
