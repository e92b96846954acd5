r"""The expected squared scale after a random rotation, for `cq_marina/cq-hadamard`: tails of sums of signs.

For one client i the outcomes of the signs stand in the order of the scale: $X_{k+1}$ is the squared scale of
outcome k, $T_k$ the probability of at least that, $X_0=0$.
"""

from typing import Any

from sympy import IndexedBase, Integer, Max, exp, log, sqrt, symbols

from theory.claim import Variable
from theory.facts.logarithms.fair_sign import fair_sign
from theory.facts.sums.telescoping_sum import telescoping_ends
from theory.formula import le
from theory.hypotheses import definition, model

d, n, N, i, j, k, l = symbols("d n N i j k l", real=True)
A, S, T, X, c, G, tail = symbols("A S T X c G tail", cls=IndexedBase, real=True)
CLIENTS, COORDINATES, STEPS, TERMS = (i, 0, n - 1), (j, 0, d - 1), (k, 0, N - 1), (l, 0, d - 1)
ALL, RATE, START = (COORDINATES, STEPS, CLIENTS), d / (2 * A[i]), 2 * A[i] * log(2 * d) / d
SUP = 2 * (log(2 * d) + 1) / d
_TERM = d * sqrt(X[i, k + 1]) / A[i] * c[i, j, l]

HYPOTHESES = {
    "ordered": definition(
        r"$T_{i,0}=1$, $T_{i,N}=0$, $X_{i,0}=0$; $T_{i,p+1}\le T_{i,p}\le1$ for $0\le p<N$; $T_{i,p}\ge0$; "
        r"$X_{i,p+1}\ge0$ for $0\le p<N$; $X_{i,p}\le X_{i,p+1}$ for $0\le p<N$; "
        r"$\sum_{p=0}^{N-1}(T_{i,p}-T_{i,p+1})X_{i,p+1}=\mathbb E\|z_i\|_\infty^2$, "
        r"since $X_i$ is $\|z_i\|_\infty^2$ by size"
    ),
    "reached": model(
        r"$T_{i,k}\le\sum_j\tau_{i,k,j}$ for $0\le k<N$, since the scale is that of a coordinate"
    ),
    "signs": model(
        r"$\sum_lc_{i,j,l}^2=\frac{\|a_i\|^2}d$; $G_{i,m,j,0}=1$; $G_{i,m,j,l}>0$; "
        r"$G_{i,m,j,l+1}\le\frac12\Big(\exp\Big(\frac{d\sqrt{X_{i,m+1}}c_{i,j,l+1}}{\|a_i\|^2}\Big)"
        r"+\exp\Big(-\frac{d\sqrt{X_{i,m+1}}c_{i,j,l+1}}{\|a_i\|^2}\Big)\Big)G_{i,m,j,l}$ for $0\le l<d$; "
        r"$\exp\Big(\frac{dX_{i,m+1}}{\|a_i\|^2}\Big)\tau_{i,m,j}\le2G_{i,m,j,d}$, "
        "since an entry is a sum of fair signs"
    ),
}
VARIABLES = (
    Variable(T, "T", r"[0,1]^{n\times(N+1)}", "probabilities of at least a scale", "(n,N+1)", first=(1, 0)),
    Variable(X, "X", r"\mathbb R^{n\times(N+1)}_{\ge0}", "squared scales by size", "(n,N+1)", first=(1, 0)),
    Variable(
        tail, r"\tau", "[0,1]", "probabilities that a coordinate reaches a scale", "(n,N,d)", first=(1, 0, 1)
    ),
    Variable(c, "c", r"\mathbb R", r"entries of $a_i$ over $\sqrt d$", "(n,d,d)"),
    Variable(
        G, "G", r"\mathbb R_{>0}", "expected exponentials of their sums", "(n,N,d,d+1)", first=(1, 0, 1, 0)
    ),
)


def _hoeffding(K: Any) -> Any:
    r"""Return that a coordinate has the tail $2e^{-dx/(2\|a_i\|^2)}$, by logarithms of the product."""
    now, after = (K.at(K.given("signs", 2), i, j, place, k) for place in (l, l + 1))
    K.know(now, after, K.at(K.given("signs", 2), i, j, d, k))
    factor = K.cert(
        le(G[i, k, j, l + 1], G[i, k, j, l] * exp(_TERM**2 / 2)),
        (1, K.at(K.given("signs", 3), i, j, k, l)),
        (G[i, k, j, l], fair_sign(K, _TERM)),
    )
    step = K.cert(
        le(log(G[i, k, j, l + 1]) - log(G[i, k, j, l]), _TERM**2 / 2),
        (1, K.log(factor)),
        (1, K.axiom("log-product", G[i, k, j, l], exp(_TERM**2 / 2))),
        (1, K.axiom("log-exp", _TERM**2 / 2)),
    )
    half = d * X[i, k + 1] / (2 * A[i])
    first = K.at(K.given("signs", 1), i, j, k)
    start = K.rewrite(K.identity(log(G[i, k, j, 0]), log(G[i, k, j, 0])), first, side="right")
    product = K.cert(
        le(log(G[i, k, j, d]), half),
        (1, K.sum_over(step, TERMS)),
        (-1, telescoping_ends(K, log(G[i, k, j, l]), l, d)),
        (1, start),
        (d**2 * X[i, k + 1] / (2 * A[i] ** 2), K.at(K.given("signs"), i, j)),
    )
    most = K.cert(le(G[i, k, j, d], exp(half)), (1, K.exp(product)), (-1, K.axiom("exp-log", G[i, k, j, d])))
    both = K.cert(
        le(tail[i, k, j] * exp(2 * half), 2 * exp(half)), (1, K.at(K.given("signs", 4), i, j, k)), (2, most)
    )
    return K.cert(
        le(tail[i, k, j], 2 * exp(-half)),
        (exp(-2 * half), both),
        (-2, K.axiom("exp-sum", -2 * half, half)),
        (tail[i, k, j], K.axiom("exp-sum", -2 * half, 2 * half)),
    )


