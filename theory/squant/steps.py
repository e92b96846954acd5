r"""`squant/steps`: optimal quantization steps at a given budget (arXiv 2106.03524).

At $\sum_jh_j^{-2}=\beta^2$ the coarse bound is smallest for $h_j=\sqrt{\mathrm{tr}\mathbf L/L_j}/\beta$,
where it is $\mathrm{tr}(\mathbf L)/\beta$. Blocks with $h_l=\frac1{\beta F_l}\sum_k\sqrt{d_k}F_k$, where
$F_l=\|D_{ll}\|_F$, have $\frac1\beta\sum_l\sqrt{d_l}F_l$. The values $\beta\mathcal L$ form a chain.

Derivation: $(\sum L_j^2h_j^2)(\sum h_j^{-2})\ge(\sum L_j)^2$ with equality iff $h_j^2\propto1/L_j$. For
blocks, $\beta\max_lh_lF_l\ge\sum_l\sqrt{d_l}F_l$ term by term. Quarter branch: the same with $\sqrt{L_j}$ for
$L_j$. The chain is Cauchy-Schwarz inside the blocks, then over the blocks.
"""

from sympy import Integer, Rational, Sum, sqrt

from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.squant.paper import PAPER
from theory.squant.steps_derivation import F, L_max, derivation, lambda_max, m, p_j
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

_TRACE = total(L[j])
_BLOCKS = Sum(sqrt(m[l]) * F[l], (l, 0, B - 1))
_ROOTS = total(sqrt(L[j]))
_BOUND = _TRACE / beta
_FORMULAS = {
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
}

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

OLD = Claim(
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
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
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
    bound=_BOUND,
    formulas=_FORMULAS,
)
