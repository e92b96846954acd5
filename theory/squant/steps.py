r"""`squant/steps`: optimal quantization steps at a given budget (arXiv 2106.03524).

At $\sum_jh_j^{-2}=\beta^2$ the coarse bound is smallest for $h_j=\sqrt{\mathrm{tr}\mathbf L/L_j}/\beta$,
where it is $\mathrm{tr}(\mathbf L)/\beta$. Blocks with $h_l=\frac1{\beta F_l}\sum_k\sqrt{d_k}F_k$, where
$F_l=\|D_{ll}\|_F$, have $\frac1\beta\sum_l\sqrt{d_l}F_l$. The values $\beta\mathcal L$ form a chain.

Derivation: $(\sum L_j^2h_j^2)(\sum h_j^{-2})\ge(\sum L_j)^2$ with equality iff $h_j^2\propto1/L_j$. For
blocks, $\beta\max_lh_lF_l\ge\sum_l\sqrt{d_l}F_l$ term by term. Quarter branch: the same with $\sqrt{L_j}$ for
$L_j$. The chain is Cauchy-Schwarz inside the blocks, then over the blocks.
"""

from sympy import IndexedBase, Integer, Rational, Sum, Symbol, sqrt, symbols

from theory.cauchy_schwarz import CAUCHY_SCHWARZ, any_dimension, lagrange
from theory.claim import Claim, Mutant, Variable, WorstCase
from theory.derivation import Certificate, Identity, StandardFact, Step, Term
from theory.squant.paper import PAPER
from theory.squant.symbols import (
    BUDGET,
    DIAGONAL,
    DIMENSION,
    MATRIX,
    QUANTIZER,
    B,
    L,
    beta,
    d,
    i,
    j,
    l,
    total,
)

F = IndexedBase("F", nonnegative=True)
m = IndexedBase("m", integer=True, positive=True)
p_j = Symbol("p_j", positive=True)
L_max = Symbol("L_max", nonnegative=True)
lambda_max = Symbol("lambda_max", nonnegative=True)

_TRACE = total(L[j])
_BLOCKS = Sum(sqrt(m[l]) * F[l], (l, 0, B - 1))
_ROOTS = total(sqrt(L[j]))

_Ls = symbols("L_1:4", positive=True)
_hs = symbols("h_1:4", positive=True)
_rs = symbols("r_1:4", positive=True)
_Fs = symbols("F_1:4", positive=True)
_ss = symbols("s_1:4", positive=True)
_beta, _C, _M = symbols("beta C M", positive=True)
_S = Symbol("S", nonnegative=True)
_T = sum(_Ls)
_R = sum(r * f for r, f in zip(_rs, _Fs, strict=True))
_Q = sum(_ss)
# Squares of the optimal steps: the steps themselves are square roots.
_squares = tuple(_T / (_beta**2 * a) for a in _Ls)
_quarter_squares = tuple(_Q / (_beta**2 * s) for s in _ss)
_block_steps = tuple(_R / (_beta * f) for f in _Fs)
_ONES = (Integer(1),) * 3

_OPTIMUM: tuple[Step, ...] = (
    *(
        lagrange(
            f"optimal-steps-{size}",
            rf"$(\sum_jL_j)^2\le\sum_jL_j^2h_j^2\sum_jh_j^{{-2}}$ in dimension {size}.",
            [a * b for a, b in zip(_Ls[:size], _hs[:size], strict=True)],
            [1 / b for b in _hs[:size]],
        )
        for size in (2, 3)
    ),
    *any_dimension("optimal-steps", _Ls[0] * _hs[0], 1 / _hs[0]),
    CAUCHY_SCHWARZ,
    Identity(
        "budget-at-optimum",
        r"$\sum_jh_j^{-2}=\beta^2$ at $h_j^2=\mathrm{tr}\mathbf L/(\beta^2L_j)$.",
        sum(1 / square for square in _squares),
        _beta**2,
    ),
    Identity(
        "value-at-optimum",
        r"$\sum_jL_j^2h_j^2=(\mathrm{tr}\mathbf L/\beta)^2$ there: the minimum, so $\mathcal "
        r"L\le\mathrm{tr}\mathbf L/\beta$.",
        sum(a**2 * square for a, square in zip(_Ls, _squares, strict=True)),
        (_T / _beta) ** 2,
    ),
    Certificate(
        "root-monotone",
        r"From $S^2\le C^2$ follows $S\le C$ for $S\ge0$, $C>0$: the comparisons of squares are comparisons "
        r"of norms.",
        _S,
        _C,
        (Term(1 / (_C + _S), _C**2 - _S**2, "comparison of squares"),),
    ),
)