def sup_norm(K: Any) -> Any:
    r"""Return $\mathbb E\|z_i\|_\infty^2\le\frac{2(\ln(2d)+1)}d\|a_i\|^2$: the tail, added up."""
    K.index(STEPS, TERMS)
    large = K.log(K.cert(le(1, 2 * d), (2, K.given("sizes", 1)), (1, Integer(1))))
    K.know(K.at(K.given("ordered", 6), i, k), K.cert(le(0, log(2 * d)), (1, large)))
    union = K.cert(
        le(T[i, k], 2 * d * exp(-RATE * X[i, k + 1])),
        (1, K.at(K.given("reached"), i, k)),
        (1, K.sum_over(_hoeffding(K), COORDINATES)),
    )
    now, after = (Max(0, X[i, k + place] - START) for place in (0, 1))
    rise = X[i, k + 1] - START
    # Below the start the tail is at most one, beyond it the exponential takes over.
    goal = le(T[i, k], exp(-RATE * after))
    flat = K.axiom("max-is-right", rise, Integer(0))
    one = K.rewrite(K.identity(goal.right, goal.right), flat, side="right")
    below = K.cert(goal, (1, K.at(K.given("ordered", 4), i, k)), (-1, one))
    steep = K.axiom("max-is-right", Integer(0), rise)
    value = K.rewrite(K.identity(goal.right, goal.right), steep, side="right")
    above = K.cert(
        goal,
        (1, union),
        (-1, value),
        (-1, K.axiom("exp-sum", -RATE * X[i, k + 1], log(2 * d))),
        (-exp(-RATE * X[i, k + 1]), K.axiom("exp-log", 2 * d)),
    )
    small = K.cases(rise, below, above)
    order = K.cert(
        le(X[i, k] - START, after),
        (1, K.at(K.given("ordered", 7), i, k)),
        (1, K.axiom("max-above-right", Integer(0), rise)),
    )
    rises = K.axiom("max-least", Integer(0), X[i, k] - START, after)
    rises = K.discharge(rises, order)
    e_0, e_1, gap = exp(-RATE * now), exp(-RATE * after), RATE * (after - now)
    slope = K.cert(
        le(e_1 * (after - now), (e_0 - e_1) / RATE),
        (e_1 / RATE, K.axiom("exp-above", gap)),
        (-1 / RATE, K.axiom("exp-sum", -RATE * after, gap)),
    )
    K.know(K.cert(le(0, after - now), (1, rises)))
    each = K.cert(le(T[i, k] * (after - now), (e_0 - e_1) / RATE), (after - now, small), (1, slope))
    K.know(K.cert(le(0, T[i, k] - T[i, k + 1]), (1, K.at(K.given("ordered", 3), i, k))))
    reach = K.cert(
        le((T[i, k] - T[i, k + 1]) * X[i, k + 1], (T[i, k] - T[i, k + 1]) * (START + after)),
        (T[i, k] - T[i, k + 1], K.axiom("max-above-right", Integer(0), rise)),
    )
    ends = [K.at(K.given("ordered", place), i) for place in (0, 1, 2)]
    nothing = now.subs(k, 0)
    zero = K.axiom("max-is-right", X[i, 0] - START, Integer(0))
    zero = K.discharge(zero, K.cert(le(X[i, 0] - START, 0), (1, ends[2]), (1, START)))
    last = exp(-RATE * now.subs(k, N))
    first = K.rewrite(K.identity(e_0.subs(k, 0), e_0.subs(k, 0)), zero, side="right")
    return K.cert(
        le(S[i], SUP * A[i]),
        (-1, K.at(K.given("ordered", 8), i)),
        (1, K.sum_over(reach, STEPS)),
        (1, K.sum_over(each, STEPS)),
        (1, telescoping_ends(K, -T[i, k] * now, k, N)),
        (START, telescoping_ends(K, -T[i, k], k, N)),
        (1 / RATE, telescoping_ends(K, -e_0, k, N)),
        (START + nothing, ends[0]),
        (1, zero),
        (-START - now.subs(k, N), ends[1]),
        (1 / RATE, first),
        (1 / RATE, last),
    )
