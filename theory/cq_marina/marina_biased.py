r"""`cq_marina/marina-biased`: MARINA with biased and correlated compressors (arXiv 2401.05518).

The error $\xi=\hat g-\bar a$ of the estimate of a mean difference has a mean $b$. With $\mathbb
E\|\xi-b\|^2\le\mathcal X_v\|x^+-x\|^2$ and $\|b\|^2\le\mathcal X_b\|x^+-x\|^2$ the step
$\gamma\le1/(L_-+\sqrt\kappa)$, $\sqrt\kappa=\frac1p\big((1-p)\sqrt{\mathcal X_b}+\sqrt{(1-p)(\mathcal
X_b+p\mathcal X_v)}\big)$, keeps the rate $2\Phi_0/(\gamma T)$.

Derivation: Young's inequality splits $\|e+b\|^2$ with a free $s$; the potential weighs $E$ by
$\gamma/(2(1-(1-p)(1+s)))$; $\kappa(s)$ is least at $s^\star$.
"""

from sympy import Integer, Rational, Sum, sqrt

from theory.cq_marina.marina_biased_derivation import L, X, X_b, X_v, alpha, derivation, omega, s, sigma
from theory.cq_marina.marina_descent import E_0, Delta_0, T, gamma
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import (
    CLIENTS,
    EXACT_REALS,
    MEAN_SMOOTHNESS,
    PROBABILITY,
    SMOOTHNESS,
    L_minus,
    L_plus,
    i,
    n,
    p,
)
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

_WEIGHT = gamma / (2 * (1 - (1 - p) * (1 + s)))
_KAPPA = (1 - p) * (X_v + (1 + 1 / s) * X_b) / (1 - (1 - p) * (1 + s))
_ROOT = ((1 - p) * sqrt(X_b) + sqrt((1 - p) * (X_b + p * X_v))) / p
_BOUND = 2 * (Delta_0 + _WEIGHT * E_0) / (gamma * T)
_FORMULAS = {
    "weight": _WEIGHT,
    "kappa": _KAPPA,
    "step_at_split": 1 / (L_minus + sqrt(_KAPPA)),
    "s_star": (
        (-(1 - p) * X_b + sqrt((1 - p) ** 2 * X_b**2 + p * (1 - p) * (X_v + X_b) * X_b))
        / ((1 - p) * (X_v + X_b))
    ),
    "root_kappa": _ROOT,
    "step_size": 1 / (L_minus + _ROOT),
    "root_kappa_unbiased": sqrt((1 - p) / p * X_v),
    "root_kappa_any": sqrt(1 - p) / (1 - sqrt(1 - p)) * sqrt(X),
    "price": (1 + sqrt(1 - p)) / sqrt(p),
    "contractive_A": 1 - alpha,
    "contractive_X": (1 - alpha) * (Sum(L[i], (i, 0, n - 1)) / n) ** 2,
    "scaled_variance": sigma**2 * omega / n * L_plus**2,
    "scaled_bias": (1 - sigma) ** 2 * L_minus**2,
}

_MUTANTS = (
    Mutant(
        "unbiased-step",
        r"The step of unbiased compressors, $\sqrt\kappa=\sqrt{\frac{1-p}p(\mathcal X_v+\mathcal X_b)}$: "
        r"runs diverge, 4.449 against the bound 0.1 for $C_i\equiv0$, $p=0.1$.",
        ("exact", "run"),
    ),
    Mutant(
        "split-outside-range",
        r"$s>\frac p{1-p}$ in $\kappa(s)$: it is negative there, and so is the weight of $E$.",
        ("exact",),
    ),
    Mutant(
        "dropped-cross-term",
        r"$\|e+b\|^2\le\|e\|^2+\|b\|^2$, without the cross term of a biased error.",
        ("symbolic", "exact"),
    ),
    Mutant(
        "half-the-bias",
        r"$\mathcal X_b/2$ for $\mathcal X_b$ in the step: no upper bound on the bias any more.",
        ("exact",),
    ),
    Mutant(
        "other-split",
        r"The step for another $s$ of the range, half of $\frac p{1-p}$: it is smaller and valid as well.",
        ("exact",),
        neutral=True,
    ),
)

_WORST_CASES = (
    WorstCase(
        r"$C_i\equiv0$, $f=\frac12x^2$, $x^0=1$, $p=\frac12$: the error has the whole difference as its mean",
        {"p": Rational(1, 2), "X": 1, "L_minus": 1, "gamma": 1 - sqrt(Rational(1, 2))},
        1 - sqrt(Rational(1, 2)),
    ),
    WorstCase(
        r"half of RandK with $K=2$, $f=\frac12\|x\|^2$, $n=1$, $d=8$, $p=\frac1{20}$",
        {
            "p": Rational(1, 20),
            "X_v": Rational(3, 4),
            "X_b": Rational(1, 4),
            "L_minus": 1,
            "sigma": Rational(1, 2),
            "omega": 3,
        },
    ),
    WorstCase(
        r"no bias, $\mathcal X_b=0$: the step of `cq_marina/marina-rate`",
        {"p": Rational(1, 10), "X_v": Rational(7, 4), "X_b": 0, "L_minus": 1},
        1 / (1 + sqrt(Integer(63) / 4)),
    ),
)

