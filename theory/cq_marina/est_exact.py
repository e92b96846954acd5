r"""`cq_marina/est-exact`: exact errors of the estimates of a mean (arXiv 2401.05518).

The error $V=\mathbb E\|\hat g-\bar a\|^2$ of each estimator at every input. For CQ-bin, with
$y_{ij}=\frac12(1+a_{ij}/r_i)$, $\alpha_{ij}=\{ny_{ij}\}$, the share $\varphi_{ijk}$ of stratum $k$ below
$y_{ij}$ and $v_{ij}(k)=r_i(\varphi_{ijk}-y_{ij})$,
$$V=\frac4{n^2}\sum_j\Big[\frac1{n-1}\sum_{i,k}(v_{ij}(k)-\bar v_j(k))^2+\frac1n\sum_ir_i^2\alpha_{ij}(1-
\alpha_{ij})\Big].$$

Derivation: total variance, given the permutations, the groups or the drawn clients; a permutation statistic
for the correlated quantizers, orthogonal errors for the independent ones, a simple random sample for PermK.
"""

from sympy import Abs, Expr, Integer, Max, Min, Rational, Sum, floor

from theory.cq_marina.ab_permk import OWNERS, THETA, q
from theory.cq_marina.est_exact_derivation import (
    K,
    M_w,
    V_block,
    V_slots,
    b,
    derivation,
    groups,
    omega,
    r,
    tau,
    u,
)
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import (
    CLIENTS,
    DIMENSION,
    EXACT_REALS,
    MEAN_SQUARE,
    SQUARED_MEAN,
    STRATIFIED,
    WEIGHTS,
    M,
    d,
    i,
    j,
    k,
    l,
    m,
    n,
    w,
)
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

__all__ = ["CLAIM", "derivation"]


def _stratified(chance: Expr) -> Expr:
    r"""Return $\mathrm{Var}\sum_ir_i\mathbf 1[U_i<y_i]$ of coordinate `j`, for $y_i$ given in `i` and `j`."""
    level = n * chance
    fraction = level - floor(level)
    share = r[i] * (Min(1, Max(0, level - k)) - chance)
    mean = Sum(share.xreplace({i: l}), (l, 0, n - 1)) / n
    between = Sum((share - mean) ** 2, (k, 0, n - 1), (i, 0, n - 1)) / (n - 1)
    return between + Sum(r[i] ** 2 * fraction * (1 - fraction), (i, 0, n - 1)) / n


_BINARY = _stratified((1 + u[i, j]) / 2)
_TERNARY = _stratified(u[i, j] - floor(u[i, j]))
_SAMPLE = (n - q) / (q * (n - 1)) * (M - m)

_EXACT = 4 * Sum(_BINARY, (j, 0, d - 1)) / n**2
_FORMULAS = {
    "rand_k": (d / K - 1) / n * M,
    "iq_bin": (d - 1) / n * M,
    "iq_tern": Sum(r[i] ** 2 * (Abs(u[i, j]) - u[i, j] ** 2), (j, 0, d - 1), (i, 0, n - 1)) / n**2,
    "cq_tern": Sum(_TERNARY, (j, 0, d - 1)) / n**2,
    "perm_k": THETA * (M - m),
    "perm_iq": _SAMPLE + (b - 1) / q * M,
    "perm_cq": _SAMPLE + groups * V_block,
    "is_unbiased": ((1 + omega) * M_w - m) / tau,
    "is_correlated": V_slots + (M_w - m) / tau,
    "partition": M_w - m,
    "weighted_mean_square": Sum(r[i] ** 2 / (n * w[i]), (i, 0, n - 1)) / n,
}

