"""Vectors of clients quantized with stratified thresholds: symbols, constants and hypotheses."""

from typing import Any

from sympy import IndexedBase, Max, Min, Rational, Sum, Symbol, symbols

from theory.facts.rounding.stratified_shares import within
from theory.hypotheses import definition, domain, model, parameter

n, d, M, m, V, i, l, j = symbols("n d M m V i l j", real=True)
c, u, kappa, cov = symbols("c u kappa cov", cls=IndexedBase, real=True)
CLIENTS, OTHERS, COORDINATES = (i, 0, n - 1), (l, 0, n - 1), (j, 0, d - 1)
BEFORE, AFTER = (l, 0, i - 1), (l, i + 1, n - 1)
HALF = Rational(1, 2)


def chance(client: Any) -> Any:
    """Return the probability of a positive message in coordinate j."""
    return (1 + u[client, j]) / 2


KERNEL = Min(chance(i), chance(l)) * (1 - Max(chance(i), chance(l)))
COVARIANCE = -(KERNEL - kappa[i, l, j] / n) / (n - 1)
OWN = c[i] ** 2 * chance(i) * (1 - chance(i))
PRODUCT = c[i] * c[l] * cov[i, l, j]
PAIRS = Sum(Sum(PRODUCT, BEFORE) + Sum(PRODUCT, AFTER), CLIENTS)
MEAN = Sum(c[i] * u[i, j], CLIENTS) / n

w, A, B, A_1, B_1, Q, r, x_0, s_2 = symbols("w A B A_1 B_1 norm_spread r x_0 spread", real=True)
e, x, o = symbols("e x o", cls=IndexedBase, real=True)
h = Symbol("h", real=True)
B_EQUAL = (n - 2) / (2 * (n - 1))
B_UNEQUAL = d / n - 1 / (n - 1)
LARGER = Max(B_EQUAL, B_UNEQUAL)
BOUND = A * M - B * m
SLOPE = (d * (1 - 1 / n) - n / 2) / (n - 1)
REFINED = d / n**2 * M + B_EQUAL * (M - m) + SLOPE * Q
COMMON = d * w**2 / (4 * n**2) + B_EQUAL * (M - m)
INDEPENDENT = (d - 1) / n
CELLS = COVARIANCE.subs(kappa[i, l, j], within(n * chance(i), n * chance(l)))
CROSS = c[i] * c[l] * CELLS
EXACT = 4 / n**2 * Sum(Sum(OWN, CLIENTS) + Sum(Sum(CROSS, BEFORE) + Sum(CROSS, AFTER), CLIENTS), COORDINATES)
LEVEL = n * (1 + e[j]) / 2
HYPOTHESES = {
    "sizes": domain(r"$n\ge2$ and $d\ge1$ are integers, $c_i\ge0$"),
    "directions": domain(r"$-1\le u_{ij}\le1$"),
    "unit": definition(r"$\sum_ju_{ij}^2=1$"),
    "squares": definition(
        r"$M=\frac1n\sum_i\sum_j(c_iu_{ij})^2$, $m=\sum_j\big(\frac1n\sum_ic_iu_{ij}\big)^2$"
    ),
    "variance": definition(
        r"$V=\frac4{n^2}\sum_j\Big(\sum_ic_i^2\frac{1+u_{ij}}2(1-\frac{1+u_{ij}}2)+\sum_i\Big("
        r"\sum_{l=1}^{i-1}c_ic_l\mathrm{Cov}_{ilj}+\sum_{l=i+1}^nc_ic_l\mathrm{Cov}_{ilj}\Big)\Big)$"
    ),
    "covariance": model(
        r"$\mathrm{Cov}_{ilj}=-\frac1{n-1}\Big(\min\Big\{\frac{1+u_{ij}}2,\frac{1+u_{lj}}2\Big\}"
        r"\Big(1-\max\Big\{\frac{1+u_{ij}}2,\frac{1+u_{lj}}2\Big\}\Big)-\frac1n\kappa_{ilj}\Big)$ "
        r"for $l\ne i$",
        reference="cq_marina/cq-1d-exact",
    ),
    "within": definition(
        r"$\kappa_{ilj}=\mathbb I\Big(\Big\lfloor\frac n2(1+u_{ij})\Big\rfloor,"
        r"\Big\lfloor\frac n2(1+u_{lj})\Big\rfloor\Big)"
        r"\min\Big\{\Big\{\frac n2(1+u_{ij})\Big\},\Big\{\frac n2(1+u_{lj})\Big\}\Big\}"
        r"\Big(1-\max\Big\{\Big\{\frac n2(1+u_{ij})\Big\},\Big\{\frac n2(1+u_{lj})\Big\}\Big\}\Big)$ "
        "(`cq_marina/cq-1d-exact`)"
    ),
    "constants": definition(
        r"$B=\max\Big\{\frac{n-2}{2(n-1)},\frac dn-\frac1{n-1}\Big\}$, $A=\frac d{n^2}+B$"
    ),
    "norms": definition(r"$Q=\frac1{2n^2}\sum_{i,l}(c_i-c_l)^2$"),
    "same": parameter(r"$c_i=r$ and $u_{ij}=e_j$"),
    "half": parameter(r"$\{\frac n2(1+e_j)\}=\frac12$"),
    "odd": parameter(
        r"$n=2h$ with an integer $h$; $o_j$ are integers, $e_j=\frac{2o_j+1}n$, $o_j^2=o_j$, "
        r"$8\sum_jo_j=n^2-d$"
    ),
    "alone": parameter(r"$c_ic_l=0$ for $l\ne i$"),
    "wide": parameter(r"$\frac n2\le d(1-\frac1n)$"),
    "other": parameter(r"$0<M$, $V\le A_1M-B_1m$ and $A_1=\frac d{n^2}+B_1$"),
    "common": parameter(r"$c_i=\frac w2$"),
    "line": parameter(r"$d=1$"),
    "bits": definition(r"$x_i=x_0+c_iu_{i1}$, $s^2=\frac1n\sum_i\big(x_i-\frac1n\sum_lx_l\big)^2$"),
    "two": parameter(r"$n=2$"),
}
