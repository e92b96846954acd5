"""Derivation of `ndqsg/conv-convex`: variance, one step, telescoping, balanced step, run from the minimum."""

from collections.abc import Mapping

from sympy import Expr, Integer, Symbol, symbols

from theory.instance import instance
from theory.ndqsg.averaged_messages import AVERAGE, gradient_sq
from theory.ndqsg.conv_strong_derivation import SMOOTHNESS, L
from theory.ndqsg.quad_fixed_scale import OLD as QUADRATIC
from theory.ndqsg.quad_fixed_scale import lam, v, x0
from theory.ndqsg.symbols import M, P, T, d, eta, j, sigma_sq
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.two_point_law import INDEPENDENCE

R = Symbol("R", positive=True)
V = Symbol("V", positive=True)
K_sq = Symbol("K_sq", nonnegative=True)
epsilon = Symbol("epsilon", positive=True)

_r, _gap, _S, _s, _k = symbols("r gap S s k", nonnegative=True)
_inner = Symbol("I", real=True)
_rs = symbols("r_1:4", nonnegative=True)
_gaps = symbols("gap_0:3", nonnegative=True)
_t = Symbol("t", positive=True)

# A legal step: eta L = t / (1 + t) < 1, so that 1 / (1 - eta L) = 1 + t is visibly positive.
_LEGAL = {L: _t / (eta * (1 + _t))}

JENSEN = StandardFact(
    "jensen",
    r"$f(\frac1T\sum_tx_t)\le\frac1T\sum_tf(x_t)$ for convex $f$.",
    "P. Billingsley, Probability and Measure, 3rd ed., section 5",
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        AVERAGE,
        INDEPENDENCE,
        Certificate(
            "variance",
            r"A message has the variance $s+\frac d{12M^2}\mathbb E\kappa^2$ about $\nabla f$ "
            r"(`ndqsg/dqsg-variance`), the average over $P$ workers at most the stated $V$.",
            (_s + d / (12 * M**2) * _k) / P,
            stated["variance"],
            (
                Term(1 / P, sigma_sq - _s, "hypothesis: the gradient of a worker has variance s <= sigma^2"),
                Term(d / (12 * M**2 * P), K_sq - _k, "hypothesis: E kappa^2 <= K^2"),
            ),
        ),
        SMOOTHNESS,
        *_rate(stated),
        JENSEN,
        *_simple(stated),
        *_at_the_minimum(stated),
    )


def _rate(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    bound = stated["bound"].xreplace(_LEGAL)
    before = (R**2, *_rs[:-1])
    return (
        Certificate(
            "one-step",
            r"$\mathbb E\|x_{t+1}-x^*\|^2\le\|x_t-x^*\|^2-2\eta(1-\eta L)(f(x_t)-f^*)+\eta^2V$.",
            _r - 2 * eta * _inner + eta**2 * _S,
            _r - 2 * eta * (1 - eta * L) * _gap + eta**2 * V,
            (
                Term(2 * eta, _inner - _gap, "hypothesis: f is convex: <grad f, x - x*> >= f - f*"),
                Term(eta**2, gradient_sq + V - _S, "variance"),
                Term(eta**2, 2 * L * _gap - gradient_sq, "smooth-convex"),
            ),
        ),
        Certificate(
            "telescoping",
            r"The sum over $T$ steps gives the stated bound on the average, with $\eta L=\frac t{1+t}<1$ "
            r"(shown for $T=3$; each step adds the same two terms).",
            sum(_gaps) / 3,
            bound.subs(T, 3),
            (
                *(
                    Term(
                        (1 + _t) / (6 * eta),
                        first - 2 * eta / (1 + _t) * gap + eta**2 * V - second,
                        "one-step",
                    )
                    for first, second, gap in zip(before, _rs, _gaps, strict=True)
                ),
                Term((1 + _t) / (6 * eta), _rs[-1], "a squared distance"),
            ),
        ),
    )


def _simple(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    step = stated["balanced_step"].subs(T, stated["iterations"])
    return (
        Certificate(
            "simple",
            r"For $\eta L\le\frac12$ the bound is at most $\frac{R^2}{\eta T}+\eta V$.",
            stated["bound"].xreplace(_LEGAL),
            stated["simple"],
            (
                Term(
                    stated["simple"] * (1 + _t) / 2,
                    1 - 2 * _t / (1 + _t),
                    "hypothesis: the step is at most 1 / (2 L), where 1 - 2 eta L >= 0",
                ),
            ),
        ),
        Identity(
            "accuracy",
            r"The stated step and number of iterations make it $\varepsilon$.",
            stated["simple"].subs(eta, stated["balanced_step"]).subs(T, stated["iterations"]),
            epsilon,
        ),
        Identity(
            "accuracy-step",
            r"That step is $\frac\varepsilon{2V}$, at most $\frac1{2L}$ for $\varepsilon\le V/L$.",
            step,
            epsilon / (2 * V),
        ),
    )


def _at_the_minimum(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    moment = instance(QUADRATIC.formulas["coordinate"], {lam: (1,), x0: (0,), j: 0, v: V})
    total = T * stated["at_the_minimum"]
    limit = eta * V / (2 * (2 - eta))
    bound = stated["bound"].subs(R, 0).subs(L, 1).subs(eta, 1 / (1 + _t))
    return (
        Identity(
            "first-mean",
            r"The stated mean of $f(x_t)-f^*=\frac12x_t^2$ on $f=\frac12x^2$ from its minimum is 0 for "
            r"$T=1$,",
            stated["at_the_minimum"].subs(T, 1),
            Integer(0),
        ),
        Identity(
            "next-mean",
            r"and $T$ times it grows by $\frac12\mathbb Ex_T^2$ of `ndqsg/quad-fixed-scale`.",
            total.subs(T, T + 1) - total,
            moment / 2,
        ),
        Certificate(
            "at-most-half",
            r"Its limit $\frac{\eta V}{2(2-\eta)}$ is at most half of the bound at $L=1$, $R=0$ "
            r"($\eta=\frac1{1+t}<1$).",
            limit.subs(eta, 1 / (1 + _t)),
            bound / 2,
            (Term(V / (4 * _t * (1 + 2 * _t)), Integer(1), "one"),),
        ),
    )
