r"""Geometric sums: $(1-q)\sum_{j=0}^{n-1}q^j=1-q^n$."""

from typing import Any

from sympy import Sum, Symbol

from theory.formula import eq


def geometric_sum(K: Any, q: Any, n: Any) -> Any:
    r"""Return it for an integer $n\ge0$ and every $q$, with $0^0=1$."""
    j, m = Symbol("j", real=True), Symbol("geometric_m", real=True)
    total = Sum(q**j, (j, 0, m - 1))

    def statement(count: Any) -> Any:
        return eq((1 - q) * total.subs(m, count), 1 - q**count)

    base = K.cert(statement(0))
    step = K.cert(statement(m + 1), (1 - q, K.split_off(total.subs(m, m + 1))), (1, K.assume(statement(m))))
    return K.at(K.induction(m, base, step), n)
