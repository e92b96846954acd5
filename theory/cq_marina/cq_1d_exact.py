r"""`cq_marina/cq-1d-exact`: exact variance of one-bit correlated quantization (arXiv 2401.05518).

With stratified thresholds, $\varphi_{ik}=\mathrm{clip}(ny_i-k,0,1)$, $\alpha_i=\{ny_i\}$ and
$a_{ik}=c_i\varphi_{ik}$,
$$\mathrm{Var}\sum_ic_i\mathbf 1[U_i<y_i]=\frac1{n-1}\sum_{i,k}(a_{ik}-\bar a_{i\cdot}-\bar a_{\cdot k}+\bar
a_{\cdot\cdot})^2+\frac1n\sum_ic_i^2\alpha_i(1-\alpha_i).$$

Derivation: given the permutation the bits are independent with the chances $\varphi_{i\pi_i}$, so the total
variance is that of a permutation statistic (Hoeffding) and the mean of the variances within the strata. The
pairwise form comes from $\sum_k\varphi_{ik}\varphi_{lk}$, and the form for equal coefficients from
$K(s,s)+K(t,t)-2K(s,t)=|s-t|(1-|s-t|)$.
"""

from sympy import Eq, Expr, Integer, Max, Min, Ne, Piecewise, Rational, Sum, floor

from theory.cq_marina.cq_1d_exact_derivation import derivation
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import (
    COEFFICIENTS,
    EXACT_REALS,
    PROBABILITIES,
    STRATIFIED,
    c,
    i,
    k,
    l,
    n,
    y,
)
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

__all__ = ["CLAIM", "derivation"]


def covariance_kernel(s: Expr, t: Expr) -> Expr:
    """Return K(s, t) = min(s, t) (1 - max(s, t))."""
    return Min(s, t) * (1 - Max(s, t))


def _cell(client: Expr) -> Expr:
    return floor(n * y[client])


def _fraction(client: Expr) -> Expr:
    return n * y[client] - _cell(client)


def _share(client: Expr) -> Expr:
    return Max(0, Min(1, n * y[client] - k))


def _total(term: Expr, *indices: Expr) -> Expr:
    return Sum(term, *((index, 0, n - 1) for index in indices))


_COLUMN = _total(c[l] * _share(l), l) / n
_MEAN = _total(c[l] * y[l], l) / n
_EXACT = (
    _total((c[i] * _share(i) - c[i] * y[i] - _COLUMN + _MEAN) ** 2, k, i) / (n - 1)
    + _total(c[i] ** 2 * _fraction(i) * (1 - _fraction(i)), i) / n
)
_SAME_CELL = Eq(_cell(i), _cell(l))
_WITHIN = covariance_kernel(_fraction(i), _fraction(l))
_COVARIANCE = -(covariance_kernel(y[i], y[l]) - Piecewise((_WITHIN, _SAME_CELL), (0, True)) / n) / (n - 1)
_PAIRWISE = _total(c[i] ** 2 * y[i] * (1 - y[i]), i) + 2 * Sum(
    c[i] * c[l] * _COVARIANCE, (l, 0, i - 1), (i, 1, n - 1)
)
_DISTANCE = abs(y[i] - y[l])
_EQUAL = _total(_DISTANCE * (1 - _DISTANCE), l, i) / (2 * n**2 * (n - 1)) + _total(
    Piecewise((_WITHIN, _SAME_CELL & Ne(i, l)), (0, True)), l, i
) / (n**3 * (n - 1))
_FORMULAS = {
    "share": _share(i),
    "covariance": _COVARIANCE,
    "pairwise": _PAIRWISE,
    "equal": _EQUAL,
    "identical": _fraction(i) * (1 - _fraction(i)) / n**2,
}

_NINTHS = tuple(Rational(item, 9) for item in (1, 2, 4, 8))
_THREE = (Rational(1, 3), Rational(1, 2), Rational(3, 5))
_EIGHTHS = (Rational(1, 8),) * 4