CLAIM = Claim(
    id="cq_marina/marina-biased",
    paper=PAPER,
    kind="rate",
    provenance="derived",
    title="Rate of MARINA with biased and correlated compressors",
    statement=(
        r"MARINA: $x^{k+1}=x^k-\gamma g^k$; with probability $p$ all clients send full gradients, "
        r"$g^{k+1}=\nabla f(x^{k+1})$, else $g^{k+1}=g^k+\hat g$, where $\hat g$ estimates the mean $\bar a$ "
        r"of the differences of gradients. Let $\xi=\hat g-\bar a$, $b=\mathbb E\xi$ (given the past), "
        r"$\mathbb E\|\xi-b\|^2\le\mathcal X_v\|x^{k+1}-x^k\|^2$ and $\|b\|^2\le\mathcal "
        r"X_b\|x^{k+1}-x^k\|^2$. For $0<s<\frac p{1-p}$ let $\Phi_k=\mathbb "
        r"Ef(x^k)-f^\star+\frac\gamma{2(1-(1-p)(1+s))}\mathbb E\|g^k-\nabla f(x^k)\|^2$. If "
        r"$\gamma\le\frac1{L_-+\sqrt{\kappa(s)}}$, $\kappa(s)=\frac{(1-p)(\mathcal X_v+(1+1/s)\mathcal "
        r"X_b)}{1-(1-p)(1+s)}$, then for all $T\ge1$ $$\frac1T\sum_{k<T}\mathbb E\|\nabla "
        r"f(x^k)\|^2\le\frac{2\Phi_0}{\gamma T}.$$ For $\mathcal X_b>0$ the least $\kappa(s)$ is at "
        r"$s^\star=\frac{-(1-p)\mathcal "
        r"X_b+\sqrt{(1-p)^2\mathcal X_b^2+p(1-p)(\mathcal X_v+\mathcal X_b)\mathcal X_b}}{(1-p)(\mathcal "
        r"X_v+\mathcal X_b)}$, where $\sqrt\kappa=\frac1p\big((1-p)\sqrt{\mathcal X_b}+\sqrt{(1-p)(\mathcal "
        r"X_b+p\mathcal X_v)}\big)$. Without bias it is $\sqrt{\frac{1-p}p\mathcal X_v}$, the unbiased rate. "
        r"If only $\mathbb E\|\xi\|^2\le\mathcal X\|x^{k+1}-x^k\|^2$ is known, "
        r"$\sqrt\kappa=\frac{\sqrt{1-p}}{1-\sqrt{1-p}}\sqrt{\mathcal X}$: a bias costs a factor "
        r"$\frac{1+\sqrt{1-p}}{\sqrt p}\le\frac2{\sqrt p}$. Contractive compressors, $\mathbb "
        r"E\|C_i(x)-x\|^2\le(1-\alpha)\|x\|^2$, of any dependence have $\mathcal X=(1-\alpha)L_{+,w}^2$ for "
        r"every $w$, and $w_i\propto L_i$ gives $\mathcal X\le(1-\alpha)(\frac1n\sum_iL_i)^2$. Scaled "
        r"independent unbiased ones, $\sigma Q_i$, have $\mathcal X_v=\sigma^2\frac\omega nL_+^2$, $\mathcal "
        r"X_b=(1-\sigma)^2L_-^2$."
    ),
    variables=(
        CLIENTS,
        PROBABILITY,
        SMOOTHNESS,
        MEAN_SMOOTHNESS,
        Variable(L, r"\mathbb R^n_{>0}", r"Lipschitz constants of the $\nabla f_i$", "(n,)"),
        Variable(X_v, r"\mathbb R_{\ge0}", r"$\mathcal X_v$, for the variance of the error"),
        Variable(X_b, r"\mathbb R_{\ge0}", r"$\mathcal X_b$, for the square of its mean"),
        Variable(X, r"\mathbb R_{\ge0}", r"$\mathcal X$, for the mean square of the error"),
        Variable(s, r"(0,\frac p{1-p})", "how $\\|e+b\\|^2$ is split"),
        Variable(alpha, r"(0,1]", "how much a contractive compressor keeps"),
        Variable(sigma, r"\mathbb R_{\ge0}", "scale of a scaled unbiased compressor"),
        Variable(omega, r"\mathbb R_{\ge0}", r"$\mathbb E\|Q_i(x)-x\|^2\le\omega\|x\|^2$"),
        Variable(gamma, r"(0,\frac1{L_-+\sqrt\kappa}]", "step size"),
        Variable(T, r"\mathbb N", "number of rounds"),
        Variable(Delta_0, r"\mathbb R_{\ge0}", r"$f(x^0)-f^\star$"),
        Variable(E_0, r"\mathbb R_{\ge0}", r"$\mathbb E\|g^0-\nabla f(x^0)\|^2$"),
    ),
    assumptions=(
        r"$f$ is bounded below by $f^\star$ and $\nabla f$ is $L_-$-Lipschitz.",
        "All clients share one coin; the compressors use fresh randomness in every round.",
        r"$0<p<1$ where $s$ occurs; at $p=1$ the method is gradient descent.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=_WORST_CASES,
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
