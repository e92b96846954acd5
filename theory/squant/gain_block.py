r"""`squant/gain-block`: n blocks against one block, in total communication (arXiv 2106.03524, abstract).

At the budget $\beta=d/n$, with $B=n$ equal blocks and their optimal steps, the quotient of the total costs
$T=K\cdot b$ of the unaware single-block method and of the block method is at least
$\frac{1+2n\rho}{1+2\nu_B\rho}\cdot\frac{32+b_0}{32n+b_0}$ for the pair of bounds.

Derivation: $c_{\rm std}/\beta=nL_{\max}$ and $c_{\rm block}/\beta\le\nu_BL_{\max}$ give the condition
numbers; the lengths are those of `squant/bits-bound`, which differ by the norms only. $b_0\ge2d/n$ gives the
growth with $n$, and three upper bounds show that each of its conditions is needed.
"""

from sympy import Integer

from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.squant.bits_bound import worst_case_length
from theory.squant.gain_block_derivation import content, derivation
from theory.squant.heterogeneity import (
    BLOCK_NODES,
    CONVEXITY,
    NODES,
    RATIO,
    SMOOTHNESS,
    mu,
    nu_B,
    rho,
    smoothness,
)
from theory.squant.paper import PAPER
from theory.squant.symbols import DIMENSION, QUANTIZER, d, n

# The content of a message is its length with no norm at all.
_B0 = worst_case_length(d / n, d, Integer(0))
_BOUND = (1 + 2 * n * rho) / (1 + 2 * nu_B * rho) * (32 + _B0) / (32 * n + _B0)
_FORMULAS = {
    "b0": _B0,
    "b0_lower": 2 * d / n,
    "K_std": (1 + 2 * n * rho) * smoothness / mu,
    "K_block": (1 + 2 * nu_B * rho) * smoothness / mu,
    "linear_lower": 2 * n * rho / (1 + 2 * nu_B * rho) * d / (16 * n**2 + d),
    "rho_limit": 1 + 2 * n * rho,
    "nu_limit": (1 + 2 * n * rho) / (2 * nu_B * rho),
    "norm_limit": (1 + 2 * n * rho) * (32 + content) / (32 * n),
    "V_K_std": (2 * n - 1) / n + 2 * n,
    "V_K_block": 3 * (2 * n - 1) / n,
    "V_ratio": (2 * n**2 + 2 * n - 1) / (3 * (2 * n - 1)),
    "H_K_std": 1 + 2 * n**3 / (n**2 + n - 1),
    "H_K_block": Integer(3),
    "H_ratio": (2 * n**3 + n**2 + n - 1) / (3 * (n**2 + n - 1)),
}

_MUTANTS = (
    Mutant(
        "one-norm",
        r"Charge one norm for $n$ blocks: then $d\gtrsim n^2$ is not needed, and the control with $d=8n$ "
        r"shows a gain like $n$.",
        ("exact",),
    ),
    Mutant(
        "low-dimension",
        r"$d=8n$ for $8n^2$: the $32n$ bits of the norms dominate.",
        ("exact",),
    ),
    Mutant(
        "homogeneous-matrices",
        r"$\mathbf L_i=I$ on every node: $\rho=1/n$ and $\nu_B=n$, nothing grows.",
        ("exact", "run"),
    ),
    Mutant(
        "uniform-block-steps",
        r"The step $h=\sqrt d/\beta$ on every block: $\mathcal L\ge h\|D_{11}\|_F$, a gain like $\sqrt n$ "
        r"only.",
        ("exact",),
    ),
    Mutant(
        "permuted-nodes",
        "Take the nodes in another order: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

OLD = Claim(
    id="squant/gain-block",
    paper=PAPER,
    kind="scaling",
    provenance="abstract",
    title="Blocks against a single block: a gain of order n in total communication",
    statement=(
        r"DCGD with the standard quantizer on one block and DCGD+ with $n$ equal blocks and the optimal "
        r"steps of `squant/steps` have the same budget $\beta=d/n$. Total cost is $T=K\,b(\beta,d,B)$, with "
        r"the condition number $K$ of `squant/dcgd` at the coarse bounds and the length $b$ of "
        r"`squant/bits-bound`. For $n\ge4$ and $d\ge2$, $$\frac{T_{\rm std}}{T_{\rm "
        r"block}}\ge\frac{1+2n\rho}{1+2\nu_B\rho}\cdot\frac{32+b_0}{32n+b_0},\qquad "
        r"b_0=b(d/n,d,1)-32\ge\frac{2d}n.$$ The right side is at least "
        r"$\frac{2\rho}{1+2\nu_B\rho}\cdot\frac d{16n^2+d}\,n$ and at most $1+2n\rho$, "
        r"$(1+2n\rho)/(2\nu_B\rho)$ and $(1+2n\rho)(32+b_0)/(32n)$. So it is $\Theta(n)$ iff "
        r"$\rho=\Theta(1)$ (one node dominates, $L_{\max}\asymp nL$; implied by $\nu=O(1)$), $\nu_B=O(1)$ "
        r"(a dominant node has few heavy blocks) and $d\gtrsim n^2$ up to the logarithm in $b_0$ (else the "
        r"$32n$ bits of the norms dominate). The gain $O(n)$ of the abstract is read as this statement, "
        r"with the unaware method on a single block as the one compared with; the hypotheses of the paper "
        r"itself were not seen."
    ),
    variables=(
        Variable(n, r"\mathbb N_{\ge4}", "number of nodes, and of blocks"),
        DIMENSION,
        RATIO,
        BLOCK_NODES,
        SMOOTHNESS,
        CONVEXITY,
        Variable(content, r"\mathbb R_{>0}", "content of a message: its bits without the norms"),
    ),
    assumptions=(
        QUANTIZER,
        NODES,
        r"A1 to A3 of `squant/dcgd`; both methods with their theoretical step sizes.",
        r"$n\ge4$, so that the coarse branch is the smaller one for the unaware method, and $d\ge2$.",
        r"$\beta=d/n$ for both methods, $B=n$ equal blocks, optimal block steps.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"family V, $n=4$, $d=8n^2$: one heavy node, $\rho=n/(2n-1)$, $\nu_B=(2n-1)/n$",
            {"n": 4, "d": 128, "rho": Integer(4) / 7, "nu_B": Integer(7) / 4},
        ),
        WorstCase(
            r"family H, $n=4$, $d=8n^2$: one heavy block on each node, $\nu=n$ but $\rho\to1$",
            {"n": 4, "d": 128, "rho": Integer(16) / 19, "nu_B": Integer(19) / 16},
        ),
        WorstCase(
            r"homogeneous nodes, $n=4$, $d=8n^2$: the blocks lose",
            {"n": 4, "d": 128, "rho": Integer(1) / 4, "nu_B": 4},
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
