r"""`cq_marina/neg-control`: one client with all the curvature, no gain by correlation (arXiv 2401.05518)."""

import itertools
from typing import Any

from sympy import IndexedBase, Integer, Max, Min, Rational, Sum, Symbol, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.marina import control_run
from theory.cq_marina.marina.control_run import BROKEN, L, d, n
from theory.cq_marina.paper import PAPER
from theory.expectation import bernoulli
from theory.facts.rounding.stratified_shares import total_share, within
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model
from theory.statement import statement
from theory.worst_cases import cases

r, B, R, M, m, V = symbols("r B R M m V", real=True)
plus, pm, i, j, b = symbols("L_plus_sq L_pm_sq i j b", real=True)
x, first, a, y, bit, q = symbols("x first a y bit q", cls=IndexedBase, real=True)
k, U_3, V_3 = symbols("k U_3 V_3", real=True)
COORDINATES, OTHERS, CLIENTS, ONE = (j, 0, d - 1), (i, 1, n - 1), (i, 0, n - 1), (b, 0, 0)

_BRANCHES = ((n - 2) / (2 * (n - 1)), d / n - 1 / (n - 1))
_B = Max(*_BRANCHES)
_INDEPENDENT = (d - 1) / n * plus
_CORRELATED = d / n**2 * plus + B * pm
_MEAN = Sum(a[i, j], CLIENTS) / n
_CHANCE = (1 + first[j] / r) / 2
_SENT = bernoulli((r * (2 * bit[0] - 1) / n - first[j] / n) ** 2, bit, ONE, p=y[j])
_GAIN = Rational(294, 163)
_EXACT = (d - 1) / n**2 * r**2
# The chances of three clients with inputs of norm 7, by coordinate, and the variances of their means.
_THREE = ((2, 3, 6), (3, -6, 2), (-6, -2, 3))
_CHANCES = [[Symbol(f"y_{client}{place}", real=True) for client in range(3)] for place in range(3)]


def _covariance(s: Any, t: Any) -> Any:
    return -(Min(s, t) * (1 - Max(s, t)) - within(3 * s, 3 * t) / 3) / 2


_OWN = sum(t * (1 - t) for row in _CHANCES for t in row)
_PAIRS = sum(2 * _covariance(s, t) for row in _CHANCES for s, t in itertools.combinations(row, 2))
_STEP = Rational(4 * 49, 9)
_MEASURED = {"least_gain": Rational(13, 2), "most_gain": Integer(7)}

