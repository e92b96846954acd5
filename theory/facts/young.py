r"""Young's inequality: $(a+b)^2\le(1+c)a^2+(1+\frac1c)b^2$ for $c>0$."""

from typing import Any

from sympy import Expr, sympify

from theory.formula import le


def young(K: Any, a: Expr, b: Expr, c: Any = 1) -> Any:
    r"""Return $(a+b)^2\le(1+c)a^2+(1+\frac1c)b^2$; c must be known to be positive."""
    c = sympify(c)
    return K.cert(le((a + b) ** 2, (1 + c) * a**2 + (1 + 1 / c) * b**2), (1 / c, (c * a - b) ** 2))
