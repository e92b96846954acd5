r"""`cq_marina/cq-dominates-iq`: correlation never increases the variance (arXiv 2401.05518)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, Symbol, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.paper import PAPER
from theory.cq_marina.quantizer import stratified as law
from theory.cq_marina.quantizer.stratified import (
    AFTER,
    BEFORE,
    CLIENTS,
    LATER,
    OWN,
    STRATA,
    V,
    c,
    cov,
    i,
    k,
    l,
    mean,
    n,
    phi,
    y,
)
from theory.facts.rounding.stratified_shares import share, shares_ordered
from theory.facts.sums.chebyshev_sum import chebyshev_sum
from theory.formula import eq, le, lt
from theory.hypotheses import definition, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, j, V_CQ, V_IQ = symbols("d j V_CQ V_IQ", real=True)
v, w = IndexedBase("v", real=True), IndexedBase("w", real=True)
COORDINATES = (j, 0, d - 1)

_BOUND = Sum(c[i] ** 2 * OWN, CLIENTS)
_HALF = Rational(1, 2)

CLAIM = Claim(
    id="cq_marina/cq-dominates-iq",
    kind="ordering",
    provenance="derived",
    title="The variance of correlated quantization is never above that of independent quantization",
    position=3,
    paper=PAPER,
    **statement(
        r"""
        Client $i$, counted from 0, has the bit $b_i=\mathbf 1[U_i<y_i]$ with the stratified threshold
        $U_i=(\pi_i+u_i)/n$: $\pi$ is one uniformly random permutation of $\{0,\dots,n-1\}$, the $u_i$ are
        independent and uniform in $[0,1)$. $\mathrm{Cov}_{il}$ is the covariance of $b_i$ and $b_l$.
        $V_{CQ}$ and $V_{IQ}$ are the variances of the mean of the vectors $a_1,\dots,a_n\in\mathbb R^d$
        quantized with stratified and with independent thresholds: the sums over the coordinates of the
        variances of $\sum_ic_ib_i$, over the squared number of clients, with $c_i=2\|a_i\|$ on the binary
        and $c_i=\|a_i\|$ on the ternary grid.
        (a: covariance) For $n\ge2$ and $y\in[0,1]^n$ the covariance of the bits of two clients (it is
          symmetric) is $$\mathrm{Cov}_{il}\le0,\qquad l<i.$$ [proof; exact/covariance of two bits]
        (b: variance) Hence for all $c_i\ge0$ the variance is at most that of independent bits,
          $$\mathrm{Var}\sum_ic_ib_i\le\sum_ic_i^2y_i(1-y_i).$$ [proof; exact/independent thresholds;
          exact/variance]
        (c: one-coefficient) They are equal, $\mathrm{Var}\sum_ic_ib_i=\sum_ic_i^2y_i(1-y_i)$, if $c_ic_l=0$
          for different clients: only one coefficient differs from zero. [proof; exact/one coefficient]
        (d: vectors) So $V_{CQ}\le V_{IQ}$ at all inputs, whatever their norms and directions. [proof;
          exact/mean of a coordinate; exact/closed form; exact/V_CQ against V_IQ; adversarial/searched
          ratio]
        """
    ),
    variables=(
        *(law.VARIABLES[name] for name in ("n", "y", "phi", "mean", "cov", "V")),
        Variable(c, "c", r"\mathbb R^n_{\ge0}", "coefficients of the bits", "(n,)", first=0),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(V_CQ, r"V_{CQ}", r"\mathbb R_{\ge0}", "variance with stratified thresholds"),
        Variable(V_IQ, r"V_{IQ}", r"\mathbb R_{\ge0}", "variance with independent thresholds"),
        Variable(v, "v", r"\mathbb R^d_{\ge0}", "stratified variances of the coordinates", "(d,)"),
        Variable(w, "w", r"\mathbb R^d_{\ge0}", "independent variances of the coordinates", "(d,)"),
    ),
    notation={**law.NOTATION, "a_{#1}": "inputs", r"\|a_{#1}\|": "their norms"},
    hypotheses={
        **law.SHARED,
        "share": law.SHARES,
        "mean": law.MEANS,
        "pairs": law.PAIRS,
        "variance": law.VARIANCE,
        "coefficients": parameter(r"$c_i\ge0$"),
        "one": parameter(r"$c_ic_l=0$ for $l\ne i$"),
        "vectors": definition(
            r"$d\ge1$ is an integer; $V_{CQ}=\frac1{n^2}\sum_jv_j$, $V_{IQ}=\frac1{n^2}\sum_jw_j$; "
            r"$v_j\le w_j$, since part b bounds the variances of coordinates",
            reference="cq_marina/est-exact",
        ),
    },
    relations={
        "covariance": Relation((cov[i, l], Integer(0)), ("<=",), every=(BEFORE, LATER)),
        "variance": Relation((V, _BOUND), ("<=",), under=("coefficients",)),
        "one-coefficient": Relation((V, _BOUND), ("=",), under=("one",)),
        "vectors": Relation((V_CQ, V_IQ), ("<=",), under=("vectors",)),
    },
    formulas={"bound": _BOUND},
    worst_cases=cases("""
        only one coefficient: equality | y = (1/2, 1/2, 1/2), c = (1, 0, 0), n = 3 | 1/4
        a client at the end of the interval: its bit is certain | y = (0, 1/3), c = (2, 3), n = 2 | 2
    """),
)

_EXAMPLE = {
    n: 2,
    y: (_HALF, _HALF),
    phi: ((1, 0), (1, 0)),
    mean: (_HALF, _HALF),
    cov: ((-Rational(1, 4),) * 2,) * 2,
}


def derive(K: Any) -> None:
    """Prove the relations: by Chebyshev's sum inequality, as shares fall from stratum to stratum."""
    K.example({**_EXAMPLE, c: (1, 1), V: 0})
    K.example({**_EXAMPLE, c: (1, 0), V: Rational(1, 4)})
    K.example({n: 2, d: 1, v: (1,), w: (2,), V_CQ: Rational(1, 4), V_IQ: _HALF})
    K.index(CLIENTS)
    K.know(K.cert(lt(0, n - 1), (1, K.given("n", 1))))
    other = Symbol("k2", real=True)
    first, second = share(n * y[i], k), share(n * y[l], k)
    ordered = shares_ordered(K, n * y[i], n * y[l], k, other)
    falling = chebyshev_sum(K, first, second, STRATA, ordered)
    own, others = (K.at(K.given("share"), place, k) for place in (i, l))
    product = K.sum_over(
        K.cert(eq(phi[i, k] * phi[l, k], first * second), (phi[l, k], own), (first, others)), STRATA
    )
    rows = [K.sum_over(item, STRATA) for item in (own, others)]
    total, products = Sum(phi[l, k], STRATA), Sum(phi[i, k] * phi[l, k], STRATA)
    falling = K.cert(
        le(Sum(phi[i, k], STRATA) * total, n * products),
        (1, falling),
        (total, rows[0]),
        (Sum(first, STRATA), rows[1]),
        (-n, product),
    )
    means = K.at(K.given("mean"), i), K.at(K.given("mean"), l)
    signs = []
    for place in range(2):
        signs.append(
            K.cert(
                le(cov[i, l], 0),
                (1, K.at(K.given("pairs", place), i, l)),
                (1 / (n**2 * (n - 1)), falling),
                (-mean[l], means[0]),
                (-Sum(phi[i, k], STRATA) / n, means[1]),
            )
        )
    K.conclude("covariance", K.every(signs[0], BEFORE, LATER))

    law.levels(K, i)
    unbiased = law.unbiased(K, law.row(K))
    own = K.sum_over(
        K.cert(
            eq(c[i] ** 2 * mean[i] * (1 - mean[i]), c[i] ** 2 * OWN),
            (c[i] ** 2 * (1 - mean[i] - y[i]), unbiased),
        ),
        CLIENTS,
    )
    one = [
        K.sum_over(
            K.cert(eq(c[i] * c[l] * cov[i, l], 0), (cov[i, l], K.at(K.given("one", place), i, l))), span
        )
        for place, span in enumerate((BEFORE, AFTER))
    ]
    beside = Sum(c[i] * c[l] * cov[i, l], BEFORE) + Sum(c[i] * c[l] * cov[i, l], AFTER)
    nothing = K.cert(eq(beside, 0), *((1, item) for item in one))
    K.conclude(
        "one-coefficient",
        K.cert(eq(V, _BOUND), (1, K.given("variance")), (1, own), (1, K.sum_over(nothing, CLIENTS))),
    )
    K.know(K.at(K.given("coefficients"), i), K.at(K.given("coefficients"), l))
    less = [
        K.sum_over(K.cert(le(c[i] * c[l] * cov[i, l], 0), (c[i] * c[l], item)), span)
        for item, span in zip(signs, (BEFORE, AFTER), strict=True)
    ]
    nothing = K.cert(le(beside, 0), *((1, item) for item in less))
    K.conclude(
        "variance",
        K.cert(le(V, _BOUND), (1, K.given("variance")), (1, own), (1, K.sum_over(nothing, CLIENTS))),
    )
    K.conclude(
        "vectors",
        K.cert(
            le(V_CQ, V_IQ),
            (1, K.given("vectors", 2)),
            (-1, K.given("vectors", 3)),
            (1 / n**2, K.sum_over(K.at(K.given("vectors", 4), j), COORDINATES)),
        ),
    )