_BLOCK_OPTIMUM: tuple[Step, ...] = (
    Certificate(
        "block-lower",
        r"$\sum_l\sqrt{d_l}F_l\le\max_l(h_lF_l)\sum_l\sqrt{d_l}/h_l$ for all block steps (three blocks "
        r"shown, $r_l=\sqrt{d_l}$).",
        _R,
        _M * sum(r / b for r, b in zip(_rs, _hs, strict=True)),
        tuple(
            Term(r / b, _M - b * f, "M is the largest block value")
            for r, b, f in zip(_rs, _hs, _Fs, strict=True)
        ),
    ),
    Identity(
        "block-budget",
        r"$\sum_l\sqrt{d_l}/h_l=\beta$ at $h_l=\frac1{\beta F_l}\sum_k\sqrt{d_k}F_k$.",
        sum(r / b for r, b in zip(_rs, _block_steps, strict=True)),
        _beta,
    ),
    Identity(
        "block-value",
        r"$h_lF_l=\frac1\beta\sum_k\sqrt{d_k}F_k$ for every block there.",
        _block_steps[0] * _Fs[0],
        _R / _beta,
    ),
)

_CHAIN: tuple[Step, ...] = (
    *(
        lagrange(
            f"vary-below-block-{size}",
            rf"$(\sum_{{j\in l}}L_j)^2\le d_l\|D_{{ll}}\|_F^2$ for a block of {size} coordinates.",
            _Ls[:size],
            _ONES[:size],
        )
        for size in (2, 3)
    ),
    *(
        lagrange(
            f"block-below-plus-{size}",
            rf"$(\sum_l\sqrt{{d_l}}F_l)^2\le\sum_ld_l\,\sum_lF_l^2=d\|D\|_F^2$ for {size} blocks.",
            _rs[:size],
            _Fs[:size],
        )
        for size in (2, 3)
    ),
    Certificate(
        "plus-below-maximum",
        r"$\|D\|_F^2\le dM^2$ with $M=\max_jL_j$ (three coordinates shown).",
        sum(a**2 for a in _Ls),
        3 * _M**2,
        tuple(Term(_M + a, _M - a, "M is the largest diagonal entry") for a in _Ls),
    ),
    StandardFact(
        "rayleigh",
        r"$\mathbf L_{jj}\le\lambda_{\max}(\mathbf L)$ for symmetric $\mathbf L$.",
        "R. A. Horn and C. R. Johnson, Matrix Analysis, 2nd ed., theorem 4.2.2",
    ),
)

