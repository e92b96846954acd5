r"""`ndqsg/sr-versus-dqsg`: stochastic rounding against subtractive dithering (arXiv 1904.01197)."""

from typing import Any

from sympy import Abs, IndexedBase, Integer, Rational, Sum, floor, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.rounding.rounding import (
    rounding_variance,
    variance_below_level,
    variance_below_quarter,
    variance_nonnegative,
)
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz_roots
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

d, M, s, kappa, norm, j, V, W, V_two, A = symbols("d M s kappa norm j V W V_two A", real=True)
start, stop = symbols("start stop", real=True)
g, b, e, p = symbols("g b e p", cls=IndexedBase, real=True)
ALL = (j, 0, d - 1)
HALF, TWELFTH = Rational(1, 2), Rational(1, 12)


def total(term: Any) -> Sum:
    """Return the sum over the coordinates."""
    return Sum(term, ALL)


LEVEL = M * Abs(g[j]) / kappa
_FINE = s * Abs(g[j]) / norm
_UNIT, _UNIT_TWO = (kappa / M) ** 2, (norm / s) ** 2
_EXACT = _UNIT * total(rounding_variance(LEVEL))
_BOUND = d * kappa**2 / (4 * M**2)
_DQSG = d * kappa**2 / (12 * M**2)
_ONE = kappa * total(Abs(g[j])) - total(g[j] ** 2)
_TWO = _UNIT_TWO * total(rounding_variance(_FINE))


_HYPOTHESES = {
    "sizes": domain(r"$d$, $M$ and $s$ are positive integers"),
    "scales": domain(r"$\kappa>0$, $\|g\|>0$"),
    "phases": definition(r"$p_j=\Big\{\frac{M|g_j|}\kappa\Big\}$"),
    "rounding": definition(
        r"$V=\mathbb E\bigl(\sum_j\frac{\kappa^2}{M^2}(\lfloor\frac M{\kappa}|{g_j}|\rfloor+c_j"
        r"-\frac M{\kappa}|{g_j}|)^2\bigr)$, over independent "
        r"$c_j\sim\mathrm{Bernoulli}(\{\frac M{\kappa}|{g_j}|\})$, $1\le j\le d$"
    ),
    "dithering": definition(
        r"$W=\mathbb E\bigl(\sum_j\frac{\kappa^2e_j^2}{M^2}\bigr)$, over uncorrelated $e_j$, "
        r"$1\le j\le d$, with mean $0$ and variance $\frac1{12}$"
    ),
    "average": definition(
        r"$A=\frac{b^2-a^2}2-\frac{b^3-a^3}3$, $a=0$, $b=1$, since it is an integral over the phase"
    ),
    "euclidean": definition(
        r"$V_2=\mathbb E\bigl(\sum_j\frac{\|g\|^2}{s^2}(\lfloor\frac s{\|g\|}|{g_j}|\rfloor+c_j"
        r"-\frac s{\|g\|}|{g_j}|)^2\bigr)$, over independent "
        r"$c_j\sim\mathrm{Bernoulli}(\{\frac s{\|g\|}|{g_j}|\})$, $1\le j\le d$"
    ),
    "norm": definition(r"$\|g\|^2=\sum_jg_j^2$"),
    "spread": parameter(r"$\frac1{12}<\frac1d\sum_jp_j(1-p_j)$"),
    "concentrated": parameter(r"$\frac1d\sum_jp_j(1-p_j)\le\frac1{12}$"),
    "one": parameter(r"$M=1$"),
    "largest": definition(r"$|g_j|\le\kappa$"),
}

