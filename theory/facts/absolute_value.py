r"""Bounds of absolute values: $-b\le x\le b$ gives $|x|\le b$."""

from typing import Any

from sympy import Abs

from theory.formula import le


def absolute_below(K: Any, x: Any, bound: Any, below: Any, above: Any) -> Any:
    """Return it from the theorems `-bound <= x` and `x <= bound`, or stronger ones."""
    goal = le(Abs(x), bound)
    positive = K.cert(goal, (1, K.axiom("abs-of-nonnegative", x)), (1, above))
    negative = K.cert(goal, (1, K.axiom("abs-of-nonpositive", x)), (1, below))
    return K.cases(x, negative, positive)
