r"""`cq_marina/marina-pl`: linear rate of MARINA under the PL condition (arXiv 2401.05518).

If $\|\nabla f\|^2\ge2\mu(f-f^\star)$ and $\gamma\le\min\{(L_-+\sqrt{2(1-p)\mathcal
X/p})^{-1},\frac p{2\mu}\}$, then $\mathbb Ef(x^T)-f^\star\le(1-\gamma\mu)^T(\Delta_0+\frac\gamma pE_0)$.

Derivation: with $\Phi=F+\frac\gamma pE$ the descent lemma, the noise and the PL inequality give
$\Phi^+\le(1-\gamma\mu)\Phi$; the coefficient of $E$ needs $\gamma\mu\le\frac p2$.
"""

from sympy import Min, Rational, sqrt

from theory.cq_marina.marina_descent import E_0, Delta_0, T, gamma
from theory.cq_marina.marina_pl_derivation import derivation, mu
from theory.cq_marina.marina_rate_derivation import A, B, X
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import (
    EXACT_REALS,
    HESSIAN_VARIANCE,
    MEAN_SMOOTHNESS,
    PROBABILITY,
    SMOOTHNESS,
    L_minus,
    L_plus,
    L_pm,
    p,
)
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

_NOISE_STEP = 1 / (L_minus + sqrt(2 * (1 - p) / p * X))
_COIN_STEP = p / (2 * mu)
_BOUND = (1 - gamma * mu) ** T * (Delta_0 + gamma / p * E_0)
_FORMULAS = {
    "X": (A - B) * L_plus**2 + B * L_pm**2,
    "noise_step": _NOISE_STEP,
    "coin_step": _COIN_STEP,
    "step_size": Min(_NOISE_STEP, _COIN_STEP),
    "weight": gamma / p,
}

_MUTANTS = (
    Mutant(
        "double-rate",
        r"$(1-2\gamma\mu)^T$: identity quadratics, $n=1$, $d=8$, $p=0.1$ with one-bit quantizers: the "
        r"potential $\Phi_T$ is 1.56 times the bound at $T=20$, 20.6 times at $T=100$.",
        ("exact",),
    ),
    Mutant(
        "step-of-the-sublinear-rate",
        r"The step $1/(L_-+\sqrt{\frac{1-p}p\mathcal X})$ of `cq_marina/marina-rate`, without the 2 and "
        r"without $\frac p{2\mu}$: the potential is 30.3 times the bound at $T=50$, 691 times at $T=100$.",
        ("exact",),
    ),
    Mutant(
        "no-first-error",
        r"Leave out $E_0$ in the bound for a run with $g^0=0$.",
        ("exact",),
    ),
    Mutant(
        "potential-weight",
        r"$\Phi=F+\frac\gamma{2p}E$ in the certificate: it leaves a remainder.",
        ("symbolic",),
    ),
    Mutant(
        "permuted-clients",
        "Number the clients differently: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cq_marina/marina-pl",
    paper=PAPER,
    kind="rate",
    provenance="rederived",
    title="Linear rate of MARINA under the Polyak-Lojasiewicz condition",
    statement=(
        r"In the setting of `cq_marina/marina-rate` let moreover $\|\nabla f(x)\|^2\ge2\mu(f(x)-f^\star)$ "
        r"for all $x$. If $$\gamma\le\min\Big\{\frac1{L_-+\sqrt{\frac{2(1-p)}p\mathcal X}},\frac "
        r"p{2\mu}\Big\},\qquad\mathcal X=(A-B)L_{+,w}^2+BL_{\pm,w}^2,$$ then for all $T\ge0$ $$\mathbb "
        r"Ef(x^T)-f^\star\le(1-\gamma\mu)^T\Big(\Delta_0+\frac\gamma pE_0\Big),$$ and $\Phi=\mathbb "
        r"Ef-f^\star+\frac\gamma p\mathbb E\|g-\nabla f\|^2$ falls by the factor $1-\gamma\mu$ each round."
    ),
    variables=(
        PROBABILITY,
        SMOOTHNESS,
        MEAN_SMOOTHNESS,
        HESSIAN_VARIANCE,
        Variable(A, r"\mathbb R_{\ge0}", r"constant of the AB inequality, $A\ge B$"),
        Variable(B, r"\mathbb R_{\ge0}", "constant of the AB inequality"),
        Variable(X, r"\mathbb R_{\ge0}", r"$\mathcal X$"),
        Variable(mu, r"(0,L_-]", "constant of the PL condition"),
        Variable(gamma, r"\mathbb R_{>0}", "step size"),
        Variable(T, r"\mathbb N_0", "number of rounds"),
        Variable(Delta_0, r"\mathbb R_{\ge0}", r"$f(x^0)-f^\star$"),
        Variable(E_0, r"\mathbb R_{\ge0}", r"$\mathbb E\|g^0-\nabla f(x^0)\|^2$"),
    ),
    assumptions=(
        r"Those of `cq_marina/marina-rate`: unbiased with $V\le AM_w-Bm$, $A\ge B\ge0$; one coin for all.",
        r"PL condition with $\mu>0$; $f$ need not be convex.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"identity quadratics, $n=1$, $d=8$, $p=0.1$ with one-bit quantizers ($A=7$, $B=0$)",
            {"n": 1, "d": 8, "p": Rational(1, 10), "mu": 1, "L_minus": 1, "X": 7},
        ),
        WorstCase(
            r"a single client without compression, $p=1$: gradient descent with the step $\frac1{2\mu}$",
            {"p": 1, "mu": 1, "L_minus": 1, "X": 0},
            Rational(1, 2),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