CLAIM = Claim(
    id="ndqsg/sr-versus-dqsg",
    kind="ordering",
    provenance="rederived",
    title="Stochastic rounding against DQSG: between 0 and three times the variance",
    position=12,
    paper=PAPER,
    **statement(
        r"""
        Stochastic rounding sends the same indices as DQSG and does not subtract the dither; let $V$ be the
        variance of its message, $W$ that of DQSG, for one block with scale $\kappa=\|g\|_\infty>0$ and $M$
        levels. $V_2$ is the variance of QSGD, with the Euclidean scale and $s$ levels.
        (a: rounding) With the phases $p_j=\Big\{\frac{M|g_j|}\kappa\Big\}$ $$V=\Big(\frac\kappa
          M\Big)^2\sum_jp_j(1-p_j).$$ [proof; exact/stochastic rounding; exact/probability of rounding up;
          montecarlo/sampled rounding; run/both methods]
        (b: dithering) $W=\frac{d\kappa^2}{12M^2}$ at every gradient. [proof; exact/dithering;
          montecarlo/sampled dithering; adversarial/grid points]
        (c: bound, three) $V\le\frac{d\kappa^2}{4M^2}$, that is $V\le3W$. [proof; exact/at most the bound;
          adversarial/half steps]
        (d: average) On average over the phase rounding has twice the variance: the integral $A$ of the
          variance of a phase, in squared steps, is $A=2\cdot\frac1{12}$. [proof]
        (e: wins) DQSG wins on spread gradients: if $\frac1{12}<\frac1d\sum_jp_j(1-p_j)$, then $W<V$.
          [proof; exact/dithering]
        (f: loses) It never wins on others: if $\frac1d\sum_jp_j(1-p_j)\le\frac1{12}$, then $V\le W$.
          [proof; exact/dithering]
        (g: one-level) At $M=1$ stochastic rounding has $V=\kappa\sum_j|g_j|-\sum_jg_j^2$. [proof; exact/one
          level]
        (h: euclidean) QSGD has $$V_2=\Big(\frac{\|g\|}s\Big)^2\sum_j\Big\{\frac{s|g_j|}{\|g\|}\Big\}\
          \Big(1-\Big\{\frac{s|g_j|}{\|g\|}\Big\}\Big).$$ [proof; exact/QSGD]
        (i: fine, coarse) So $V_2\le\frac d{s^2}\|g\|^2$ and $V_2\le\frac{\sqrt d}s\|g\|^2$. [proof;
          exact/fine bound; exact/coarse bound]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(M, "M", r"\mathbb N", r"levels: the indices are $-M,\dots,M$"),
        Variable(s, "s", r"\mathbb N", "levels of QSGD"),
        Variable(kappa, r"\kappa", r"\mathbb R_{>0}", r"$\|g\|_\infty$"),
        Variable(norm, r"\|g\|", r"\mathbb R_{>0}", "Euclidean norm"),
        Variable(g, "g", r"\mathbb R^d", "gradient", "(d,)"),
        Variable(p, "p", r"[0,1)^d", "phases", "(d,)"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "variance of stochastic rounding"),
        Variable(W, "W", r"\mathbb R_{\ge0}", "variance of DQSG"),
        Variable(V_two, "V_2", r"\mathbb R_{\ge0}", "variance of QSGD"),
        Variable(A, "A", r"\mathbb R", "average over the phase"),
        Variable(start, "a", r"\mathbb R", "first phase"),
        Variable(stop, "b", r"\mathbb R", "last phase"),
        Variable(b, "c", r"\{0,1\}^d", "bits of rounding", "(d,)"),
        Variable(e, "e", r"\mathbb R^d", "errors in steps", "(d,)"),
    ),
    hypotheses=_HYPOTHESES,
    relations={
        "rounding": Relation((V, _UNIT * total(p[j] * (1 - p[j]))), ("=",)),
        "dithering": Relation((W, _DQSG), ("=",)),
        "bound": Relation((V, _BOUND), ("<=",)),
        "three": Relation((V, 3 * W), ("<=",)),
        "average": Relation((A, 2 * TWELFTH), ("=",)),
        "wins": Relation((W, V), ("<",), under=("spread",)),
        "loses": Relation((V, W), ("<=",), under=("concentrated",)),
        "one-level": Relation((V, _ONE), ("=",), under=("one",)),
        "euclidean": Relation((V_two, _TWO), ("=",)),
        "fine": Relation((V_two, d / s**2 * norm**2), ("<=",)),
        "coarse": Relation((V_two, sqrt(d) / s * norm**2), ("<=",)),
    },
    formulas={
        "bound": _BOUND,
        "exact": _EXACT,
        "dqsg": _DQSG,
        "one_level": _ONE,
        "euclidean": _TWO,
        "euclidean_fine": d / s**2 * norm**2,
        "euclidean_coarse": sqrt(d) / s * norm**2,
    },
    internal={"exact": "part (a), with the phases written out"},
    worst_cases=cases("""
        one level | g = (3, -1, 1/2, 0), kappa = 3, M = 1, d = 4 | 13/4
        one coordinate 1 and half steps elsewhere: nine quarters of DQSG | g = (1, 1/2, 1/2, 1/2),
          kappa = 1, M = 1, d = 4 | 3/4
        a point of the grid: no error at all | g = (1, 0, 0, 0), kappa = 1, M = 1, d = 4 | 0
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    shape = {d: 2, M: 1, s: 2, kappa: 4}
    K.example({**shape, norm: 5, g: (3, 4)})
    K.example({d: 2, M: 1, s: 2, kappa: 5, norm: 5, g: (3, 4)})
    K.example({d: 2, M: 1, s: 2, kappa: 12, norm: 13, g: (5, 12)})
    K.example({d: 2, M: 2, s: 2, kappa: 12, norm: 13, g: (12, 5)})
    K.example({d: 3, M: 1, s: 2, kappa: 2, norm: 3, g: (1, 2, 2)})
    K.index(ALL)
    K.know(K.every(variance_nonnegative(K, LEVEL), ALL), K.every(variance_nonnegative(K, _FINE), ALL))
    phase = K.at(K.given("phases"), j)
    term = p[j] * (1 - p[j])
    same = K.sum_over(K.rewrite(K.identity(term, term), phase, "right"), ALL)
    exact = K.cert(eq(V, _EXACT), (1, K.given("rounding")))
    rounding = K.cert(eq(V, _UNIT * total(term)), (1, exact), (-_UNIT, same))
    K.conclude("rounding", rounding)
    dithering = K.cert(eq(W, _DQSG), (1, K.given("dithering")))
    K.conclude("dithering", dithering)
    quarter = K.sum_over(variance_below_quarter(K, LEVEL), ALL)
    bound = K.cert(le(V, _BOUND), (1, exact), (_UNIT, quarter))
    K.conclude("bound", bound)
    K.conclude("three", K.cert(le(V, 3 * W), (1, bound), (-3, dithering)))
    ends = [K.given("average", 1), K.given("average", 2)]
    K.conclude("average", K.cert(eq(A, 2 * TWELFTH), (1, K.given("average")), using=ends))
    wins = K.cert(lt(W, V), (1, dithering), (-1, rounding), (_UNIT * d, K.given("spread")))
    K.conclude("wins", wins)
    loses = K.cert(le(V, W), (-1, dithering), (1, rounding), (_UNIT * d, K.given("concentrated")))
    K.conclude("loses", loses)
    parabolas = K.sum_over(_one_level(K), ALL)
    one = K.cert(eq(V, _ONE), (1, exact), (kappa**2, parabolas), using=[K.given("one")])
    K.conclude("one-level", one)
    _euclidean(K)


def _one_level(K: Any) -> Any:
    """Return the variance at a level of at most 1: it is u (1 - u), also at 1."""
    u = Abs(g[j]) / kappa
    goal = eq(rounding_variance(u), u * (1 - u))
    one, over = K.axiom("floor-unique", u, Integer(1)), K.axiom("max-is-right", Integer(1), u)
    below = K.cert(lt(u, 2), (1 / kappa, K.at(K.given("largest"), j)))
    one = K.discharge(one, below)
    at_one = K.cert(eq(u, 1), (-1, over), (1, K.axiom("max-is-right", u, Integer(1))))
    largest = K.cert(goal, (2 * u - 2 - floor(u), one), (2, at_one))
    zero = K.axiom("floor-unique", u, Integer(0))
    return K.cases(1 - u, largest, K.cert(goal, (2 * u - 1 - floor(u), zero)))


def _euclidean(K: Any) -> None:
    """Prove the variance of QSGD and its two bounds."""
    exact = K.cert(eq(V_two, _TWO), (1, K.given("euclidean")))
    K.conclude("euclidean", exact)
    quarter = K.sum_over(variance_below_quarter(K, _FINE), ALL)
    fine = le(V_two, d / s**2 * norm**2)
    K.conclude("fine", K.cert(fine, (1, exact), (_UNIT_TWO, quarter), (_UNIT_TWO * d, Rational(3, 4))))
    level = K.sum_over(variance_below_level(K, _FINE, K.sign(le(0, _FINE))), ALL)
    product = cauchy_schwarz_roots(K, Abs(g[j]), Integer(1), ALL)
    root = K.axiom("abs-of-nonnegative", norm)
    roots = K.power(K.cert(le(total(g[j] ** 2), norm**2), (-1, K.given("norm"))), HALF)
    coarse, scale = le(V_two, sqrt(d) / s * norm**2), norm / s * sqrt(d)
    terms = ((1, exact), (_UNIT_TWO, level), (norm / s, product), (scale, roots), (scale, root))
    K.conclude("coarse", K.cert(coarse, *terms))
