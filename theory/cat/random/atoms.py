r"""`cat/atoms`: random atoms, entries or singular values, with the least variance (arXiv 2003.06377).

The atomic sparsification of Wang et al. (ATOMO, arXiv 1806.04090), which the paper compares with, and the
greedy one of Wangni et al. (arXiv 1710.09854), whose level is not quite that of least variance.
"""

from typing import Any

from sympy import IndexedBase, Min, Rational, Sum, symbols, sympify

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz
from theory.facts.sums.split_sum import split_sum
from theory.formula import eq, le
from theory.hypotheses import definition, domain, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, m, n, k, T, lam, V, j, t, i, l = symbols("d m n k T lamda V j t i l", real=True)
s, p, q, b, mean = symbols("s p q b mean", cls=IndexedBase, real=True)
a, u, v = symbols("a u v", cls=IndexedBase, real=True)
ALL, PLACES, SURE, OPEN = (j, 0, d - 1), (t, 0, m - 1), (j, 0, k - 1), (j, k, d - 1)
ROWS, COLUMNS = (i, 0, m - 1), (l, 0, n - 1)

_VECTOR = Sum(s[j] * a[j, t], ALL)
_EXACT = Sum(s[j] ** 2 * (1 / p[j] - 1), ALL)
_MOST = (d - 1) / T
_OTHER = Sum(s[j] ** 2 * (1 / q[j] - 1), ALL)


