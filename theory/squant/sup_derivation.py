"""Derivation of `squant/sup`: reduction, optimality in the coarse regime, fine regime, special cases."""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, sqrt, symbols

from theory.instance import instance
from theory.old_steps import Certificate, Identity, ScalarLemma, StandardFact, Step, Term
from theory.squant.symbols import L, N, d, h, j, x
from theory.squant.var import OLD as VARIANCE
from theory.summation import SUMMATION

nu = Symbol("nu", nonnegative=True)
step = Symbol("step", positive=True)
weight = Symbol("weight", positive=True)
carrier = Symbol("carrier", nonnegative=True)


_p, _k = symbols("p k", real=True)
_q, _t = symbols("q t", nonnegative=True)
_level = Symbol("k", integer=True, positive=True)
_Lj, _r, _h = symbols("L_j r h", positive=True)
_u = Symbol("u", real=True)
_us = symbols("u_1:4", real=True)
_ps = symbols("p_1:4", real=True)
_Ls = symbols("L_1:4", positive=True)
_hs = symbols("h_1:4", positive=True)
_SIZE = 3
_GENERAL = {L: _Ls, h: _hs, d: _SIZE}
# The last coordinate has weight zero.
_WITH_ZERO = {L: (*_Ls[:2], Integer(0)), h: _hs, d: _SIZE}
_WITHOUT = {L: _Ls[:2], h: _hs[:2], d: _SIZE - 1}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_REDUCTION, *_coarse_regime(stated), *_fine_regime(stated), *_special_cases(stated))


_REDUCTION: tuple[Step, ...] = (
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
        (Term(Integer(1), _k, "hypothesis: the level k is nonnegative"),),
    ),
    ScalarLemma(
        "distance-above",
        r"If $1-p\le p$, the distance of $u=k+p$ to the integers is $1-p\le u$: replacing $u$ by it keeps "
        r"$\varphi$ and does not increase the norm.",
        (_p <= 1, _k >= 0, 1 - _p <= _p),
        1 - _p <= _k + _p,
        (
            Term(Integer(1), _k, "hypothesis: the level k is nonnegative"),
            Term(Integer(1), _p - (1 - _p), "hypothesis: 1 - p is at most p in this case"),
        ),
    ),
)


