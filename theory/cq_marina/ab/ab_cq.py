r"""`cq_marina/ab-cq`: an AB pair of the correlated quantizer (arXiv 2401.05518)."""

from typing import Any

from sympy import Integer, Sum, floor

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.ab import correlated_proofs as proofs
from theory.cq_marina.ab.correlated_pairs import (
    A_1,
    B_1,
    B_EQUAL,
    B_UNEQUAL,
    BOUND,
    CLIENTS,
    COMMON,
    COORDINATES,
    EXACT,
    HALF,
    HYPOTHESES,
    INDEPENDENT,
    LARGER,
    LEVEL,
    REFINED,
    A,
    B,
    M,
    Q,
    V,
    c,
    cov,
    d,
    e,
    h,
    i,
    j,
    kappa,
    l,
    m,
    n,
    o,
    r,
    s_2,
    u,
    w,
    x,
    x_0,
)
from theory.cq_marina.paper import PAPER
from theory.facts.rounding.rounding import halfway
from theory.formula import eq, le, lt
from theory.indicator import INDICATOR
from theory.statement import statement
from theory.worst_cases import cases

CLAIM = Claim(
    id="cq_marina/ab-cq",
    kind="tight",
    provenance="derived",
    title="Correlated quantization of vectors: an AB pair for any norms and directions, attained twice",
    position=14,
    paper=PAPER,
    **statement(
        r"""
        Client $i$ holds $a_i\in\mathbb R^d$ with the norm $c_i$ and the direction $u_i$. CQ-bin sends the
        norm in coordinate $j$ where its stratified threshold is below half of one plus $u_{ij}$, else minus
        the norm; permutations of the coordinates and jitters of the clients are independent. A zero vector
        is sent as zero and keeps its place in every permutation. $V$ is the variance of the mean of the
        messages, $M$ the mean of the squared norms of the inputs, $m$ the squared norm of their mean.
        (a: upper) For $n\ge2$ and all inputs, whatever their norms and directions, $$V\le AM-Bm,\qquad
          A=\frac d{n^2}+B,\qquad B=\max\Big\{\frac{n-2}{2(n-1)},\frac dn-\frac1{n-1}\Big\}.$$ [proof;
          exact/error; exact/enumerated error; exact/enumerated bound; exact/largest ratio;
          adversarial/searched ratio; montecarlo/strata of two coordinates; montecarlo/jitter of two
          clients]
        (b: refined) More precisely, with $Q=\frac1{2n^2}\sum_{i,l}(c_i-c_l)^2$, $$V\le\frac
          d{n^2}M+\frac{n-2}{2(n-1)}(M-m)+\frac{d(1-\frac1n)-\frac n2}{n-1}Q.$$ [proof; exact/sum of
          covariances; exact/refined]
        (c: spread) There $0\le Q\le M-m$. [proof; exact/norms and distances]
        (d: independent) Besides $V\le\frac{d-1}nM$, the variance with independent thresholds. [proof;
          exact/independent thresholds; exact/independent thresholds of many inputs]
        (e: attained) The pair is attained at equal inputs, $c_i=r$ and $u_{ij}=e_j$ for all clients, whose
          levels are halfway, $\{\frac n2(1+e_j)\}=\frac12$ in every coordinate: $$V=AM-Bm.$$ [proof;
          exact/attained]
        (f: odd-unit, odd-half) Such inputs <<exist for even $n=2h$ and $d\le n^2\le9d$ with $d\equiv n^2$
          modulo 8 -> exact/attained>>: entries one and three over $n$, $e_j=\frac{2o_j+1}n$ with
          $o_j^2=o_j$ and $8\sum_jo_j=n^2-d$, have $\sum_je_j^2=1$ and $\{\frac n2(1+e_j)\}=\frac12$; <<here
          $a_i=(3,1,\dots,1)$ -> exact/attained>>. [proof; exact/attained]
        (g: alone) If $c_ic_l=0$ for different clients, so one nonzero client at most, $$V=\frac{d-1}nM.$$
          [proof; exact/attained]
        (h: regime) If also $\frac n2\le d(1-\frac1n)$, that is the bound of (a): $$\frac{d-1}nM=AM-Bm.$$
          [proof; exact/attained]
        (i: smallest) So no pair with the same difference has a smaller second constant: under these
          conditions $0<M$, $V\le A_1M-B_1m$ and $A_1=\frac d{n^2}+B_1$ give $B\le B_1$. [proof]
        (j: common) If all clients quantize with one interval of length $w$ in place of their norms,
          $c_i=\frac w2$ and entries measured from its middle, in any dimension
          $$V\le\frac{dw^2}{4n^2}+\frac{n-2}{2(n-1)}(M-m).$$ [proof; exact/common scale]
        (k: equal-norms) Inputs of equal norms $c_i=\frac w2$ have $V\le\frac
          d{n^2}M+\frac{n-2}{2(n-1)}(M-m)$. [proof]
        (l: line) For $d=1$, bits on an interval of length $w$ for inputs $x_i$ in it, with
          $s^2=\frac1n\sum_i\Big(x_i-\frac1n\sum_lx_l\Big)^2$,
          $$V\le\frac{w^2}{4n^2}+\frac{n-2}{2(n-1)}s^2.$$ [proof; exact/bits on an interval]
        (m: two) For $d=1$ and $n=2$ it is $V\le\frac{w^2}{16}$ whatever the inputs. [proof; exact/two
          clients]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(c, "c", r"\mathbb R^n_{\ge0}", "scales of the clients", "(n,)"),
        Variable(u, "u", r"[-1,1]^{n\times d}", "inputs over scales", "(n,d)"),
        Variable(
            cov, r"\mathrm{Cov}", r"\mathbb R^{n\times n\times d}", "covariances of the bits", "(n,n,d)"
        ),
        INDICATOR,
        Variable(kappa, r"\kappa", r"[0,1]^{n\times n\times d}", "terms of common cells", "(n,n,d)"),
        Variable(A, "A", r"\mathbb R_{\ge0}", "first constant"),
        Variable(B, "B", r"\mathbb R_{\ge0}", "second constant"),
        Variable(A_1, "A_1", r"\mathbb R", "first constant of another pair"),
        Variable(B_1, "B_1", r"\mathbb R", "its second constant"),
        Variable(M, "M", r"\mathbb R_{\ge0}", "mean of the squared norms of the inputs"),
        Variable(m, "m", r"\mathbb R_{\ge0}", "squared norm of the mean of the inputs"),
        Variable(Q, "Q", r"\mathbb R_{\ge0}", r"$\frac1{2n^2}\sum_{i,l}(c_i-c_l)^2$"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "variance of the mean of the messages"),
        Variable(r, "r", r"\mathbb R_{\ge0}", "norm of equal inputs"),
        Variable(e, "e", r"[-1,1]^d", "direction of equal inputs", "(d,)"),
        Variable(o, "o", r"\mathbb Z^d", "integers", "(d,)"),
        Variable(h, "h", r"\mathbb N", "half the number of clients"),
        Variable(w, "w", r"\mathbb R_{\ge0}", "length of the interval"),
        Variable(x, "x", r"\mathbb R^n", "inputs on a line", "(n,)"),
        Variable(s_2, "s^2", r"\mathbb R_{\ge0}", "their spread"),
        Variable(x_0, "x_0", r"\mathbb R", "middle of the interval"),
    ),
    notation={"a_{#1}": "an input", "U_{#1}": "thresholds"},
    hypotheses=HYPOTHESES,
    formulas={
        "A": d / n**2 + LARGER,
        "B": LARGER,
        "bound": BOUND,
        "exact": EXACT,
        "A_independent": INDEPENDENT,
        "refined": REFINED,
        "common": COMMON,
        "one_dimension": w**2 / (4 * n**2) + B_EQUAL * s_2,
        "two_clients": w**2 / 16,
    },
    internal={
        "A": "the definition of $A$ with that of $B$ put in",
        "B": "the definition of $B$",
        "exact": "the hypotheses on $V$ put together",
    },
    worst_cases=cases("""
        equal inputs on the odd multiples: attained | n = 4, d = 8, a = 4 * ((3,) + 7 * (1,),), M = 16, m = 16
          | 8
        one nonzero client among three: attained | n = 3, d = 4, a = ((1, 0, 0, 0), 4 * (0,), 4 * (0,)),
          M = 1/3, m = 1/9 | 1/3
        one nonzero client of two | n = 2, d = 5, a = ((1,) + 4 * (0,), 5 * (0,)), M = 1/2, m = 1/4 | 1
    """),
    relations={
        "upper": Relation((V, BOUND), ("<=",), under=("unit",)),
        "refined": Relation((V, REFINED), ("<=",), under=("unit",)),
        "spread": Relation((Integer(0), Q, M - m), ("<=", "<="), under=("unit",)),
        "independent": Relation((V, INDEPENDENT * M), ("<=",), under=("unit",)),
        "attained": Relation((V, BOUND), ("=",), under=("unit", "same", "half")),
        "odd-unit": Relation((Sum(e[j] ** 2, COORDINATES), 1), ("=",), under=("odd",)),
        "odd-half": Relation((LEVEL - floor(LEVEL), HALF), ("=",), every=(COORDINATES,), under=("odd",)),
        "alone": Relation((V, INDEPENDENT * M), ("=",), under=("unit", "alone")),
        "regime": Relation((INDEPENDENT * M, BOUND), ("=",), under=("unit", "alone", "wide")),
        "smallest": Relation((B, B_1), ("<=",), under=("unit", "alone", "wide", "other")),
        "common": Relation((V, COMMON), ("<=",), under=("common",)),
        "equal-norms": Relation((V, d / n**2 * M + B_EQUAL * (M - m)), ("<=",), under=("unit", "common")),
        "line": Relation((V, w**2 / (4 * n**2) + B_EQUAL * s_2), ("<=",), under=("common", "line", "bits")),
        "two": Relation((V, w**2 / 16), ("<=",), under=("common", "line", "two")),
    },
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(CLIENTS, COORDINATES)
    proofs.examples(K)
    K.know(K.cert(lt(0, n - 1), (1, K.given("sizes", 1))), K.cert(le(0, n - 2), (1, K.given("sizes", 1))))
    K.know(K.sign(lt(0, n * (n - 1))))
    K.know(K.at(K.given("sizes", 4), i), K.at(K.given("sizes", 4), l))
    kernel, correlated = proofs.pair(K)
    bounded = proofs.summed(K, kernel)
    norms, products = proofs.units(K)
    refined = proofs.refined(K, bounded, norms, products)
    K.conclude("refined", refined)
    spread = proofs.norm_spread(K, norms, products)
    K.conclude("spread", *spread)
    left, right = (K.axiom(name, B_EQUAL, B_UNEQUAL) for name in ("max-above-left", "max-above-right"))
    below = K.given("constants")
    above = [
        K.cert(le(item, B), (1, axiom), (-1, below)) for item, axiom in ((B_EQUAL, left), (B_UNEQUAL, right))
    ]
    proofs.independent(K, correlated, norms)
    proofs.attained(K, norms)
    _odd(K)
    proofs.one_client(K, norms)
    proofs.one_scale(K, bounded, refined, norms)
    gap = K.cert(le(0, M - m - Q), (1, spread[1]))
    K.know(gap, spread[0])
    K.conclude(
        "upper",
        K.cert(
            le(V, BOUND), (1, refined), (M - m - Q, above[0]), (Q, above[1]), (-M, K.given("constants", 1))
        ),
    )


def _odd(K: Any) -> None:
    """Unit vectors of odd multiples of 1/n, all of them one or three, have levels halfway."""
    K.know(K.given("odd"), K.given("odd", 2))
    even, entry, own = K.given("odd", 1), K.at(K.given("odd", 3), j), K.at(K.given("odd", 4), j)
    square = K.cert(eq(e[j] ** 2, (1 + 8 * o[j]) / n**2), (e[j] + (2 * o[j] + 1) / n, entry), (4 / n**2, own))
    K.conclude(
        "odd-unit",
        K.cert(
            eq(Sum(e[j] ** 2, COORDINATES), 1),
            (1, K.sum_over(square, COORDINATES)),
            (1 / n**2, K.given("odd", 5)),
        ),
    )
    same = K.cert(eq(LEVEL, h + o[j] + HALF), (n / 2, entry), (HALF, even))
    K.conclude("odd-half", K.every(halfway(K, LEVEL, h + o[j], same), COORDINATES))
