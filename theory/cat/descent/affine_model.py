"""Efficiencies of sorted squares at a cost of each size: symbols and what is assumed of them."""

from typing import Any

from sympy import IndexedBase, Min, Rational, Sum, Symbol

from theory.claim import Hypothesis
from theory.formula import IsInteger, eq, every, le, lt

d, T, S, m, j, k, t, c_0, c_1, b_0, b_1 = (
    Symbol(s, real=True) for s in ("d", "T", "S", "m", "j", "k", "t", "c_0", "c_1", "b_0", "b_1")
)
a, A, C, E, h = (IndexedBase(s, real=True) for s in ("a", "A", "C", "E", "h"))
ALL, SIZES = (j, 0, d - 1), (t, 1, d)

KEPT, TOTAL = Sum(a[j], (j, 0, T - 1)), Sum(a[j], ALL)
EXACT = KEPT / (TOTAL * (c_0 + c_1 * T))
GROWTH = a[T] * (c_0 + c_1 * T) - c_1 * KEPT
ENOUGH = Sum(a[j], (j, 0, m - 1)) / a[m - 1]
SQUARES, CAPPED = (9, 1, 1, 1, 1, 1), tuple(int(Min(5 * size, 18)) for size in range(7))
"""Squares, and a concave cost under which their efficiency has two rises."""
EFFICIENCIES = tuple(Rational(8 + size, 14 * CAPPED[size]) for size in range(1, 7))


def increment(place: Any) -> Any:
    """Return by how much one more entry costs."""
    return C[place + 1] - C[place]


HYPOTHESES = {
    "sizes": Hypothesis(
        "domain",
        (*(item for size in (d, T, S, m) for item in (IsInteger(size), le(1, size), le(size, d))),),
        r"$S,T,m$ are integers from 1 to $d$",
    ),
    "sorted": Hypothesis(
        "definition", every(le(a[k], a[j]), (k, j, d - 1), ALL), "the squares are sorted, the largest first"
    ),
    "squares": Hypothesis("domain", (every(le(0, a[j]), ALL), lt(0, TOTAL)), r"$g\ne0$"),
    "kept": Hypothesis(
        "definition", every(eq(A[t], Sum(a[j], (j, 0, t - 1))), (t, 0, d)), r"$A_t=\sum_{j=1}^ta_j$"
    ),
    "positive": Hypothesis("domain", every(lt(0, C[t]), SIZES), r"$C_t>0$"),
    "efficiency": Hypothesis(
        "definition", every(eq(E[t], A[t] / (A[d] * C[t])), SIZES), r"$E_t=\frac{A_t}{A_dC_t}$"
    ),
    "growth": Hypothesis(
        "definition",
        every(eq(h[t], a[t] * C[t] - increment(t) * A[t]), (t, 1, d - 1)),
        r"$h_t=a_{t+1}C_t-(C_{t+1}-C_t)A_t$",
    ),
    "convex": Hypothesis(
        "model",
        (
            every(le(0, increment(t)), (t, 1, d - 1)),
            every(le(increment(t), increment(k)), (k, t, d - 1), (t, 1, d - 1)),
        ),
        "the cost is nondecreasing and convex: its increments are at least 0 and do not decrease",
    ),
    "below": Hypothesis("domain", le(T, d - 1), r"$T\le d-1$"),
    "before": Hypothesis("domain", le(S, T), r"$S\le T$"),
    "fell": Hypothesis("parameter", le(E[S + 1], E[S]), r"$E_{S+1}\le E_S$"),
    "affine": Hypothesis(
        "parameter",
        (le(0, c_0), lt(0, c_1), every(eq(C[t], c_0 + c_1 * t), (t, 0, d))),
        r"$c_0\ge0$, $c_1>0$, $C_t=c_0+c_1t$",
    ),
    "free": Hypothesis("parameter", eq(c_0, 0), r"$c_0=0$"),
    "tied": Hypothesis("parameter", eq(a[T - 1], a[0]), r"$a_T=a_1$"),
    "as-good": Hypothesis("parameter", eq(E[T], E[1]), r"$E_T=E_1$"),
    "dearer": Hypothesis(
        "parameter",
        (
            le(0, b_0),
            lt(0, b_1),
            le(c_0 / c_1, b_0 / b_1),
            lt(A[S] / (c_0 + c_1 * S), A[T] / (c_0 + c_1 * T)),
        ),
        r"$b_0\ge0$, $b_1>0$, $\frac{b_0}{b_1}\ge\frac{c_0}{c_1}$, "
        r"$\frac{A_S}{c_0+c_1S}<\frac{A_T}{c_0+c_1T}$",
    ),
    "nonzeros": Hypothesis(
        "definition",
        (lt(0, a[m - 1]), every(eq(a[j], 0), (j, m, d - 1))),
        "$m$ is the number of nonzeros",
    ),
    "enough": Hypothesis(
        "parameter", le(ENOUGH, c_0 / c_1), r"$\frac{c_0}{c_1}\ge\frac{\sum_{j=1}^ma_j}{a_m}$"
    ),
    "fewer": Hypothesis("domain", lt(S, m), r"$S<m$"),
    "more": Hypothesis("domain", le(m, T), r"$m\le T$"),
    "capped": Hypothesis(
        "model",
        (
            eq(d, 6),
            eq(a[0], 9),
            every(eq(a[j], 1), (j, 1, 5)),
            *(eq(C[size], CAPPED[size]) for size in range(1, 7)),
        ),
        r"squares 9, 1, 1, 1, 1, 1 and a price of 5 for each entry, but of 18 at most",
    ),
}
