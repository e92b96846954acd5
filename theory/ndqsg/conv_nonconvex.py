r"""`ndqsg/conv-nonconvex`: average squared gradient of SGD with dithered gradients (arXiv 1904.01197).

Derivation: the descent lemma with the second moment of the average message, at most half of the gain spent on
noise, telescoping. In one dimension at the largest step the sum of all squared gradients is $2f_0/\eta$.
"""

from collections.abc import Mapping

from sympy import Expr, Rational, Symbol, symbols

from theory.ndqsg.averaged_messages import averaged_messages, gradient_sq
from theory.ndqsg.conv_strong import CLAIM as STRONG
from theory.ndqsg.conv_strong_derivation import L, h
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import (
    DITHER,
    ITERATIONS,
    NOISE,
    OMEGA,
    STEP_SIZE,
    WORKERS,
    P,
    T,
    eta,
    omega,
    sigma_sq,
)
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

Delta_0 = Symbol("Delta_0", nonnegative=True)
lam = Symbol("lambda_", positive=True)

_F, _F_next, _S = symbols("F F_+ S", nonnegative=True)
_Gs = symbols("G_0:3", nonnegative=True)
_Fs = symbols("F_1:4", nonnegative=True)
_x = Symbol("x", real=True)

_BOUND = 2 * Delta_0 / (eta * T) + eta * L * sigma_sq * (1 + omega) / P
_FORMULAS = {
    "second_moment": (1 + omega / P) * gradient_sq + sigma_sq * (1 + omega) / P,
    "step_size": 1 / (L * (1 + omega / P)),
    "total": 2 * Delta_0 / eta,
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    noise = L * eta**2 * sigma_sq * (1 + omega) / (2 * P)
    before = (Delta_0, *_Fs[:-1])
    factor = STRONG.formulas["largest_h"]
    return (
        *averaged_messages(stated["second_moment"]),
        Certificate(
            "one-step",
            r"$\mathbb Ef(x_{t+1})-f^*\le f(x_t)-f^*-\frac\eta2\|\nabla "
            r"f\|^2+\frac{L\eta^2}2\cdot\frac{\sigma^2(1+\omega)}P$ for $\eta$ at most the stated step.",
            _F_next,
            _F - eta / 2 * gradient_sq + noise,
            (
                Term(
                    Rational(1),
                    _F - eta * gradient_sq + L / 2 * eta**2 * _S - _F_next,
                    "hypothesis: f is L-smooth: f(y) <= f(x) + <grad f(x), y - x> + (L / 2) |y - x|^2, in "
                    "expectation with S = E |g^|^2 and E g^ = grad f",
                ),
                Term(L / 2 * eta**2, stated["second_moment"] - _S, "second-moment"),
                Term(
                    eta / 2 * gradient_sq * L * (1 + omega / P),
                    stated["step_size"] - eta,
                    "hypothesis: the step is at most 1 / (L (1 + omega / P))",
                ),
            ),
        ),
        Certificate(
            "telescoping",
            r"The sum over $T$ steps gives the stated bound on the average (shown for $T=3$; each step adds "
            r"the same two terms).",
            Rational(1, 3) * sum(_Gs),
            stated["bound"].subs(T, 3),
            (
                *(
                    Term(Rational(2, 3) / eta, first - eta / 2 * gradient + noise - second, "one-step")
                    for first, second, gradient in zip(before, _Fs, _Gs, strict=True)
                ),
                Term(Rational(2, 3) / eta, _Fs[-1], "f is at least its minimum"),
            ),
        ),
        Identity(
            "all-gradients",
            r"$f=\frac\lambda2x^2$, $\sigma=0$, largest step: $\mathbb Ex_t^2=(1-h)^tx_0^2$ by "
            r"`ndqsg/conv-strong`, so the sum over all $t$ of $\lambda^2\mathbb Ex_t^2$ is "
            r"$\lambda^2x_0^2/h$ with $h=\eta\lambda$: the stated total with "
            r"$f(x_0)-f^*=\frac\lambda2x_0^2$,",
            lam**2 * _x**2 / (1 - STRONG.formulas["factor"].subs(h, factor)),
            stated["total"].xreplace({Delta_0: lam * _x**2 / 2, eta: factor / lam}),
        ),
        Identity(
            "attained",
            r"which is $T$ times the bound: it is attained as $T\to\infty$.",
            stated["total"],
            T * stated["bound"].subs(sigma_sq, 0),
        ),
    )


_MUTANTS = (
    Mutant(
        "half-omega",
        r"$\omega/2$ in the step rule: at $d=M=P=1$ the sum exceeds the bound by 4.2 per cent.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "same-seed",
        r"The same dither for all workers: at $d=M=1$, $P=4$ the sum exceeds the bound by 6.5 per cent.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "long-step",
        r"1.5 times the largest step: the sum is 1.33 times the bound at the largest step, 2.0 times that at "
        r"its own.",
        ("exact", "adversarial", "montecarlo"),
    ),
    Mutant(
        "no-gradient-noise",
        r"The bound without $\sigma^2$: what remains falls like $1/T$, the gradients do not.",
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
    id="ndqsg/conv-nonconvex",
    paper=PAPER,
    kind="rate",
    provenance="derived",
    title="Smooth functions: average squared gradient, tight for long runs",
    statement=(
        r"Let $f\ge f^*$ be $L$-smooth, not necessarily convex, and let each of $P$ workers send an unbiased "
        r"gradient of variance $\sigma^2$ by DQSG, $\omega=\max_bd_b/(12M^2)$. For "
        r"$\eta\le\frac1{L(1+\omega/P)}$ $$\frac1T\sum_{t<T}\mathbb E\|\nabla "
        r"f(x_t)\|^2\le\frac{2(f(x_0)-f^*)}{\eta T}+\frac{\eta L\sigma^2(1+\omega)}P.$$ For quadratics in "
        r"one dimension, $\sigma=0$ and the largest step the sum over all $t$ is $2(f(x_0)-f^*)/\eta$: the "
        r"bound is attained as $T\to\infty$."
    ),
    variables=(
        Variable(L, r"\mathbb R_{>0}", r"Lipschitz constant of $\nabla f$"),
        Variable(Delta_0, r"\mathbb R_{\ge0}", r"$f(x_0)-f^*$"),
        Variable(gradient_sq, r"\mathbb R_{\ge0}", r"$\|\nabla f(x_t)\|^2$"),
        WORKERS,
        ITERATIONS,
        STEP_SIZE,
        NOISE,
        OMEGA,
    ),
    assumptions=(
        DITHER,
        r"Given $x_t$ the gradients of the workers are independent, unbiased and of variance at most "
        r"$\sigma^2$.",
        r"All workers have the same function $f$.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"$f=\frac12x^2$, $x_0=1$, $M=1$, $P=1$, $T=10$, largest step",
            {
                "L": 1,
                "Delta_0": Rational(1, 2),
                "sigma_sq": 0,
                "omega": Rational(1, 12),
                "P": 1,
                "T": 10,
                "eta": Rational(12, 13),
            },
            Rational(13, 120),
        ),
        WorstCase(
            r"$f=\frac12x^2$, $x_0=1$, $M=1$, $P=4$, $T=10$, largest step",
            {
                "L": 1,
                "Delta_0": Rational(1, 2),
                "sigma_sq": 0,
                "omega": Rational(1, 12),
                "P": 4,
                "T": 10,
                "eta": Rational(48, 49),
            },
            Rational(49, 480),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
