"""The best budget of a method by numerical minimisation, without the formulas of the claims."""

import math

from verify.comparison import Tolerance

MINIMISER = Tolerance(
    1e-6, "near a minimum the value is quadratic, so its place is found to the root of float64 precision"
)

_GOLDEN = (math.sqrt(5) - 1) / 2
_REACH = 40.0
"""Budgets between exp(-40) and exp(40) are searched."""


def minimal_cost(a: float, kappa: float, c: float, L: float, n: int, mu: float) -> tuple[float, float]:
    """Return the smallest (a + kappa beta)(L + 2c / (beta n)) / mu over beta > 0, and its beta.

    Golden-section search: the cost is convex in ln beta.

    Args:
        a: Bits of a message beside its budget.
        kappa: Bits per unit of budget.
        c: Variance constant times budget.
        L: Smoothness of the mean.
        n: Number of nodes.
        mu: Strong convexity.
    """

    def cost(logarithm: float) -> float:
        beta = math.exp(logarithm)
        return (a + kappa * beta) * (L + 2 * c / (beta * n)) / mu

    low, high = -_REACH, _REACH
    while high - low > 1e-9:
        first, second = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        if cost(first) <= cost(second):
            high = second
        else:
            low = first
    return cost((low + high) / 2), math.exp((low + high) / 2)
