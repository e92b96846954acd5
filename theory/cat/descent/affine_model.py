"""Efficiencies of sorted squares at a cost of each size: symbols and what is assumed of them."""

from typing import Any

from sympy import IndexedBase, Min, Rational, Sum, symbols

from theory.formula import eq, every, le, lt
from theory.hypotheses import definition, domain, model, parameter

d, T, S, m, j, k, t, c_0, c_1, b_0, b_1 = symbols("d T S m j k t c_0 c_1 b_0 b_1", real=True)
a, A, C, E, h = symbols("a A C E h", cls=IndexedBase, real=True)
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
    "sizes": domain(r"$d\ge1$ is an integer; $S,T,m$ are integers from 1 to $d$"),
    "sorted": definition(
        "the squares are sorted, the largest first", every(le(a[k], a[j]), (k, j, d - 1), ALL)
    ),
    "squares": domain(r"$g\ne0$", every(le(0, a[j]), ALL), lt(0, TOTAL)),
    "kept": definition(r"$A_t=\sum_{j=1}^ta_j$"),
    "positive": domain(r"$C_t>0$ for the sizes from 1 to $d$", every(lt(0, C[t]), SIZES)),
    "efficiency": definition(
        r"$E_t=\frac{A_t}{A_dC_t}$ for the sizes from 1 to $d$", every(eq(E[t], A[t] / (A[d] * C[t])), SIZES)
    ),
    "growth": definition(
        r"$h_t=a_{t+1}C_t-(C_{t+1}-C_t)A_t$",
        every(eq(h[t], a[t] * C[t] - increment(t) * A[t]), (t, 1, d - 1)),
    ),
    "convex": model(
        "the cost is nondecreasing and convex: its increments are at least 0 and do not decrease",
        every(le(0, increment(t)), (t, 1, d - 1)),
        every(le(increment(t), increment(k)), (k, t, d - 1), (t, 1, d - 1)),
    ),
    "below": domain(r"$T\le d-1$"),
    "before": domain(r"$S\le T$"),
    "fell": parameter(r"$E_{S+1}\le E_S$"),
    "affine": parameter(r"$c_0\ge0$, $c_1>0$, $C_t=c_0+c_1t$"),
    "free": parameter(r"$c_0=0$"),
    "tied": parameter(r"$a_T=a_1$"),
    "as-good": parameter(r"$E_T=E_1$"),
    "dearer": parameter(
        r"$b_0\ge0$, $b_1>0$, $\frac{b_0}{b_1}\ge\frac{c_0}{c_1}$, "
        r"$\frac{A_S}{c_0+c_1S}<\frac{A_T}{c_0+c_1T}$"
    ),
    "nonzeros": definition(
        "$m$ is the number of nonzeros", lt(0, a[m - 1]), every(eq(a[j], 0), (j, m, d - 1))
    ),
    "enough": parameter(r"$\frac{c_0}{c_1}\ge\frac{\sum_{j=1}^ma_j}{a_m}$"),
    "fewer": domain(r"$S<m$"),
    "more": domain(r"$m\le T$"),
    "capped": model(
        r"squares 9, 1, 1, 1, 1, 1 and a price of 5 for each entry, but of 18 at most",
        eq(d, 6),
        eq(a[0], 9),
        every(eq(a[j], 1), (j, 1, 5)),
        *(eq(C[size], CAPPED[size]) for size in range(1, 7)),
    ),
}
