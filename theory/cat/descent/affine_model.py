"""Efficiencies of sorted squares at a cost of each size: symbols and what is assumed of them."""

from typing import Any

from sympy import IndexedBase, Min, Rational, Sum, symbols

from theory.hypotheses import definition, domain, model, parameter

d, T, S, m, j, k, t, c_0, c_1, b_0, b_1 = symbols("d T S m j k t c_0 c_1 b_0 b_1", real=True)
a, A, C, E, h = symbols("a A C E h", cls=IndexedBase, real=True)
ALL = (j, 0, d - 1)

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
    "sorted": definition(r"$a_j\ge a_k$ for $k\ge j$"),
    "squares": domain(r"$a_j\ge0$, $\sum_ja_j>0$"),
    "kept": definition(r"$A_t=\sum_{j=1}^ta_j$"),
    "positive": domain(r"$C_t>0$ for $1\le t\le d$"),
    "efficiency": definition(r"$E_t=\frac{A_t}{A_dC_t}$ for $1\le t\le d$"),
    "growth": definition(r"$h_t=a_{t+1}C_t-(C_{t+1}-C_t)A_t$ for $1\le t<d$"),
    "convex": model(
        r"$0\le C_{t+1}-C_t$ for $1\le t<d$; $C_{t+1}-C_t\le C_{k+1}-C_k$ for $1\le t\le k<d$, "
        "since the cost is convex"
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
    "nonzeros": definition(r"$a_m>0$; $a_j=0$ for $j>m$"),
    "enough": parameter(r"$\frac{c_0}{c_1}\ge\frac{\sum_{j=1}^ma_j}{a_m}$"),
    "fewer": domain(r"$S<m$"),
    "more": domain(r"$m\le T$"),
    "capped": model(
        r"$d=6$, $a_1=9$; $a_j=1$ for $2\le j\le6$; $C_1=5$, $C_2=10$, $C_3=15$, $C_4=18$, $C_5=18$, $C_6=18$"
    ),
}
