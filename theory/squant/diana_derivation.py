"""Derivation of `squant/diana`: variance, one step of the Lyapunov function, induction.

Messages and shifts are in `diana_shifts`. The symbols are those of the claim; further ones are named in the
statements.
"""

from collections.abc import Mapping

from sympy import Expr, Ge, Integer, Le, Max, Rational, Symbol, symbols

from theory.instance import instance
from theory.old_steps import Certificate, Identity, ScalarLemma, Step, Term
from theory.squant.dcgd_derivation import L, Lcal, Lcal_max, V, distance, drift, gamma, k, mu, s, sigma
from theory.squant.diana_shifts import (
    CONSTANT,
    ELLS,
    ERRORS,
    GRADIENTS,
    LARGEST,
    LEARNING_RATE,
    MESSAGES,
    NODES,
    SHOWN,
    SQUARE,
    alpha,
    bregman,
    messages,
    of_dcgd,
    shifts,
)
from theory.squant.symbols import n

omega_max = Symbol("omega_max", nonnegative=True)
Psi_0 = Symbol("Psi_0", nonnegative=True)

_R_next, _sigma_next, _I, _G, _v = symbols("R_+ sigma_+ I G v", real=True)
_g, _gs, _h = symbols("g g_star h", real=True)
_A, _rho, _t, _E, _T = symbols("A rho t E T", nonnegative=True)
_Vs = symbols("V_1:4", nonnegative=True)

_STEP_SIZE = "hypothesis: the step size gamma is at most 1/(L + 6 Lcal_max/n)"
_SLACK = 1 - gamma * (L + 6 * Lcal_max / n)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *messages(stated),
        *shifts(stated),
        *_variance(stated),
        *_coefficients(stated),
        *_one_step(stated),
        *_induction(stated),
    )


