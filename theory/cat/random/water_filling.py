"""Water filling: symbols, formulas and hypotheses of `cat/st-waterfill`."""

from typing import Any

from sympy import IndexedBase, Sum, symbols

from theory.formula import IsInteger, eq, every, le, lt
from theory.hypotheses import domain, model, parameter

d, k, T, U, j, l, i, n, lam, c_0, c_1 = symbols("d k T U j l i n lam c_0 c_1", real=True)
A, H, R, x, g, M, u, w_S, w_T, w_U, C_S, C_U = symbols("A H R x g M u w_S w_T w_U C_S C_U", real=True)
s, q, a, b, w, z, h = symbols("s q a b w z h", cls=IndexedBase, real=True)
ALL, SURE, OPEN, OUTCOMES = (j, 0, d - 1), (j, 0, k - 1), (j, k, d - 1), (i, 0, n - 1)

ENERGY, HEAD = Sum(s[j] ** 2, ALL), Sum(s[j] ** 2, SURE)
TAIL = Sum(s[l], (l, k, d - 1))
EXACT = ENERGY / (HEAD + TAIL**2 / (T - k))
BOUND = T / d
LEVEL = (T - k) / TAIL
FILLED = HEAD + Sum(s[j] ** 2 / (LEVEL * s[j]), OPEN)
SLOPE = ENERGY * TAIL**2 / (HEAD * (T - k) + TAIL**2) ** 2
LINEAR = T * ENERGY / Sum(s[j], ALL) ** 2
KNEE = Sum(s[j], ALL) / s[0]


def value(probability: Any) -> Sum:
    """Return the sum that the share of probabilities divides by."""
    return Sum(s[j] ** 2 / probability, ALL)


def share(probability: Any) -> Any:
    """Return the share of probabilities."""
    return ENERGY / value(probability)


MIXED = lam * a[j] + (1 - lam) * b[j]


def piece(size: Any) -> Any:
    """Return the share of a size with the sure energy H, the open sum R."""
    return A / (H + R**2 / (size - k))


def steepness(size: Any) -> Any:
    """Return the slope of a piece."""
    return A * R**2 / (H * (size - k) + R**2) ** 2


NEXT = {H: H + x**2, R: R - x, k: k + 1}
BREAK = k + R / x


def after(formula: Any) -> Any:
    """Return a formula of a piece with one more sure entry."""
    return formula.subs(NEXT, simultaneous=True)


def positive(family: Any, span: Any = ALL) -> Any:
    """Return that all entries of a family are positive."""
    return every(lt(0, family[j]), span)


HYPOTHESES = {
    "sizes": domain(
        r"the integer $k\ge0$ is less than the integer $d$; $k<T$, $k<U$",
        IsInteger(d),
        IsInteger(k),
        le(0, k),
        le(k, d - 1),
        le(1, d),
        lt(k, T),
        lt(k, U),
        lt(0, T),
        lt(0, U),
    ),
    "magnitudes": domain(
        r"$s_j>0$, so that what is divided by is positive",
        positive(s),
        lt(0, TAIL),
        lt(0, FILLED),
        lt(0, HEAD + TAIL**2 / (T - k)),
    ),
    "sure": parameter(
        r"$\sum_{l=k+1}^ds_l\le(T-k)s_j$ for the first $k$ entries", every(le(TAIL, (T - k) * s[j]), SURE)
    ),
    "open": parameter(
        r"$(T-k)s_j\le\sum_{l=k+1}^ds_l$ for the others", every(le((T - k) * s[j], TAIL), OPEN)
    ),
    "feasible": parameter(
        r"$q\in(0,1]^d$ with $\sum_jq_j\le T$", positive(q), every(le(q[j], 1), ALL), le(Sum(q[j], ALL), T)
    ),
    "small": parameter(r"$T\le d$"),
    "break": parameter(
        r"$T=k+\frac Rx$, which is more than $k+1$",
        eq(T, BREAK),
        lt(k + 1, T),
        lt(0, (H + x**2) * (T - k - 1) + (R - x) ** 2),
    ),
    "none-sure": parameter("$k=0$"),
    "mixture": parameter(
        r"$0\le\lambda\le1$ and $q_j=\lambda a_j+(1-\lambda)b_j$ for $a,b>0$",
        le(0, lam),
        le(lam, 1),
        positive(a),
        positive(b),
        every(eq(q[j], MIXED), ALL),
    ),
    "outcomes": model(
        r"finitely many outcomes $z_i$ with probabilities $w_i$ and expectation $g$; $h_i$ is 0 where "
        r"$z_i=0$, "
        r"else 1",
        IsInteger(n),
        le(1, n),
        every(le(0, w[i]), OUTCOMES),
        every(eq(z[i] * h[i], z[i]), OUTCOMES),
        every(eq(h[i] ** 2, h[i]), OUTCOMES),
        eq(g, Sum(w[i] * z[i], OUTCOMES)),
        eq(M, Sum(w[i] * z[i] ** 2, OUTCOMES)),
        eq(u, Sum(w[i] * h[i], OUTCOMES)),
        lt(0, u),
    ),
    "piece": model(
        r"$A,R,x>0$, $H\ge0$, $x<R$, so that divisors are positive",
        lt(0, A),
        le(0, H),
        lt(0, R),
        lt(0, x),
        lt(x, R),
        *(lt(0, H * (size - k) + R**2) for size in (T, U)),
    ),
    "costs": domain(r"$c_0\ge0$, $c_1>0$"),
    "chord": model(
        "concavity (f) at a mixture of two sizes, where an affine cost is the same mixture of their costs",
        le(0, lam),
        lt(lam, 1),
        le(lam * w_S + (1 - lam) * w_U, w_T),
        lt(0, C_S),
        lt(0, C_U),
        lt(0, lam * C_S + (1 - lam) * C_U),
    ),
    "not-better": parameter(r"$\frac{\omega_T}{\lambda C_S+(1-\lambda)C_U}\le\frac{\omega_S}{C_S}$"),
    "no-worse": parameter(
        r"$c_0>0$, and the size $T$ is no less efficient than $U$ with the share of part (i)",
        lt(0, c_0),
        le(LINEAR.subs(T, U) / (c_0 + c_1 * U), EXACT / (c_0 + c_1 * T)),
    ),
    "larger": parameter(r"$T<U$, $c_0>0$"),
}
