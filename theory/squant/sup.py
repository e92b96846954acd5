r"""`squant/sup`: the exact supremum of the variance of one block (arXiv 2106.03524; derived here).

With $\varphi(u)=\{u\}(1-\{u\})$: $\mathcal L=\sup\{\sum_jL_jh_j^2\varphi(u_j):\sum_jh_j^2u_j^2=1\}$. Where
$\sum_Jh_j^2>4$ over $J=\{j:L_j>0\}$, it is $\sum_jL_jh_j^2u_j(1-u_j)$ at $u_j=\frac{L_j}{2(L_j+\nu)}$,
$\nu\ge0$ the root of $\sum_jh_j^2u_j^2=1$.

Derivation: $\varphi(u)=\varphi(\mathrm{dist}(u,\mathbb Z))$ and the distance is at most $u$, so only
$u\in[0,\frac12]$ with $\sum_jh_j^2u_j^2\le1$ matters. There the program is concave, and at the KKT point $v$
$\sum h_j^2L_jv_j(1-v_j)-\sum h_j^2L_ju_j(1-u_j)=\sum h_j^2(L_j+\nu)(u_j-v_j)^2+\nu(1-\sum h_j^2u_j^2)$.
"""

from sympy import Expr, Integer, Piecewise, Rational, sqrt

from theory.old_form import Claim, ImplicitValue, Mutant, Variable, WorstCase, expressions
from theory.squant.paper import PAPER
from theory.squant.sup_derivation import carrier, derivation, nu, step, weight
from theory.squant.symbols import (
    DIAGONAL,
    DIMENSION,
    MATRIX,
    QUANTIZER,
    STEPS,
    L,
    d,
    h,
    j,
    rounding_variance,
    total,
)


def _maximiser(diagonal: Expr, multiplier: Expr) -> Expr:
    return diagonal / (2 * (diagonal + multiplier))


_U = Piecewise((_maximiser(L[j], nu), L[j] > 0), (0, True))
_COARSE = total(h[j] ** 2 * L[j] * _U * (1 - _U))
_NORM = total(h[j] ** 2 * _U**2) - 1
_FINE = total(L[j] * h[j] ** 2) / 4
_EXACT = ImplicitValue(_COARSE, nu, _NORM)
_FORMULAS = {
    "regime": total(Piecewise((h[j] ** 2, L[j] > 0), (0, True))),
    "maximiser": h[j] * _U,
    "value_at_multiplier": _COARSE,
    "fine_upper": _FINE,
    "fine_lower": _FINE - carrier / 4,
    "uniform": step * sqrt(d) - 1,
    "uniform_fine": d * step**2 / 4,
    "one_dimension": weight * step**2 * rounding_variance(1 / step),
    "dropped_norm_constraint": _FINE,
    "dropped_quadratic_term": sqrt(total(L[j] ** 2 * h[j] ** 2)),
}

_MUTANTS = (
    Mutant(
        "dropped-norm-constraint",
        r"Maximise without $\sum h_j^2u_j^2=1$: reports 11.25 instead of 8.6795 at $L=(4,1)$, $h=(3,3)$.",
        ("exact",),
    ),
    Mutant("dropped-quadratic-term", r"Maximise without $-u^2$: reports 12.3693 there.", ("exact",)),
    Mutant(
        "ninety-percent",
        "Claim 90 % of the value as a bound: refuted by the maximiser.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "permuted-coordinates",
        "Permute steps and weights alike: the value may not change.",
        ("exact",),
        neutral=True,
    ),
)

OLD = Claim(
    id="squant/sup",
    paper=PAPER,
    kind="tight",
    provenance="derived",
    title="Exact supremum of the variance of one block",
    statement=(
        r"Let $B=1$, $L_j=\mathbf L_{jj}$, $J=\{j:L_j>0\}$, $\varphi(u)=\{u\}(1-\{u\})$, so that $\mathcal "
        r"L(Q_h,\mathbf L)=\sup\{\sum_jL_jh_j^2\varphi(u_j):\sum_jh_j^2u_j^2=1\}$. Coarse regime, "
        r"$\sum_Jh_j^2>4$: $$\mathcal L(Q_h,\mathbf L)=\sum_{j\in J}L_jh_j^2u_j(1-u_j),\qquad "
        r"u_j=\frac{L_j}{2(L_j+\nu)},$$ with $\nu\ge0$ the unique root of $\sum_Jh_j^2u_j^2=1$; it is "
        r"attained at $x_j=h_ju_j$. Fine regime, $\sum_Jh_j^2\le4$: $S-\frac14\min_JL_jh_j^2\le\mathcal "
        r"L(Q_h,\mathbf L)\le S=\frac14\sum_JL_jh_j^2$, with $\mathcal L=S$ if some $L_j=0$, or iff "
        r"half-odd integers $m_j$ with $\sum_jh_j^2m_j^2=1$ exist; for $d=1$, $\mathcal "
        r"L=Lh^2\varphi(1/h)$. For $\mathbf L=I$ and a uniform step, $\omega=h\sqrt d-1$ if $h\sqrt d\ge2$, "
        r"else $\omega\le dh^2/4$, with equality for $d\ge3$ iff $(4h^{-2}-d)/8$ is a nonnegative integer."
    ),
    variables=(
        STEPS,
        DIAGONAL,
        DIMENSION,
        Variable(nu, r"\mathbb R_{\ge0}", "multiplier of the norm constraint"),
        Variable(step, r"\mathbb R_{>0}", "uniform step, or the step of the single coordinate"),
        Variable(weight, r"\mathbb R_{>0}", r"$L$ of the single coordinate"),
        Variable(carrier, r"\mathbb R_{\ge0}", r"$\min_JL_jh_j^2$"),
    ),
    assumptions=(QUANTIZER, MATRIX, "There is one block."),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(r"coarse regime, two weights", {"L": (4, 1), "h": (3, 3), "d": 2}),
        WorstCase(r"coarse regime, three weights", {"L": (9, 4, 1), "h": (2, 3, 6), "d": 3}),
        WorstCase(
            r"uniform step, attained at $x=\mathbf 1$",
            {"L": (1,) * 100, "h": (1,) * 100, "x": (1,) * 100, "d": 100},
            Integer(9),
        ),
        WorstCase(
            r"fine regime with a coordinate of weight 0, attained at $(\frac12,\frac{\sqrt3}2)$",
            {"L": (1, 0), "h": (1, 5), "x": (Rational(1, 2), sqrt(3) / 2), "d": 2},
            Rational(1, 4),
        ),
        WorstCase(
            r"fine regime, attained with 24 coordinates at level 3/2 and 40 at 1/2",
            {"L": (1,) * 64, "h": (Rational(1, 8),) * 64, "x": (3,) * 24 + (1,) * 40, "d": 64},
            Rational(1, 4),
        ),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
