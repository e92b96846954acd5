"""The rule that sends the same number of entries whatever the gradient, for comparison."""

from collections.abc import Callable
from typing import Any

from impl.adaptive import Choice, SortedGradient
from impl.adaptive.choice import NOTHING
from impl.compressors import TopK


def fixed_size(size: int, cost: Callable[[Any], Any], *, entry_bits: int = 1) -> Callable[[Any], Choice]:
    """Return a rule that keeps the `size` largest entries and pays for as many, also where some are 0."""
    price = cost(size * entry_bits)

    def rule(g: Any) -> Choice:
        sorted_g = SortedGradient(g, "fixed_size")
        if not sorted_g.nonzeros:
            return NOTHING
        share = sorted_g.energies[size - 1] / sorted_g.energies[-1]
        return Choice(size, share, share / price, share / share, price, TopK(size))

    return rule
