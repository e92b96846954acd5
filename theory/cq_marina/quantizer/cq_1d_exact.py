r"""`cq_marina/cq-1d-exact`: exact variance of one-bit correlated quantization (arXiv 2401.05518)."""

from typing import Any

from sympy import Abs, KroneckerDelta, Max, Min, Rational, Sum, Symbol, floor

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.paper import PAPER
from theory.cq_marina.quantizer import stratified as law
from theory.cq_marina.quantizer.stratified import (
    AFTER,
    BEFORE,
    CLIENTS,
    COVARIANCE,
    KERNEL,
    LATER,
    OTHERS,
    OWN,
    STRATA,
    V,
    c,
    cov,
    i,
    k,
    kappa,
    l,
    mean,
    n,
    phi,
    y,
)
from theory.facts.rounding.stratified_shares import share
from theory.formula import eq, lt
from theory.hypotheses import definition, parameter
from theory.statement import statement
from theory.worst_cases import cases

W, y_0 = Symbol("W", real=True), Symbol("y_0", real=True)

_ALPHA = n * y[i] - floor(n * y[i])
_COLUMN = Sum(c[l] * phi[l, k], OTHERS) / n
_GRAND = Sum(c[l] * y[l], OTHERS) / n
_BETWEEN = Sum((c[i] * phi[i, k] - c[i] * y[i] - _COLUMN + _GRAND) ** 2, STRATA, CLIENTS)
_JITTER = Sum(c[i] ** 2 * _ALPHA * (1 - _ALPHA), CLIENTS)
_EXACT = _BETWEEN / (n - 1) + _JITTER / n
_DISTANCE = Abs(y[i] - y[l])
_DISTANCES = Sum(_DISTANCE * (1 - _DISTANCE), OTHERS, CLIENTS)
_CELLS = Sum(kappa[i, l], OTHERS, CLIENTS) - Sum(kappa[i, i], CLIENTS)
_EQUAL = _DISTANCES / (2 * n**2 * (n - 1)) + _CELLS / (n**3 * (n - 1))
_FRACTION = n * y_0 - floor(n * y_0)
_IDENTICAL = _FRACTION * (1 - _FRACTION) / n**2
_OTHER = _ALPHA.subs(i, l)
_WITHIN = KroneckerDelta(floor(n * y[i]), floor(n * y[l])) * Min(_ALPHA, _OTHER) * (1 - Max(_ALPHA, _OTHER))


