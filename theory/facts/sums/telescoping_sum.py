r"""Telescoping sums: $\sum_{k=0}^{n-1}(a_{k+1}-a_k)=a_n-a_0$."""

from typing import Any

from sympy import Sum, Symbol

from theory.formula import eq


def telescoping_sum(K: Any, term: Any, index: Any, n: Any) -> Any:
    r"""Return it for a term in the index, and an integer $n\ge0$."""
    m = Symbol("telescoping_m", real=True)
    total = Sum(term.subs(index, index + 1) - term, (index, 0, m - 1))

    def statement(count: Any) -> Any:
        return eq(total.subs(m, count), term.subs(index, count) - term.subs(index, 0))

    step = K.cert(statement(m + 1), (1, K.split_off(total.subs(m, m + 1))), (1, K.assume(statement(m))))
    return K.at(K.induction(m, K.cert(statement(0)), step), n)


def telescoping_ends(K: Any, term: Any, index: Any, n: Any) -> Any:
    """Return the same without looking at the term beyond n, for a known integer n of at least 0."""
    total = Sum(term, (index, 0, n))
    steps = Sum(term.subs(index, index + 1) - term, (index, 0, n - 1))
    goal = eq(steps, term.subs(index, n) - term.subs(index, 0))
    return K.cert(goal, (-1, K.split_off(total, 0)), (1, K.split_off(total)))
