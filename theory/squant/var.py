r"""`squant/var`: mean and exact weighted variance of the quantizers (arXiv 2106.03524).

For every positive semidefinite $\mathbf L$, diagonal or not,
$$\mathbb EQ(x)=x,\qquad\mathbb E\|Q(x)-x\|_{\mathbf L}^2=\sum_jL_{jj}h_j^2N_{l(j)}^2p_j(1-p_j),\qquad
p_j=\{u_j\}.$$

Derivation: $\xi_j-u_j$ is a centred Bernoulli variable with variance $p_j(1-p_j)$; the errors are independent
over the coordinates, so the off-diagonal entries of $\mathbf L$ do not enter.
"""

import functools
from collections.abc import Mapping
from typing import Any

from sympy import Expr, Integer, Rational, Symbol, sqrt, symbols

from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.squant.paper import PAPER
from theory.squant.symbols import (
    DIAGONAL,
    DIMENSION,
    MATRIX,
    QUANTIZER,
    STEPS,
    VECTOR,
    L,
    N,
    d,
    h,
    j,
    level,
    rounding_variance,
    total,
    x,
)
from theory.summation import SUMMATION
from theory.two_point_law import INDEPENDENCE, expectation, quadratic_form

_SIZE = 3
_M = Symbol("M", nonnegative=True)
_k = symbols("k_1:4", integer=True, nonnegative=True)
_ps = symbols("p_1:4", nonnegative=True)
_hs = symbols("h_1:4", positive=True)
_Ns = symbols("N_1:4", positive=True)
_Ls = symbols("L_1:4", nonnegative=True)
_V = Symbol("V_j", nonnegative=True)
_Lj = Symbol("L_j", nonnegative=True)
_L12, _L13, _L23 = symbols("L_12 L_13 L_23", real=True)
_MATRIX = ((_Ls[0], _L12, _L13), (_L12, _Ls[1], _L23), (_L13, _L23, _Ls[2]))

_COORDINATE = (h[j] * N[j]) ** 2 * rounding_variance(level())
_EXACT = total(L[j] * _COORDINATE)
_FORMULAS = {"coordinate_variance": _COORDINATE, "level": level()}

# Inputs x_j = h_j N_j (k_j + p_j), so that the level is k_j + p_j with the fraction p_j.
_INPUT = {
    x: tuple(a * b * (k + p) for a, b, k, p in zip(_hs, _Ns, _k, _ps, strict=True)),
    h: _hs,
    N: _Ns,
    L: _Ls,
}
# Any fraction p_j > 0 in a form whose product p_j (1 - p_j) has a visible sign.
_ts = symbols("t_1:4", nonnegative=True)
_SIGNED = {p: 1 / (1 + t) for p, t in zip(_ps, _ts, strict=True)}


def _error(place: int, up: int) -> Expr:
    """Return the error of one coordinate that is rounded up or down."""
    norm, step = _Ns[place], _hs[place]
    return norm * step * (_k[place] + up) - norm * step * (_k[place] + _ps[place])


