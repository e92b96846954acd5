r"""`cq_marina/marina-cq-rate`: MARINA with the correlated quantizer (arXiv 2401.05518, abstract).

With $\mathcal X_{CQ}=\min\{\frac{d-1}nL_+^2,\frac d{n^2}L_+^2+B\,L_\pm^2\}$,
$B=\max\{\frac{n-2}{2(n-1)},\frac dn-\frac1{n-1}\}$, the rate of `cq_marina/marina-rate` holds; without
Hessian variance its noise term is $n\frac{d-1}d$ times smaller than with independent thresholds.

Derivation: both AB pairs of the quantizer, that of independent thresholds and that of `cq_marina/ab-cq`, go
into $\mathcal X=(A-B)L_+^2+BL_\pm^2$; the smaller of two valid constants is valid.
"""

from sympy import Integer, Max, Min, Rational, sqrt

from theory.cq_marina.marina_cq_rate_derivation import X, derivation
from theory.cq_marina.marina_descent import Delta_0, T, gamma
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import (
    CLIENTS,
    DIMENSION,
    EXACT_REALS,
    HESSIAN_VARIANCE,
    MEAN_SMOOTHNESS,
    PROBABILITY,
    SMOOTHNESS,
    STRATIFIED,
    L_minus,
    L_plus,
    L_pm,
    d,
    n,
    p,
)
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

_B = Max((n - 2) / (2 * (n - 1)), d / n - 1 / (n - 1))
_INDEPENDENT = (d - 1) / n * L_plus**2
_CORRELATED = d / n**2 * L_plus**2 + _B * L_pm**2
_BOUND = 2 * Delta_0 / (gamma * T)
_FORMULAS = {
    "B": _B,
    "X_independent": _INDEPENDENT,
    "X_correlated": _CORRELATED,
    "X": Min(_INDEPENDENT, _CORRELATED),
    "X_equal_hessians": d / n**2 * L_plus**2,
    "X_wide": d / n * (L_plus**2 / n + L_pm**2),
    "gain_equal_hessians": n * (d - 1) / d,
    "gain": (d - 1) / d / (1 / n + L_pm**2 / L_plus**2),
    "step_size": 1 / (L_minus + sqrt((1 - p) / p * X)),
}

_MUTANTS = (
    Mutant(
        "quarter-constant",
        r"$\frac d{4n^2}$ for $\frac d{n^2}$, the constant of the ternary grid: exceeded four times at "
        r"$n=4$, $d=8$, all differences along $(3,1,\dots,1)$; runs leave their bound.",
        ("exact", "run"),
    ),
    Mutant(
        "independent-thresholds",
        r"Independent thresholds with the constant of correlated ones: $\frac{d-1}n$ against $\frac d{n^2}$.",
        ("exact", "run"),
    ),
    Mutant(
        "no-hessian-variance",
        r"Leave out $B\,L_\pm^2$: one client with a Hessian and the others without, "
        r"$\frac{d-1}nL_+^2$ against $\frac d{n^2}L_+^2$.",
        ("exact",),
    ),
    Mutant(
        "equal-norms-b",
        r"$B=\frac{n-2}{2(n-1)}$ for all norms: too small for one client with a Hessian where $d>\frac{n^2}{"
        r"2(n-1)}$.",
        ("exact",),
    ),
    Mutant(
        "permuted-clients",
        "Number the clients differently: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

_WORST_CASES = (
    WorstCase(
        r"equal Hessians, a difference along $(3,1,\dots,1)$: the variance is $\frac d{n^2}L_+^2$ exactly",
        {"n": 4, "d": 8, "L_plus": 1, "L_pm": 0, "direction": (3, 1, 1, 1, 1, 1, 1, 1)},
        Rational(1, 2),
    ),
    WorstCase(
        r"one client with a Hessian, the others without: both branches are $\frac{d-1}nL_+^2$, attained",
        {"n": 4, "d": 8, "L_plus": 2, "L_pm": sqrt(3)},
        Integer(7),
    ),
    WorstCase(
        r"no Hessian variance at $n=10$, $d=32$",
        {"n": 10, "d": 32, "L_plus": 1, "L_pm": 0},
        Rational(8, 25),
    ),
    WorstCase(
        r"large Hessian variance at $n=10$, $d=32$; independent thresholds have $3.1$",
        {"n": 10, "d": 32, "L_plus": 1, "L_pm": Rational(1, 2)},
        Rational(8, 25) + (Rational(16, 5) - Rational(1, 9)) / 4,
    ),
)

CLAIM = Claim(
    id="cq_marina/marina-cq-rate",
    paper=PAPER,
    kind="rate",
    provenance="abstract",
    title="Rate of MARINA with the correlated quantizer",
    statement=(
        r"MARINA with the correlated one-bit quantizer, $n\ge2$ clients and $g^0=\nabla f(x^0)$: for "
        r"$\gamma\le\Big(L_-+\sqrt{\tfrac{1-p}p\mathcal X_{CQ}}\Big)^{-1}$ and all $T\ge1$ "
        r"$$\frac1T\sum_{k<T}\mathbb E\|\nabla f(x^k)\|^2\le\frac{2\Delta_0}{\gamma T},\qquad\mathcal "
        r"X_{CQ}=\min\Big\{\frac{d-1}nL_+^2,\ \frac d{n^2}L_+^2+B\,L_\pm^2\Big\},\quad "
        r"B=\max\Big\{\frac{n-2}{2(n-1)},\ \frac dn-\frac1{n-1}\Big\}.$$ Independent thresholds have "
        r"$\mathcal X_{IQ}=\frac{d-1}nL_+^2$. Without Hessian variance, $L_\pm=0$, it is $\mathcal "
        r"X_{CQ}=\frac d{n^2}L_+^2$, smaller by the factor $n\frac{d-1}d$. For $d\ge\frac{n^2}{2(n-1)}$ it "
        r"is at most $\frac dn\big(\frac{L_+^2}n+L_\pm^2\big)$, so that the gain $\mathcal X_{IQ}/\mathcal "
        r"X_{CQ}$ is at least $\frac{d-1}d\big(\frac1n+L_\pm^2/L_+^2\big)^{-1}$; it disappears as "
        r"$L_\pm^2\to(1-\frac1n)L_+^2$."
    ),
    variables=(
        CLIENTS,
        DIMENSION,
        PROBABILITY,
        SMOOTHNESS,
        MEAN_SMOOTHNESS,
        HESSIAN_VARIANCE,
        Variable(X, r"\mathbb R_{\ge0}", r"$\mathcal X_{CQ}$, or any larger constant"),
        Variable(gamma, r"(0,\frac1{L_-+\sqrt{\frac{1-p}p\mathcal X}}]", "step size"),
        Variable(T, r"\mathbb N", "number of rounds"),
        Variable(Delta_0, r"\mathbb R_{\ge0}", r"$f(x^0)-f^\star$"),
    ),
    assumptions=(
        r"$f$ is bounded below; $L_-$, $L_+$, $L_\pm$ with equal weights are finite.",
        r"$n\ge2$ clients and $d\ge2$ coordinates.",
        r"One coin for all clients, and draws that are fresh in every round and independent of the coin.",
        STRATIFIED,
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=_WORST_CASES,
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
