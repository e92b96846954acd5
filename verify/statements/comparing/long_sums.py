"""Some places of very long sums with weights."""

from __future__ import annotations

import functools
from fractions import Fraction


@functools.lru_cache(maxsize=256)
def some(count: int) -> tuple[tuple[int, Fraction], ...]:
    """Return some of very many places with weights: what is summed over them instead is linear, too.

    Sums of polynomials up to degree seven are exact, the number of places among them.
    """
    near = (0, 1, 2, count // 3)
    middle = Fraction(count - 1, 2)
    squares = [(place - middle) ** 2 for place in near]
    # Weights of pairs of places, the same on both sides of the middle: their even moments are those of all.
    rows = [[2 * square**power for square in squares] for power in range(4)]
    weights = _solved(rows, [_even_moment(count, power) for power in range(4)])
    return tuple(
        (place, weight)
        for near_place, weight in zip(near, weights, strict=True)
        for place in (near_place, count - 1 - near_place)
    )


def _even_moment(count: int, power: int) -> Fraction:
    """Return the sum of (place - middle)^(2 power) over all places, by Faulhaber's formula."""
    end = Fraction(count, 2)
    polynomials = {
        0: [(1, Fraction(1))],
        1: [(3, Fraction(1, 3)), (1, Fraction(-1, 12))],
        2: [(5, Fraction(1, 5)), (3, Fraction(-1, 6)), (1, Fraction(7, 240))],
        3: [(7, Fraction(1, 7)), (5, Fraction(-1, 4)), (3, Fraction(7, 48)), (1, Fraction(-31, 1344))],
    }
    return 2 * sum((factor * end**degree for degree, factor in polynomials[power]), Fraction(0))


def _solved(rows: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Return the solution of a small system, exactly."""
    work = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for i in range(len(work)):
        pivot = next(k for k in range(i, len(work)) if work[k][i])
        work[i], work[pivot] = work[pivot], work[i]
        work[i] = [item / work[i][i] for item in work[i]]
        for k in range(len(work)):
            if k != i:
                work[k] = [a - work[k][i] * b for a, b in zip(work[k], work[i], strict=True)]
    return [row[-1] for row in work]