def _variance(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    moments = {n: NODES, V: _Vs, drift: Integer(0)}
    before = instance(stated["shift_error"], {n: NODES, Lcal: ELLS, s: ERRORS})
    nodes = tuple(zip(ELLS, GRADIENTS, ERRORS, MESSAGES, _Vs, strict=True))
    return (
        Certificate(
            "young",
            r"$\|g-h\|^2\le2\|g-g^\star\|^2+2\|h-g^\star\|^2$, per coordinate.",
            (_g - _h) ** 2,
            2 * (_g - _gs) ** 2 + 2 * (_h - _gs) ** 2,
            (Term(Integer(1), (_g + _h - 2 * _gs) ** 2, SQUARE),),
        ),
        Certificate(
            "variance-of-nodes",
            r"$v=\frac1{n^2}\sum_iV_i\le\frac2n(\mathcal L_{\max}A+\sigma_k^2)$ with $A=\frac1n\sum_ia_i$ "
            r"and the stated $\sigma_k^2$; $v$ is the noise of the stated exact left side over $\gamma^2$ "
            rf"{SHOWN}.",
            instance(stated["one_step_exact"], moments) / gamma**2,
            Rational(2, NODES) * (Lcal_max * sum(GRADIENTS) / NODES + before),
            (
                *(Term(Rational(1, NODES**2), ell * q - error, CONSTANT) for ell, _, _, q, error in nodes),
                *(Term(ell / NODES**2, 2 * a + 2 * b - q, "young, summation") for ell, a, b, q, _ in nodes),
                *(Term(2 * a / NODES**2, Lcal_max - ell, LARGEST) for ell, a, *_ in nodes),
            ),
        ),
        *of_dcgd("mean-eigenvalue", "mean-cocoercive", "strong-convexity"),
        Certificate(
            "gradient-error",
            r"$\mathbb E\|g-\nabla f(x^\star)\|^2=G+v\le2(L+2\mathcal L_{\max}/n)D_f+\frac2n\sigma_k^2$.",
            _G + _v,
            2 * (L + 2 * Lcal_max / n) * bregman + 2 * sigma / n,
            (
                Term(Integer(1), 2 * L * bregman - _G, "mean-cocoercive"),
                Term(
                    Integer(1),
                    2 * (Lcal_max * _A + sigma) / n - _v,
                    f"exact-step-{NODES}, variance-of-nodes",
                ),
                Term(2 * Lcal_max / n, 2 * bregman - _A, "nodes-cocoercive"),
            ),
        ),
    )


def _coefficients(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the two lemmas on the coefficients of $D_f$ and of the shift error."""
    # Real symbols of the same names: with a sign in the symbol sympy would swallow the hypothesis.
    rate, smoothness, constant, nodes, weight, learning = symbols("gamma L Lcal_max n v alpha", real=True)
    slack = _SLACK.subs({gamma: rate, L: smoothness, Lcal_max: constant, n: nodes})
    excess = weight * learning - 1
    return (
        ScalarLemma(
            "coefficient-of-bregman",
            r"The coefficient of $D_f$ over $\gamma$: $-2+2\gamma(L+2\mathcal L_{\max}/n)+M\gamma\cdot2\alpha"
            r"\mathcal L_{\max}\le0$ with $M\alpha=4/n$.",
            (nodes > 0, Ge(slack, 0)),
            Le(-2 + 2 * rate * (smoothness + 2 * constant / nodes) + 8 * rate * constant / nodes, 0),
            (Term(Integer(2), slack, _STEP_SIZE),),
        ),
        ScalarLemma(
            "coefficient-of-shifts",
            r"$M(1-\alpha)+\frac2n\le M(1-\frac\alpha2)$ if $M\ge\frac4{n\alpha}$, times $n$ and with "
            r"$v=nM/4$.",
            (Ge(learning, 0), Ge(excess, 0)),
            Le(4 * weight * (1 - learning) + 2, 4 * weight * (1 - learning / 2)),
            (Term(Integer(2), excess, "hypothesis: M is at least 4/(n alpha)"),),
        ),
        Identity(
            "weight",
            r"The stated $M$ is the smallest allowed: $v\alpha=n\alpha M/4=1$.",
            n * alpha * stated["lyapunov_weight"] / 4,
            Integer(1),
        ),
        Identity(
            "lyapunov",
            r"The stated $\Psi=\|x-x^\star\|^2+M\gamma^2\sigma^2$ with the stated $M$.",
            stated["lyapunov"],
            distance + stated["lyapunov_weight"] * gamma**2 * sigma,
        ),
        Identity(
            "largest-step",
            r"The stated step size is the largest with $\gamma(L+6\mathcal L_{\max}/n)\le1$: equality.",
            _SLACK.subs(gamma, stated["step_size"]),
            Integer(0),
        ),
        Identity(
            "largest-learning-rate",
            r"The stated learning rate is the largest with $\alpha(1+\omega_{\max})\le1$: equality.",
            stated["learning_rate"] * (1 + omega_max),
            Integer(1),
        ),
    )


def _one_step(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    weight = stated["lyapunov_weight"]
    weighted = weight * gamma**2 * sigma
    after = distance - 2 * gamma * _I + gamma**2 * (_G + _v) - _R_next
    both = (1 - gamma * mu) * distance + (1 - alpha / 2) * weighted
    # mu in terms of the distance t between both factors decides which one is the larger.
    slow, fast = {mu: (alpha / 2 - _t) / gamma}, {mu: (alpha / 2 + _t) / gamma}
    return (
        Certificate(
            "cert.dianaplus",
            r"One step: the stated $\Psi$ of $\|x^+-x^\star\|^2$ and $\sigma_+^2$ is in expectation at most "
            r"$(1-\gamma\mu)\|x-x^\star\|^2+(1-\frac\alpha2)M\gamma^2\sigma^2$.",
            stated["lyapunov"].subs({distance: _R_next, sigma: _sigma_next}, simultaneous=True),
            both,
            (
                Term(Integer(1), after, f"prox, exact-step-{NODES}"),
                Term(2 * gamma, _I - bregman - mu / 2 * distance, "strong-convexity"),
                Term(
                    gamma**2,
                    2 * (L + 2 * Lcal_max / n) * bregman + 2 * sigma / n - (_G + _v),
                    "gradient-error",
                ),
                Term(
                    weight * gamma**2,
                    stated["shift_bound"] - _sigma_next,
                    "exact-shift-2, shift-step",
                ),
                Term(
                    gamma * bregman,
                    2 - 2 * gamma * (L + 2 * Lcal_max / n) - 8 * gamma * Lcal_max / n,
                    "coefficient-of-bregman",
                ),
            ),
        ),
        *(
            Certificate(
                f"larger-factor-{name}",
                rf"Where {case} the right side of `cert.dianaplus` is at most the stated bound of one step.",
                both.subs(values),
                stated["one_step"].subs(values),
                (Term(_t, slack, "nonnegative by its form"),),
            )
            for name, case, values, slack in (
                ("distance", r"$\gamma\mu=\frac\alpha2-t$, $t\ge0$,", slow, weighted),
                ("shifts", r"$\gamma\mu=\frac\alpha2+t$, $t\ge0$,", fast, distance),
            )
        ),
        Identity(
            "one-step",
            r"The stated bound of one step is the stated factor times the stated $\Psi$.",
            stated["one_step"],
            stated["contraction"] * stated["lyapunov"],
        ),
    )


def _induction(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    # At the stated step size 1/(gamma mu) is (L + 6 Lcal_max/n)/mu; t decides which argument is the larger.
    rounds = L + 6 * Lcal_max / n
    slow = {mu: rounds / (2 * (1 + omega_max) + _t)}
    fast = {mu: rounds / (2 * (1 + omega_max) - _t)}
    by_factor = {alpha: 2 * (1 - _rho)}
    return (
        Identity(
            "condition-distance",
            r"Where $1/(\gamma\mu)=2/\alpha+t$, $t\ge0$, the factor $1-\gamma\mu$ is $1-1/K$ with the stated "
            r"$K$, step size and learning rate.",
            (1 - stated["step_size"] * mu).subs(slow),
            1 - 1 / stated["condition"].subs(slow),
        ),
        Identity(
            "condition-shifts",
            r"Where $1/(\gamma\mu)=2/\alpha-t$, $t\ge0$, the factor $1-\frac\alpha2$ is $1-1/K$ with the "
            r"stated $K$ and learning rate.",
            1 - stated["learning_rate"] / 2,
            1 - 1 / stated["condition"].subs(fast),
        ),
        Certificate(
            "learning-rate-below-one",
            r"$\alpha\le1$, so that the stated factor is at least $1-\frac\alpha2\ge0$.",
            alpha,
            Integer(1),
            (
                Term(Integer(1), 1 - alpha * (1 + omega_max), LEARNING_RATE),
                Term(alpha, omega_max, "nonnegative by its form"),
            ),
        ),
        Certificate(
            "step-below-one",
            r"$\gamma\mu\le1$, because $\mu\le L$: both factors lie in $[0,1)$.",
            gamma * mu,
            Integer(1),
            (
                Term(Integer(1), _SLACK, _STEP_SIZE),
                Term(gamma, L - mu, "hypothesis: mu is at most L (A1 and A2)"),
                Term(6 * gamma * Lcal_max / n, Integer(1), "one is positive"),
            ),
        ),
        *(
            step
            for name, key in (("rate", "rate"), ("bound", "bound"))
            for step in (
                Identity(
                    f"{name}-start",
                    r"At $k=0$ the stated right side is $\Psi_0$.",
                    stated[key].subs(k, 0),
                    Psi_0,
                ),
                Identity(
                    f"{name}-recursion",
                    r"The stated right side after $k+1$ rounds is the stated factor times that after $k$ "
                    r"rounds.",
                    stated[key].subs(k, k + 1),
                    stated["contraction"] * stated[key],
                ),
            )
        ),
        Certificate(
            "induction",
            r"One step from $E\le T$ stays below one step from $T$, since the factor is at least "
            r"$\rho=1-\frac\alpha2\ge0$ by `learning-rate-below-one`; so the expected $\Psi_k$ stays below "
            r"the recursion.",
            (stated["contraction"] * _E).subs(by_factor),
            (stated["contraction"] * _T).subs(by_factor),
            (
                Term(
                    Max(1 - gamma * mu, _rho),
                    _T - _E,
                    "hypothesis: the bound T holds for the expected Psi_k, which is E",
                ),
            ),
        ),
    )
