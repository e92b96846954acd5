r"""Kronecker's delta: $\sum_j\delta_{js}=1$ for a place $s$ of the range, and $\delta_{st}\le1$."""

from typing import Any

from sympy import KroneckerDelta, Sum

from theory.formula import eq, le


def delta_total(K: Any, over: tuple[Any, Any, Any], place: Any) -> Any:
    r"""Return $\sum_j\delta_{js}=1$; the place must be known to be an integer of the range `over`."""
    j, low, high = over
    delta = KroneckerDelta(j, place)
    total = Sum(delta, over)
    rest = []
    for ends in ((j, low, place - 1), (j, place + 1, high)):
        rest.append(K.sum_over(K.axiom("delta-other", j, place), ends))
    return K.cert(eq(total, 1), (1, K.split_off(total, place)), *((1, item) for item in rest))


def delta_at_most_one(K: Any, over: tuple[Any, Any, Any], place: Any, other: Any) -> Any:
    r"""Return $\delta_{st}\le1$ for two integers of the range `over`."""
    j, low, high = over
    total = Sum(KroneckerDelta(j, place), over)
    parts = [Sum(KroneckerDelta(j, place), ends) for ends in ((j, low, other - 1), (j, other + 1, high))]
    split = K.split_off(total, other)
    goal = le(KroneckerDelta(other, place), 1)
    return K.cert(
        goal, (-1, split), (1, delta_total(K, over, place)), *((1, K.sign(le(0, item))) for item in parts)
    )
