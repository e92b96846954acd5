r"""Steps that the rates of MARINA share: descent of $f$, the coin, telescoping of a potential.

Symbols: $F=\mathbb Ef(x)-f^\star$, $G=\mathbb E\|\nabla f(x)\|^2$, $E=\mathbb E\|g-\nabla f(x)\|^2$,
$R=\mathbb E\|x^+-x\|^2$ with $x^+=x-\gamma g$; a plus marks the next round.
"""

from sympy import Expr, Integer, Rational, Symbol, symbols

from theory.cq_marina.symbols import L_minus
from theory.old_steps import Certificate, Term

gamma = Symbol("gamma", positive=True)
T = Symbol("T", integer=True, positive=True)
Delta_0 = Symbol("Delta_0", nonnegative=True)
E_0 = Symbol("E_0", nonnegative=True)

F, G, E, R = symbols("F G E R", nonnegative=True)
F_next, E_next = symbols("F_+ E_+", nonnegative=True)
_us, _gs = symbols("u_1:3", real=True), symbols("g_1:3", real=True)
_f, _f_next = symbols("f f_+", real=True)
_Gs = symbols("G_0:3", nonnegative=True)
_Phis = symbols("Phi_1:4", nonnegative=True)


def descended(gap: Expr, gradient: Expr, error: Expr, length: Expr) -> Expr:
    """Return the bound of the descent lemma on the next gap."""
    step = 1 / (2 * gamma) - L_minus / 2
    return gap - gamma / 2 * gradient - step * length + gamma / 2 * error


DESCENT = Certificate(
    "descent",
    r"$f(x^+)\le f(x)-\frac\gamma2\|\nabla "
    r"f\|^2-(\frac1{2\gamma}-\frac{L_-}2)\|x^+-x\|^2+\frac\gamma2\|g-\nabla f\|^2$ for $x^+=x-\gamma g$ "
    r"(shown for two coordinates; each adds the same terms).",
    _f_next,
    descended(
        _f,
        sum(u**2 for u in _us),
        sum((g - u) ** 2 for u, g in zip(_us, _gs, strict=True)),
        gamma**2 * sum(g**2 for g in _gs),
    ),
    (
        Term(
            Integer(1),
            _f
            - gamma * sum(u * g for u, g in zip(_us, _gs, strict=True))
            + L_minus / 2 * gamma**2 * sum(g**2 for g in _gs)
            - _f_next,
            "hypothesis: f(x+) <= f(x) + <grad f(x), x+ - x> + (L_minus / 2) |x+ - x|^2, since grad f is "
            "L_minus-Lipschitz",
        ),
    ),
)


def telescoping(bound: Expr, start: Expr) -> Certificate:
    r"""Return the sum of $\Phi_{k+1}\le\Phi_k-\frac\gamma2G_k$ over three rounds.

    Args:
        bound: Bound on the average of the $G_k$, with the number of rounds T.
        start: $\Phi_0$.
    """
    before = (start, *_Phis[:-1])
    return Certificate(
        "telescoping",
        r"$\Phi_{k+1}\le\Phi_k-\frac\gamma2G_k$ for $k<T$ and $\Phi_T\ge0$ give the stated bound on the "
        r"average of the $G_k$ (shown for $T=3$; each round adds the same two terms).",
        Rational(1, 3) * sum(_Gs),
        bound.subs(T, 3),
        (
            *(
                Term(
                    Rational(2, 3) / gamma,
                    first - gamma / 2 * gradient - second,
                    "potential",
                )
                for first, second, gradient in zip(before, _Phis, _Gs, strict=True)
            ),
            Term(Rational(2, 3) / gamma, _Phis[-1], "the potential is nonnegative"),
        ),
    )
