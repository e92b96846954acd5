r"""Triangular numbers: $\sum_{j=0}^{n-1}j=\frac{n(n-1)}2$."""

from typing import Any

from sympy import Rational, Sum, Symbol

from theory.formula import eq


def triangular_number(K: Any, n: Any) -> Any:
    r"""Return it for an integer $n\ge0$."""
    j, m = Symbol("j", real=True), Symbol("triangular_m", real=True)
    total = Sum(j, (j, 0, m - 1))

    def statement(count: Any) -> Any:
        return eq(total.subs(m, count), count * (count - 1) * Rational(1, 2))

    step = K.cert(statement(m + 1), (1, K.split_off(total.subs(m, m + 1))), (1, K.assume(statement(m))))
    return K.at(K.induction(m, K.cert(statement(0)), step), n)
