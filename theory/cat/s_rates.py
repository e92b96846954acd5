r"""`cat/s-rates`: three rates of gradient descent along the largest entries (arXiv 2003.06377).

With $\Sigma_K=\sum_{k<K}\alpha_k$ of the run itself: $\min_{k<K}\|g_k\|^2\le2L\Delta_0/\Sigma_K$;
$\delta_K\le\Delta_0\prod(1-\alpha_k\mu/L)$ under the Polyak-Łojasiewicz inequality; and
$\delta_K\le2LR^2/(\Sigma_K+4)$ for convex $F$.

Derivation: sum the descent of `cat/s-descent`; insert the inequality; for convex $F$ insert
$\delta\le R\|g\|$ and sum the growth of $1/\delta_k$.
"""

from sympy import IndexedBase, Integer, Product, Rational, Sum, exp, log

from theory.cat.descent_steps import R
from theory.cat.paper import PAPER
from theory.cat.s_rates_derivation import alpha_bar, derivation
from theory.cat.symbols import (
    ACCURACY,
    CONVEXITY,
    DIMENSION,
    INITIAL_GAP,
    ITERATIONS,
    POLYAK,
    SIZE,
    SMOOTH,
    SMOOTHNESS,
    TIES,
    TOTAL_SHARE,
    Delta_0,
    K,
    L,
    Sigma,
    T,
    d,
    epsilon,
    k,
    mu,
)
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

alpha = IndexedBase("alpha", nonnegative=True)

_BOUND = 2 * L * Delta_0 / Sigma
_FORMULAS = {
    "total": Sum(alpha[k], (k, 0, K - 1)),
    "product": Delta_0 * Product(1 - alpha[k] * mu / L, (k, 0, K - 1)),
    "exponential": Delta_0 * exp(-Sigma * mu / L),
    "convex": 2 * L * R**2 / (Sigma + 4),
    "iterations_nonconvex": 2 * L * Delta_0 / (epsilon * alpha_bar),
    "iterations_linear": L / (mu * alpha_bar) * log(Delta_0 / epsilon),
    "iterations_convex": 2 * L * R**2 / (epsilon * alpha_bar),
    "fixed_factor": d / T,
}

_MUTANTS = (
    Mutant(
        "without-share",
        r"The bound of gradient descent, $2L\Delta_0/K$, for $T=1$: exceeded 16.5 times by "
        r"$\frac12\|x\|^2$ from a flat start, $d=64$, $K=32$.",
        ("exact", "run"),
    ),
    Mutant(
        "squared-contraction",
        r"$(1-\alpha_k\mu/L)^2$ in the product: exceeded by the factor $1/(1-\alpha)$ on $\frac L2\|x\|^2$.",
        ("exact", "run"),
    ),
    Mutant(
        "halved-start",
        r"$2LR^2/(\Sigma_K+8)$: exceeded twice at $K=0$ on $\frac L2\|x\|^2$.",
        ("symbolic", "exact"),
    ),
    Mutant(
        "reversed-coordinates",
        "Number the coordinates the other way round: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cat/s-rates",
    paper=PAPER,
    kind="rate",
    provenance="rederived",
    title="Rates of gradient descent along the largest entries",
    statement=(
        r"Let $x_{k+1}=x_k-\frac1LQ_{T^k}(g_k)$ with the $T^k$ largest entries of $g_k=\nabla F(x_k)$, "
        r"$T^k$ chosen in any way (by CAT, fixed, arbitrary), $\alpha_k=\alpha^k(T^k)$, "
        r"$\Sigma_K=\sum_{k<K}\alpha_k$, $\delta_k=F(x_k)-F^\star$ and $\Delta_0=\delta_0$. Then "
        r"$$\min_{k<K}\|g_k\|^2\le\frac{2L\Delta_0}{\Sigma_K};$$ under the Polyak-Łojasiewicz inequality "
        r"$$\delta_K\le\Delta_0\prod_{k<K}\Big(1-\frac{\alpha_k\mu}L\Big)\le\Delta_0e^{-\Sigma_K\mu/L};$$ "
        r"for convex $F$ $$\delta_K\le\frac{2LR^2}{\Sigma_K+4},\qquad "
        r"R=\sup\{\mathrm{dist}(x,X^\star):F(x)\le F(x_0)\}.$$ Where $\bar\alpha\le\alpha_k$ for all $k$, "
        r"any $K\ge A/\bar\alpha$ iterations suffice for accuracy $\varepsilon$, of the least squared norm "
        r"in the first rate and of the gap in the others, with $A=2L\Delta_0/\varepsilon$, "
        r"$\frac L\mu\log(\Delta_0/\varepsilon)$ and $2LR^2/\varepsilon$, the numbers of gradient descent; "
        r"for a fixed $T$ that is at most $(d/T)A$. On $\frac L2\|x\|^2$ the product is attained, and the "
        r"first bound at $K=1$, $T=d$; the third is attained at $K=0$. That $R$ cannot be replaced by "
        r"$\|x_0-x^\star\|$ is `cat/finding-distance-grows`."
    ),
    variables=(
        SMOOTHNESS,
        CONVEXITY,
        INITIAL_GAP,
        TOTAL_SHARE,
        ITERATIONS,
        ACCURACY,
        DIMENSION,
        SIZE,
        Variable(R, r"\mathbb R_{>0}", r"largest distance of the level set of $x_0$ to the solutions"),
        Variable(alpha_bar, r"(0,1]", r"lower bound of the shares along the run"),
        Variable(alpha, r"[0,1]^K", r"$\alpha_k$, share of $\|g_k\|^2$ that iteration k sends", "(K,)"),
    ),
    assumptions=(
        SMOOTH,
        "Second rate: " + POLYAK,
        "Third rate: F is convex and its level set at the start is bounded around the solutions.",
        TIES,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"$\frac12\|x\|^2$, flat, $d=64$, $T=d$, $K=1$: equality in the first rate",
            {"L": 1, "Delta_0": 32, "Sigma": 1},
            Integer(64),
        ),
        WorstCase(
            r"$\frac12\|x\|^2$, flat, $d=4$, $T=1$, two iterations: equality in the product",
            {"L": 1, "mu": 1, "Delta_0": 2, "K": 2, "alpha": (Rational(1, 4), Rational(1, 3))},
            Integer(1),
        ),
        WorstCase(
            r"$\frac12\|x\|^2$ at $\|x\|=R$ before the first iteration: equality in the third rate",
            {"L": 1, "R": 2, "Sigma": 0},
            Integer(2),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
