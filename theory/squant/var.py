r"""`squant/var`: mean and exact weighted variance of the quantizers (arXiv 2106.03524).

For every positive semidefinite $\mathbf L$, diagonal or not,
$$\mathbb EQ(x)=x,\qquad\mathbb E\|Q(x)-x\|_{\mathbf L}^2=\sum_jL_{jj}h_j^2N_{l(j)}^2p_j(1-p_j),\qquad
p_j=\{u_j\}.$$

Derivation: $\xi_j-u_j$ is a centred Bernoulli variable with variance $p_j(1-p_j)$; the errors are independent
over the coordinates, so the off-diagonal entries of $\mathbf L$ do not enter.
"""

from sympy import Integer, Rational, Symbol, sqrt, symbols

from theory.claim import Claim, Mutant, Variable, WorstCase
from theory.derivation import Certificate, Identity, StandardFact, Step, Term
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
    h,
    j,
    level,
    rounding_variance,
    total,
)
from theory.two_point_law import INDEPENDENCE, expectation, quadratic_form

_k, _k1, _k2, _N, _h = symbols("k k_1 k_2 N h", nonnegative=True)
_p, _p1, _p2 = symbols("p p_1 p_2", nonnegative=True)
_a1, _a2, _L11, _L12, _L22 = symbols("a_1 a_2 L_11 L_12 L_22", real=True)
_V = symbols("V_1:4", nonnegative=True)
_D = symbols("L_1:4", nonnegative=True)
_M = Symbol("M", nonnegative=True)

_COORDINATE = (h[j] * N[j]) ** 2 * rounding_variance(level())

_DERIVATION: tuple[Step, ...] = (
    Identity(
        "mean",
        r"$\mathbb E\xi=k(1-p)+(k+1)p=k+p=u$ with $k=\lfloor u\rfloor$, $p=\{u\}$; so $\mathbb EQ(x)_j=x_j$.",
        expectation(lambda up: _k + up, _p),
        _k + _p,
    ),
    Identity(
        "variance",
        r"$\mathbb E(hN\xi-hNu)^2=h^2N^2p(1-p)$.",
        expectation(lambda up: (_h * _N * (_k + up) - _h * _N * (_k + _p)) ** 2, _p),
        _h**2 * _N**2 * _p * (1 - _p),
    ),
    Identity(
        "cross-term",
        r"$\mathbb E(\xi_1-u_1)(\xi_2-u_2)=0$ over the four joint outcomes of independent roundings.",
        expectation(lambda up1, up2: (_k1 + up1 - _k1 - _p1) * (_k2 + up2 - _k2 - _p2), _p1, _p2),
        Integer(0),
    ),
    Identity(
        "weighted-pair",
        r"For two coordinates with errors $e_j=a_j(\xi_j-u_j)$ and any symmetric $\mathbf L$: $\mathbb "
        r"E\,e^\top\mathbf Le=L_{11}a_1^2p_1(1-p_1)+L_{22}a_2^2p_2(1-p_2)$, whatever $L_{12}$.",
        expectation(
            lambda up1, up2: quadratic_form(
                ((_L11, _L12), (_L12, _L22)), (_a1 * (up1 - _p1), _a2 * (up2 - _p2))
            ),
            _p1,
            _p2,
        ),
        _L11 * _a1**2 * _p1 * (1 - _p1) + _L22 * _a2**2 * _p2 * (1 - _p2),
    ),
    INDEPENDENCE,
    Certificate(
        "largest-diagonal",
        r"$\sum_jL_jV_j\le M\sum_jV_j$ for $M=\max_jL_j$, so $\mathcal L(Q,\mathbf L)\le\omega\max_jL_{jj}$ "
        r"(three coordinates shown; one term for each coordinate).",
        sum(weight * value for weight, value in zip(_D, _V, strict=True)),
        _M * sum(_V),
        tuple(
            Term(value, _M - weight, "M is the largest diagonal entry")
            for weight, value in zip(_D, _V, strict=True)
        ),
    ),
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

CLAIM = Claim(
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
    derivation=_DERIVATION,
    worst_cases=_WORST_CASES,
    mutants=_MUTANTS,
    exact=total(L[j] * _COORDINATE),
    formulas={"coordinate_variance": _COORDINATE, "level": level()},
)
