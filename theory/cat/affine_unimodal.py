r"""`cat/affine-unimodal`: the efficiency $\alpha(T)/C(T)$ for costs that are affine in T (arXiv 2003.06377).

For $C(T)=c_0+c_1T$ the efficiency rises up to its maximum and then never rises again; $T=1$ is optimal for
$c_0=0$; the smallest maximiser grows with $c_0/c_1$.

Derivation: $E(T+1)>E(T)$ iff $h(T)=a_{T+1}C(T)-A_T\,\Delta C(T)>0$, and
$h(T+1)-h(T)=(a_{T+2}-a_{T+1})C(T+1)-(\Delta C(T+1)-\Delta C(T))A_{T+1}\le0$.
"""

from sympy import IndexedBase, Rational, Sum

from theory.cat.affine_unimodal_derivation import CONCAVE_COST, ENERGIES, derivation, nonzeros
from theory.cat.old_squares import SQUARES
from theory.cat.paper import PAPER
from theory.cat.symbols import DIMENSION, ENTRY_COST, FIXED_COST, SIZE, TIES, T, a, c_0, c_1, d, j
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

C = IndexedBase("C", positive=True)

_KEPT, _TOTAL = Sum(a[j], (j, 0, T - 1)), Sum(a[j], (j, 0, d - 1))
_EXACT = _KEPT / (_TOTAL * (c_0 + c_1 * T))
_FORMULAS = {
    "efficiency": _KEPT / (_TOTAL * C[T]),
    "growth": a[T] * (c_0 + c_1 * T) - c_1 * _KEPT,
    "growth_any_cost": a[T] * C[T] - (C[T + 1] - C[T]) * _KEPT,
    "all_entries": Sum(a[j], (j, 0, nonzeros - 1)) / a[nonzeros - 1],
}

_GI = (81, 36, 25, 16, 9, 4, 1, 1)

OLD = Claim(
    id="cat/affine-unimodal",
    paper=PAPER,
    kind="ordering",
    provenance="derived",
    title="Affine costs: the efficiency has one peak, which moves up with the fixed cost",
    statement=(
        r"Let $C(T)=c_0+c_1T>0$ with $c_1>0$, $E(T)=\alpha(T)/C(T)$, and $h(T)=a_{T+1}C(T)-c_1A_T$, so that "
        r"$E(T+1)>E(T)$ iff $h(T)>0$. (a) $h$ is nonincreasing: once $E(T+1)\le E(T)$, $E$ never increases "
        r"again. (b) For $c_0=0$, $T=1$ is optimal, and the maximisers are $1,\dots,t$ with $t$ the "
        r"multiplicity of the largest $|g_j|$. (c) The smallest maximiser is nondecreasing in $c_0/c_1$: 1 "
        r"at 0, and the number of nonzeros $m$ once $\frac{c_0}{c_1}\ge\frac{\|g\|^2}{a_m}$. (d) With "
        r"$h(T)=a_{T+1}C(T)-(C(T+1)-C(T))A_T$, (a) holds for every convex positive nondecreasing $C$; it "
        r"fails for concave costs such as $\min(5T,18)$, a price capped by that of the dense gradient: "
        r"squares $(9,1,1,1,1,1)$ give "
        r"$E=\frac9{70},\frac1{14},\frac{11}{210},\frac1{21},\frac{13}{252},\frac1{18}$."
    ),
    variables=(
        DIMENSION,
        SIZE,
        FIXED_COST,
        ENTRY_COST,
        SQUARES,
        Variable(nonzeros, r"\{1,\dots,d\}", "number of nonzeros of g"),
        Variable(C, r"\mathbb R_{\ge0}^{d+1}", r"$C_T$, cost of T entries, positive from $T=1$ on", "(d+1,)"),
    ),
    assumptions=(r"$g\ne0$, and $T$ runs over $1,\dots,d$.", TIES),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"`gi`, $C=T+5$: three entries are the best",
            {"a": _GI, "T": 3, "d": 8, "c_0": 5, "c_1": 1},
            Rational(71, 692),
        ),
        WorstCase(
            r"one peak fails for the concave cost $\min(5T,18)$: a second rise at the fifth entry",
            {"a": ENERGIES, "T": 5, "d": 6, "C": CONCAVE_COST},
            Rational(13, 252),
        ),
    ),
    mutants=(
        Mutant(
            "largest-share",
            r"Maximise $\alpha$ instead of $\alpha/C$: all entries are sent, 3.746 times less efficient for "
            r"`gi` and $C=T$.",
            ("exact",),
        ),
        Mutant(
            "drop-fixed-cost",
            r"Leave $c_0$ out of the rule: 1.882 times less efficient for `gi` and $C=T+40$.",
            ("exact",),
        ),
        Mutant(
            "concave-cost",
            r"Expect one peak for $C=\min(5T,18)$, too.",
            ("exact", "adversarial"),
        ),
        Mutant(
            "other-currency",
            "Measure all costs in another currency: no choice may change.",
            ("exact",),
            neutral=True,
        ),
    ),
    exact=_EXACT,
    formulas=_FORMULAS,
)
