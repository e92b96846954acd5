"""Derivation of `ndqsg/conv-strong`: one step, the geometric sum, equality, different functions."""

from collections.abc import Mapping

from sympy import Expr, Integer, Symbol, symbols

from theory.ndqsg.averaged_messages import averaged_messages, gradient_sq
from theory.ndqsg.symbols import P, T, eta, omega, sigma_sq
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.two_point_law import expectation

L = Symbol("L", positive=True)
mu = Symbol("mu", positive=True)
r_0 = Symbol("r_0", nonnegative=True)
h = Symbol("h", nonnegative=True)
S_star = Symbol("S_star", nonnegative=True)

_gap, _r, _S, _A = symbols("gap r S A", nonnegative=True)
_inner = Symbol("I", real=True)
_e, _g, _x, _z = symbols("e g x z", real=True)
_a, _b = symbols("a b", real=True)
_rho = Symbol("rho", positive=True)
_rs = symbols("r_1:4", nonnegative=True)
_t = Symbol("t", positive=True)

_STRONG = "hypothesis: f is mu-strongly convex: <grad f, x - x*> >= f - f* + (mu / 2) |x - x*|^2"

SMOOTHNESS = StandardFact(
    "smooth-convex",
    r"An $L$-smooth $f\ge f^*$ has $\|\nabla f(x)\|^2\le2L(f(x)-f^*)$; a convex one has $\|\nabla "
    r"f(x)-\nabla f(y)\|^2\le2L\big(f(x)-f(y)-\langle\nabla f(y),x-y\rangle\big)$.",
    "Y. Nesterov, Lectures on Convex Optimization, 2nd ed., theorem 2.1.5",
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *averaged_messages(stated["second_moment"]),
        SMOOTHNESS,
        *_one_step(stated),
        _unrolled("unrolled", stated["bound"], eta**2 * sigma_sq * (1 + omega) / P, "one-step"),
        *_attained(stated),
        *_different(stated),
    )


