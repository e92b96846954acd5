r"""`squant/steps-diana`: quantization steps for DIANA+ at a given budget (arXiv 2106.03524; derived here).

The rate of DIANA+ contains $\omega$ beside $\mathcal L/(n\mu)$. Steps for the mixture $w_j=1+L_j/(n\mu)$ of
both weights keep both below $W/\beta$, $W=\sum_jw_j$; the steps that are best for $\mathbf L$ alone leave
$\omega$ unbounded.

Derivation: $\omega\le\|h\|$ and $\mathcal L\le(\sum_jL_j^2h_j^2)^{1/2}$ are coarse branches; put in
$h_j^2=W/(\beta^2w_j)$ and use $1\le w_j$ and $L_j/(n\mu)\le w_j$. Blocks and sparsification alike.
"""

from sympy import Integer, Rational, Sum, sqrt

from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.squant.paper import PAPER
from theory.squant.steps_diana_derivation import F, F_l, L_j, S, W, c, d_l, derivation, m, mu
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
    j,
    l,
    n,
    tau,
    total,
)

_TOTAL = d + total(L[j]) / (n * mu)
_WEIGHT = 1 + L_j / (n * mu)
_NORM = sqrt(_TOTAL * total(1 / (1 + L[j] / (n * mu)))) / beta
_BOUND = _TOTAL / beta
_FORMULAS = {
    "weight": _WEIGHT,
    "total_weight": _TOTAL,
    "step": sqrt(W) / (beta * sqrt(_WEIGHT)),
    "norm": _NORM,
    "norm_bound": sqrt(d * _TOTAL) / beta,
    "omega_lower": _NORM - 1,
    "smoothness_value": sqrt(_TOTAL * total(L[j] ** 2 / (1 + L[j] / (n * mu)))) / (beta * n * mu),
    "block_weight": sqrt(d_l) + F_l / (n * mu),
    "block_total": Sum(sqrt(m[l]) * (sqrt(m[l]) + F[l] / (n * mu)), (l, 0, B - 1)),
    "block_step": S / (beta * (sqrt(d_l) + F_l / (n * mu))),
    "block_bound": S / beta,
    "probability": _WEIGHT / (_WEIGHT + c),
    "probability_excess": total((1 + L[j] / (n * mu)) / (1 + L[j] / (n * mu) + c)) - tau,
    "sparse_bound": W / tau,
    "plain_norm": sqrt(total(L[j]) * total(1 / L[j])) / beta,
}

_MUTANTS = (
    Mutant(
        "plain-steps",
        r"The steps of `squant/steps` for $\mathbf L$ alone: at $L=(1,\dots,1,10^{-8})$, $d=10$, $n\mu=1$, "
        r"$\|h\|\approx3\cdot10^4/\beta$ against $W/\beta\approx19/\beta$.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "weight-without-one",
        r"$w_j=L_j/(n\mu)$ in steps, probabilities and bound: $\omega$ is unbounded again.",
        ("exact",),
    ),
    Mutant(
        "plain-block-steps",
        r"The block steps of `squant/steps` for $\mathbf L$ alone: $\omega$ of a block with small "
        r"$\|D_{ll}\|_F$ is unbounded.",
        ("exact",),
    ),
    Mutant("half-total", r"Claim $W/(2\beta)$ for both constants: refuted at $\mathbf L\to0$.", ("exact",)),
    Mutant(
        "permuted-coordinates", "Permute the weights: steps follow, bounds stay.", ("exact",), neutral=True
    ),
)

CLAIM = Claim(
    id="squant/steps-diana",
    paper=PAPER,
    kind="upper",
    provenance="derived",
    title="Quantization steps for DIANA+ at a given budget",
    statement=(
        r"Let $w_j=1+\frac{L_j}{n\mu}$, $W=\sum_jw_j=d+\frac{\mathrm{tr}\,\mathbf L}{n\mu}$ and "
        r"$h_j=\frac{\sqrt W}{\beta\sqrt{w_j}}$. These steps have the budget $\beta$, and "
        r"$$\omega\le\|h\|\le\frac{\sqrt{dW}}\beta\le\frac W\beta,\qquad\frac{\mathcal L(Q_h,\mathbf "
        r"L)}{n\mu}\le\frac W\beta;$$ if $\|h\|\ge1$, also $\omega\ge\|h\|-1$. Blocks: with "
        r"$G_l=\sqrt{d_l}+\|D_{ll}\|_F/(n\mu)$, $S=\sum_l\sqrt{d_l}G_l$ and $h_l=\frac S{\beta G_l}$ on "
        r"block $l$, $\sum_l\sqrt{d_l}/h_l=\beta$, and both constants are at most $S/\beta$. "
        r"Sparsification: with $p_j=\frac{w_j}{w_j+c}$, $c$ the root of $\sum_jp_j=\tau<d$, both are at "
        r"most $c\le W/\tau$. The steps of `squant/steps` for $\mathbf L$ alone have "
        r"$\|h\|=\frac1\beta\sqrt{\mathrm{tr}\,\mathbf L\sum_j1/L_j}$, which is unbounded as $L_j\to0$."
    ),
    variables=(
        DIAGONAL,
        DIMENSION,
        BUDGET,
        Variable(n, r"\mathbb N", "number of nodes"),
        Variable(mu, r"\mathbb R_{>0}", "strong convexity of $f$"),
        Variable(L_j, r"\mathbb R_{\ge0}", r"one diagonal entry of $\mathbf L$"),
        Variable(W, r"\mathbb R_{>0}", r"$\sum_jw_j$"),
        Variable(B, r"\mathbb N", "number of blocks"),
        Variable(m, r"\mathbb N^B", r"block lengths $d_l$", "(B,)"),
        Variable(F, r"\mathbb R^B_{\ge0}", r"block norms $\|D_{ll}\|_F$", "(B,)"),
        Variable(d_l, r"\mathbb N", "length of one block"),
        Variable(F_l, r"\mathbb R_{\ge0}", r"$\|D_{ll}\|_F$ of that block"),
        Variable(S, r"\mathbb R_{>0}", r"$\sum_l\sqrt{d_l}G_l$"),
        Variable(c, r"\mathbb R_{\ge0}", r"root of $\sum_jp_j=\tau$"),
        Variable(tau, r"(0,d)", "expected number of entries sent"),
    ),
    assumptions=(QUANTIZER, MATRIX, r"$\mu>0$; zero entries $L_j=0$ are allowed."),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "three weights over two orders of magnitude",
            {"L": (1, Rational(1, 10), Rational(1, 100)), "n": 4, "mu": Rational(1, 100), "beta": 2, "d": 3},
            Rational(123, 8),
        ),
        WorstCase(
            r"one weight all but vanishes; plain steps have $\|h\|\approx3\cdot10^4$",
            {"L": (1,) * 9 + (Rational(1, 10**8),), "n": 1, "mu": 1, "beta": 1, "d": 10},
            19 + Rational(1, 10**8),
        ),
        WorstCase(
            r"$\mathbf L=0$: $\omega=d/\beta-1$ against $d/\beta$",
            {"L": (0,) * 100, "n": 1, "mu": 1, "beta": 10, "d": 100},
            Integer(10),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
