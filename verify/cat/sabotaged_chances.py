"""Rules for the chances of the entries: the one of `impl` and sabotaged ones, in numbers of any kind."""

from collections.abc import Callable, Sequence
from typing import Any

from impl.adaptive import keep_probabilities

Rule = Callable[[Sequence[Any], Any], Sequence[Any]]


def water_filling(g: Sequence[Any], T: Any) -> Sequence[Any]:
    """Return the chances of `impl`."""
    return list(keep_probabilities(g, T))


def squared_magnitudes(g: Sequence[Any], T: Any) -> Sequence[Any]:
    """Return chances in proportion to the squares, filled up to T like those of `impl`."""
    return list(keep_probabilities([item * item for item in g], T))


def equal_chances(g: Sequence[Any], T: Any) -> Sequence[Any]:
    """Return T over the number of nonzeros for each nonzero entry."""
    nonzeros = sum(1 for item in g if item)
    return [T * (item / item) / nonzeros if item else item for item in g]


def clipped_only(g: Sequence[Any], T: Any) -> Sequence[Any]:
    """Return min(1, T |g_j| / ||g||_1): what is clipped is not given to the others."""
    total = sum(abs(item) for item in g)
    one = total / total
    return [min(one, abs(item) / total * T) for item in g]
