r"""The minimum is one of the two: $\gamma=\min(a,b)$ gives $1\le\gamma(\frac1a+\frac1b)$ for $a,b>0$."""

from typing import Any

from theory.formula import le


def one_of_minimum(K: Any, value: Any, first: Any, second: Any, equation: Any) -> Any:
    """Return it from the theorem `value = min(first, second)`; both must be known to be positive."""
    goal = le(1, value * (1 / first + 1 / second))
    both = []
    for one, other in ((first, second), (second, first)):
        smaller = K.axiom("min-is-left", one, other)
        both.append(K.cert(goal, (-1 / one, equation), (-1 / one, smaller), (value / other, 1)))
    return K.cases(first - second, *both)
