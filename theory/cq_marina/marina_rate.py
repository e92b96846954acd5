r"""`cq_marina/marina-rate`: rate of MARINA with an AB inequality (arXiv 2401.05518).

With $V\le AM_w-Bm$ and $\mathcal X=(A-B)L_{+,w}^2+BL_{\pm,w}^2$, the step
$\gamma\le1/(L_-+\sqrt{(1-p)\mathcal X/p})$ gives $\frac1T\sum_{k<T}\mathbb E\|\nabla f(x^k)\|^2\le
\frac{2\Delta_0}{\gamma T}+\frac{E_0}{pT}$.

Derivation: the descent lemma and $E^+\le(1-p)(E+\mathcal XR)$ make $\Phi=F+\frac\gamma{2p}E$ fall by
$\frac\gamma2\|\nabla f\|^2$ each round, if $\frac{1-p}p\mathcal X\gamma^2+L_-\gamma\le1$; the sum telescopes.
"""

from sympy import Rational, sqrt

from theory.cq_marina.marina_descent import E_0, Delta_0, T, gamma
from theory.cq_marina.marina_rate_derivation import A, B, L, X, derivation, omega
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import (
    CLIENTS,
    EXACT_REALS,
    HESSIAN_VARIANCE,
    MEAN_SMOOTHNESS,
    PROBABILITY,
    SMOOTHNESS,
    L_minus,
    L_plus,
    L_pm,
    n,
    p,
)
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

_BOUND = 2 * Delta_0 / (gamma * T) + E_0 / (p * T)
_FORMULAS = {
    "X": (A - B) * L_plus**2 + B * L_pm**2,
    "step_size": 1 / (L_minus + sqrt((1 - p) / p * X)),
    "weight": gamma / (2 * p),
    "larger_step": 2 / (L_minus + sqrt(L_minus**2 + 4 * (1 - p) / p * X)),
    "largest_gain": Rational(5, 4),
    "original_step": 1 / (L * (1 + sqrt((1 - p) / p * omega / n))),
}

_MUTANTS = (
    Mutant(
        "ternary-constant",
        r"$\mathcal X=\frac d{4n}L_+^2$ for the one-bit quantizer, whose $A$ is $\frac{d-1}n$: identity "
        r"quadratics, $n=4$, $d=8$, $p=0.1$: 2.106 times the bound at $T=200$.",
        ("exact",),
    ),
    Mutant("step-130-percent", r"Step $1.3\gamma$ on the same instance: 1.31 times the bound.", ("exact",)),
    Mutant("step-150-percent", r"Step $1.5\gamma$: 1.80 times the bound.", ("exact",)),
    Mutant("double-step", r"Step $2\gamma$: 4.96 times; rank-one family with PermK: 4.79 times.", ("exact",)),
    Mutant(
        "rare-full-gradient",
        r"Full gradients with probability $p/4$, the step for $p$: $n=1$, $d=8$, $p=0.1$: 4.44 times.",
        ("exact", "run"),
    ),
    Mutant(
        "no-hessian-variance",
        r"$L_\pm=0$ in $\mathcal X$ for PermK on the rank-one family: $10^4$ times at $T=10$.",
        ("exact",),
    ),
    Mutant(
        "weights-of-others",
        r"A weighted partition whose weights belong to other clients, with the step for the right ones: "
        r"tridiagonal, $n=5$, $d=6$, $\lambda=0.8$: 1.65 times the bound at $T=100$.",
        ("exact",),
    ),
    Mutant(
        "no-first-error",
        r"Leave out $E_0$ in the bound for a run with $g^0=0$.",
        ("exact",),
    ),
    Mutant(
        "private-coin",
        r"Each client tosses its own coin: PermK on identical clients, $n=4$, $d=8$, $p=0.1$: 12.9 times; "
        r"one-bit quantizers hide it.",
        ("run",),
    ),
    Mutant(
        "stale-difference",
        r"The clients compress the difference of the round before: PermK on identical clients: "
        r"$10^3$ times at $T=50$.",
        ("run",),
    ),
    Mutant(
        "potential-weight",
        r"$\Phi=F+\frac\gamma pE$ in the certificate of the descent: it leaves a remainder.",
        ("symbolic",),
    ),
    Mutant(
        "permuted-clients",
        "Number the clients differently: nothing may change.",
        ("exact",),
        neutral=True,
    ),
    Mutant(
        "larger-valid-step",
        r"The step $2/(L_-+\sqrt{L_-^2+4\frac{1-p}p\mathcal X})$, up to 25 % larger, has the same bound.",
        ("exact",),
        neutral=True,
    ),
    Mutant(
        "old-gradients",
        r"Differences are taken from the gradients of the last compressed round: a full one leaves them.",
        ("exact",),
    ),
    Mutant("one-client-less", r"The sum of the messages is divided by $n-1$.", ("exact",)),
)