@functools.cache
def _weighted_error(size: int) -> Expr:
    """Return the expected weighted squared error over all rounding patterns of `size` coordinates."""
    weights = [row[:size] for row in _MATRIX[:size]]
    return expectation(
        lambda *ups: quadratic_form(weights, [_error(place, up) for place, up in enumerate(ups)]), *_ps[:size]
    )


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""

    def at(name: str, values: Mapping[Any, Any]) -> Expr:
        return instance(stated[name], {**_INPUT, **values}, _ps)

    return (
        Identity(
            "level",
            r"The input $x_j=h_jN(k+p)$ with $0\le p<1$ has the level $u=k+p$: $k=\lfloor u\rfloor$, "
            r"$p=\{u\}$.",
            at("level", {j: 0}),
            _k[0] + _ps[0],
        ),
        Identity(
            "level-of-negative",
            r"The level of $-x_j$ is the same.",
            at("level", {j: 0, x: [-item for item in _INPUT[x]]}),
            _k[0] + _ps[0],
        ),
        Identity(
            "level-of-zero-block",
            r"In a block of norm zero, where $x_j=0$, all levels are zero.",
            at("level", {j: 0, x: (Integer(0),), N: (Integer(0),)}),
            Integer(0),
        ),
        Identity(
            "mean",
            r"$\mathbb E\xi=k(1-p)+(k+1)p=k+p=u$ with $k=\lfloor u\rfloor$, $p=\{u\}$; so $\mathbb "
            r"EQ(x)_j=x_j$.",
            expectation(lambda up: _k[0] + up, _ps[0]),
            at("level", {j: 0}),
        ),
        Identity(
            "variance",
            r"$\mathbb E(hN\xi-hNu)^2=h^2N^2p(1-p)$, the stated variance of one coordinate.",
            expectation(lambda up: _error(0, up) ** 2, _ps[0]),
            at("coordinate_variance", {j: 0}),
        ),
        Identity(
            "cross-term",
            r"$\mathbb E(\xi_1-u_1)(\xi_2-u_2)=0$ over the four joint outcomes of independent roundings.",
            expectation(lambda up1, up2: (up1 - _ps[0]) * (up2 - _ps[1]), *_ps[:2]),
            Integer(0),
        ),
        *(
            Identity(
                f"weighted-{size}",
                rf"$\mathbb E\,e^\top\mathbf Le$ over all $2^{size}$ outcomes is the stated sum, whatever "
                rf"the off-diagonal entries of the symmetric $\mathbf L$ (shown for {size} coordinates; by "
                rf"`variance`, `cross-term` and linearity in every dimension).",
                _weighted_error(size),
                at("exact", {d: size}),
            )
            for size in range(1, _SIZE + 1)
        ),
        INDEPENDENCE,
        Identity(
            "zero-block",
            r"A block of norm zero adds nothing.",
            at("exact", {d: 3, N: (_Ns[0], _Ns[1], Integer(0)), x: (*_INPUT[x][:2], Integer(0))}),
            at("exact", {d: 2}),
        ),
        Certificate(
            "largest-diagonal-coordinate",
            r"$L_jV_j\le MV_j$ for $M=\max_jL_j$ and a variance $V_j\ge0$.",
            _Lj * _V,
            _M * _V,
            (Term(_V, _M - _Lj, "hypothesis: M is the largest diagonal entry"),),
        ),
        Certificate(
            "largest-diagonal",
            r"The stated variance is at most $M$ times that for $\mathbf L=I$, so $\mathcal L(Q,\mathbf "
            rf"L)\le\omega\max_jL_{{jj}}$ (shown for {_SIZE} coordinates with $p_j=1/(1+t_j)$; in every "
            r"dimension by `summation` of `largest-diagonal-coordinate`).",
            at("exact", {d: _SIZE}).xreplace(_SIGNED),
            _M * at("exact", {d: _SIZE, L: (1,) * _SIZE}).xreplace(_SIGNED),
            tuple(
                Term(
                    at("coordinate_variance", {j: place}).xreplace(_SIGNED).factor(),
                    _M - _Ls[place],
                    "largest-diagonal-coordinate",
                )
                for place in range(_SIZE)
            ),
        ),
        SUMMATION,
        StandardFact(
            "rayleigh",
            r"$\mathbf L_{jj}=e_j^\top\mathbf Le_j\le\lambda_{\max}(\mathbf L)$ for symmetric $\mathbf L$.",
            "R. A. Horn and C. R. Johnson, Matrix Analysis, 2nd ed., theorem 4.2.2",
        ),
    )


_HALF, _THIRD, _QUARTER = Rational(1, 2), Rational(1, 3), Rational(1, 4)
_P = (1 / sqrt(14), 4 / sqrt(14) - 1, 12 / sqrt(14) - 3)

