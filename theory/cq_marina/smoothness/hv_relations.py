r"""`cq_marina/hv-relations`: relations of the weighted smoothness constants (arXiv 2401.05518)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, Symbol, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.paper import PAPER
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

n, d, R, M_w, m, L_plus, L_pm, L_minus, i, l, k = symbols("n d R M_w m L_plus L_pm L_minus i l k", real=True)
w, delta, N, D, L, A, A_mean, u = symbols("w delta N D L A A_mean u", cls=IndexedBase, real=True)
j, q = Symbol("j", real=True), Symbol("q", real=True)
CLIENTS, COORDINATES, OTHERS, INNER = (i, 0, n - 1), (k, 0, d - 1), (q, 0, d - 1), (j, 0, d - 1)

_MEAN = Sum(delta[l, k], (l, 0, n - 1)) / n
_SQUARE = Sum(delta[i, k] ** 2 / (n**2 * w[i]), CLIENTS)
_DEVIATION = (delta[i, k] / (n * w[i]) - _MEAN) ** 2
_VARIANCE = Sum(w[i] * D[i], CLIENTS)
_BOUND = Sum(L[i] ** 2 / (n * w[i]), CLIENTS) / n
_TOTAL = Sum(L[i], CLIENTS)
_BEST = (_TOTAL / n) ** 2
_SQUARES = Sum(Sum(A[i, j, k] * A[i, j, q] / (n**2 * w[i]), INNER), CLIENTS)
_MEAN_SQUARE = Sum(A_mean[j, k] * A_mean[j, q], INNER)
_SUM_RULE = L_pm**2 + L_minus**2

CLAIM = Claim(
    id="cq_marina/hv-relations",
    kind="upper",
    provenance="rederived",
    title="Relations of the smoothness constants, and the weighted Hessian variance",
    position=17,
    paper=PAPER,
    **statement(
        r"""
        For differentiable functions $f_i$, points $x$, $y$ and weights $w_i>0$, $\sum_iw_i=1$, let $\Delta_i$
        be the difference of the gradients of $f_i$ at $x$ and $y$,
        $$M_w=\frac1n\sum_i\frac{\|\Delta_i\|^2}{nw_i}$$ and $m$ the squared norm of the mean $\bar\Delta$.
        For all pairs of points $L_-$, $L_{+,w}$, $L_{\pm,w}$ are the smallest constants that bound $m$,
        $M_w$ and $M_w-m$ by their squares times $\|x-y\|^2$; $w_i=\frac1n$ where no weights are named.
        (a: variance) $M_w-m$ is a variance, <<for any differentiable functions, convex or not ->
          run/variance along a run>>: $$M_w-m=\sum_iw_i\|\frac{\Delta_i}{nw_i}-\bar\Delta\|^2.$$ [proof;
          exact/variance of a coordinate; run/variance along a run]
        (b: minus) If $M_w\le L_{+,w}^2\|x-y\|^2$, then $m\le L_{+,w}^2\|x-y\|^2$: <<so $L_-\le L_{+,w}$ ->
          exact/L_minus^2 below L_plus^2>>. [proof; exact/L_minus^2 below L_plus^2; run/mean along a run]
        (c: pm) Then $M_w-m\le L_{+,w}^2\|x-y\|^2$: <<so $L_{\pm,w}\le L_{+,w}$ -> exact/L_pm^2 below
          L_plus^2>>. [proof; exact/L_pm^2 below L_plus^2]
        (d: sum-rule) If $M_w-m\le L_{\pm,w}^2\|x-y\|^2$ and $m\le L_-^2\|x-y\|^2$, then
          $M_w\le(L_{\pm,w}^2+L_-^2)\|x-y\|^2$: <<so the square of $L_{+,w}$ is at most $L_{\pm,w}^2+L_-^2$
          -> exact/L_plus^2 by the sum rule>>. [proof; exact/L_plus^2 by the sum rule;
          adversarial/directions]
        (e: clients) If the gradients of the $f_i$ have the Lipschitz constants $L_i$, $\|\Delta_i\|^2\le
          L_i^2\|x-y\|^2$, then $$M_w\le\frac1n\sum_i\frac{L_i^2}{nw_i}\|x-y\|^2.$$ [proof; exact/L_plus^2
          by client constants; run/mean square along a run]
        (f: best, best-weights) No weights make this bound smaller than
          $$\Big(\frac1n\sum_iL_i\Big)^2\le\frac1n\sum_i\frac{L_i^2}{nw_i},$$ and if $L_i>0$,
          $w_i=\frac{L_i}{\sum_lL_l}$ reach it:
          $\frac1n\sum_i\frac{L_i^2}{nw_i}=\Big(\frac1n\sum_iL_i\Big)^2$. [proof; exact/best value below the
          bound; exact/bound at the best weights]
        (g: affine) For equal weights $w_i=\frac1n$ each client has
          $$\|\frac{\Delta_i}{nw_i}-\bar\Delta\|^2\le n(M_w-m).$$ <<So all $\Delta_i$ are equal where
          $L_\pm=0$ -> proof>>; <<$f_i$ that differ by affine functions have $L_\pm=0$ -> exact/shifted
          copies>>. [proof; exact/shifted copies]
        (h: quadratic-plus, quadratic-minus) <<For quadratics with Hessians $A_i$ -> exact/gradients>> and
          the difference $u$ of $x$ and $y$, where $\delta_{ik}=\sum_lA_{i,kl}u_l$ are the entries of
          $\Delta_i$, $$M_w=\sum_k\sum_l\Big(\sum_i\sum_j\frac{A_{i,jk}A_{i,jl}}{n^2w_i}\Big)u_ku_l,\qquad
          m=\sum_k\sum_l\Big(\sum_j\bar A_{jk}\bar A_{jl}\Big)u_ku_l.$$ So the constants are norms: <<the
          squares of $L_{+,w}$ and $L_-$ the largest eigenvalues of these two matrices -> exact/L_plus>>,
          <<that of $L_{\pm,w}$ the one of their difference -> exact/L_pm>>. [proof; exact/L_minus^2 of
          impl; exact/L_plus^2 of impl; exact/L_pm^2 of impl; exact/L_minus; exact/L_plus; exact/L_pm;
          exact/f; exact/f again; exact/f_i; exact/gradient of f_i; exact/gradients; exact/gradient of a
          client; exact/arguments *; exact/fast *; exact/numbers that are read differently; exact/hashes of
          other content; exact/files *; exact/wrong files found wrong; exact/sets that *; exact/rows *]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(w, "w", r"(0,1]^n", "weights", "(n,)"),
        Variable(delta, r"\delta", r"\mathbb R^{n\times d}", r"entries of the $\Delta_i$", "(n, d)"),
        Variable(N, r"\|\Delta_{#1}\|^2", r"\mathbb R^n_{\ge0}", "squared differences", "(n,)"),
        Variable(
            D,
            r"\|\frac{\Delta_{#1}}{nw_{#1}}-\bar\Delta\|^2",
            r"\mathbb R^n_{\ge0}",
            "squared deviations from the mean",
            "(n,)",
        ),
        Variable(A, r"A_{#1,#2#3}", r"\mathbb R^{n\times d\times d}", "Hessians of quadratics", "(n, d, d)"),
        Variable(A_mean, r"\bar A", r"\mathbb R^{d\times d}", "their mean", "(d, d)"),
        Variable(u, "u", r"\mathbb R^d", "difference of the points", "(d,)"),
        Variable(L, "L", r"\mathbb R^n_{\ge0}", r"Lipschitz constants of the $\nabla f_i$", "(n,)"),
        Variable(M_w, "M_w", r"\mathbb R_{\ge0}", "weighted mean square"),
        Variable(m, "m", r"\mathbb R_{\ge0}", "squared mean"),
        Variable(R, r"\|x-y\|^2", r"\mathbb R_{\ge0}", "squared distance"),
        Variable(L_minus, "L_-", r"\mathbb R_{\ge0}", r"Lipschitz constant of $\nabla f$"),
        Variable(L_plus, r"L_{+,w}", r"\mathbb R_{\ge0}", "weighted mean smoothness"),
        Variable(L_pm, r"L_{\pm,w}", r"\mathbb R_{\ge0}", "weighted Hessian variance"),
    ),
    notation={
        "f_{#1}": "functions of the clients",
        r"\Delta_{#1}": "differences of gradients",
        r"\bar\Delta": "their mean",
        "x": "a point",
        "y": "a point",
        "A_i": "Hessians",
    },
    hypotheses={
        "sizes": domain(r"$n,d\ge1$ are integers"),
        "weights": domain(r"$w_i>0$, $\sum_iw_i=1$"),
        "signs": domain(r"$\|x-y\|^2,L_i\ge0$"),
        "differences": definition(
            r"$M_w=\frac1n\sum_i\frac{\|\Delta_i\|^2}{nw_i}$, $m=\sum_k\big(\frac1n\sum_l\delta_{lk}\big)^2$,"
            r" $\|\Delta_i\|^2=\sum_k\delta_{ik}^2$, $\|\frac{\Delta_i}{nw_i}-\bar\Delta\|^2"
            r"=\sum_k\big(\frac{\delta_{ik}}{nw_i}-\frac1n\sum_l\delta_{lk}\big)^2$"
        ),
        "plus": parameter(r"$M_w\le L_{+,w}^2\|x-y\|^2$"),
        "pm": parameter(r"$M_w-m\le L_{\pm,w}^2\|x-y\|^2$"),
        "minus": parameter(r"$m\le L_-^2\|x-y\|^2$"),
        "clients": parameter(r"$\|\Delta_i\|^2\le L_i^2\|x-y\|^2$"),
        "proportional": parameter(r"$w_i=\frac{L_i}{\sum_lL_l}$"),
        "not-constant": parameter("$L_i>0$"),
        "quadratics": model(r"$\delta_{ik}=\sum_lA_{i,kl}u_l$, $\bar A_{kl}=\frac1n\sum_iA_{i,kl}$"),
        "equal": parameter(r"$w_i=\frac1n$"),
    },
    relations={
        "variance": Relation((M_w - m, _VARIANCE), ("=",)),
        "minus": Relation((m, L_plus**2 * R), ("<=",), under=("plus",)),
        "pm": Relation((M_w - m, L_plus**2 * R), ("<=",), under=("plus",)),
        "sum-rule": Relation((M_w, _SUM_RULE * R), ("<=",), under=("pm", "minus")),
        "clients": Relation((M_w, _BOUND * R), ("<=",), under=("clients",)),
        "best": Relation((_BEST, _BOUND), ("<=",)),
        "best-weights": Relation((_BOUND, _BEST), ("=",), under=("proportional", "not-constant")),
        "affine": Relation((D[i], n * (M_w - m)), ("<=",), every=(CLIENTS,), under=("equal",)),
        "quadratic-plus": Relation(
            (M_w, Sum(Sum(_SQUARES * u[k] * u[q], OTHERS), COORDINATES)), ("=",), under=("quadratics",)
        ),
        "quadratic-minus": Relation(
            (m, Sum(Sum(_MEAN_SQUARE * u[k] * u[q], OTHERS), COORDINATES)), ("=",), under=("quadratics",)
        ),
    },
    formulas={
        "bound": _BOUND,
        "variance": _VARIANCE,
        "sum_rule": _SUM_RULE,
        "best_weight": L[i] / Sum(L[l], (l, 0, n - 1)),
        "best_value": _BEST,
    },
    worst_cases=cases(r"""
        two multiples of one quadratic, $w_i\propto L_i$: attained, and without variance | L = (1, 3),
          w = (1/4, 3/4), n = 2 | 4
        the same with equal weights | L = (1, 3), w = (1/2, 1/2), n = 2 | 5
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(CLIENTS, COORDINATES)
    half = Rational(1, 2)
    K.example(
        {n: 2, d: 1, w: (half, half), delta: ((1,), (3,)), R: 1, L: (1, 3), L_plus: 3, L_pm: 1, L_minus: 2}
    )
    K.example({n: 2, d: 1, w: (Rational(1, 4), Rational(3, 4)), delta: ((1,), (3,)), R: 1, L: (1, 3)})
    total = K.given("weights", 1)
    norm = K.at(K.given("differences", 2), i)
    entries = Sum(delta[i, k] ** 2, COORDINATES)
    opened = K.cert(eq(N[i] / (n**2 * w[i]), entries / (n**2 * w[i])), (1 / (n**2 * w[i]), norm))
    square = K.cert(
        eq(M_w, Sum(_SQUARE, COORDINATES)), (1, K.given("differences")), (1, K.sum_over(opened, CLIENTS))
    )
    mean = K.given("differences", 1)
    # Coordinate by coordinate the square opens, as the weights add up to 1.
    coordinate = K.cert(eq(Sum(w[i] * _DEVIATION, CLIENTS), _SQUARE - _MEAN**2), (_MEAN**2, total))
    opened = K.sum_over(
        K.cert(
            eq(w[i] * D[i], w[i] * Sum(_DEVIATION, COORDINATES)), (w[i], K.at(K.given("differences", 3), i))
        ),
        CLIENTS,
    )
    variance = K.cert(
        eq(M_w - m, _VARIANCE),
        (1, square),
        (-1, mean),
        (-1, K.sum_over(coordinate, COORDINATES)),
        (-1, opened),
    )
    K.conclude("variance", variance)
    _quadratics(K, square, mean)
    nonnegative = K.cert(
        le(0, M_w - m), (1, Sum(w[i] * Sum(_DEVIATION, COORDINATES), CLIENTS)), (-1, variance), (-1, opened)
    )
    square_of_mean = K.cert(le(0, m), (1, Sum(_MEAN**2, COORDINATES)), (-1, mean))
    plus = K.given("plus")
    K.conclude("minus", K.cert(le(m, L_plus**2 * R), (1, plus), (1, nonnegative)))
    K.conclude("pm", K.cert(le(M_w - m, L_plus**2 * R), (1, plus), (1, square_of_mean)))
    K.conclude("sum-rule", K.cert(le(M_w, _SUM_RULE * R), (1, K.given("pm")), (1, K.given("minus"))))
    of_client = K.cert(
        le(Sum(delta[i, k] ** 2, COORDINATES) / (n**2 * w[i]), L[i] ** 2 * R / (n**2 * w[i])),
        (1 / (n**2 * w[i]), K.at(K.given("clients"), i)),
        (-1 / (n**2 * w[i]), K.at(K.given("differences", 2), i)),
    )
    clients = K.cert(le(M_w, _BOUND * R), (1, square), (1, K.sum_over(of_client, CLIENTS)))
    K.conclude("clients", clients)
    other = _TOTAL.xreplace({i: l})
    deviation = w[i] * (L[i] / (n * w[i]) - other / n) ** 2
    K.conclude("best", K.cert(le(_BEST, _BOUND), (1, Sum(deviation, CLIENTS)), ((other / n) ** 2, total)))
    _affine(K, variance)
    K.know(K.given("not-constant"))
    K.know(K.sign(lt(0, other)))
    same = K.cert(
        eq(L[i] ** 2 / (n * w[i]), L[i] * other / n),
        (-L[i] * other / (n * w[i]), K.at(K.given("proportional"), i)),
    )
    K.conclude("best-weights", K.cert(eq(_BOUND, _BEST), (1 / n, K.sum_over(same, CLIENTS))))


def _quadratics(K: Any, square: Any, mean: Any) -> None:
    """Open the squares of the products."""
    K.index(OTHERS)
    product, entry = Sum(A[i, k, q] * u[q], OTHERS), K.at(K.given("quadratics"), i, k)
    opened = K.cert(
        eq(delta[i, k] ** 2 / (n**2 * w[i]), product**2 / (n**2 * w[i])),
        ((delta[i, k] + product) / (n**2 * w[i]), entry),
    )
    goal = eq(M_w, Sum(Sum(_SQUARES * u[k] * u[q], OTHERS), COORDINATES))
    K.conclude("quadratic-plus", K.cert(goal, (1, square), (1, K.sum_over(opened, CLIENTS, COORDINATES))))
    average = Sum(A_mean[k, q] * u[q], OTHERS)
    of_means = K.cert(
        eq(_MEAN, average),
        (1 / n, K.sum_over(entry, CLIENTS)),
        (
            -1,
            K.sum_over(
                K.cert(
                    eq(A_mean[k, q] * u[q], Sum(A[i, k, q] * u[q], CLIENTS) / n),
                    (u[q], K.at(K.given("quadratics", 1), k, q)),
                ),
                OTHERS,
            ),
        ),
    )
    opened = K.cert(eq(_MEAN**2, average**2), (_MEAN + average, of_means))
    goal = eq(m, Sum(Sum(_MEAN_SQUARE * u[k] * u[q], OTHERS), COORDINATES))
    K.conclude("quadratic-minus", K.cert(goal, (1, mean), (1, K.sum_over(opened, COORDINATES))))


def _affine(K: Any, variance: Any) -> None:
    """One of the terms of a sum of n squares."""
    other = Symbol("other", real=True)
    K.index((other, 0, n - 1))
    deviation = Sum(_DEVIATION, COORDINATES)
    nonnegative = K.cert(le(0, D[i]), (1, deviation), (-1, K.at(K.given("differences", 3), i)))
    K.know(K.every(nonnegative, CLIENTS))
    rest = [Sum(w[i] * D[i], (i, 0, other - 1)), Sum(w[i] * D[i], (i, other + 1, n - 1))]
    one = K.cert(
        le(D[other], n * (M_w - m)),
        (-n, variance),
        (-n, K.split_off(_VARIANCE, other)),
        (-n * D[other], K.at(K.given("equal"), other)),
        *((n, K.sign(le(0, item))) for item in rest),
    )
    K.conclude("affine", K.every(one, (other, 0, n - 1)))
