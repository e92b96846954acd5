r"""Chebyshev's sum inequality: $\sum_ja_j\sum_jb_j\le d\sum_ja_jb_j$ where all $(a_j-a_k)(b_j-b_k)\ge0$."""

from typing import Any

from sympy import Rational, Sum, Symbol, sympify

from theory.formula import le


def chebyshev_sum(K: Any, a: Any, b: Any, over: tuple[Any, Any, Any], ordered: Any) -> Any:
    r"""Return it with $d$ the number of terms.

    Args:
        K: Kernel.
        a: Term in the index of the range `over`.
        b: The same.
        over: Range of the index.
        ordered: Theorem $0\le(a_j-a_k)(b_j-b_k)$ at the indices `j` and `j2` (its name with a 2).
    """
    j, low, high = over
    a, b = sympify(a), sympify(b)
    k = Symbol(f"{j.name}2", real=True)
    total = K.sum_over(ordered, over, (k, low, high))
    goal = le(Sum(a, over) * Sum(b, over), (high - low + 1) * Sum(a * b, over))
    return K.cert(goal, (Rational(1, 2), total))