CLAIM = Claim(
    id="cq_marina/cq-1d-exact",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="Exact variance of one-bit correlated quantization in one dimension",
    statement=(
        r"For stratified thresholds, $y\in[0,1]^n$, $c_i\ge0$, $n\ge2$: $\mathbb E\mathbf 1[U_i<y_i]=y_i$, "
        r"and with $\varphi_{ik}=\mathrm{clip}(ny_i-k,0,1)$, $\alpha_i=\{ny_i\}$, $a_{ik}=c_i\varphi_{ik}$, "
        r"$$\mathrm{Var}\sum_ic_i\mathbf 1[U_i<y_i]=\frac1{n-1}\sum_{i,k}\big(a_{ik}-\bar a_{i\cdot}-\bar "
        r"a_{\cdot k}+\bar a_{\cdot\cdot}\big)^2+\frac1n\sum_ic_i^2\alpha_i(1-\alpha_i).$$ With "
        r"$K(s,t)=\min(s,t)(1-\max(s,t))$, the covariance of two bits, $i\ne l$, is "
        r"$$-\frac1{n-1}\Big(K(y_i,y_l)-\frac1n\mathbf 1[\lfloor ny_i\rfloor=\lfloor "
        r"ny_l\rfloor]\,K(\alpha_i,\alpha_l)\Big),$$ and for $c_i=1$, $\delta_{il}=|y_i-y_l|$, "
        r"$$\mathrm{Var}\Big(\frac1n\sum_i\mathbf 1[U_i<y_i]\Big)=\frac{\sum_{i,l}\delta_{il}(1-\delta_{il})}"
        r"{2n^2(n-1)}+\frac{\sum_{i\ne l,\text{ same cell}}K(\alpha_i,\alpha_l)}{n^3(n-1)}.$$ "
        r"At identical inputs it is $\{ny\}(1-\{ny\})/n^2$."
    ),
    variables=(
        PROBABILITIES,
        COEFFICIENTS,
        Variable(n, r"\mathbb N_{\ge2}", "number of clients"),
        Variable(l, r"\{0,\dots,n-1\}", "another client, in the covariance"),
        Variable(k, r"\{0,\dots,n-1\}", r"stratum, in the chance $\varphi_{ik}$ given $\pi_i=k$"),
    ),
    assumptions=(
        STRATIFIED,
        r"$y\in[0,1]^n$, $c_i\ge0$, $n\ge2$; the rule is strict, $U_i<y_i$.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "all cells apart but one pair: 16 times the variance of the mean, which is 47/1944",
            {"y": _NINTHS, "c": (1,) * 4, "n": 4},
            16 * Rational(47, 1944),
        ),
        WorstCase(
            "two clients in one cell: 9 times the variance of the mean, which is 221/8100",
            {"y": _THREE, "c": (1,) * 3, "n": 3},
            9 * Rational(221, 8100),
        ),
        WorstCase(
            "identical inputs with fraction 1/2: 16 times the variance of the mean, which is 1/64",
            {"y": _EIGHTHS, "c": (1,) * 4, "n": 4},
            Rational(1, 4),
        ),
        WorstCase(
            "identical inputs at a multiple of 1/n: no variance at all",
            {"y": (Rational(1, 2),) * 4, "c": (1,) * 4, "n": 4},
            Integer(0),
        ),
    ),
    mutants=(
        Mutant(
            "no-jitter",
            r"Thresholds $\pi_i/n$ without jitter: biased, at $y=(1,2,4,8)/9$ the mean is off by $1/12$.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "common-threshold",
            r"One seed for permutation and jitter of all clients, so that all $U_i$ are equal: the variance "
            r"is up to $n$ times that of independent thresholds.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "shifted-cell",
            r"A permutation of $\{1,\dots,n\}$: thresholds one cell too high, bias $-\min(y_i,1/n)$.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "divisor-n",
            r"Divide Hoeffding's sum by $n$ instead of $n-1$: $657/752$ of the variance at $y=(1,2,4,8)/9$; "
            "equal inputs do not show it.",
            ("exact",),
        ),
        Mutant(
            "permuted-clients",
            "Take the clients in another order: nothing may change.",
            ("exact",),
            neutral=True,
        ),
    ),
    exact=_EXACT,
    formulas=_FORMULAS,
)
