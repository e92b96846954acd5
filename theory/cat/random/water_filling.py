"""Water filling: symbols, formulas and hypotheses of `cat/st-waterfill`."""

from typing import Any

from sympy import IndexedBase, Sum, symbols

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


def after(formula: Any) -> Any:
    """Return a formula of a piece with one more sure entry."""
    return formula.subs(NEXT, simultaneous=True)


HYPOTHESES = {
    "sizes": domain(r"$d\ge1$, $k\ge0$ are integers; $k\le d-1$, $k<T$, $k<U$"),
    "magnitudes": domain(r"$s_j>0$"),
    "sure": parameter(r"$\sum_{l=k+1}^ds_l\le(T-k)s_j$ for $j\le k$"),
    "open": parameter(r"$(T-k)s_j\le\sum_{l=k+1}^ds_l$ for $j>k$"),
    "feasible": parameter(r"$q_j\in(0,1]$, $\sum_jq_j\le T$"),
    "small": parameter(r"$T\le d$"),
    "break": parameter(r"$T=k+\frac Rx$, $k+1<T$"),
    "none-sure": parameter("$k=0$"),
    "mixture": parameter(r"$0\le\lambda\le1$, $a_j,b_j>0$, $q_j=\lambda a_j+(1-\lambda)b_j$"),
    "outcomes": model(
        r"$n\ge1$ is an integer; $w_i\ge0$, $z_ih_i=z_i$, $h_i^2=h_i$, $g=\sum_iw_iz_i$, "
        r"$M=\sum_iw_iz_i^2$, $u=\sum_iw_ih_i$, $u>0$, since $h_i$ marks the nonzero values"
    ),
    "piece": model(r"$A,R,x>0$, $H\ge0$, $x<R$, $H(T-k)+R^2>0$, $H(U-k)+R^2>0$"),
    "costs": domain(r"$c_0\ge0$, $c_1>0$"),
    "chord": model(
        r"$0\le\lambda<1$, $C_S,C_U>0$; $\lambda\omega_S+(1-\lambda)\omega_U\le\omega_T$, "
        "since shares are concave"
    ),
    "not-better": parameter(r"$\frac{\omega_T}{\lambda C_S+(1-\lambda)C_U}\le\frac{\omega_S}{C_S}$"),
    "no-worse": parameter(
        r"$c_0>0$, $\frac{U\sum_{j=1}^ds_j^2}{(\sum_{j=1}^ds_j)^2(c_0+c_1U)}\le"
        r"\frac{\sum_{j=1}^ds_j^2}{(\sum_{j=1}^ks_j^2+\frac{(\sum_{j=k+1}^ds_j)^2}{T-k})(c_0+c_1T)}$"
    ),
    "larger": parameter(r"$T<U$, $c_0>0$"),
}
