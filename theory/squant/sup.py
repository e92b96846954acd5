r"""`squant/sup`: the exact supremum of the variance of one block (arXiv 2106.03524; derived here).

With $\varphi(u)=\{u\}(1-\{u\})$: $\mathcal L=\sup\{\sum_jL_jh_j^2\varphi(u_j):\sum_jh_j^2u_j^2=1\}$. Where
$\sum_Jh_j^2>4$ over $J=\{j:L_j>0\}$, it is $\sum_jL_jh_j^2u_j(1-u_j)$ at $u_j=\frac{L_j}{2(L_j+\nu)}$,
$\nu\ge0$ the root of $\sum_jh_j^2u_j^2=1$.

Derivation: $\varphi(u)=\varphi(\mathrm{dist}(u,\mathbb Z))$ and the distance is at most $u$, so only
$u\in[0,\frac12]$ with $\sum_jh_j^2u_j^2\le1$ matters. There the program is concave, and at the KKT point $v$
$\sum h_j^2L_jv_j(1-v_j)-\sum h_j^2L_ju_j(1-u_j)=\sum h_j^2(L_j+\nu)(u_j-v_j)^2+\nu(1-\sum h_j^2u_j^2)$.
"""

from sympy import Expr, Integer, Piecewise, Rational, Symbol, sqrt, symbols

from theory.claim import Claim, ImplicitValue, Mutant, Variable, WorstCase
from theory.derivation import Certificate, Identity, ScalarLemma, StandardFact, Step, Term
from theory.squant.paper import PAPER
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

nu = Symbol("nu", nonnegative=True)
step = Symbol("step", positive=True)
weight = Symbol("weight", positive=True)
carrier = Symbol("carrier", nonnegative=True)


def _maximiser(diagonal: Expr, multiplier: Expr) -> Expr:
    return diagonal / (2 * (diagonal + multiplier))


_U = Piecewise((_maximiser(L[j], nu), L[j] > 0), (0, True))
_COARSE = total(h[j] ** 2 * L[j] * _U * (1 - _U))
_NORM = total(h[j] ** 2 * _U**2) - 1
_FINE = total(L[j] * h[j] ** 2) / 4

_p, _k = symbols("p k", real=True)
_q, _nu, _t = symbols("q nu t", nonnegative=True)
_M = Symbol("L_j", positive=True)
_u = Symbol("u", real=True)
_us = symbols("u_1:4", real=True)
_Ls = symbols("L_1:4", positive=True)
_hs = symbols("h_1:4", positive=True)
_r, _h = symbols("r h", positive=True)
_stars = tuple(_maximiser(item, _nu) for item in _Ls)
_star = _maximiser(_M, _nu)
_triples = tuple(zip(_Ls, _hs, _us, _stars, strict=True))