_QUARTER: tuple[Step, ...] = (
    *(
        lagrange(
            f"quarter-steps-{size}",
            rf"$(\sum_j\sqrt{{L_j}})^2\le\sum_jL_jh_j^2\sum_jh_j^{{-2}}$ in dimension {size}, "
            rf"$s_j=\sqrt{{L_j}}$.",
            [a * b for a, b in zip(_ss[:size], _hs[:size], strict=True)],
            [1 / b for b in _hs[:size]],
        )
        for size in (2, 3)
    ),
    Identity(
        "quarter-budget",
        r"$\sum_jh_j^{-2}=\beta^2$ at $h_j^2=\sum_i\sqrt{L_i}/(\beta^2\sqrt{L_j})$.",
        sum(1 / square for square in _quarter_squares),
        _beta**2,
    ),
    Identity(
        "quarter-value",
        r"$\frac14\sum_jL_jh_j^2=(\sum_j\sqrt{L_j})^2/(4\beta^2)$ there.",
        sum(s**2 * square for s, square in zip(_ss, _quarter_squares, strict=True)) / 4,
        _Q**2 / (4 * _beta**2),
    ),
    Certificate(
        "log-budget-pair",
        r"$4(L_1h_1^2)(L_2h_2^2)\le(L_1h_1^2+L_2h_2^2)^2$: at a fixed product of the steps (log-level "
        r"budget) the quarter branch is smallest where all $L_jh_j^2$ are equal, $h_j\propto L_j^{-1/2}$.",
        4 * _Ls[0] * _hs[0] ** 2 * _Ls[1] * _hs[1] ** 2,
        (_Ls[0] * _hs[0] ** 2 + _Ls[1] * _hs[1] ** 2) ** 2,
        (Term(Integer(1), (_Ls[0] * _hs[0] ** 2 - _Ls[1] * _hs[1] ** 2) ** 2, "square of a real number"),),
    ),
    StandardFact(
        "amgm",
        r"$d\,(\prod_ja_j)^{1/d}\le\sum_ja_j$ for $a_j\ge0$, with equality iff all $a_j$ are equal.",
        "J. M. Steele, The Cauchy-Schwarz Master Class, chapter 2",
    ),
)

_TIGHTNESS: tuple[Step, ...] = (
    Identity(
        "input-norm",
        r"The input $x_j=1/(h_j\beta)$ has norm 1.",
        sum(1 / (square * _beta**2) for square in _squares),
        Integer(1),
    ),
    Identity(
        "input-value",
        r"Its levels $u_j=1/(h_j^2\beta)=\beta L_j/\mathrm{tr}\mathbf L$ are at most 1, and its variance is "
        r"$\mathrm{tr}\mathbf L/\beta-\sum_jL_j^2/\mathrm{tr}\mathbf L$.",
        sum(
            a * square * (1 / (square * _beta)) * (1 - 1 / (square * _beta))
            for a, square in zip(_Ls, _squares, strict=True)
        ),
        _T / _beta - sum(a**2 for a in _Ls) / _T,
    ),
    Certificate(
        "relative-gap",
        r"$\sum_jL_j^2\le\max_jL_j\cdot\mathrm{tr}\mathbf L$, so the relative gap is at most "
        r"$\beta\max_jL_j/\mathrm{tr}\mathbf L$.",
        sum(a**2 for a in _Ls),
        _M * _T,
        tuple(Term(a, _M - a, "M is the largest diagonal entry") for a in _Ls),
    ),
)

_MUTANTS = (
    Mutant(
        "inverse-steps",
        r"$h_j\propto1/L_j$ at the same budget: the value becomes $\sqrt d\,\|D\|_F/\beta$, no gain over a "
        r"uniform step.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "growing-steps",
        r"$h_j\propto\sqrt{L_j}$ at the same budget: 9.0139 against 5 at $L=(4,1)$, $\beta=1$.",
        ("exact",),
    ),
    Mutant(
        "permuted-coordinates", "Permute the weights: steps follow, values stay.", ("exact",), neutral=True
    ),
)

