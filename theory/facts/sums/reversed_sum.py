r"""A sum in reverse: $\sum_{j=0}^{n-1}h_{n-1-j}=\sum_{j=0}^{n-1}h_j$."""

from collections.abc import Callable
from typing import Any

from sympy import IndexedBase, Sum, Symbol, oo

from theory.formula import eq


def reversed_sum(K: Any, entry: Callable[[Any], Any], n: Any) -> Any:
    r"""Return it for a function of the place and an integer $n\ge0$."""
    j, m, h = Symbol("j", real=True), Symbol("reversed_m", real=True), IndexedBase("reversed_h", real=True)
    K.index((m, 0, oo))

    def statement(count: Any) -> Any:
        return eq(Sum(h[count - 1 - j], (j, 0, count - 1)), Sum(h[j], (j, 0, count - 1)))

    after = statement(m + 1)
    step = K.cert(
        after, (1, K.assume(statement(m))), (1, K.split_off(after.left, 0)), (-1, K.split_off(after.right))
    )
    return K.instantiate(K.at(K.induction(m, K.cert(statement(0)), step), n), {h: entry})
