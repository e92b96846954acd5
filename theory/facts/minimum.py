r"""What is below two bounds is below the smaller: $v\le af$ and $v\le bf$ give $v\le\min(a,b)f$."""

from typing import Any

from sympy import Min

from theory.formula import le


def below_minimum(K: Any, value: Any, first: Any, second: Any, factor: Any, below: tuple[Any, Any]) -> Any:
    """Return it for `below`, theorems that the value is at most each bound times the factor."""
    goal = le(value, Min(first, second) * factor)
    left = K.cert(goal, (1, below[0]), (-factor, K.axiom("min-is-left", first, second)))
    right = K.cert(goal, (1, below[1]), (-factor, K.axiom("min-is-left", second, first)))
    return K.cases(first - second, left, right)