CLAIM = Claim(
    id="squant/steps",
    paper=PAPER,
    kind="upper",
    provenance="rederived",
    title="Optimal steps at a given budget",
    statement=(
        r"Let $L_j=\mathbf L_{jj}>0$. Among all steps with $\sum_jh_j^{-2}=\beta^2$ the coarse bound "
        r"$(\sum_jL_j^2h_j^2)^{1/2}$ is smallest at $$h_j^\star=\frac{\sqrt{\mathrm{tr}\,\mathbf "
        r"L}}{\beta\sqrt{L_j}},\qquad\text{so that }\mathcal L(Q_{h^\star},\mathbf "
        r"L)\le\frac{\mathrm{tr}\,\mathbf L}\beta.$$ Among steps $h_l$ uniform on blocks of sizes $d_l$ "
        r"with $\sum_l\sqrt{d_l}/h_l=\beta$, $\max_lh_l\|D_{ll}\|_F$ is smallest at "
        r"$h_l=\frac1{\beta\|D_{ll}\|_F}\sum_k\sqrt{d_k}\|D_{kk}\|_F$, where it is $c_{\rm block}/\beta$. "
        r"For every partition $$c_{\rm vary}=\mathrm{tr}\,\mathbf L\le c_{\rm "
        r"block}=\sum_l\sqrt{d_l}\|D_{ll}\|_F\le c_{\rm plus}=\sqrt d\,\|D\|_F\le d\max_jL_j\le c_{\rm "
        r"std}=d\,\lambda_{\max}(\mathbf L).$$ The quarter branch is smallest at "
        r"$h_j^2=\sum_i\sqrt{L_i}/(\beta^2\sqrt{L_j})$, where it is $(\sum_j\sqrt{L_j})^2/(4\beta^2)$; at a "
        r"given $\sum_j\log(1/h_j)$ it is smallest at $h_j\propto L_j^{-1/2}$. If "
        r"$\beta\max_jL_j\le\mathrm{tr}\,\mathbf L$, then $\mathcal L(Q_{h^\star},\mathbf "
        r"L)\ge\mathrm{tr}\,\mathbf L/\beta-\sum_jL_j^2/\mathrm{tr}\,\mathbf L$."
    ),
    variables=(
        DIAGONAL,
        DIMENSION,
        BUDGET,
        Variable(B, r"\mathbb N", "number of blocks"),
        Variable(m, r"\mathbb N^B", r"block lengths $d_l$", "(B,)"),
        Variable(F, r"\mathbb R^B_{\ge0}", r"block norms $\|D_{ll}\|_F$", "(B,)"),
        Variable(L_max, r"\mathbb R_{\ge0}", r"$\max_jL_j$"),
        Variable(lambda_max, r"\mathbb R_{\ge0}", r"$\lambda_{\max}(\mathbf L)$"),
        Variable(
            p_j, r"(0,1]", "probability of `squant/sparse` at $\\tau=\\beta$ for the steps that mimic it"
        ),
    ),
    assumptions=(QUANTIZER, MATRIX, r"All $L_j>0$."),
    derivation=(*_OPTIMUM, *_BLOCK_OPTIMUM, *_CHAIN, *_QUARTER, *_TIGHTNESS),
    worst_cases=(
        WorstCase("two weights", {"L": (4, 1), "beta": 1, "d": 2}, Integer(5)),
        WorstCase("one heavy coordinate", {"L": (4, 1, 1, 1), "beta": 1, "d": 4}, Integer(7)),
        WorstCase("budget 2", {"L": (9, 4, 1, 1), "beta": 2, "d": 4}, Rational(15, 2)),
        WorstCase(
            "quarter branch",
            {"L": (16, 1), "beta": 4, "d": 2},
            Rational(25, 64),
        ),
    ),
    mutants=_MUTANTS,
    bound=_TRACE / beta,
    formulas={
        "vary_step": sqrt(_TRACE) / (beta * sqrt(L[i])),
        "block_step": _BLOCKS / (beta * F[i]),
        "uniform_step": sqrt(d) / beta,
        "quarter_step": sqrt(_ROOTS / (beta**2 * sqrt(L[i]))),
        "sparse_step": 1 / sqrt(beta * p_j),
        "value": _TRACE / beta,
        "block_value": _BLOCKS / beta,
        "quarter_value": _ROOTS**2 / (4 * beta**2),
        "lower": _TRACE / beta - total(L[j] ** 2) / _TRACE,
        "c_vary": _TRACE,
        "c_block": _BLOCKS,
        "c_plus": sqrt(d * total(L[j] ** 2)),
        "c_max": d * L_max,
        "c_std": d * lambda_max,
        "inverse_value": sqrt(d * total(L[j] ** 2)) / beta,
        "growing_value": sqrt(total(L[j] ** 3) * total(1 / L[j])) / beta,
    },
)