OLD = Claim(
    id="cq_marina/marina-rate",
    paper=PAPER,
    kind="rate",
    provenance="rederived",
    title="Rate of MARINA with an AB inequality and the weighted Hessian variance",
    statement=(
        r"MARINA: $x^{k+1}=x^k-\gamma g^k$, and with one coin for all clients $g^{k+1}=\nabla f(x^{k+1})$ "
        r"with probability $p$, else $g^{k+1}=g^k+\frac1n\sum_iC_i(\nabla f_i(x^{k+1})-\nabla f_i(x^k))$. If "
        r"the estimate $\hat g=\frac1n\sum_iC_i(a_i)$ is unbiased with $\mathbb E\|\hat g-\bar a\|^2\le "
        r"AM_w-Bm$, $A\ge B\ge0$, where $M_w=\frac1n\sum_i\frac{\|a_i\|^2}{nw_i}$ and $m=\|\bar a\|^2$, then "
        r"with $\mathcal X=(A-B)L_{+,w}^2+BL_{\pm,w}^2$ every step "
        r"$\gamma\le1/(L_-+\sqrt{\frac{1-p}p\mathcal X})$ has for all $T\ge1$ $$\frac1T\sum_{k<T}\mathbb "
        r"E\|\nabla f(x^k)\|^2\le\frac{2\Delta_0}{\gamma T}+\frac{E_0}{pT},\qquad "
        r"E_0=\mathbb E\|g^0-\nabla f(x^0)\|^2.$$ So has every step up to "
        r"$2/(L_-+\sqrt{L_-^2+4\frac{1-p}p\mathcal X})$, which is at most $\frac54$ times as large. For "
        r"independent compressors ($A=\frac\omega n$, $B=0$, $w_i=\frac1n$) the step is at least the "
        r"original one, "
        r"$1/\big(L(1+\sqrt{\frac{(1-p)\omega}{pn}})\big)$ with $L^2=\frac1n\sum_iL_i^2$."
    ),
    variables=(
        CLIENTS,
        PROBABILITY,
        SMOOTHNESS,
        MEAN_SMOOTHNESS,
        HESSIAN_VARIANCE,
        Variable(A, r"\mathbb R_{\ge0}", r"constant of the AB inequality, $A\ge B$"),
        Variable(B, r"\mathbb R_{\ge0}", "constant of the AB inequality"),
        Variable(X, r"\mathbb R_{\ge0}", r"$\mathcal X$"),
        Variable(gamma, r"\mathbb R_{>0}", "step size"),
        Variable(T, r"\mathbb N", "number of rounds"),
        Variable(Delta_0, r"\mathbb R_{\ge0}", r"$f(x^0)-f^\star$"),
        Variable(E_0, r"\mathbb R_{\ge0}", r"$\mathbb E\|g^0-\nabla f(x^0)\|^2$"),
        Variable(omega, r"\mathbb R_{\ge0}", r"$\mathbb E\|C_i(x)-x\|^2\le\omega\|x\|^2$"),
        Variable(L, r"\mathbb R_{>0}", r"root mean square of the Lipschitz constants $L_i$"),
    ),
    assumptions=(
        r"$f=\frac1n\sum_if_i\ge f^\star$, possibly not convex; $L_-$, $L_{+,w}$, $L_{\pm,w}$ are finite.",
        r"The compressors are unbiased; their randomness is fresh in each round and independent of the coin.",
        r"Weights $w_i>0$ with $\sum_iw_i=1$.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"identity quadratics, $n=1$, $d=8$, $p=0.02$ with the one-bit quantizer ($A=7$, $B=0$): the "
            r"average is 0.966 of the bound",
            {"n": 1, "d": 8, "p": Rational(1, 50), "A": 7, "B": 0, "L_minus": 1, "L_plus": 1, "L_pm": 0},
        ),
        WorstCase(
            r"rank-one family $A_i=ne_ie_i^\top$, $d=n=4$, $p=0.05$ with PermK ($A=B=1$): 0.926 at $T=400$",
            {
                "n": 4,
                "d": 4,
                "p": Rational(1, 20),
                "A": 1,
                "B": 1,
                "L_minus": 1,
                "L_plus": 2,
                "L_pm": sqrt(3),
            },
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
