r"""Derivation of `cq_marina/marina-pl`: the potential contracts; and the induction over the rounds.

The symbols are those of the claim and of `marina_descent`; further ones are named in the statements.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Min, Symbol

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
    T,
    descended,
    gamma,
)
from theory.cq_marina.marina_rate_derivation import COIN, X, noise, small_step
from theory.cq_marina.symbols import L_minus, p
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.two_point_law import INDEPENDENCE

mu = Symbol("mu", positive=True)

_factor = Symbol("r", nonnegative=True)
_Phi, _bound = Symbol("Phi", nonnegative=True), Symbol("U", nonnegative=True)
_SMALL = "hypothesis: gamma is at most p / (2 mu)"
_PL = StandardFact(
    "polyak-lojasiewicz",
    r"$\|\nabla f(x)\|^2\ge2\mu(f(x)-f^\star)$, the PL condition; a $\mu$-strongly convex $f$ has it.",
    "H. Karimi, J. Nutini and M. Schmidt, Linear convergence of gradient and proximal-gradient methods under "
    "the Polyak-Lojasiewicz condition, section 2",
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    weight = stated["weight"]
    return (
        *noise(stated["X"]),
        DESCENT,
        *small_step(stated["noise_step"], 2),
        Identity(
            "coin-step",
            r"The stated $\frac p{2\mu}$ is the largest step with $\gamma\mu\le\frac p2$: equality.",
            stated["coin_step"] * mu,
            p / 2,
        ),
        Identity(
            "smaller-one",
            r"The stated step is the smaller one of the two (shown with $p=\frac1{1+u}$).",
            stated["step_size"].subs(COIN),
            Min(stated["noise_step"].subs(COIN), stated["coin_step"].subs(COIN)),
        ),
        _PL,
        Certificate(
            "potential",
            r"$\Phi^+\le(1-\gamma\mu)\Phi$ for $\Phi=F+\frac\gamma pE$, if $\frac{2(1-p)}p\mathcal "
            r"X\gamma^2+L_-\gamma\le1$ and $\gamma\mu\le\frac p2$.",
            F_next + weight * E_next,
            (1 - gamma * mu) * (F + weight * E),
            (
                Term(Integer(1), descended(F, G, E, R) - F_next, "descent"),
                Term(gamma / p, (1 - p) * (E + X * R) - E_next, "noise, unbiased-noise"),
                Term(gamma / 2, G - 2 * mu * F, "polyak-lojasiewicz"),
                Term(
                    R / (2 * gamma),
                    1 - 2 * (1 - p) / p * X * gamma**2 - L_minus * gamma,
                    "small-step, step-size",
                ),
                Term(gamma * E / p, p / 2 - gamma * mu, _SMALL),
            ),
        ),
        Identity(
            "rounds-start",
            r"At $T=0$ the stated bound is $\Phi_0$.",
            stated["bound"].subs(T, 0),
            Delta_0 + weight * E_0,
        ),
        Identity(
            "rounds-next",
            r"The stated bound after $T+1$ rounds is $1-\gamma\mu$ times that after $T$.",
            stated["bound"].subs(T, T + 1),
            (1 - gamma * mu) * stated["bound"],
        ),
        Certificate(
            "induction",
            r"$\Phi\le U$ gives $(1-\gamma\mu)\Phi\le(1-\gamma\mu)U$, since $\gamma\mu\le\frac p2<1$; and "
            r"$F\le\Phi$ (shown with $1-\gamma\mu=r\ge0$).",
            _factor * _Phi,
            _factor * _bound,
            (
                Term(
                    _factor,
                    _bound - _Phi,
                    "hypothesis: the bound U holds for the potential Phi after T rounds",
                ),
            ),
        ),
        INDEPENDENCE,
    )