CLAIM = Claim(
    id="cq_marina/neg-control",
    kind="identity",
    provenance="derived",
    title="Negative control: one client with all the curvature, where correlation has no effect",
    position=24,
    paper=PAPER,
    **statement(
        r"""
        $n\ge2$ clients with quadratics, $A_1=nLI$ and $A_i=0$ for all others. At a difference $\Delta$ of
        two points the inputs of the compressors are $A_i\Delta$; $M$ is the average of their squared norms,
        $m$ the squared norm of their average. One-bit quantizers: the first client, with the input $a_1$ of
        norm $r>0$, sends $r$ with a sign per coordinate, zero inputs are sent as zeros.
        (a: mean, squares, spread) At every difference $$m=L^2\|\Delta\|^2,\qquad M=nL^2\|\Delta\|^2,\qquad
          M-m=(n-1)L^2\|\Delta\|^2.$$ So <<the smoothness constants are $L_-=L$ -> exact/L_minus>>,
          $L_+^2=nL^2$ and $L_\pm^2=(n-1)L^2$. [proof; exact/L_minus; exact/L_plus_sq; exact/L_pm_sq]
        (b: variance) A bit of the first client is <<one with probability $\frac12(1+a_{1j}/r)$ -> exact/a
          bit is one>>, whether the threshold is independent or correlated with the thresholds of others.
          Either way $$\mathbb E\|\hat g-\bar a\|^2=\frac{d-1}{n^2}r^2.$$ [proof; exact/correlated;
          exact/independent; exact/a bit is one]
        (c: law) Correlated and independent one-bit <<quantizers have the same law: every estimate has the
          same probability -> exact/probability>>. Coordinates are independent in both, and with a
          stratified threshold a bit of the only client is one with the probability
          $q_j=\frac12(1+\frac{a_{1j}}r)$, too. [proof; exact/probability]
        (d: constants) With these constants both quantizers have the same rate: for
          $B=\max\Big\{\frac{n-2}{2(n-1)},\frac dn-\frac1{n-1}\Big\}$ $$\min\Big\{\frac{d-1}nL_+^2,\frac
          d{n^2}L_+^2+BL_\pm^2\Big\}=\frac{d-1}nL_+^2=(d-1)L^2.$$ [proof; exact/constant]
        (e: kept, broken) With the step for this constant,
          $\gamma=\frac1{L+\sqrt{\frac{1-p}p(d-1)L^2}}$, the average $\bar G_T$ of the first $T$ expected
          squared gradients of a run of MARINA whose first estimate is the gradient keeps its bound $\beta_T$
          of `cq_marina/marina-rate`, $$\bar G_T\le\beta_T;$$ with $\gamma=\frac1{L+\sqrt{\frac{1-p}p\frac
          d{n^2}L^2}}$, as if there were no Hessian variance, it is $10^6\beta_T\le\bar G_T$ for $n=4$, $d=8$,
          $p=\frac19$ and $T=100$, <<for $p=\frac1{10}$, too -> exact/too long a step>>. [proof;
          exact/average; exact/potential after a round; exact/too long a step; run/averages of the squared
          gradient]
        (f: gain) A large $L_\pm$ alone is no such control: <<for the inputs $(2,3,6),(3,-6,2),(-6,-2,3)$ of
          three clients -> exact/equal norms>> correlation divides the variance $U_3$ by {value:gain,4},
          $U_3=\frac{294}{163}V_3$; <<for eight random unit vectors in $\mathbb R^{64}$, drawn 20 times, it
          divides the variance -> exact/* gain of random directions>>, {value:variance_of_eight,3}, by a
          factor between {value:least_gain,1} and {value:most_gain}.
          [proof; exact/equal norms; exact/variance of independent bits; exact/* gain of random directions]
        (g: average) The wrong step of (e) breaks the bound by a factor that grows without limit: at its
          $n$, $d$ and $p$, for all $T\ge2$, $$57\Big(\frac56\Big)^{T-2}\bar G_T\ge\beta_T.$$ [proof]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(L, "L", r"\mathbb R_{>0}", r"Lipschitz constant of $\nabla f$", aliases=("L_-",)),
        Variable(plus, "L_+^2", r"\mathbb R_{\ge0}", r"$\max M/\|\Delta\|^2$"),
        Variable(pm, r"L_\pm^2", r"\mathbb R_{\ge0}", r"$\max(M-m)/\|\Delta\|^2$"),
        Variable(B, "B", r"\mathbb R_{\ge0}", "constant of the correlated quantizer"),
        Variable(R, r"\|\Delta\|^2", r"\mathbb R_{\ge0}", "squared length of the difference"),
        Variable(M, "M", r"\mathbb R_{\ge0}", "average of the squared norms"),
        Variable(m, "m", r"\mathbb R_{\ge0}", "squared norm of the average"),
        Variable(r, "r", r"\mathbb R_{>0}", "norm of the only nonzero input"),
        Variable(first, "a_1", r"\mathbb R^d", "the only nonzero input", "(d,)", aliases=("a_{1#1}",)),
        Variable(y, "y", "[0,1]^d", "probabilities of its bits", "(d,)"),
        Variable(x, r"\Delta", r"\mathbb R^d", "the difference", "(d,)"),
        Variable(a, r"(A_{#1}\Delta)_{#2}", r"\mathbb R^{n\times d}", "inputs of the clients", "(n,d)"),
        *control_run.VARIABLES,
        Variable(q, "q", "[0,1]^d", "probabilities of a one with a stratified threshold", "(d,)"),
        Variable(U_3, "U_3", r"\mathbb R_{\ge0}", "variance of independent bits of three clients"),
        Variable(V_3, "V_3", r"\mathbb R_{\ge0}", "variance of their correlated bits"),
        Variable(V, r"\mathbb E\|\hat g-\bar a\|^2", r"\mathbb R_{\ge0}", "variance of the estimate"),
        Variable(bit, "b", r"\{0,1\}", "bit of a client in a coordinate", "(1,)"),
    ),
    notation={
        r"L_\pm": "root of the constant of the Hessian variance",
        "A_1": "Hessian of the first client",
        "A_i": "Hessian of a client",
        "I": "identity",
        r"A_i\Delta": "its inputs",
        "a_1": "the input of the first client",
        "f": "the objective",
        "x^{#1}": "iterates",
        "g^{#1}": "estimates",
    },
    hypotheses={
        "sizes": domain(r"$n\ge2$, $d\ge1$ are integers; $L,r>0$"),
        "family": definition(
            r"$(A_1\Delta)_j=nL\Delta_j$; $(A_i\Delta)_j=0$ for $i>1$; $\|\Delta\|^2=\sum_j\Delta_j^2$, "
            r"$M=\frac1n\sum_j\sum_i(A_i\Delta)_j^2$, $m=\sum_j\Big(\frac1n\sum_i(A_i\Delta)_j\Big)^2$"
        ),
        "quantizer": definition(
            r"$\mathbb E\|\hat g-\bar "
            r"a\|^2=\sum_j\mathbb E\bigl((\frac rn(2b-1)-\frac{a_{1j}}{n})^2\bigr)$, over "
            r"$b\sim\mathrm{Bernoulli}(y_j)$; $y_j=\frac12+\frac{a_{1j}}{2r}$, $r^2=\sum_ja_{1j}^2$"
        ),
        "bits": model(r"$0\le y_j\le1$, since these are probabilities of bits"),
        "stratified": definition(
            r"$0\le\frac12(1+\frac{a_{1j}}r)\le1$, "
            r"$q_j=\frac1n\sum_{k=0}^{n-1}\max\Big\{0,\min\Big\{1,\frac n2(1+\frac{a_{1j}}r)-k\Big\}\Big\}$"
        ),
        **control_run.HYPOTHESES,
        "three": definition(
            "the chances of the bits, their variances and covariances: bits of the mean are twice the norm "
            "over the number of clients apart",
            *(
                eq(_CHANCES[place][client], (1 + Rational(_THREE[client][place], 7)) / 2)
                for place in range(3)
                for client in range(3)
            ),
            *(eq(U_3, _STEP * _OWN), eq(V_3, _STEP * (_OWN + _PAIRS))),
            reference="cq_marina/cq-1d-exact",
        ),
        "constants": definition(
            r"$L_+^2=nL^2$, $L_\pm^2=(n-1)L^2$, $B=\max\Big\{\frac{n-2}{2(n-1)},\frac dn-\frac1{n-1}\Big\}$"
        ),
    },
    relations={
        "mean": Relation((m, L**2 * R), ("=",), under=("family",)),
        "squares": Relation((M, n * L**2 * R), ("=",), under=("family",)),
        "spread": Relation((M - m, (n - 1) * L**2 * R), ("=",), under=("family",)),
        "variance": Relation((V, _EXACT), ("=",), under=("quantizer", "bits")),
        "law": Relation((q[j], _CHANCE), ("=",), every=(COORDINATES,), under=("stratified",)),
        **control_run.RELATIONS,
        "gain": Relation((U_3, _GAIN * V_3), ("=",), under=("three",)),
        "constants": Relation(
            (Min(_INDEPENDENT, _CORRELATED), _INDEPENDENT, (d - 1) * L**2), ("=", "="), under=("constants",)
        ),
    },
    formulas={
        "exact": _EXACT,
        "chance": _CHANCE,
        "L_plus_sq": n * L**2,
        "L_pm_sq": (n - 1) * L**2,
        "B": _B,
        "X_independent": _INDEPENDENT,
        "X_correlated": Min(_INDEPENDENT, _CORRELATED),
        "X": (d - 1) * L**2,
        "X_without_variance": d / n**2 * L**2,
        "broken": Integer(BROKEN),
        "gain": _GAIN,
        **_MEASURED,
    },
    internal={
        **dict.fromkeys(_MEASURED, "slots of part (f)"),
        "broken": "the factor $10^6$ of part (e)",
        "gain": "the quotient of part (f)",
        "X_without_variance": "the wrong constant of part (e)",
        "L_plus_sq": "said as a hypothesis of part (d)",
        "L_pm_sq": "said as a hypothesis of part (d)",
        "B": "said as a hypothesis of part (d)",
        "chance": "said as a hypothesis of part (b)",
    },
    # The variance of independent bits at unit vectors.
    values={"gain": _GAIN, **_MEASURED, "variance_of_eight": _INDEPENDENT.subs({n: 8, d: 64, plus: 1})},
    worst_cases=cases(r"""
        $n=4$, $d=8$, $L=1$: $\mathcal X=7$ for both, where $\frac d{n^2}L_-^2=\frac12$ | n = 4, d = 8, L = 1
          | 7
        $n=3$, $a_1=(2,3,6)$, norm 7: variance $\frac{98}9$ | n = 3, d = 3, r = 7 | 98/9
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES)
    sizes = {n: 2, d: 2, L: 1, r: 5}
    K.example({**sizes, a: ((6, 8), (0, 0)), x: (3, 4), R: 25, M: 50, m: 25})
    K.example({**sizes, first: (3, 4), y: (Rational(4, 5), Rational(9, 10)), V: Rational(25, 4)})
    K.example({**sizes, plus: 2, pm: 1, B: 0})
    K.know(K.cert(le(0, n - 1), (1, K.given("sizes", 1)), (1, Integer(1))))
    family = [K.given("family", k) for k in range(5)]
    heavy = K.at(family[0], j)
    squares, means = Sum(a[i, j] ** 2, CLIENTS), Sum(a[i, j], CLIENTS)
    others = K.at(family[1], j)
    idle = K.at(others, i)
    K.index(OTHERS)
    no_squares = K.sum_over(K.cert(eq(a[i, j] ** 2, 0), (a[i, j], idle)), OTHERS)
    no_sum = K.sum_over(idle, OTHERS)
    square = K.cert(
        eq(squares, n**2 * L**2 * x[j] ** 2),
        (1, K.split_off(squares, 0)),
        (1, no_squares),
        (a[0, j] + n * L * x[j], heavy),
    )
    total = K.cert(
        eq(means, n * L * x[j]),
        (1, K.split_off(means, 0)),
        (1, no_sum),
        (1, heavy),
    )
    mean = K.cert(eq(_MEAN**2, L**2 * x[j] ** 2), ((means + n * L * x[j]) / n**2, total))
    stated_m = K.cert(
        eq(m, L**2 * R), (1, family[4]), (1, K.sum_over(mean, COORDINATES)), (-(L**2), family[2])
    )
    stated_M = K.cert(
        eq(M, n * L**2 * R),
        (1, family[3]),
        (1 / n, K.sum_over(square, COORDINATES)),
        (-n * L**2, family[2]),
    )
    K.conclude("mean", stated_m)
    K.conclude("squares", stated_M)
    K.conclude("spread", K.cert(eq(M - m, (n - 1) * L**2 * R), (1, stated_M), (-1, stated_m)))
    _variance(K)
    _constants(K)
    K.know(K.at(K.given("stratified"), j), K.at(K.given("stratified", 1), j))
    level = n * _CHANCE
    K.know(K.cert(le(0, level), (n, _CHANCE)), K.cert(le(level, n), (n, 1 - _CHANCE)))
    share_of_all = total_share(K, level, k, n)
    own = K.cert(eq(q[j], _CHANCE), (1, K.at(K.given("stratified", 2), j)), (1 / n, share_of_all))
    K.conclude("law", K.every(own, COORDINATES))
    control_run.prove(K)
    three = [K.given("three", place) for place in range(11)]
    K.conclude("gain", K.cert(eq(U_3, _GAIN * V_3), using=[three[9], three[10], *three[:9]]))


def _variance(K: Any) -> None:
    """Coordinate by coordinate: the mean of a bit is unbiased, its variance that of a Bernoulli variable."""
    chance = K.at(K.given("quantizer", 1), j)
    K.know(K.at(K.given("bits"), j))
    sent = K.identity(
        _SENT, (r * (2 * y[j] - 1) - first[j]) ** 2 / n**2 + 4 * r**2 * y[j] * (1 - y[j]) / n**2
    )
    unbiased = K.cert(eq(r * (2 * y[j] - 1), first[j]), (2 * r, chance))
    coordinate = K.cert(
        eq(_SENT, (r**2 - first[j] ** 2) / n**2),
        (1, sent),
        (-2 * first[j] / n**2, unbiased),
    )
    K.conclude(
        "variance",
        K.cert(
            eq(V, _EXACT),
            (1, K.given("quantizer")),
            (1, K.sum_over(coordinate, COORDINATES)),
            (1 / n**2, K.given("quantizer", 2)),
        ),
    )


def _constants(K: Any) -> None:
    squares, spread, larger = (K.given("constants", k) for k in range(3))
    branch = K.cert(le(d / n - 1 / (n - 1), B), (1, K.axiom("max-above-right", *_BRANCHES)), (-1, larger))
    below = K.cert(
        le(_INDEPENDENT, _CORRELATED),
        ((n - 1) * L**2, branch),
        ((d - 1) / n - d / n**2, squares),
        (-B, spread),
    )
    smaller = K.discharge(K.axiom("min-is-left", _INDEPENDENT, _CORRELATED), below)
    K.conclude("constants", smaller, K.cert(eq(_INDEPENDENT, (d - 1) * L**2), ((d - 1) / n, squares)))