CLAIM = Claim(
    id="cq_marina/cq-1d-exact",
    kind="identity",
    provenance="derived",
    title="Exact variance of one-bit correlated quantization in one dimension",
    position=1,
    paper=PAPER,
    **statement(
        r"""
        Client $i$, counted from 0, has the bit $b_i=\mathbf 1[U_i<y_i]$ with the stratified threshold
        $U_i=(\pi_i+u_i)/n$: $\pi$ is one uniformly random permutation of $\{0,\dots,n-1\}$, the $u_i$ are
        independent and uniform in $[0,1)$. $\mathrm{Cov}_{il}$ is the covariance of $b_i$ and $b_l$.
        $\varphi_{ik}=\max\{0,\min\{1,ny_i-k\}\}$ is the probability of $b_i=1$ given $\pi_i=k$.
        $\kappa_{il}=\min\{\alpha_i,\alpha_l\}(1-\max\{\alpha_i,\alpha_l\})$ with $\alpha_i=\{ny_i\}$ for
        levels with the same integer part, a common cell, and 0 for others.
        (a: mean) For $n\ge2$ and $y\in[0,1]^n$ the bits are unbiased: $\mathbb Eb_i=y_i$ for every client.
          [proof; exact/mean of a bit]
        (b: variance) For all coefficients $$\mathrm{Var}\sum_ic_ib_i=\frac1{n-1}\sum_{i,k}\
          \Big(c_i\varphi_{ik}-c_iy_i-\frac1n\sum_lc_l\varphi_{lk}+\frac1n\sum_lc_ly_l\Big)^2+\
          \frac1n\sum_ic_i^2\{ny_i\}(1-\{ny_i\}).$$ [proof; exact/variance; exact/literal oracle;
          exact/batched oracle; montecarlo/squared error of the mean]
        (c: covariance) The covariance of two bits (it is symmetric) is
          $$\mathrm{Cov}_{il}=-\frac1{n-1}\Big(\min\{y_i,y_l\}(1-\max\{y_i,y_l\})-\frac1n\kappa_{il}\Big),
          \qquad l<i.$$
          [proof; exact/covariance of two bits]
        (d: equal) For $c_i=1$, with sums over all clients, $$\mathrm{Var}\Big(\frac1n\sum_ib_i\Big)=\
          \frac{\sum_{i,l}|y_i-y_l|(1-|y_i-y_l|)}{2n^2(n-1)}+\frac{\sum_{i,l}\kappa_{il}-\
          \sum_i\kappa_{ii}}{n^3(n-1)}.$$ [proof; exact/equal coefficients]
        (e: identical) At identical inputs, $c_i=1$ and $y_i=t$,
          $$\mathrm{Var}\Big(\frac1n\sum_ib_i\Big)=\frac{\{nt\}(1-\{nt\})}{n^2}.$$ [proof; exact/identical
          inputs]
        """
    ),
    variables=(
        *law.VARIABLES.values(),
        Variable(W, r"\mathrm{Var}\Big(\frac1n\sum_ib_i\Big)", r"\mathbb R_{\ge0}", "variance of the mean"),
        Variable(y_0, "t", "[0,1]", "the probability of all bits"),
    ),
    notation=law.NOTATION,
    hypotheses={
        **law.SHARED,
        "share": law.SHARES,
        "mean": law.MEANS,
        "pairs": law.PAIRS,
        "variance": law.VARIANCE,
        "within": law.WITHIN,
        "of-the-mean": definition(
            r"$\mathrm{Var}\Big(\frac1n\sum_ib_i\Big)=\frac1{n^2}\mathrm{Var}\sum_ic_ib_i$"
        ),
        "ones": parameter(r"$c_i=1$"),
        "same": parameter(r"$y_i=t$"),
    },
    relations={
        "mean": Relation((mean[i], y[i]), ("=",), every=(CLIENTS,)),
        "variance": Relation((V, _EXACT), ("=",)),
        "covariance": Relation((cov[i, l], COVARIANCE), ("=",), every=(BEFORE, LATER)),
        "equal": Relation((W, _EQUAL), ("=",), under=("ones",)),
        "identical": Relation((W, _IDENTICAL), ("=",), under=("ones", "same")),
    },
    formulas={
        "exact": _EXACT,
        "covariance": COVARIANCE,
        "equal": _EQUAL,
        "identical": _IDENTICAL,
        "share": share(n * y[i], k),
        "within": _WITHIN,
    },
    internal={
        "share": r"the definition of $\varphi_{ik}$",
        "within": r"the definition of $\kappa_{il}$",
    },
    worst_cases=cases("""
        all cells apart but one pair: 16 times the variance of the mean | y = (1/9, 2/9, 4/9, 8/9),
          c = 4 * (1,), n = 4 | 94/243
        two clients in one cell: 9 times the variance of the mean | y = (1/3, 1/2, 3/5), c = (1, 1, 1), n = 3
          | 221/900
        identical inputs with fraction 1/2: 16 times the variance of the mean | y = 4 * (1/8,), c = 4 * (1,),
          n = 4 | 1/4
        identical inputs at a multiple of 1/n: no variance at all | y = 4 * (1/2,), c = 4 * (1,), n = 4 | 0
    """),
)