def _coarse_regime(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    star = instance(stated["maximiser"], {L: (_Lj,), h: (_h,), j: 0}) / _h
    later = instance(stated["maximiser"], {L: (_Lj,), h: (_h,), j: 0, nu: nu + _t}) / _h
    stars = tuple(
        instance(stated["maximiser"], {**_GENERAL, j: place}) / _hs[place] for place in range(_SIZE)
    )
    triples = tuple(zip(_Ls, _hs, _us, stars, strict=True))
    both = (("value", "value_at_multiplier"), ("exact", "exact.expression"))
    return (
        Identity(
            "kkt-point",
            r"The stated maximiser divided by $h$, $u^\star=\frac{L}{2(L+\nu)}$, solves $L(1-2u^\star)=2\nu "
            r"u^\star$.",
            _Lj * (1 - 2 * star),
            2 * nu * star,
        ),
        Identity(
            "maximiser-of-weight-zero",
            r"A coordinate with $L_j=0$ takes no part.",
            instance(stated["maximiser"], {**_WITH_ZERO, j: _SIZE - 1}),
            Integer(0),
        ),
        Certificate(
            "kkt-below-half",
            r"$u^\star\le\frac12$, so that $\varphi(u^\star)=u^\star(1-u^\star)$ and the point is an input "
            "of the quantizer.",
            star,
            Rational(1, 2),
            (Term(1 / (2 * (_Lj + nu)), nu, "hypothesis: the multiplier nu is nonnegative"),),
        ),
        Certificate(
            "root-unique",
            r"$u^\star$ falls in $\nu$: with $\nu'=\nu+t$, $u^\star(\nu')\le u^\star(\nu)$, so the root is "
            r"unique.",
            later,
            star,
            (Term(_Lj / (2 * (_Lj + nu) * (_Lj + nu + _t)), _t, "hypothesis: t is the increase of nu"),),
        ),
        Identity(
            "regime",
            r"At $\nu=0$ the defining equation is $\frac14\sum_Jh_j^2-1$: it is positive iff the stated "
            rf"$\sum_Jh_j^2$ is above 4 (shown for {_SIZE} coordinates, one of weight zero; in every "
            "dimension by `summation`).",
            instance(stated["exact.equation"], {**_WITH_ZERO, nu: 0}),
            instance(stated["regime"], _WITH_ZERO) / 4 - 1,
        ),
        Identity(
            "regime-of-positive-weights",
            rf"The same where all weights are positive (shown for {_SIZE} coordinates).",
            instance(stated["exact.equation"], {**_GENERAL, nu: 0}),
            instance(stated["regime"], _GENERAL) / 4 - 1,
        ),
        StandardFact(
            "intermediate-value",
            r"A continuous function that is positive at $\nu=0$ (where $\sum_Jh_j^2/4>1$) and tends to $-1$ "
            r"has a root.",
            "W. Rudin, Principles of Mathematical Analysis, 3rd ed., theorem 4.23",
        ),
        Certificate(
            "optimal-coordinate",
            r"$Lu(1-u)+\nu({u^\star}^2-u^2)\le Lu^\star(1-u^\star)$ for every real $u$; the difference is "
            r"$(L+\nu)(u-u^\star)^2$.",
            _Lj * _u * (1 - _u) + nu * (star**2 - _u**2),
            _Lj * star * (1 - star),
            (Term(_Lj + nu, (_u - star) ** 2, "square of a real number"),),
        ),
        *(
            Certificate(
                f"optimal-{name}",
                r"$\sum h_j^2L_ju_j(1-u_j)$ is at most the stated value if $\sum h_j^2u_j^2\le1$ and $\nu$ "
                rf"is a root of the stated equation (shown for {_SIZE} coordinates; in every dimension by "
                "`summation` of `optimal-coordinate` times $h_j^2$).",
                sum(H**2 * M * v * (1 - v) for M, H, v, _ in triples),
                instance(stated[key], _GENERAL),
                (
                    *(
                        Term(H**2 * (M + nu), (v - w) ** 2, "square of a real number")
                        for M, H, v, w in triples
                    ),
                    Term(
                        nu,
                        instance(stated["exact.equation"], _GENERAL),
                        "hypothesis: nu is the root of this expression",
                    ),
                    Term(
                        nu,
                        1 - sum(H**2 * v**2 for _, H, v, _ in triples),
                        "hypothesis: the squared norm of the levels, weighted with h_j^2, is at most 1",
                    ),
                ),
            )
            for name, key in both
        ),
        *(
            Identity(
                f"{name}-with-weight-zero",
                rf"A coordinate with $L_j=0$ does not change it (shown for {_SIZE} coordinates).",
                instance(stated[key], _WITH_ZERO),
                instance(stated[key], _WITHOUT),
            )
            for name, key in (*both, ("equation", "exact.equation"))
        ),
        SUMMATION,
    )


def _fine_regime(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    pairs = tuple(zip(_Ls, _hs, strict=True))
    last = {carrier: _Ls[2] * _hs[2] ** 2}
    return (
        Certificate(
            "fine-coordinate",
            r"$L_jh_j^2\varphi(u_j)\le\frac14L_jh_j^2$.",
            _Lj * _h**2 * _p * (1 - _p),
            _Lj * _h**2 / 4,
            (Term(_Lj * _h**2, (_p - Rational(1, 2)) ** 2, "square of a real number"),),
        ),
        Certificate(
            "fine-upper",
            rf"$\sum_jL_jh_j^2p_j(1-p_j)$ is at most the stated $S$ (shown for {_SIZE} coordinates; in every "
            r"dimension by `summation` of `fine-coordinate`).",
            sum(M * H**2 * v * (1 - v) for (M, H), v in zip(pairs, _ps, strict=True)),
            instance(stated["fine_upper"], _GENERAL),
            tuple(
                Term(M * H**2, (v - Rational(1, 2)) ** 2, "square of a real number")
                for (M, H), v in zip(pairs, _ps, strict=True)
            ),
        ),
        Certificate(
            "fine-carrier-norm",
            r"If $\sum h_j^2\le4$, the coordinates other than a carrier fit at level $\frac12$: their "
            "squared norm is at most 1 (shown for two of them and the carrier, number 3; in every "
            "dimension by `summation`).",
            (_hs[0] ** 2 + _hs[1] ** 2) / 4,
            Integer(1),
            (
                Term(
                    Rational(1, 4),
                    4 - instance(stated["regime"], _GENERAL),
                    "hypothesis: fine regime, the sum of the h_j^2 is at most 4",
                ),
                Term(Rational(1, 4), _hs[2] ** 2, "square of a real number"),
            ),
        ),
        Certificate(
            "fine-lower",
            r"The carrier takes the spare norm at some fraction $q$: the stated lower bound, with $L_ch_c^2$ "
            r"of the carrier, is at most $\sum_{j\ne c}\frac14L_jh_j^2+L_ch_c^2q(1-q)$ (shown for two "
            r"coordinates and the carrier, number 3).",
            instance(stated["fine_lower"], {**_GENERAL, **last}),
            sum(M * H**2 for M, H in pairs[:2]) / 4 + _Ls[2] * _hs[2] ** 2 * _q * (1 - _q),
            (Term(_Ls[2] * _hs[2] ** 2 * _q, 1 - _q, "hypothesis: q is a fraction, at most 1"),),
        ),
        Identity(
            "fine-attained-with-weight-zero",
            r"If the carrier has weight zero, the lower bound is $S$ (shown for three coordinates).",
            instance(stated["fine_lower"], {**_WITH_ZERO, carrier: Integer(0)}),
            instance(stated["fine_upper"], _WITH_ZERO),
        ),
        StandardFact(
            "triangular-numbers",
            r"Every nonnegative integer is a sum of three triangular numbers; so for $d\ge3$ half-odd levels "
            r"with $h^2\sum m_j^2=1$ exist iff $(4h^{-2}-d)/8$ is a nonnegative integer.",
            "C. F. Gauss, Disquisitiones Arithmeticae, article 293",
        ),
    )


def _special_cases(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    uniform = {L: (Integer(1),) * _SIZE, h: (step,) * _SIZE, d: _SIZE}
    # The root of the equation at a uniform step: the maximiser has level 1/(h sqrt(d)).
    at_root = {**uniform, nu: step * sqrt(_SIZE) / 2 - 1}
    constant = instance(stated["dropped_quadratic_term"], _GENERAL)
    q = Symbol("p", nonnegative=True)
    fine_step = 1 / (_level + q)
    one = {L: (weight,), h: (fine_step,), step: fine_step, N: (Integer(1),), x: (Integer(1),), d: 1}
    return (
        Identity(
            "uniform-root",
            r"For $L_j=1$, $h_j=h$ the stated equation has the root $\nu=\frac12h\sqrt d-1$ (shown for "
            rf"$d={_SIZE}$).",
            instance(stated["exact.equation"], at_root),
            Integer(0),
        ),
        Identity(
            "uniform-value",
            rf"The value there is the stated $h\sqrt d-1$ (shown for $d={_SIZE}$).",
            instance(stated["value_at_multiplier"], at_root),
            instance(stated["uniform"], {d: _SIZE}),
        ),
        Identity(
            "uniform-value-any-dimension",
            r"For $r=\sqrt d$: $u^\star=\frac1{hr}$ and $dh^2u^\star(1-u^\star)=hr-1$.",
            _r**2 * step**2 * (1 / (step * _r)) * (1 - 1 / (step * _r)),
            instance(stated["uniform"], {d: _r**2}),
        ),
        Identity(
            "uniform-fine",
            rf"For $L_j=1$, $h_j=h$ the stated $S$ is the stated $dh^2/4$ (shown for $d={_SIZE}$).",
            instance(stated["fine_upper"], uniform),
            instance(stated["uniform_fine"], {d: _SIZE}),
        ),
        Identity(
            "uniform-fine-any-dimension",
            r"Each of $d$ coordinates adds $\frac14h^2$.",
            d * (step**2 / 4),
            stated["uniform_fine"],
        ),
        Identity(
            "one-dimension",
            r"For $d=1$ every input has the level $u=1/h=k+p$; the stated value is the exact variance of "
            r"`squant/var` at $x=1$.",
            *(
                instance(formula, one, (q,))
                for formula in (stated["one_dimension"], VARIANCE.expressions["exact"])
            ),
        ),
        Identity(
            "dropped-norm-constraint",
            rf"Without the norm constraint all levels are $\frac12$, as for $\nu=0$ (shown for {_SIZE} "
            r"coordinates).",
            instance(stated["dropped_norm_constraint"], _GENERAL),
            instance(stated["value_at_multiplier"], {**_GENERAL, nu: 0}),
        ),
        Certificate(
            "dropped-quadratic-term",
            r"Without $-u^2$: $\sum L_jh_j^2u_j\le C=(\sum L_j^2h_j^2)^{1/2}$ if $\sum h_j^2u_j^2\le1$ "
            rf"(shown for {_SIZE} coordinates; in every dimension by `summation`).",
            sum(M * H**2 * v for M, H, v in zip(_Ls, _hs, _us, strict=True)),
            constant,
            (
                *(
                    Term(H**2 / (2 * constant), (M - constant * v) ** 2, "square of a real number")
                    for M, H, v in zip(_Ls, _hs, _us, strict=True)
                ),
                Term(
                    constant / 2,
                    1 - sum(H**2 * v**2 for H, v in zip(_hs, _us, strict=True)),
                    "hypothesis: the squared norm of the levels, weighted with h_j^2, is at most 1",
                ),
            ),
        ),
        Identity(
            "dropped-quadratic-term-attained",
            rf"The levels $u_j=L_j/C$ have norm 1 and attain it (shown for {_SIZE} coordinates).",
            sum(M * H**2 * (M / constant) for M, H in zip(_Ls, _hs, strict=True)),
            constant,
        ),
    )