_MUTANTS = (
    Mutant(
        "missing-step",
        r"Forget the factor $(2r)^2$ of a bit, taking $r^2$: a quarter of the error of CQ-bin.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "mean-as-scale",
        r"$\|\bar a\|$ as the scale of all clients, clipped: biased where a client is larger.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "missing-group-scale",
        r"PermK+CQ without the factor $m$, the number of groups: the mean is $\bar a/m$.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "independent-thresholds",
        "Claim the error of CQ-bin for independent thresholds.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "common-permutation",
        r"One permutation for all coordinates: the error is a sum over coordinates, so it does not change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cq_marina/est-exact",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="Exact errors of eleven estimators of a mean",
    statement=(
        r"All estimators are unbiased, and at every input $V=\mathbb E\|\hat g-\bar a\|^2$ is: independent "
        r"RandK $\frac{d/K-1}nM$; IQ-bin $\frac{d-1}nM$; IQ-tern $\frac1{n^2}\sum_i(\|a_i\|_2\|a_i\|_1-"
        r"\|a_i\|_2^2)$; CQ-bin, for $n\ge2$, with $r_i=\|a_i\|_2$, $y_{ij}=\frac12(1+a_{ij}/r_i)$, "
        r"$\alpha_{ij}=\{ny_{ij}\}$, $v_{ij}(k)=r_i(\mathrm{clip}(ny_{ij}-k,0,1)-y_{ij})$ and $\bar v_j="
        r"\frac1n\sum_iv_{ij}$, $$V=\frac4{n^2}\sum_j\Big[\frac1{n-1}\sum_{i,k}(v_{ij}(k)-\bar v_j(k))^2+"
        r"\frac1n\sum_ir_i^2\alpha_{ij}(1-\alpha_{ij})\Big];$$ CQ-tern the same with $y_{ij}=\{a_{ij}/r_i\}$ "
        r"and $\frac1{n^2}$ for $\frac4{n^2}$; PermK $\theta(M-m)$; with $g$ groups of $q=n/g$ clients on "
        r"blocks of $b=d/g$ coordinates PermK+IQ $\theta_q(M-m)+\frac{b-1}qM$ and PermK+CQ $\theta_q(M-m)+"
        r"g\,V_{\rm block}$, $\theta_q=\frac{n-q}{q(n-1)}$, $V_{\rm block}$ the average of $V_{CQ}$ over all "
        r"groups and blocks; with $\tau$ draws from $w$ an unbiased compressor, "
        r"independent in each draw, with $\mathbb E\|Q(x)-x\|^2="
        r"\omega\|x\|^2$ has $\frac1\tau((1+\omega)M_w-m)$ and CQ over the draws $V_{\rm slots}+\frac1\tau"
        r"(M_w-m)$, $V_{\rm slots}$ the mean of $V_{CQ}$ over the draws; a partition with owners from $w$ "
        r"has $M_w-m$."
    ),
    variables=(
        CLIENTS,
        DIMENSION,
        Variable(r, r"\mathbb R^n_{\ge0}", r"norms $r_i=\|a_i\|_2$", "(n,)"),
        Variable(u, r"[-1,1]^{n\times d}", r"directions $u_{ij}=a_{ij}/r_i$, 0 where $r_i=0$", "(n, d)"),
        MEAN_SQUARE,
        SQUARED_MEAN,
        WEIGHTS,
        Variable(M_w, r"\mathbb R_{\ge0}", r"$M_w=\frac1n\sum_i\frac{\|a_i\|^2}{nw_i}$"),
        Variable(K, r"\{1,\dots,d\}", "number of coordinates that RandK sends"),
        Variable(omega, r"\mathbb R_{\ge0}", "relative variance of the compressor of a draw"),
        Variable(tau, r"\mathbb N", "number of draws of importance sampling"),
        Variable(groups, r"\mathbb N", "number of groups and blocks"),
        Variable(q, r"\mathbb N", "number of clients in a group"),
        Variable(b, r"\mathbb N", "number of coordinates in a block"),
        Variable(V_block, r"\mathbb R_{\ge0}", "average error of CQ-bin over all groups and blocks"),
        Variable(V_slots, r"\mathbb R_{\ge0}", "expected error of CQ-bin over the drawn clients"),
    ),
    assumptions=(
        STRATIFIED,
        r"Binary grid: $Q(a)_j=r(2\cdot\mathbf 1[U_j<\frac12(1+a_j/r)]-1)$ with $r=\|a\|_2$; ternary grid: "
        r"$Q(a)_j=r(\lfloor a_j/r\rfloor+\mathbf 1[U_j<\{a_j/r\}])$; $Q(0)=0$. IQ has independent uniform "
        r"$U_j$, CQ stratified ones over the clients with a permutation for each coordinate.",
        OWNERS,
        r"Groups of clients and blocks of coordinates are independent uniformly random partitions; the group "
        r"of a block quantizes it with one bit, with the norms of the block as scales, times $g$.",
        r"Importance sampling draws $\xi_1,\dots,\xi_\tau$ independently from $w$ and estimates by the mean "
        r"of the compressed $a_{\xi_t}/(nw_{\xi_t})$, compressed independently in each draw unless by CQ; a "
        r"partition takes $a_{ij}/(nw_i)$ from the owner $i$ "
        r"of $j$.",
        r"$n\ge2$.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "rational norms, two clients",
            {
                "u": ((Rational(3, 5), Rational(4, 5)), (Rational(4, 5), -Rational(3, 5))),
                "r": (5, 5),
                "n": 2,
                "d": 2,
            },
            Rational(21, 2),
        ),
        WorstCase(
            r"four equal inputs $(3,1^7)$: $V=\frac d{n^2}\|a\|^2$",
            {"u": ((Rational(3, 4), *(Rational(1, 4),) * 7),) * 4, "r": (4,) * 4, "n": 4, "d": 8},
            Integer(8),
        ),
        WorstCase(
            "two equal flat inputs",
            {"u": ((Rational(1, 3),) * 9,) * 2, "r": (3, 3), "n": 2, "d": 9},
            Integer(18),
        ),
        WorstCase(
            "three equal unit vectors",
            {"u": ((1, 0, 0, 0, 0),) * 3, "r": (1,) * 3, "n": 3, "d": 5},
            Rational(4, 9),
        ),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
