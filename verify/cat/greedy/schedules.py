"""Schedules of messages on the isotropic quadratic, where an entry that is sent becomes 0."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

Cost = Callable[[int], Any]


def greedy(squares: Sequence[Any], cost: Cost, target: Any = 0) -> list[int]:
    """Return the sizes of the messages that take the most off the sum of the squares per cost.

    Args:
        squares: Squares of the entries, rational.
        cost: Maps a number of entries to the cost of a message.
        target: What may be left of the sum.
    """
    left = sorted((Fraction(item) for item in squares if item), reverse=True)
    sizes: list[int] = []
    while left and sum(left) > target:
        best, removed, price = 0, Fraction(0), Fraction(1)
        total = Fraction(0)
        for size, item in enumerate(left, 1):
            total += item
            own = Fraction(cost(size))
            if not best or total * price > removed * own:
                best, removed, price = size, total, own
        sizes.append(best)
        left = left[best:]
    return sizes


def left_after(squares: Sequence[Any], sent: int) -> Fraction:
    """Return the sum of all squares but the `sent` largest ones."""
    ordered = sorted((Fraction(item) for item in squares), reverse=True)
    return sum(ordered[sent:], Fraction(0))


def fewest(squares: Sequence[Any], target: Any) -> int:
    """Return the least number of entries without which at most `target` is left."""
    return next(count for count in range(len(squares) + 1) if left_after(squares, count) <= target)


def least_cost(entries: int, most: int, cost: Cost) -> Fraction:
    """Return the least cost of any schedule with messages of 1 to `most` entries, `entries` or more in all.

    By recursion over the last message, whatever the cost.
    """
    best = [Fraction(0)]
    for count in range(1, entries + 1):
        best.append(min(best[max(count - size, 0)] + Fraction(cost(size)) for size in range(1, most + 1)))
    return best[entries]
