r"""`ndqsg/conv-convex`: averaged SGD with dithered gradients on convex functions (arXiv 1904.01197).

Derivation: expand $\|x_{t+1}-x^*\|^2$, use $\langle\nabla f,x-x^*\rangle\ge f-f^*$ and
$\|\nabla f\|^2\le2L(f-f^*)$, telescope; Jensen's inequality for the averaged iterate.
"""

from sympy import Rational, sqrt

from theory.ndqsg.conv_convex_derivation import K_sq, R, V, derivation, epsilon
from theory.ndqsg.conv_strong_derivation import L
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import (
    DIMENSION,
    DITHER,
    ITERATIONS,
    LEVELS,
    NOISE,
    STEP_SIZE,
    WORKERS,
    M,
    P,
    T,
    d,
    eta,
    sigma_sq,
)
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

_BOUND = R**2 / (2 * eta * (1 - eta * L) * T) + eta * V / (2 * (1 - eta * L))
_FORMULAS = {
    "variance": sigma_sq / P + d * K_sq / (12 * M**2 * P),
    "simple": R**2 / (eta * T) + eta * V,
    "balanced_step": R / sqrt(T * V),
    "iterations": 4 * R**2 * V / epsilon**2,
    "at_the_minimum": eta * V / (2 * (2 - eta)) * (1 - (1 - (1 - eta) ** (2 * T)) / (T * eta * (2 - eta))),
}

_MUTANTS = (
    Mutant(
        "no-dither-noise",
        r"$V=\frac{\sigma^2}P$: at the minimum, $\sigma=0$, the bound is 0.",
        ("exact", "run"),
    ),
    Mutant(
        "squared-workers",
        r"$V/P$ for $V$: exceeded 1.80 times at $\eta=\frac1{10}$, $P=4$, $T=100$, and 1.32 times at "
        r"$\eta=\frac12$.",
        ("exact",),
    ),
    Mutant(
        "long-step",
        r"$\eta=3/L$ in the method against the bound at a legal step.",
        ("exact", "run"),
    ),
    Mutant(
        "renumbered-workers",
        "Number the workers differently: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="ndqsg/conv-convex",
    paper=PAPER,
    kind="rate",
    provenance="rederived",
    title="Convex functions: averaged iterate with dithered gradients",
    statement=(
        r"Let $f$ be convex and $L$-smooth with a minimiser $x^*$, $R=\|x_0-x^*\|$, let each of $P$ workers "
        r"send an unbiased gradient of variance $\sigma^2$ by DQSG with scales of $\mathbb E\kappa^2\le "
        r"K^2$, and $V=\frac{\sigma^2}P+\frac{dK^2}{12M^2P}$. For $\eta<\frac1L$ and $\bar x_T$ the mean of "
        r"$x_0,\dots,x_{T-1}$ $$\mathbb Ef(\bar x_T)-f^*\le\frac1T\sum_{t<T}\mathbb "
        r"Ef(x_t)-f^*\le\frac{R^2}{2\eta(1-\eta L)T}+\frac{\eta V}{2(1-\eta L)}.$$ For $\eta\le\frac1{2L}$ "
        r"the right side is at most $\frac{R^2}{\eta T}+\eta V$, so $\eta=R/\sqrt{TV}$ gives $\varepsilon$ "
        r"after $T=4R^2V/\varepsilon^2$ iterations (if $\varepsilon\le V/L$). For $f=\frac12x^2$, $x_0=x^*$, "
        r"the mean in the middle is $\frac{\eta "
        r"V}{2(2-\eta)}\big(1-\frac{1-(1-\eta)^{2T}}{T\eta(2-\eta)}\big)$, up to half of the bound."
    ),
    variables=(
        Variable(L, r"\mathbb R_{>0}", r"Lipschitz constant of $\nabla f$"),
        Variable(R, r"\mathbb R_{>0}", r"$\|x_0-x^*\|$"),
        Variable(V, r"\mathbb R_{>0}", "bound on the variance of the averaged messages"),
        Variable(K_sq, r"\mathbb R_{\ge0}", r"$K^2$, bound on $\mathbb E\kappa^2$"),
        Variable(epsilon, r"\mathbb R_{>0}", r"accuracy of $f$"),
        DIMENSION,
        LEVELS,
        WORKERS,
        ITERATIONS,
        STEP_SIZE,
        NOISE,
    ),
    assumptions=(
        DITHER,
        r"Given $x_t$ the gradients of the workers are independent, unbiased and of variance at most "
        r"$\sigma^2$; one block per message.",
        r"All workers have the same function $f$.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"$f=\frac12x^2$ from its minimum, $\kappa=M=1$, $P=4$, $\eta=\frac1{10}$, $T=100$",
            {"eta": Rational(1, 10), "V": Rational(1, 48), "T": 100},
        ),
        WorstCase(
            r"the same with $\eta=\frac12$",
            {"eta": Rational(1, 2), "V": Rational(1, 48), "T": 100},
        ),
        WorstCase(
            r"the same with $\eta=\frac1{10}$, $P=1$, $T=1000$: 0.47 of the bound",
            {"eta": Rational(1, 10), "V": Rational(1, 12), "T": 1000},
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
