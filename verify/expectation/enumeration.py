"""Exact moments of a compressor by enumeration of all its outcomes, in rationals."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class EnumeratedMoments:
    """Moments over all outcomes: total probability, mean (d,), second moment E||C(x)-x||^2_W."""

    probability: Any
    mean: tuple[Any, ...]
    second_moment: Any
    outcomes: int


def enumerate_moments(compressor: Any, x: Any, weight: Any) -> EnumeratedMoments:
    """Sum over all outcomes of the literal form of a compressor.

    Args:
        compressor: Has `outcomes(x)` and `reference(x, draws)`.
        x: One vector (d,), as a list of Fractions for exact results.
        weight: Diagonal (d,) or full (d, d) weight W, as nested sequences.
    """
    d = len(x)
    probability, second, count = Fraction(0), Fraction(0), 0
    mean = [Fraction(0)] * d
    for chance, draws in compressor.outcomes(x):
        received = compressor.reference(x, draws)
        error = [received[j] - x[j] for j in range(d)]
        probability += chance
        mean = [mean[j] + chance * received[j] for j in range(d)]
        second += chance * quadratic_form(error, weight)
        count += 1
    return EnumeratedMoments(probability, tuple(mean), second, count)


def quadratic_form(e: Any, weight: Any) -> Any:
    """Return e^T W e for a diagonal (d,) or full (d, d) weight."""
    d = len(e)
    if not hasattr(weight[0], "__len__"):
        return sum(weight[j] * e[j] * e[j] for j in range(d))
    return sum(e[j] * weight[j][k] * e[k] for j in range(d) for k in range(d))


def diagonal_of(weight: Any) -> tuple[Any, ...]:
    """Return the diagonal of a diagonal or full weight."""
    if not hasattr(weight[0], "__len__"):
        return tuple(weight)
    return tuple(weight[j][j] for j in range(len(weight)))
