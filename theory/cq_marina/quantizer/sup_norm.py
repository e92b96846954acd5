r"""The expected squared scale after a random rotation, for `cq_marina/cq-hadamard`: tails of sums of signs.

For one client i the outcomes of the signs stand in the order of the scale: $X_{k+1}$ is the squared scale of
outcome k, $T_k$ the probability of at least that, $X_0=0$.
"""

from typing import Any

from sympy import IndexedBase, Integer, Max, Sum, exp, log, sqrt, symbols

from theory.facts.logarithms.fair_sign import fair_sign
from theory.facts.sums.telescoping_sum import telescoping_ends
from theory.formula import eq, every, le, lt
from theory.hypotheses import definition, model

d, n, N, i, j, k, l = symbols("d n N i j k l", real=True)
A, S, T, X, c, G, tail = symbols("A S T X c G tail", cls=IndexedBase, real=True)
CLIENTS, COORDINATES, STEPS, TERMS = (i, 0, n - 1), (j, 0, d - 1), (k, 0, N - 1), (l, 0, d - 1)
ALL, RATE, START = (COORDINATES, STEPS, CLIENTS), d / (2 * A[i]), 2 * A[i] * log(2 * d) / d
SUP = 2 * (log(2 * d) + 1) / d
_TERM = d * sqrt(X[i, k + 1]) / A[i] * c[i, j, l]

HYPOTHESES = {
    "ordered": definition(
        r"the outcomes of the signs in the order of $\|z_i\|_\infty^2$, and probabilities of at least that",
        *(every(eq(T[i, 0], 1), CLIENTS), every(eq(T[i, N], 0), CLIENTS), every(eq(X[i, 0], 0), CLIENTS)),
        *(every(le(0, T[i, k]), STEPS, CLIENTS), every(le(T[i, k + 1], T[i, k]), STEPS, CLIENTS)),
        *(every(le(T[i, k], 1), STEPS, CLIENTS), every(le(X[i, k], X[i, k + 1]), STEPS, CLIENTS)),
        every(le(0, X[i, k + 1]), STEPS, CLIENTS),
        every(eq(Sum((T[i, k] - T[i, k + 1]) * X[i, k + 1], STEPS), S[i]), CLIENTS),
    ),
    "reached": model(
        "the scale is reached by a coordinate: the union of these events",
        every(le(T[i, k], Sum(tail[i, k, j], COORDINATES)), STEPS, CLIENTS),
    ),
    "signs": model(
        r"an entry of $z_i$ is the sum of the entries of $a_i$ over the root of $d$ with independent fair "
        r"signs: the expectation of its exponential function is at most a product; Markov's inequality",
        every(eq(Sum(c[i, j, l] ** 2, TERMS), A[i] / d), COORDINATES, CLIENTS),
        *(every(eq(G[i, k, j, 0], 1), *ALL), every(lt(0, G[i, k, j, l]), (l, 0, d), *ALL)),
        every(le(G[i, k, j, l + 1], G[i, k, j, l] * (exp(_TERM) + exp(-_TERM)) / 2), TERMS, *ALL),
        every(le(tail[i, k, j] * exp(d * X[i, k + 1] / A[i]), 2 * G[i, k, j, d]), *ALL),
    ),
}


def _hoeffding(K: Any) -> Any:
    r"""Return that a coordinate has the tail $2e^{-dx/(2\|a_i\|^2)}$, by logarithms of the product."""
    now, after = (K.at(K.given("signs", 2), i, k, j, place) for place in (l, l + 1))
    K.know(now, after, K.at(K.given("signs", 2), i, k, j, d))
    factor = K.cert(
        le(G[i, k, j, l + 1], G[i, k, j, l] * exp(_TERM**2 / 2)),
        (1, K.at(K.given("signs", 3), i, k, j, l)),
        (G[i, k, j, l], fair_sign(K, _TERM)),
    )
    step = K.cert(
        le(log(G[i, k, j, l + 1]) - log(G[i, k, j, l]), _TERM**2 / 2),
        (1, K.log(factor)),
        (1, K.axiom("log-product", G[i, k, j, l], exp(_TERM**2 / 2))),
        (1, K.axiom("log-exp", _TERM**2 / 2)),
    )
    half = d * X[i, k + 1] / (2 * A[i])
    first = K.at(K.given("signs", 1), i, k, j)
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
        le(tail[i, k, j] * exp(2 * half), 2 * exp(half)), (1, K.at(K.given("signs", 4), i, k, j)), (2, most)
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
    K.know(K.at(K.given("ordered", 7), i, k), K.cert(le(0, log(2 * d)), (1, large)))
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
    below = K.cert(goal, (1, K.at(K.given("ordered", 5), i, k)), (-1, one))
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
        (1, K.at(K.given("ordered", 6), i, k)),
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
    K.know(K.cert(le(0, T[i, k] - T[i, k + 1]), (1, K.at(K.given("ordered", 4), i, k))))
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
