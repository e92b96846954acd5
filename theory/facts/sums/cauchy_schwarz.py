r"""Cauchy-Schwarz: $(\sum_jw_ja_jb_j)^2\le\sum_jw_ja_j^2\sum_jw_jb_j^2$ for weights $w_j\ge0$."""

from typing import Any

from sympy import Rational, Sum, Symbol, sqrt, sympify

from theory.formula import le


def cauchy_schwarz(K: Any, a: Any, b: Any, over: tuple[Any, Any, Any], weight: Any = 1) -> Any:
    r"""Return it for terms in the index of the range `over`; weights must be known to be at least 0."""
    j, low, high = over
    a, b, weight = sympify(a), sympify(b), sympify(weight)
    k = Symbol(f"{j.name}2", real=True)
    other = {j: k}
    squares = Sum(
        Sum(weight * weight.subs(other) * (a * b.subs(other) - a.subs(other) * b) ** 2, over), (k, low, high)
    )
    goal = le(Sum(weight * a * b, over) ** 2, Sum(weight * a**2, over) * Sum(weight * b**2, over))
    return K.cert(goal, (Rational(1, 2), squares))


def cauchy_schwarz_roots(K: Any, a: Any, b: Any, over: tuple[Any, Any, Any], weight: Any = 1) -> Any:
    r"""Return $\sum_jw_ja_jb_j\le(\sum_jw_ja_j^2)^{1/2}(\sum_jw_jb_j^2)^{1/2}$; weights as above."""
    half, weight = Rational(1, 2), sympify(weight)
    product, first, second = (Sum(weight * term, over) for term in (a * b, a**2, b**2))
    return K.cert(
        le(product, sqrt(first) * sqrt(second)),
        (1, K.axiom("abs-above", product)),
        (1, K.power(cauchy_schwarz(K, a, b, over, weight), half)),
        (1, K.axiom("root-product", first, second, half)),
    )
