r"""$\sum_ja_j^2\le(\sum_ja_j)^2$ for $a_j\ge0$."""

from typing import Any

from sympy import Sum, Symbol

from theory.formula import le


def sum_of_squares(K: Any, a: Any, over: tuple[Any, Any, Any]) -> Any:
    r"""Return it for terms in the index of the range `over`; they must be known to be at least 0."""
    j, low, high = over
    k = Symbol(f"{j.name}2", real=True)
    other = a.subs(j, k)
    total = Sum(other, (k, low, high))
    others = (Sum(other, (k, low, j - 1)), Sum(other, (k, j + 1, high)))
    rest = ((a, K.sign(le(0, item))) for item in others)
    within = K.cert(le(a**2, a * total), (-a, K.split_off(total, j)), *rest)
    return K.sum_over(within, over)
