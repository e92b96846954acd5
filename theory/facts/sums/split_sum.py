r"""$\sum_{j=0}^{d-1}f(j)=\sum_{j=0}^{T-1}f(j)+\sum_{j=T}^{d-1}f(j)$ for $1\le T\le d$."""

from typing import Any

from sympy import Sum

from theory.formula import eq


def split_sum(K: Any, term: Any, over: tuple[Any, Any, Any], place: Any) -> Any:
    r"""Return it for a term in the index of the range `over`; `place`, T here, must be known to lie in it."""
    j, low, high = over
    total, first, rest = Sum(term, over), Sum(term, (j, low, place - 1)), Sum(term, (j, place, high))
    return K.cert(eq(total, first + rest), (1, K.split_off(total, place - 1)), (-1, K.split_off(first)))
