r"""`ndqsg/finding-rate-attained`: the rate for strongly convex functions has no slack (arXiv 1904.01197).

In one dimension at the largest step the bound of `ndqsg/conv-strong` is the value itself, at every $T$; a
longer step exceeds the rate at once, a shorter one is slower, and with noise the bound exceeds the value by
$(1-\eta\lambda)^T$ of its noise term.

Derivation: the exact factor of a step less the claimed one is $h(h/h_0-1)$, $h=\eta\lambda$, with the largest
step $h_0$; the noise of a step is $h$ times the noise term of the bound, so that the recursion solves.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol

from theory.ndqsg.conv_strong import CLAIM as STRONG
from theory.ndqsg.conv_strong_derivation import L, h, mu, r_0
from theory.ndqsg.paper import PAPER
from theory.ndqsg.quad_adaptive import CLAIM as QUADRATIC
from theory.ndqsg.quad_adaptive import lam, s_sq
from theory.ndqsg.symbols import (
    DITHER,
    ITERATIONS,
    NOISE,
    OMEGA,
    STEP_SIZE,
    WORKERS,
    M,
    P,
    T,
    eta,
    omega,
    sigma_sq,
)
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

_NOISE = eta * sigma_sq * (1 + omega) / (lam * P)
_EXACT = (1 - eta * lam) ** T * r_0 + (1 - (1 - eta * lam) ** T) * _NOISE
_FORMULAS = {
    "longest": 1 / (1 + omega / P),
    "excess": h * (h * (1 + omega / P) - 1),
    "least": omega / (omega + P),
}

_t = Symbol("t", nonnegative=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    factor, longest = STRONG.formulas["factor"], stated["longest"]
    one_block = {omega: 1 / (12 * M**2)}
    return (
        Identity(
            "longest",
            r"The stated $h_0=\eta\lambda$ is the largest step of `ndqsg/conv-strong` for "
            r"$f=\frac\lambda2x^2$, $\mu=L=\lambda$.",
            longest,
            L * STRONG.formulas["step_size"],
        ),
        Identity(
            "excess",
            r"The exact factor of $\mathbb Ex^2$ in a step, less the claimed $1-h$, is as stated.",
            factor - (1 - h),
            stated["excess"],
        ),
        Identity(
            "attained",
            r"At $h_0$ it is 0: equality.",
            stated["excess"].subs(h, longest),
            Integer(0),
        ),
        Identity(
            "longer",
            r"A step that is longer by the part $t$ exceeds the claimed rate by $t(1+t)h_0>0$, however small "
            r"$t$.",
            stated["excess"].subs(h, (1 + _t) * longest),
            _t * (1 + _t) * longest,
        ),
        Certificate(
            "least",
            r"No step has a smaller factor than the stated one,",
            stated["least"],
            factor,
            (Term(1 + omega / P, (h - longest) ** 2, "square of a real number"),),
        ),
        Identity("least-attained", r"which is that of $h_0$.", factor.subs(h, longest), stated["least"]),
        Identity(
            "noise",
            r"With gradients of variance $\sigma^2$ a step adds $b$ of `ndqsg/quad-adaptive`; that is "
            r"$\eta\lambda$ times the noise term of the bound.",
            QUADRATIC.formulas["b"].xreplace({s_sq: sigma_sq}),
            (eta * lam * _NOISE).xreplace(one_block),
        ),
        Identity("start", r"The stated value at $T=0$ is $r_0$.", stated["exact"].subs(T, 0), r_0),
        Identity(
            "solution",
            r"It solves $\mathbb Ex_{t+1}^2=(1-\eta\lambda)\mathbb Ex_t^2+b$, the recursion at the largest "
            r"step.",
            stated["exact"].subs(T, T + 1),
            (1 - eta * lam) * stated["exact"] + eta * lam * _NOISE,
        ),
        Identity(
            "missing",
            r"The bound of `ndqsg/conv-strong` exceeds it by $(1-\eta\lambda)^T$ times its noise term: by "
            r"nothing without noise, and by less and less with it.",
            STRONG.expressions["bound"].xreplace({mu: lam}) - stated["exact"],
            (1 - eta * lam) ** T * _NOISE,
        ),
    )


_MUTANTS = (
    Mutant(
        "better-rate",
        r"Claim one per cent less than the factor $1-h$: no bound of this form has it.",
        ("exact",),
    ),
    Mutant(
        "slightly-long-step",
        r"A step that is longer by one per cent against the rate $1-\eta\lambda$ of its own: exceeded at "
        r"every $T$.",
        ("exact",),
    ),
    Mutant(
        "half-omega",
        r"$\omega/2$ in the step rule: 1.96 times the claimed factor at $P=M=1$.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "same-seed",
        r"The same dither for all workers: 3.94 times the claimed factor at $P=4$, $M=1$.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "one-block",
        r"Claim equality for one block of several coordinates, too: the second step is below the bound.",
        ("exact",),
    ),
    Mutant("mirrored", r"Start from $-x_0$: nothing may change.", ("exact",), neutral=True),
)

_OMEGA = Rational(1, 12)

CLAIM = Claim(
    id="ndqsg/finding-rate-attained",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="The strong-convexity rate has no slack: attained in one dimension, lost by any longer step",
    statement=(
        r"Rates are read as upper bounds with slack, below which small faults hide (those of "
        r"`ndqsg/conv-convex` and `ndqsg/conv-nonconvex` have some). Read so, `ndqsg/conv-strong` is "
        r"misread: for $f=\frac\lambda2x^2$, $\sigma=0$ the exact factor of a step $h=\eta\lambda$ exceeds "
        r"the claimed $1-h$ by $$h\Big(\frac h{h_0}-1\Big),\qquad h_0=\frac1{1+\omega/P},$$ which is 0 at "
        r"the largest step $h_0$ and positive for every longer one: neither the rate nor the step rule can "
        r"be improved. The factor $\frac\omega{\omega+P}$ at $h_0$ is the least of all steps: $\frac1{13}$ "
        r"for $P=M=1$, $\frac1{49}$ for $P=4$. With noise the value at the largest step is "
        r"$(1-\eta\lambda)^Tr_0+\big(1-(1-\eta\lambda)^T\big)\frac{\eta\sigma^2(1+\omega)}{\lambda P}$, so "
        r"the noise term is attained as $T\to\infty$. A fault therefore shows as a factor per step, whatever "
        r"$T$: 1.96 for $\omega/2$ in the step rule at $P=1$, 3.94 for one dither on four workers. What "
        r"holds instead in more dimensions: equality for blocks of one coordinate and equal curvatures; with "
        r"one block only in a first step from a single nonzero coordinate, two steps are strictly below the "
        r"bound."
    ),
    variables=(
        Variable(h, r"\mathbb R_{\ge0}", r"$\eta\lambda$"),
        Variable(lam, r"\mathbb R_{>0}", "curvature"),
        Variable(r_0, r"\mathbb R_{\ge0}", r"$x_0^2$"),
        WORKERS,
        ITERATIONS,
        STEP_SIZE,
        NOISE,
        OMEGA,
    ),
    assumptions=(
        DITHER,
        r"One dimension, $\omega=\frac1{12M^2}$, the scale is that of each gradient.",
        r"In the value with noise $\eta\lambda=h_0$ is the largest step; the noise is independent over "
        r"workers and iterations.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(r"$P=M=1$: the least factor of a step", {"omega": _OMEGA, "P": 1}, Rational(1, 13)),
        WorstCase(r"$P=4$, $M=1$: the least factor of a step", {"omega": _OMEGA, "P": 4}, Rational(1, 49)),
        WorstCase(
            r"$P=M=1$, 1.5 times the largest step: how far it exceeds the claimed factor",
            {"omega": _OMEGA, "P": 1, "h": Rational(18, 13)},
            Rational(9, 13),
        ),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
