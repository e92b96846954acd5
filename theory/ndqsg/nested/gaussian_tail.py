"""The normal tail and its first two antiderivatives."""

from sympy import Expr, erfc, exp, pi, sqrt


def tail(t: Expr) -> Expr:
    r"""Return $\bar\Phi(t)$."""
    return erfc(t / sqrt(2)) / 2


def _density(t: Expr) -> Expr:
    return exp(-(t**2) / 2) / sqrt(2 * pi)


def first(t: Expr) -> Expr:
    r"""Return $A(t)=t\bar\Phi(t)-\phi(t)$."""
    return t * tail(t) - _density(t)


def second(t: Expr) -> Expr:
    r"""Return $B(t)=\frac12[(t^2-1)\bar\Phi(t)-t\phi(t)]$."""
    return ((t**2 - 1) * tail(t) - t * _density(t)) / 2