def _one_step(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    noise = sigma_sq * (1 + omega) / P
    return (
        Identity(
            "distance",
            r"$\|e-\eta g\|^2=\|e\|^2-2\eta\langle g,e\rangle+\eta^2\|g\|^2$ with $e=x_t-x^*$; in "
            r"expectation $\langle\hat g,e\rangle$ is $I=\langle\nabla f,e\rangle$.",
            (_e - eta * _g) ** 2,
            _e**2 - 2 * eta * _g * _e + eta**2 * _g**2,
        ),
        Certificate(
            "one-step",
            r"$\mathbb E\|x_{t+1}-x^*\|^2\le(1-\eta\mu)\|x_t-x^*\|^2+\eta^2\sigma^2(1+\omega)/P$ for $\eta$ "
            r"at most the stated step ($S=\mathbb E\|\frac1P\sum\hat g_p\|^2$).",
            _r - 2 * eta * _inner + eta**2 * _S,
            (1 - eta * mu) * _r + eta**2 * noise,
            (
                Term(2 * eta, _inner - _gap - mu / 2 * _r, _STRONG),
                Term(eta**2, stated["second_moment"] - _S, "second-moment"),
                Term(eta**2 * (1 + omega / P), 2 * L * _gap - gradient_sq, "smooth-convex"),
                Term(
                    2 * eta * _gap * L * (1 + omega / P),
                    stated["step_size"] - eta,
                    "hypothesis: the step is at most 1 / (L (1 + omega / P))",
                ),
            ),
        ),
    )


def _unrolled(name: str, bound: Expr, noise: Expr, step: str) -> Certificate:
    """Return three steps of r <- q r + noise against the bound, with q = 1 - eta mu = 1 / (1 + t)."""
    rate = {mu: _t / (eta * (1 + _t))}
    q = 1 / (1 + _t)
    before = (r_0, *_rs[:-1])
    return Certificate(
        name,
        r"Three such steps give the stated bound at $T=3$, with $1-\eta\mu=\frac1{1+t}$; each further step "
        r"adds a term of the same form, and the geometric sum is at most $\frac1{\eta\mu}$.",
        _rs[-1],
        bound.subs(T, 3).xreplace(rate),
        (
            *(
                Term(q ** (2 - place), q * first + noise - second, step)
                for place, (first, second) in enumerate(zip(before, _rs, strict=True))
            ),
            Term(q**3 * (1 + _t) / _t, noise, "a variance"),
        ),
    )


def _attained(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Identity(
            "factor",
            r"In one dimension $\mathbb E(x-h(x+e))^2$ with $\mathbb Ee^2=\omega x^2/P$, the exact variance "
            r"of the average of the messages, is the stated factor times $x^2$ (an error of two values).",
            expectation(lambda up: (_x - h * (_x + (up - _rho) * _z)) ** 2, _rho)
            .expand()
            .subs(_z**2, omega * _x**2 / (P * _rho * (1 - _rho))),
            stated["factor"] * _x**2,
        ),
        Identity(
            "largest-step",
            r"The stated largest $h=\eta\lambda$ is that of the largest step, $\lambda=\mu=L$.",
            stated["largest_h"],
            L * stated["step_size"],
        ),
        Identity(
            "attained",
            r"There the factor is $1-h$, the claimed $1-\eta\mu$: equality at every $T$.",
            stated["factor"].subs(h, stated["largest_h"]),
            1 - stated["largest_h"],
        ),
    )


def _different(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    noise = sigma_sq * (1 + omega) / P
    moment = gradient_sq + omega / P**2 * _A + noise
    further = eta**2 * 2 * omega * S_star / P**2
    return (
        Certificate(
            "squares",
            r"$a^2\le2(a-b)^2+2b^2$.",
            _a**2,
            2 * (_a - _b) ** 2 + 2 * _b**2,
            (Term(Integer(1), (_a - 2 * _b) ** 2, "square of a real number"),),
        ),
        Certificate(
            "one-step-different",
            r"Different $f_p$: $\mathbb E\|\frac1P\sum\hat g_p\|^2\le G+\frac{\omega}{P^2}A+\frac{\sigma^2(1+"
            r"\omega)}P$ with $A=\sum_p\|\nabla f_p(x)\|^2\le4LP(f-f^*)+2\sum_p\|\nabla f_p(x^*)\|^2$ by "
            r"`squares` and `smooth-convex`; for $\eta$ at most the stated step the noise term of a step "
            r"grows by $2\eta^2\frac\omega{P^2}\sum_p\|\nabla f_p(x^*)\|^2$.",
            _r - 2 * eta * _inner + eta**2 * _S,
            (1 - eta * mu) * _r + eta**2 * noise + further,
            (
                Term(2 * eta, _inner - _gap - mu / 2 * _r, _STRONG),
                Term(
                    eta**2,
                    moment - _S,
                    "hypothesis: unbiased independent messages with E |g^_p - g_p|^2 <= omega |g_p|^2",
                ),
                Term(
                    eta**2 * omega / P**2,
                    4 * L * P * _gap + 2 * S_star - _A,
                    "squares, smooth-convex",
                ),
                Term(eta**2, 2 * L * _gap - gradient_sq, "smooth-convex"),
                Term(
                    2 * eta * _gap * L * (1 + 2 * omega / P),
                    stated["step_size_different"] - eta,
                    "hypothesis: the step is at most 1 / (L (1 + 2 omega / P))",
                ),
            ),
        ),
        _unrolled(
            "unrolled-different", stated["bound_different"], eta**2 * noise + further, "one-step-different"
        ),
        Identity(
            "equal-functions",
            r"For equal functions the further term of the bound is zero.",
            stated["bound_different"].subs(S_star, 0),
            stated["bound"],
        ),
    )