_HALF = Rational(1, 2)
_EXAMPLE = {
    n: 2,
    y: (_HALF, _HALF),
    c: (1, 1),
    phi: ((1, 0), (1, 0)),
    kappa: ((0, 0), (0, 0)),
    mean: (_HALF, _HALF),
    cov: ((-Rational(1, 4),) * 2,) * 2,
    V: 0,
    W: 0,
    y_0: _HALF,
}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example(_EXAMPLE)
    K.index(CLIENTS)
    K.know(K.cert(lt(0, n**2 - n), (n, K.cert(lt(0, n - 1), (1, K.given("n", 1))))))
    law.levels(K, i)
    total = law.row(K)
    mean_i = law.unbiased(K, total)
    K.conclude("mean", K.every(mean_i, CLIENTS))

    mean_l, total_l = (K.instantiate(item, {i: l}) for item in (mean_i, total))
    law.levels(K, l)
    products = law.overlap(K)
    closed = []
    for place in range(2):
        pair = K.cert(
            eq(cov[i, l], COVARIANCE),
            (1, K.at(K.given("pairs", place), i, l)),
            (Sum(phi[l, k], STRATA) / (n * (n - 1)), total),
            (y[i] / (n - 1), total_l),
            (-1 / (n * (n - 1)), products),
            (-mean[l], mean_i),
            (-y[i], mean_l),
            (-1 / (n - 1), law.product(K)),
        )
        closed.append(pair)
    K.conclude("covariance", K.every(closed[0], BEFORE, LATER))
    pairwise, own = _pairwise(K, closed, mean_i, products)
    K.conclude("variance", _hoeffding(K, pairwise, total, products, own))
    _equal(K, pairwise)


def _pairwise(K: Any, closed: Any, mean_i: Any, products: Any) -> tuple[Any, Any]:
    r"""Return the variance as a sum over all pairs, and $\kappa_{ii}=\alpha_i(1-\alpha_i)$."""
    both = c[i] * c[l] * COVARIANCE
    parts = []
    for item, span in zip(closed, (BEFORE, AFTER), strict=True):
        term = K.cert(eq(c[i] * c[l] * cov[i, l], both), (c[i] * c[l], item))
        parts.append((1, K.sum_over(term, span)))
    beside = Sum(c[i] * c[l] * cov[i, l], BEFORE) + Sum(c[i] * c[l] * cov[i, l], AFTER)
    all_pairs = Sum(both, OTHERS)
    rest = K.cert(eq(beside, all_pairs - both.subs(l, i)), *parts, (-1, K.split_off(all_pairs, i)))
    own = K.cert(
        eq(c[i] ** 2 * mean[i] * (1 - mean[i]), c[i] ** 2 * OWN), (c[i] ** 2 * (1 - mean[i] - y[i]), mean_i)
    )
    pairwise = K.cert(
        eq(V, Sum(c[i] ** 2 * OWN, CLIENTS) + Sum(all_pairs - both.subs(l, i), CLIENTS)),
        (1, K.given("variance")),
        (1, K.sum_over(own, CLIENTS)),
        (1, K.sum_over(rest, CLIENTS)),
    )
    return pairwise, K.cert(eq(kappa[i, i], _ALPHA * (1 - _ALPHA)), (1, K.at(K.given("within"), i, i)))


