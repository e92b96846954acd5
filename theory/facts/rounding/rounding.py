r"""Rounding a level $u$ at random to a neighbouring integer: $0\le\{u\}(1-\{u\})\le\min(u,\frac14)$."""

from typing import Any

from sympy import Expr, Rational, floor

from theory.formula import eq, le, lt


def rounding_variance(u: Any) -> Expr:
    r"""Return $\{u\}(1-\{u\})$, the variance of the rounded level."""
    fraction = u - floor(u)
    return fraction * (1 - fraction)


def variance_nonnegative(K: Any, u: Any) -> Any:
    r"""Return $0\le\{u\}(1-\{u\})$ for every $u$."""
    below, above = K.axiom("floor-below", u), K.axiom("floor-above", u)
    K.know(below, above)
    return K.cert(le(0, rounding_variance(u)), (u - floor(u), above))


def variance_below_quarter(K: Any, u: Any) -> Any:
    r"""Return $\{u\}(1-\{u\})\le\frac14$ for every $u$."""
    quarter = Rational(1, 4)
    return K.cert(le(rounding_variance(u), quarter), (1, (u - floor(u) - Rational(1, 2)) ** 2))


def variance_below_level(K: Any, u: Any, nonnegative: Any) -> Any:
    r"""Return $\{u\}(1-\{u\})\le u$ from the theorem $0\le u$."""
    return K.cert(le(rounding_variance(u), u), (1, K.floor(nonnegative)), (1, (u - floor(u)) ** 2))


def halfway(K: Any, u: Any, cell: Any, same: Any) -> Any:
    r"""Return $\{u\}=\frac12$ from the theorem $u=m+\frac12$, for a known integer m."""
    ends = K.cert(le(cell, u), (-1, same)), K.cert(lt(u, cell + 1), (1, same))
    unique = K.discharge(K.axiom("floor-unique", u, cell), *ends)
    return K.cert(eq(u - floor(u), Rational(1, 2)), (1, same), (-1, unique))