CLAIM = Claim(
    id="cat/atoms",
    kind="tight",
    provenance="derived",
    title="Random atoms, entries or singular values, with the least variance",
    position=38,
    paper=PAPER,
    **statement(
        r"""
        A vector is a sum of atoms $a_j$ of length one with coefficients $s_j>0$: entries, or the matrices of
        a singular value decomposition. $Q$ keeps atom $j$ with probability $p_j$, independently, with the
        coefficient divided by it.
        (a: unbiased) $Q$ is unbiased: $\mathbb E[Q_t]=\sum_{j=1}^ds_ja_{jt}$. [proof; exact/mean]
        (b: variance) Its variance is $$V=\sum_{j=1}^ds_j^2\Big(\frac1{p_j}-1\Big).$$ [proof; exact/variance]
        (c: best) If $p_j=\min(1,\lambda s_j)$, $\lambda>0$, then no $q\in(0,1]^d$ with
          $\sum_jq_j\le\sum_jp_j$ has a smaller one:
          $$\sum_{j=1}^ds_j^2\Big(\frac1{p_j}-1\Big)\le\sum_{j=1}^ds_j^2\Big(\frac1{q_j}-1\Big).$$ [proof;
          exact/best; exact/best of a grid]
        (d: sure-entries, open-entries) These are the probabilities of `cat/st-waterfill`: where
          $\lambda s_j\ge1$ for the first $k$ coefficients and $\lambda s_j\le1$ for the others, $p_j=1$ for
          $j\le k$ and $p_j=\lambda s_j$ for $j>k$. [proof; exact/water filling]
        (e: rank-one) The matrices of a singular value decomposition have length one: for unit vectors $u$,
          $v$ $$\sum_{i=1}^m\sum_{l=1}^n(u_iv_l)^2=1.$$ [proof; exact/rank one]
        (f: any-level) <<At the level of a round of greedy sparsification, or of any that is at least that of
          its first one -> exact/level of a round>>, $p_j=\min(1,\lambda s_j)$ with
          $T\le\lambda\sum_js_j$ and $T\ge1$, $$\sum_{j=1}^ds_j^2\Big(\frac1{p_j}-1\Big)\le\frac{d-1}T\
          \sum_{j=1}^ds_j^2,$$ <<which equal coefficients attain at $T=1$ -> exact/one of equals>>. [proof;
          exact/greedy levels; exact/one of equals; exact/level of a round]
        (g: kept-first) The first round has $\lambda\sum_js_j=T$: no more than $T$ are expected,
          $\sum_jp_j\le T$. [proof; exact/greedy size]
        (h: kept) So it is after a later one, which, with $1\le k<d$ sure atoms, has
          $\lambda\sum_{j=k+1}^ds_j=T-k$: $\sum_jp_j\le T$. [proof; exact/greedy size]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of atoms"),
        Variable(m, "m", r"\mathbb N", "number of places, or of rows"),
        Variable(n, "n", r"\mathbb N", "number of columns"),
        Variable(k, "k", r"\mathbb N_0", "number of atoms that are kept surely"),
        Variable(T, "T", r"\mathbb R_{>0}", "expected number of atoms that is aimed at"),
        Variable(lam, r"\lambda", r"\mathbb R_{>0}", "probability over coefficient"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "variance"),
        Variable(s, "s", r"\mathbb R^d_{>0}", "coefficients", "(d,)"),
        Variable(p, "p", "(0,1]^d", "probabilities", "(d,)"),
        Variable(q, "q", "(0,1]^d", "other probabilities", "(d,)"),
        Variable(a, "a", r"\mathbb R^{d\times m}", "atoms", "(d,m)"),
        Variable(mean, r"\mathbb E[Q_{#1}]", r"\mathbb R^m", "expected message", "(m,)"),
        Variable(u, "u", r"\mathbb R^m", "unit vector", "(m,)"),
        Variable(v, "v", r"\mathbb R^n", "unit vector", "(n,)"),
        Variable(b, "b", r"\{0,1\}^d", "which atoms are kept", "(d,)"),
    ),
    notation={"Q": "the message", "a_j": "an atom"},
    hypotheses={
        "sizes": domain(r"$d\ge1$, $m\ge1$, $n\ge1$, $k\ge0$ are integers; $k\le d$"),
        "coefficients": domain(r"$s_j>0$, $p_j>0$, $p_j\le1$, $\lambda>0$"),
        "units": definition(r"$\sum_ta_{jt}^2=1$"),
        "message": definition(
            r"$\mathbb E[Q_t]=\mathbb E\bigl(\sum_j\frac{b_js_ja_{jt}}{p_j}\bigr)$, "
            r"$V=\sum_t\mathbb E\bigl((\sum_j\frac{b_js_ja_{jt}}{p_j}-\sum_js_ja_{jt})^2\bigr)$, over "
            r"independent $b_j\sim\mathrm{Bernoulli}(p_j)$, $1\le j\le d$"
        ),
        "filled": parameter(r"$p_j=\min(1,\lambda s_j)$"),
        "competitor": parameter(r"$q_j\in(0,1]$, $\sum_jq_j\le\sum_jp_j$"),
        "sure": parameter(r"$\lambda s_j\ge1$ for $j\le k$"),
        "open": parameter(r"$\lambda s_j\le1$ for $j>k$"),
        "vectors": definition(r"$\sum_iu_i^2=1$, $\sum_lv_l^2=1$"),
        "enough": parameter(r"$T\le\lambda\sum_js_j$, $T\ge1$"),
        "first": parameter(r"$\lambda\sum_js_j=T$"),
        "round": parameter(r"$\lambda\sum_{j=k+1}^ds_j=T-k$"),
        "some": parameter(r"$1\le k<d$"),
    },
    relations={
        "unbiased": Relation((mean[t], _VECTOR), ("=",), every=(PLACES,), under=("message",)),
        "variance": Relation((V, _EXACT), ("=",), under=("message", "units")),
        "best": Relation((_EXACT, _OTHER), ("<=",), under=("filled", "competitor")),
        "sure-entries": Relation((p[j], 1), ("=",), every=(SURE,), under=("filled", "sure")),
        "open-entries": Relation((p[j], lam * s[j]), ("=",), every=(OPEN,), under=("filled", "open")),
        "rank-one": Relation((Sum(Sum((u[i] * v[l]) ** 2, COLUMNS), ROWS), 1), ("=",), under=("vectors",)),
        "any-level": Relation((_EXACT, _MOST * Sum(s[j] ** 2, ALL)), ("<=",), under=("filled", "enough")),
        "kept-first": Relation((Sum(p[j], ALL), T), ("<=",), under=("filled", "first")),
        "kept": Relation((Sum(p[j], ALL), T), ("<=",), under=("filled", "round", "some")),
    },
    formulas={"bound": _EXACT, "probability": Min(1, lam * s[0]), "most": _MOST},
    internal={"probability": "of one atom, in part (c)"},
    worst_cases=cases("""
        equal coefficients, half of them | s = 4 * (1,), p = 4 * (1/2,), d = 4 | 4
        one sure atom | s = (4, 1, 1), p = (1, 1/2, 1/2), d = 3 | 2
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    half = Rational(1, 2)
    K.example(
        {d: 3, m: 3, n: 1, k: 1, T: 2, lam: half, V: 2, s: (4, 1, 1), p: (1, half, half), q: (half, half, 1),
         a: ((1, 0, 0), (0, 1, 0), (0, 0, 1)), mean: (4, 1, 1), u: (1, 0, 0), v: (1,)}
    )  # fmt: skip
    K.example({d: 2, m: 1, n: 1, k: 1, T: 1, lam: half, s: (1, 1), p: (half, half)})
    K.index(ALL)
    _message(K)
    _best(K)
    _levels(K)
    units, others = K.given("vectors"), K.given("vectors", 1)
    K.show("rank-one", (Sum(v[l] ** 2, COLUMNS), units), (1, others))


def _message(K: Any) -> None:
    """Expectations of first and second degree; atoms have length one."""
    below = K.cert(le(0, p[j] * (1 - p[j])), (p[j], K.at(K.given("coefficients", 2), j)))
    K.know(K.every(below, ALL))
    K.show("unbiased", (1, K.at(K.given("message"), t)))
    weight = s[j] ** 2 * (1 / p[j] - 1)
    unit = K.cert(eq(weight * Sum(a[j, t] ** 2, PLACES), weight), (weight, K.at(K.given("units"), j)))
    K.show("variance", (1, K.given("message", 1)), (1, K.sum_over(unit, ALL)))


def _best(K: Any) -> None:
    """Tangents of s^2/q where q is s over its coefficient, or 1."""
    product, filled = lam * s[j], K.at(K.given("filled"), j)
    whole = K.cert(eq(p[j], 1), (1, filled), (1, K.axiom("min-is-left", sympify(1), product)))
    share = K.cert(eq(p[j], product), (1, filled), (1, K.axiom("min-is-left", product, sympify(1))))
    K.show("sure-entries", (1, K.discharge(whole, K.at(K.given("sure"), j))))
    K.show("open-entries", (1, K.discharge(share, K.at(K.given("open"), j))))
    K.know(K.given("competitor"), K.cert(le(0, 1 - q[j]), (1, K.at(K.given("competitor", 1), j))))
    goal = le(s[j] ** 2 / p[j] + (p[j] - q[j]) / lam**2, s[j] ** 2 / q[j])
    few = K.cert(goal, (1 / q[j], (s[j] - q[j] / lam) ** 2), (-(product - p[j]) / (lam**2 * p[j]), share))
    more = K.cert(
        goal,
        ((1 - q[j]) * (product + 1) / lam**2, K.assume(le(1, product))),
        (s[j] ** 2 / q[j], (1 - q[j]) ** 2),
        (1 / lam**2 - s[j] ** 2 / p[j], whole),
    )
    each = K.cases(product - 1, few, more)
    K.show("best", (1, K.sum_over(each, ALL)), (1 / lam**2, K.given("competitor", 2)))


def _levels(K: Any) -> None:
    """A sure coefficient is at most the sum, an open one is divided by its level."""
    K.know(K.given("enough", 1))
    product, filled, total = lam * s[j], K.at(K.given("filled"), j), Sum(s[i], (i, 0, d - 1))
    rest = [Sum(s[i], ends) for ends in ((i, 0, j - 1), (i, j + 1, d - 1))]
    own = K.cert(le(s[j], total), (-1, K.split_off(total, j)), *((1, K.sign(le(0, item))) for item in rest))
    whole = K.cert(eq(p[j], 1), (1, filled), (1, K.axiom("min-is-left", sympify(1), product)))
    share = K.cert(eq(p[j], product), (1, filled), (1, K.axiom("min-is-left", product, sympify(1))))
    goal = le(s[j] ** 2 * (1 / p[j] - 1), s[j] * total / T - s[j] ** 2 / T)
    sure = K.cert(goal, (s[j] / T, own), (-(s[j] ** 2) / p[j], whole))
    open_ = K.cert(
        goal, (s[j] / (lam * T), K.given("enough")), (s[j] ** 2 / T, K.given("enough", 1)),
        (-s[j] / (lam * p[j]), share),
    )  # fmt: skip
    each = K.sum_over(K.cases(product - 1, open_, sure), ALL)
    K.show("any-level", (1, each), (1 / T, cauchy_schwarz(K, s[j], 1, ALL)))

    below, one = (
        K.axiom("min-below-right", sympify(1), product),
        K.axiom("min-below-left", sympify(1), product),
    )
    most = K.cert(le(p[j], product), (1, filled), (1, below))
    K.show("kept-first", (1, K.sum_over(most, ALL)), (1, K.given("first")))
    least = K.cert(le(p[j], 1), (1, filled), (1, one))
    K.know(K.given("some"), K.given("some", 1))
    K.show(
        "kept", (1, split_sum(K, p[j], ALL, k)), (1, K.sum_over(least, SURE)), (1, K.sum_over(most, OPEN)),
        (1, K.given("round")),
    )  # fmt: skip
