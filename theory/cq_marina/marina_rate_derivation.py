r"""Derivation of `cq_marina/marina-rate`: noise of the estimate, potential, step sizes, refinement.

The symbols are those of the claim and of `marina_descent`; further ones are named in the statements.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Pow, Rational, Symbol, factor, sqrt, symbols

from theory.cq_marina.marina_descent import (
    DESCENT,
    E_0,
    Delta_0,
    E,
    E_next,
    F,
    F_next,
    G,
    R,
    descended,
    gamma,
    telescoping,
)
from theory.cq_marina.symbols import L_minus, L_plus, L_pm, n, p
from theory.old_steps import Certificate, Identity, ScalarLemma, Step, Term
from theory.two_point_law import INDEPENDENCE, expectation

X = Symbol("X", nonnegative=True)
A = Symbol("A", nonnegative=True)
B = Symbol("B", nonnegative=True)
omega = Symbol("omega", nonnegative=True)
L = Symbol("L", positive=True)

# p = 1/(1+u): every p in (0, 1], and (1-p)/p = u.
_u = Symbol("u", nonnegative=True)
COIN = {p: 1 / (1 + _u)}
_excess = Symbol("D", nonnegative=True)
_AB = {A: B + _excess}
_c = Symbol("c", nonnegative=True)
_t, _k, _v = symbols("t k v", positive=True)
_rho = Symbol("rho", positive=True)
_e, _z = symbols("e z", real=True)
_M, _m, _V = symbols("M m V", nonnegative=True)

_SQUARE = "square of a real number"


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *noise(stated["X"]),
        *_potential(stated),
        *_larger_step(stated),
        *_refinement(stated),
        INDEPENDENCE,
    )


def noise(chi: Expr) -> tuple[Step, ...]:
    r"""Return the steps for $E^+\le(1-p)(E+\mathcal XR)$, with the stated $\mathcal X$."""
    chi, quiet = chi.subs(_AB), (1 - p).subs(COIN).factor()
    return (
        Identity(
            "unbiased-noise",
            r"$\mathbb E\|e+\xi\|^2=\|e\|^2+\mathbb E\|\xi\|^2$ for $e=g-\nabla f(x)$ and an error $\xi$ of "
            r"mean zero (one coordinate of two values $(1-\rho)z$ and $-\rho z$).",
            expectation(lambda up: (_e + (up - _rho) * _z) ** 2, _rho),
            _e**2 + expectation(lambda up: ((up - _rho) * _z) ** 2, _rho),
        ),
        Certificate(
            "noise",
            r"$E^+\le(1-p)(E+\mathcal XR)$: with probability $p$ the error is 0, else $V$ adds to $E$; "
            r"$V\le AM_w-Bm=(A-B)M_w+B(M_w-m)$ with $M_w,m$ of the differences (shown with $A=B+D$, "
            r"$D\ge0$, and $p=\frac1{1+u}$).",
            quiet * (E + _V),
            quiet * (E + chi * R),
            (
                Term(
                    quiet,
                    (B + _excess) * _M - B * _m - _V,
                    "hypothesis: the estimate is unbiased with V <= A M_w - B m, A >= B >= 0",
                ),
                Term(
                    quiet * _excess,
                    L_plus**2 * R - _M,
                    "hypothesis: M_w <= L_plus^2 |x+ - x|^2, the definition of L_plus",
                ),
                Term(
                    quiet * B,
                    L_pm**2 * R - (_M - _m),
                    "hypothesis: M_w - m <= L_pm^2 |x+ - x|^2, the definition of L_pm",
                ),
            ),
        ),
    )


def small_step(step: Expr, factor_of_chi: int) -> tuple[Step, ...]:
    r"""Return that a step with $\gamma(L_-+c)\le1$ has $c^2\gamma^2+L_-\gamma\le1$, and its tie to $c$.

    Args:
        step: The stated step, where $c^2$ is `factor_of_chi` times $\frac{1-p}p\mathcal X$.
        factor_of_chi: 1, or 2 under the PL condition.
    """
    two = "" if factor_of_chi == 1 else str(factor_of_chi)
    return (
        ScalarLemma(
            "small-step",
            r"$\gamma(L_-+c)\le1$ implies $c^2\gamma^2+L_-\gamma\le1$.",
            (gamma * (L_minus + _c) <= 1,),
            _c**2 * gamma**2 + L_minus * gamma <= 1,
            (
                Term(1 + gamma * _c, 1 - gamma * (L_minus + _c), "hypothesis"),
                Term(gamma**2 * _c * L_minus, Integer(1), "one"),
            ),
        ),
        Identity(
            "step-size",
            rf"The stated step is $1/(L_-+c)$ with $c^2={two}\frac{{1-p}}p\mathcal X$, the largest with "
            r"$\gamma(L_-+c)\le1$ (shown with $p=\frac1{1+u}$).",
            ((1 / step).subs(COIN) - L_minus) ** 2,
            factor_of_chi * _u * X,
        ),
    )


def _potential(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    weight = stated["weight"]
    return (
        DESCENT,
        *small_step(stated["step_size"], 1),
        Certificate(
            "potential",
            r"$\Phi^+\le\Phi-\frac\gamma2G$ for $\Phi=F+\frac\gamma{2p}E$ if $\frac{1-p}p\mathcal "
            r"X\gamma^2+L_-\gamma\le1$.",
            F_next + weight * E_next,
            F + weight * E - gamma / 2 * G,
            (
                Term(Integer(1), descended(F, G, E, R) - F_next, "descent"),
                Term(gamma / (2 * p), (1 - p) * (E + X * R) - E_next, "noise, unbiased-noise"),
                Term(
                    R / (2 * gamma),
                    1 - (1 - p) / p * X * gamma**2 - L_minus * gamma,
                    "small-step, step-size",
                ),
            ),
        ),
        telescoping(stated["bound"], Delta_0 + weight * E_0),
    )


def roots_factored(expression: Expr) -> Expr:
    """Return the expression with every radicand factored, so that squares leave their roots."""
    return expression.replace(
        lambda part: isinstance(part, Pow) and part.exp in (Rational(1, 2), Rational(-1, 2)),
        lambda part: sqrt(factor(part.base)) ** (2 * part.exp),
    )


def _larger_step(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    # Every L_minus, c > 0 as k(1 - t^2), k t with t = 1/(1+v); then sqrt(L_minus^2 + 4 c^2) = k(1 + t^2).
    tangent = 1 / (1 + _v)
    both = {**COIN, X: (_k * _t) ** 2 / _u, L_minus: _k * (1 - _t**2)}
    rational = {_t: tangent}
    quotient = roots_factored((stated["larger_step"] / stated["step_size"]).subs(COIN).subs(both))
    return (
        Identity(
            "larger-step",
            r"At the stated larger step $\frac{1-p}p\mathcal X\gamma^2+L_-\gamma=1$, so that `potential` "
            r"holds there, too (shown with $p=\frac1{1+u}$).",
            (_u * X * gamma**2 + L_minus * gamma).subs(gamma, stated["larger_step"].subs(COIN)),
            Integer(1),
        ),
        Certificate(
            "gain-of-the-larger-step",
            r"The larger step is at most the stated multiple of the simple one (shown with "
            r"$\sqrt{\frac{1-p}p\mathcal X}=kt$ and $L_-=k(1-t^2)$, $0<t<1$, $t=\frac1{1+v}$: the quotient "
            r"is $1+t-t^2$; equality at $t=\frac12$).",
            quotient.subs(rational),
            stated["largest_gain"],
            (Term(Integer(1), (tangent - Rational(1, 2)) ** 2, _SQUARE),),
        ),
    )


def _refinement(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    original = 1 / stated["original_step"].subs(COIN)
    root = sqrt(_u * omega / n)
    refined = L_minus + root * L_plus
    return (
        Identity(
            "independent-compressors",
            r"For $A=\frac\omega n$, $B=0$ the stated $\mathcal X$ is $\frac\omega nL_+^2$.",
            stated["X"].subs({A: omega / n, B: 0}),
            omega / n * L_plus**2,
        ),
        Certificate(
            "refinement",
            r"The original step $1/\big(L(1+\sqrt{\frac{(1-p)\omega}{pn}})\big)$ is no larger than the "
            r"stated one for $\mathcal X=\frac\omega nL_+^2$, $1/(L_-+\sqrt{\frac{(1-p)\omega}{pn}}L_+)$.",
            refined,
            original,
            (
                Term(
                    Integer(1), L - L_minus, "hypothesis: L_minus is at most L, the root mean square of L_i"
                ),
                Term(root, L - L_plus, "hypothesis: L_plus is at most L, the root mean square of L_i"),
            ),
        ),
    )