_DERIVATION: tuple[Step, ...] = (
    Identity(
        "symmetry",
        r"$\varphi(1-p)=\varphi(p)$, so $\varphi(u)=\varphi(\mathrm{dist}(u,\mathbb Z))$.",
        (1 - _p) * (1 - (1 - _p)),
        _p * (1 - _p),
    ),
    ScalarLemma(
        "distance-below",
        r"If $p\le1-p$, the distance of $u=k+p$ to the integers is $p\le u$.",
        (_p >= 0, _k >= 0, _p <= 1 - _p),
        _p <= _k + _p,
        (Term(Integer(1), _k, "the level is nonnegative"),),
    ),
    ScalarLemma(
        "distance-above",
        r"If $1-p\le p$, the distance of $u=k+p$ to the integers is $1-p\le u$: replacing $u$ by it keeps "
        r"$\varphi$ and does not increase the norm.",
        (_p <= 1, _k >= 0, 1 - _p <= _p),
        1 - _p <= _k + _p,
        (
            Term(Integer(1), _k, "the level is nonnegative"),
            Term(Integer(1), _p - (1 - _p), "hypothesis of this case"),
        ),
    ),
    Identity(
        "kkt-point",
        r"$u^\star=\frac{L}{2(L+\nu)}$ solves $L(1-2u^\star)=2\nu u^\star$.",
        _M * (1 - 2 * _star),
        2 * _nu * _star,
    ),
    Certificate(
        "kkt-below-half",
        r"$u^\star\le\frac12$, so that $\varphi(u^\star)=u^\star(1-u^\star)$ and the point is an input of "
        r"the quantizer.",
        _star,
        Rational(1, 2),
        (Term(1 / (2 * (_M + _nu)), _nu, "the multiplier is nonnegative"),),
    ),
    Certificate(
        "root-unique",
        r"$u^\star$ falls in $\nu$: with $\nu'=\nu+t$, $u^\star(\nu')\le u^\star(\nu)$, so the root is "
        r"unique.",
        _maximiser(_M, _nu + _t),
        _star,
        (Term(_M / (2 * (_M + _nu) * (_M + _nu + _t)), _t, "t is the increase of the multiplier"),),
    ),
    StandardFact(
        "intermediate-value",
        r"A continuous function that is positive at $\nu=0$ (where $\sum_Jh_j^2/4>1$) and tends to $-1$ has "
        r"a root.",
        "W. Rudin, Principles of Mathematical Analysis, 3rd ed., theorem 4.23",
    ),
    Certificate(
        "optimal-coordinate",
        r"$Lu(1-u)+\nu({u^\star}^2-u^2)\le Lu^\star(1-u^\star)$ for every real $u$; the difference is "
        r"$(L+\nu)(u-u^\star)^2$.",
        _M * _u * (1 - _u) + _nu * (_star**2 - _u**2),
        _M * _star * (1 - _star),
        (Term(_M + _nu, (_u - _star) ** 2, "square of a real number"),),
    ),
    Certificate(
        "optimal-assembly",
        r"$\sum h_j^2L_ju_j(1-u_j)\le\sum h_j^2L_ju^\star_j(1-u^\star_j)$ if $\sum h_j^2u_j^2\le1=\sum "
        r"h_j^2{u^\star_j}^2$ (three coordinates shown; the terms of `optimal-coordinate` times $h_j^2$, "
        r"and one for the norm).",
        sum(H**2 * M * v * (1 - v) for M, H, v, _ in _triples),
        sum(H**2 * M * w * (1 - w) for M, H, _, w in _triples),
        (
            *(Term(H**2 * (M + _nu), (v - w) ** 2, "square of a real number") for M, H, v, w in _triples),
            Term(
                _nu,
                sum(H**2 * w**2 for _, H, _, w in _triples) - sum(H**2 * v**2 for _, H, v, _ in _triples),
                "the first sum is 1 by the choice of nu, the second at most 1 by the norm",
            ),
        ),
    ),
    Certificate(
        "fine-upper",
        r"$L_jh_j^2\varphi(u_j)\le\frac14L_jh_j^2$; the sum is $S$.",
        _M * _h**2 * _p * (1 - _p),
        _M * _h**2 / 4,
        (Term(_M * _h**2, (_p - Rational(1, 2)) ** 2, "square of a real number"),),
    ),
    Certificate(
        "fine-carrier-norm",
        r"If $\sum h_j^2\le4$, the coordinates other than a carrier fit at level $\frac12$: their squared "
        r"norm is at most 1 (two of them and the carrier, number 3, shown).",
        (_hs[0] ** 2 + _hs[1] ** 2) / 4,
        Integer(1),
        (
            Term(Rational(1, 4), 4 - sum(H**2 for H in _hs), "fine regime"),
            Term(Rational(1, 4), _hs[2] ** 2, "square of a real number"),
        ),
    ),
    Certificate(
        "fine-lower",
        r"The carrier takes the spare norm at some fraction $q$: $S-\frac14L_ch_c^2\le\sum_{j\ne "
        r"c}\frac14L_jh_j^2+L_ch_c^2q(1-q)$.",
        sum(M * H**2 for M, H in zip(_Ls, _hs, strict=True)) / 4 - _Ls[2] * _hs[2] ** 2 / 4,
        sum(M * H**2 for M, H in zip(_Ls[:2], _hs[:2], strict=True)) / 4
        + _Ls[2] * _hs[2] ** 2 * _q * (1 - _q),
        (Term(_Ls[2] * _hs[2] ** 2 * _q, 1 - _q, "a fraction is at most 1"),),
    ),
    Identity(
        "uniform-step",
        r"For $L_j=1$, $h_j=h$, $r=\sqrt d$: $u^\star=\frac1{hr}$ and the value is "
        r"$dh^2u^\star(1-u^\star)=hr-1$.",
        _r**2 * _h**2 * (1 / (_h * _r)) * (1 - 1 / (_h * _r)),
        _h * _r - 1,
    ),
    StandardFact(
        "triangular-numbers",
        r"Every nonnegative integer is a sum of three triangular numbers; so for $d\ge3$ half-odd levels "
        r"with $h^2\sum m_j^2=1$ exist iff $(4h^{-2}-d)/8$ is a nonnegative integer.",
        "C. F. Gauss, Disquisitiones Arithmeticae, article 293",
    ),
)

_MUTANTS = (
    Mutant(
        "dropped-norm-constraint",
        r"Maximise without $\sum h_j^2u_j^2=1$: reports 11.25 instead of 8.6795 at $L=(4,1)$, $h=(3,3)$.",
        ("exact",),
    ),
    Mutant("dropped-quadratic-term", r"Maximise without $-u^2$: reports 12.3693 there.", ("exact",)),
    Mutant("ninety-percent", "Claim 90 % of the value as a bound: refuted by the maximiser.", ("exact", "adversarial")),
    Mutant(
        "permuted-coordinates",
        "Permute steps and weights alike: the value may not change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
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
    derivation=_DERIVATION,
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
    exact=ImplicitValue(_COARSE, nu, _NORM),
    formulas={
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
    },
)