def _hoeffding(K: Any, pairwise: Any, total: Any, products: Any, own: Any) -> Any:
    """Return the form with deviations from the means of rows and columns."""
    joint = (y[i] * y[l] - Sum(phi[i, k] * phi[l, k], STRATA) / n) / (n - 1)
    covariance = K.cert(eq(COVARIANCE, joint), (1 / (n * (n - 1)), products), (1 / (n - 1), law.product(K)))
    term = K.cert(eq(c[i] * c[l] * COVARIANCE, c[i] * c[l] * joint), (c[i] * c[l], covariance))
    diagonal = K.cert(
        eq(c[i] ** 2 * (COVARIANCE - joint).subs(l, i), 0), (c[i] ** 2, K.instantiate(covariance, {l: i}))
    )
    squares = K.cert(
        eq(Sum(phi[i, k] ** 2, STRATA), n * y[i] - _ALPHA * (1 - _ALPHA)),
        (1, K.instantiate(products, {l: i})),
        (-1, own),
    )
    weight = c[i] ** 2
    rows = [
        K.sum_over(K.cert(eq(factor * Sum(phi[i, k], STRATA), factor * n * y[i]), (factor, total)), CLIENTS)
        for factor in (weight * y[i], c[i])
    ]
    cells = K.sum_over(
        K.cert(
            eq(weight * Sum(phi[i, k] ** 2, STRATA), weight * (n * y[i] - _ALPHA * (1 - _ALPHA))),
            (weight, squares),
        ),
        CLIENTS,
    )
    return K.cert(
        eq(V, _EXACT),
        (1, pairwise),
        (1, K.sum_over(term, OTHERS, CLIENTS)),
        (-1, K.sum_over(diagonal, CLIENTS)),
        (2 / (n - 1), rows[0]),
        (-2 * _GRAND / (n - 1), rows[1]),
        (-1 / n, cells),
    )


def _equal(K: Any, pairwise: Any) -> None:
    """The kernel is half of what the distance leaves of the variances; identical inputs share one cell."""
    one_i, one_l = (K.at(K.given("ones"), place) for place in (i, l))
    half = Rational(1, 2)
    goal = eq(KERNEL, half * (OWN + OWN.subs(i, l) - _DISTANCE * (1 - _DISTANCE)))
    halves = []
    for a, b, absolute in ((i, l, "abs-of-nonpositive"), (l, i, "abs-of-nonnegative")):
        least = K.axiom("min-is-left", y[a], y[b])
        size = K.axiom(absolute, y[i] - y[l])
        halves.append(K.cert(goal, (-1, law.product(K)), (1, least), (half, size)))
    kernel = K.cases(y[i] - y[l], *halves)
    both = c[i] * c[l] * COVARIANCE
    term = K.cert(eq(both, COVARIANCE), (c[l] * COVARIANCE, one_i), (COVARIANCE, one_l))
    simple = (half * (_DISTANCE * (1 - _DISTANCE) - OWN - OWN.subs(i, l)) + kappa[i, l] / n) / (n - 1)
    term = K.cert(eq(both, simple), (1, term), (-1 / (n - 1), kernel))
    own = K.cert(eq(c[i] ** 2 * OWN, OWN), (OWN * (c[i] + 1), one_i))
    equal = K.cert(
        eq(W, _EQUAL),
        (1, K.given("of-the-mean")),
        (1 / n**2, pairwise),
        (1 / n**2, K.sum_over(own, CLIENTS)),
        (1 / n**2, K.sum_over(term, OTHERS, CLIENTS)),
        (-1 / n**2, K.sum_over(K.instantiate(term, {l: i}), CLIENTS)),
    )
    K.conclude("equal", equal)
    same_i, same_l = (K.at(K.given("same"), place) for place in (i, l))
    cell = K.rewrite(K.rewrite(K.at(K.given("within"), i, l), same_i, side="right"), same_l, side="right")
    cell = K.cert(eq(kappa[i, l], _FRACTION * (1 - _FRACTION)), (1, cell))
    apart = K.cert(
        eq(_DISTANCE * (1 - _DISTANCE), 0),
        (
            1,
            K.rewrite(
                K.rewrite(
                    K.identity(_DISTANCE * (1 - _DISTANCE), _DISTANCE * (1 - _DISTANCE)), same_i, side="right"
                ),
                same_l,
                side="right",
            ),
        ),
    )
    identical = K.cert(
        eq(W, _IDENTICAL),
        (1, equal),
        (1 / (2 * n**2 * (n - 1)), K.sum_over(apart, OTHERS, CLIENTS)),
        (1 / (n**3 * (n - 1)), K.sum_over(cell, OTHERS, CLIENTS)),
        (-1 / (n**3 * (n - 1)), K.sum_over(K.instantiate(cell, {l: i}), CLIENTS)),
    )
    K.conclude("identical", identical)