_WORST_CASES = (
    WorstCase(
        "integer norm 7",
        {"x": (2, 3, 6), "h": (_HALF, _THIRD, _QUARTER), "L": (1, 2, 4), "N": (7, 7, 7), "d": 3},
        Rational(74, 9),
    ),
    WorstCase(
        "one step for all coordinates, norm 9",
        {"x": (1, 4, 8), "h": (_HALF, _HALF, _HALF), "L": (1, 1, 1), "N": (9, 9, 9), "d": 3},
        Integer(9),
    ),
    WorstCase(
        "two blocks, norms 5 and 13",
        {
            "x": (3, 4, 5, 12),
            "h": (_HALF, _HALF, _THIRD, _THIRD),
            "L": (1, 2, 3, 4),
            "N": (5, 5, 13, 13),
            "d": 4,
        },
        Rational(74, 3),
    ),
    WorstCase(
        "irrational norm",
        {"x": (1, 2, 3), "h": (1, _HALF, _QUARTER), "L": (3, 1, 2), "N": (sqrt(14),) * 3, "d": 3},
        42 * _P[0] * (1 - _P[0])
        + Rational(7, 2) * _P[1] * (1 - _P[1])
        + Rational(7, 4) * _P[2] * (1 - _P[2]),
    ),
    WorstCase(
        r"all ones with $\mathbf L=\mathbf 1\mathbf 1^\top$: a shared uniform gives 16 instead of 4",
        {"x": (1,) * 4, "h": (1,) * 4, "L": (1,) * 4, "N": (2,) * 4, "d": 4},
        Integer(4),
    ),
)

_MUTANTS = (
    Mutant(
        "shared-uniform",
        r"One uniform number for all coordinates: at $\mathbf L=\mathbf 1\mathbf 1^\top$, $x=\mathbf 1$, "
        r"$d=4$, $h=1$ the variance is 16 instead of 4, while every diagonal check passes.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "nearest-rounding",
        r"Round $u_j$ to the nearest integer: bias up to $h_jN/2$.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "floor-rounding",
        r"Always round $u_j$ down: bias $h_jNp_j$.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "swapped-probability",
        r"Round up with probability $1-p_j$: bias $h_jN|1-2p_j|$.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "permuted-coordinates",
        "Permute the coordinates of input, steps, blocks and weights alike: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

OLD = Claim(
    id="squant/var",
    paper=PAPER,
    kind="identity",
    provenance="rederived",
    title="Exact weighted variance of standard, block and varying-step quantization",
    statement=(
        r"With $p_j=\{u_j\}$ and $l(j)$ the block of $j$: $\mathbb EQ(x)=x$, and for every symmetric "
        r"positive semidefinite $\mathbf L$ (diagonal or not) $$\mathbb E\|Q(x)-x\|_{\mathbf "
        r"L}^2=\sum_j\mathbf L_{jj}h_j^2N_{l(j)}^2\,p_j(1-p_j).$$ Hence $\mathcal L(Q,\mathbf L)=\mathcal "
        r"L(Q,\mathrm{Diag}(\mathbf L))\le\omega\max_j\mathbf L_{jj}\le\omega\lambda_{\max}(\mathbf L)$, "
        r"where $\mathcal L(Q,\mathbf L)$ is the smallest $\ell$ with $\mathbb E\|Q(x)-x\|_{\mathbf "
        r"L}^2\le\ell\|x\|_2^2$ for all $x$, and $\omega=\mathcal L(Q,I)$."
    ),
    variables=(
        VECTOR,
        STEPS,
        Variable(N, r"\mathbb R^d_{\ge0}", r"norm $N_{l(j)}$ of the block of each coordinate", "(d,)"),
        DIAGONAL,
        DIMENSION,
    ),
    assumptions=(QUANTIZER, MATRIX),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=_WORST_CASES,
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
